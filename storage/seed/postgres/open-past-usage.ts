import { encodeCharges } from "../../accounts/charges";
import { openAccounts } from "../../accounts/postgres/open-accounts";
import { takeOutboxRows } from "../../accounts/postgres/outbox.repository";
import { openLog } from "../../log/postgres/open-log";
import { createSecrets } from "../../secrets";
import type { PastUsage } from "../past-usage";
import { finishLog, repeatLog } from "./repeat-log";

/** Rows of the outbox that are taken over in one transaction. */
const ROWS = 5;

/** Opens a database; nodes may run meanwhile, but do not learn of these charges. */
export const openPastUsage = async (address: string, masterKey: Uint8Array): Promise<PastUsage> => {
  const accounts = await openAccounts(address, createSecrets(masterKey));
  const log = await openLog(address, { all: () => [] });
  return {
    queries: accounts.queries,
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
