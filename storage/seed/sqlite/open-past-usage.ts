import { encodeCharges } from "../../accounts/charges";
import { openLogWriter, openReader, openWriter } from "../../open-sqlite";
import { openConnection } from "../../sqlite/connection";
import { queryBuilder } from "../../sqlite/query-builder";
import type { PastUsage } from "../past-usage";
import { repeatAccounts } from "../repeat-accounts";
import { repeatLog } from "./repeat-log";

/**
 * Opens a data folder, which no one else may have open.
 * @param path the main file.
 */
export const openPastUsage = async (path: string, masterKey: Uint8Array): Promise<PastUsage> => {
  const writer = await openWriter(path, masterKey);
  const log = await openLogWriter(path);
  const reader = openReader(path, masterKey);
  return {
    queries: reader.repositories,
    async repeatAccounts(copies) {
      const connection = openConnection(path, false);
      try {
        await queryBuilder<unknown>(connection)
          .transaction()
          .execute((transaction) => repeatAccounts(transaction, copies));
      } finally {
        connection.close();
      }
    },
    commit: async (charges) => writer.repositories.charges.commit(...encodeCharges(charges)),
    async takeOver() {
      // Each call takes a bounded number of rows.
      let last = log.repositories.log.lastBatch();
      for (let next = log.repositories.log.ingest(); next !== last; next = log.repositories.log.ingest())
        last = next;
      writer.repositories.outbox.trim(last);
    },
    async finish(repetition, now) {
      reader.close();
      log.close();
      if (repetition) await repeatLog(path, repetition.copies, repetition.days);
      const finished = await openLogWriter(path);
      while (finished.repositories.log.closeBucket(now)) {
        // Step by step.
      }
      finished.close();
      writer.close();
    },
  };
};
