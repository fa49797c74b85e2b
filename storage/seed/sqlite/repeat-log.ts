import { DAY_SECONDS, dayOf } from "../../log/hours";
import { SUM_COLUMNS } from "../../log/sql/sum-columns";
import { reopenBuckets } from "../../log/sqlite/eight-hour-buckets";
import { logFilePath, openLogFile } from "../../log/sqlite/log-file";
import { readState, writeState } from "../../log/sqlite/log-state";
import { inTransaction } from "../../sqlite/in-transaction";

/**
 * Repeats the first days of the log file, each time so many days later: a large table for measurements, made in minutes.
 * The main file knows nothing of the copies.
 * @param path the main file.
 */
export const repeatLog = async (path: string, copies: number, days: number): Promise<void> => {
  const log = await openLogFile(logFilePath(path));
  const lines = readState(log, "last-log-id");
  const receipts = readState(log, "last-receipt-id");
  const sums = SUM_COLUMNS.join(", ");
  const { first } = log.prepare("SELECT min(created_at) AS first FROM logs").get() as { first: number };
  const end = (dayOf(first) + days) * DAY_SECONDS;
  for (let copy = 1; copy <= copies; copy += 1) {
    const seconds = copy * days * DAY_SECONDS;
    const dayShift = copy * days;
    const base = `created_at < ${end}`;
    const baseHour = `hour < ${end}`;
    inTransaction(log, () => {
      log.exec(`
        INSERT INTO logs SELECT id + ${lines * copy}, user_id, created_at + ${seconds}, type, payer_id, model_id,
            channel_id, content_id, quota, prompt_tokens, completion_tokens, is_stream, duration_ms, first_byte_ms,
            receipt_id + ${receipts * copy}, cost, is_interrupted,
            cache_read_tokens, cache_write_tokens, is_other_model
          FROM logs WHERE id <= ${lines} AND ${base};
        INSERT INTO receipts SELECT id + ${receipts * copy}, request_id || '-${copy}', created_at + ${seconds}, payer_id,
            model_id, channel_id, CASE log_id WHEN 0 THEN 0 ELSE log_id + ${lines * copy} END, is_error, detail
          FROM receipts WHERE id <= ${receipts} AND ${base};
        INSERT INTO failures SELECT request_id || '-${copy}', first_at + ${seconds}, last_at + ${seconds}, occurrences, user_id,
            payer_id, model_id, channel_id, status, code
          FROM failures WHERE first_at < ${end};
        INSERT INTO site_hours SELECT hour + ${seconds}, model_id, channel_id, ${sums} FROM site_hours WHERE ${baseHour};
        INSERT INTO model_hours SELECT hour + ${seconds}, model_id, ${sums} FROM model_hours WHERE ${baseHour};
        INSERT INTO latency_hours SELECT hour + ${seconds}, model_id, channel_id, measure, bucket, requests
          FROM latency_hours WHERE ${baseHour};
        INSERT INTO channel_hours SELECT hour + ${seconds}, channel_id, ${sums} FROM channel_hours WHERE ${baseHour};
        INSERT INTO payer_hours SELECT day + ${dayShift}, payer_id, hour + ${seconds}, ${sums}
          FROM payer_hours WHERE ${baseHour};
        INSERT INTO detail_hours SELECT day + ${dayShift}, payer_id, hour + ${seconds}, model_id, channel_id, ${sums}
          FROM detail_hours WHERE ${baseHour};
        INSERT INTO content_hours SELECT content_id, hour + ${seconds}, lines FROM content_hours WHERE ${baseHour};
        INSERT INTO priced_lines (hour, lines, data) SELECT hour + ${seconds}, lines, data
          FROM priced_lines WHERE ${baseHour};`);
      writeState(log, "last-log-id", lines * (copy + 1));
      writeState(log, "last-receipt-id", receipts * (copy + 1));
    });
  }
  inTransaction(log, () => reopenBuckets(log));
  log.close();
};
