import { sql } from "kysely";
import { encodeCharges } from "../../accounts/charges";
import { openAccounts } from "../../accounts/postgres/open-accounts";
import { takeOutboxRows } from "../../accounts/postgres/outbox.repository";
import { openLog } from "../../log/postgres/open-log";
import { createSecrets } from "../../secrets";
import type { PastUsage } from "../past-usage";
import { REPEATED_TABLES, repeatAccounts } from "../repeat-accounts";
import { finishLog, onDatabase, repeatLog } from "./repeat-log";

/** Rows of the outbox that are taken over in one transaction. */
const ROWS = 5;

/** Opens a database; nodes may run meanwhile, but do not learn of these charges. */
export const openPastUsage = async (address: string, masterKey: Uint8Array): Promise<PastUsage> => {
  const accounts = await openAccounts(address, createSecrets(masterKey));
  const log = await openLog(address, { all: () => [] });
  return {
    queries: accounts.queries,
    repeatAccounts: (copies) =>
      onDatabase(address, async (db) => {
        await db.transaction().execute((transaction) => repeatAccounts(transaction, copies));
        for (const table of REPEATED_TABLES)
          await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), max(id)) FROM ${sql.table(table)}`.execute(
            db,
          );
      }),
    commit: (charges) => accounts.charges.commit(...encodeCharges(charges)),
    async takeOver() {
      while ((await log.takeOver((transaction) => takeOutboxRows(transaction, ROWS))) > 0) {
        // Some rows at a time.
      }
    },
    async finish(repetition, now) {
      await log.addUpSums();
      await log.close();
      await accounts.close();
      if (repetition) await repeatLog(address, repetition);
      await finishLog(address, now);
    },
  };
};
