import type { Connection } from "../../sqlite/connection";
import type { StoredReceipt } from "../ports";
import { decodeReceiptDetail } from "../receipt-detail";

export const receiptReads = (connection: Connection) => ({
  find(requestId: string, userId: number | undefined): StoredReceipt | undefined {
    const row = connection
      .prepare(
        `SELECT receipts.created_at, receipts.detail, payers.user_id, payers.username, payers.token_name
         FROM receipts JOIN payers ON payers.id = receipts.payer_id
         WHERE receipts.request_id = ? AND receipts.detail IS NOT NULL ORDER BY receipts.id DESC LIMIT 1`,
      )
      .get(requestId) as
      | { created_at: number; detail: string; user_id: number; username: string; token_name: string }
      | undefined;
    if (!row || (userId !== undefined && row.user_id !== userId)) return undefined;
    return {
      requestId,
      createdAt: row.created_at,
      username: row.username,
      tokenName: row.token_name,
      detail: decodeReceiptDetail(row.detail),
    };
  },
});
