import type { OnThread } from "../../consistency";
import { decodeEntries } from "../../outbox/log-entry";
import type { OutboxReader, OutboxTarget } from "../../outbox/outbox-ends";
import type { Connection } from "../../sqlite/connection";
import { inTransaction } from "../../sqlite/in-transaction";
import { hourOf } from "../hours";
import type { LogMaintenance } from "../ports";
import { closeBucket } from "./eight-hour-buckets";
import { LineWriter } from "./line-writer";
import { readState, writeState } from "./log-state";

/** From this much text on a transaction takes no further outbox row: others wait for the thread. */
const FULL_LENGTH = 2_000_000;
/** Lines that one step of clearing deletes. */
const CLEAR_STEP = 2000;

/** The log file's writing side. @param outbox where its lines come from. */
export const logFileWrites = (log: Connection, outbox: OutboxReader) => {
  const lines = new LineWriter(log);

  const write = <T>(step: () => T): T => {
    try {
      return inTransaction(log, () => {
        lines.begin();
        const result = step();
        lines.finish();
        return result;
      });
    } catch (error) {
      lines.forget();
      throw error;
    }
  };

  /** One step. @returns whether there are no more. */
  const clearFailures = (before: number): boolean => {
    const receipts = log
      .prepare(
        `DELETE FROM receipts WHERE id IN (SELECT id FROM receipts WHERE log_id = 0 AND created_at < ?
           LIMIT ${CLEAR_STEP})`,
      )
      .run(before).changes;
    const counts = log
      .prepare(
        `DELETE FROM failures WHERE request_id IN (SELECT request_id FROM failures WHERE first_at < ?
           LIMIT ${CLEAR_STEP})`,
      )
      .run(before).changes;
    return receipts < CLEAR_STEP && counts < CLEAR_STEP;
  };

  return {
    lastBatch: (): number => readState(log, "last-batch"),

    ingest(): number {
      const last = readState(log, "last-batch");
      let newest = last;
      let length = 0;
      const texts: string[] = [];
      for (const { id, batch } of outbox.after(last)) {
        newest = id;
        texts.push(batch);
        length += batch.length;
        if (length >= FULL_LENGTH) break;
      }
      if (newest === last) return last;
      write(() => {
        for (const text of texts) {
          decodeEntries(
            text,
            (entry) => lines.addRequest(entry),
            (entry) => lines.addAccount(entry),
          );
        }
        writeState(log, "last-batch", newest);
      });
      return newest;
    },

    clearBefore(timestamp: number, now: number): { deleted: number; isDone: boolean } {
      return inTransaction(log, () => {
        // Lines may say a later time than it is now, where the clock was set back: they stay, as their hours count them.
        const asked = Math.min(timestamp, now + 1);
        const before = Math.max(Math.min(timestamp, now), readState(log, "cleared-before"));
        writeState(log, "cleared-before", before);
        const rows = log
          .prepare(
            `SELECT id, receipt_id FROM logs WHERE created_at < ? ORDER BY created_at LIMIT ${CLEAR_STEP}`,
          )
          .all(asked) as { id: number; receipt_id: number }[];
        const removeLine = log.prepare("DELETE FROM logs WHERE id = ?");
        const removeReceipt = log.prepare("DELETE FROM receipts WHERE id = ?");
        for (const row of rows) {
          removeLine.run(row.id);
          removeReceipt.run(row.receipt_id);
        }
        const isDone = clearFailures(asked) && rows.length < CLEAR_STEP;
        if (isDone) {
          log.prepare("DELETE FROM content_hours WHERE hour < ?").run(hourOf(before));
          log.prepare("DELETE FROM priced_lines WHERE hour < ?").run(hourOf(before));
          log.prepare("DELETE FROM contents WHERE id NOT IN (SELECT content_id FROM content_hours)").run();
          lines.forget();
        }
        return { deleted: rows.length, isDone };
      });
    },

    clearFailuresBefore: (timestamp: number): boolean => inTransaction(log, () => clearFailures(timestamp)),

    closeBucket: (now: number): boolean => closeBucket(log, now),

    clearedBefore: (): number => readState(log, "cleared-before"),
  } satisfies OnThread<{ log: LogMaintenance & OutboxTarget }>["log"];
};
