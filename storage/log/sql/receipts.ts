import type { InSnapshot } from "../../sql/sql-runner";
import type { ReceiptQueries } from "../ports";
import { decodeReceiptDetail } from "../receipt-detail";

interface ReceiptRow {
  created_at: number;
  detail: string;
  user_id: number;
  username: string;
  token_name: string;
  occurrences: number | null;
  last_at: number | null;
}

export const receiptReads = (inSnapshot: InSnapshot): ReceiptQueries => ({
  find: (requestId, userId) =>
    inSnapshot(async (log) => {
      const [row] = await log.all<ReceiptRow>(
        `SELECT receipts.created_at, receipts.detail, payers.user_id, payers.username, payers.token_name,
           failures.occurrences, failures.last_at
         FROM receipts JOIN payers ON payers.id = receipts.payer_id
           LEFT JOIN failures ON failures.request_id = receipts.request_id
         WHERE receipts.request_id = ? AND receipts.detail IS NOT NULL ORDER BY receipts.id DESC LIMIT 1`,
        requestId,
      );
      if (!row || (userId !== undefined && row.user_id !== userId)) return undefined;
      return {
        requestId,
        createdAt: row.created_at,
        username: row.username,
        tokenName: row.token_name,
        detail: decodeReceiptDetail(row.detail),
        repeated:
          row.occurrences !== null && row.occurrences > 1 && row.last_at !== null
            ? { times: row.occurrences, lastAt: row.last_at }
            : undefined,
      };
    }),
});
