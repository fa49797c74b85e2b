import type { LogFailure } from "@tollgate/contract/api/logs";
import type { InSnapshot } from "../../sql/sql-runner";
import type { ReceiptQueries } from "../ports";
import { decodeReceiptDetail, type ReceiptDetail } from "../receipt-detail";
import { keyIdOf } from "./no-request";

interface ReceiptRow {
  created_at: number;
  detail: string;
  log_id: number;
  user_id: number;
  username: string;
  token_id: number;
  token_name: string;
  channel_id: number;
  model: string | null;
  code: string | null;
  status: number | null;
  occurrences: number | null;
  last_at: number | null;
}

/** A request that was answered has none. A failure from before failures were kept in a table has only its receipt. */
const failureOf = (row: ReceiptRow, detail: ReceiptDetail): LogFailure | undefined => {
  if (row.log_id !== 0) return undefined;
  return {
    code: row.code ?? detail.end,
    upstreamStatus: row.status ?? 0,
    told: detail.told,
    group: detail.group,
    times: row.occurrences ?? 1,
    lastAt: row.last_at ?? row.created_at,
  };
};

export const receiptReads = (inSnapshot: InSnapshot): ReceiptQueries => ({
  find: (requestId, userId, keyId) =>
    inSnapshot(async (log) => {
      const [row] = await log.all<ReceiptRow>(
        `SELECT receipts.created_at, receipts.detail, receipts.log_id, payers.user_id, payers.username, payers.token_id,
           payers.token_name, receipts.channel_id, models.name AS model,
           failures.code, failures.status, failures.occurrences, failures.last_at
         FROM receipts JOIN payers ON payers.id = receipts.payer_id
           LEFT JOIN models ON models.id = receipts.model_id
           LEFT JOIN failures ON failures.request_id = receipts.request_id
         WHERE receipts.request_id = ? AND receipts.detail IS NOT NULL ORDER BY receipts.id DESC LIMIT 1`,
        requestId,
      );
      if (!row || (userId !== undefined && row.user_id !== userId)) return undefined;
      if (keyId !== undefined && row.token_id !== keyId) return undefined;
      const detail = decodeReceiptDetail(row.detail);
      return {
        requestId,
        createdAt: row.created_at,
        userId: row.user_id,
        username: row.username,
        keyId: keyIdOf(row),
        tokenName: row.token_name,
        channelId: row.channel_id,
        chargedModel: row.model ?? "",
        detail,
        failure: failureOf(row, detail),
      };
    }),
});
