import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import type { Account } from "@tollgate/metering/ledger";
import { KeyedMutex } from "./keyed-mutex";

/**
 * Moves balances that are in use. What is stored is never below what is in memory, and neither is ever negative: a
 * deduction is made in memory first and stored after, an addition is stored first and made in memory after.
 */
export class Balances {
  private readonly edits = new KeyedMutex<Account>();

  /**
   * Adds quota.
   * @param store stores it.
   * @param quotaOf how much it was, as what `store` resolves to says.
   */
  async grant<T>(account: Account, store: () => Promise<T>, quotaOf: (stored: T) => number): Promise<T> {
    const stored = await store();
    account.quota = Math.min(account.quota + quotaOf(stored), MAX_QUOTA);
    return stored;
  }

  /**
   * Sets a balance: it moves by the difference to what is left now, so that charges made meanwhile stay. A deduction that
   * is not stored is taken back. Edits of one balance come one after another.
   * @param wanted the new balance; undefined leaves it as it is.
   * @param store stores the difference, with whatever changes beside it. Where it resolves to undefined, there was nothing
   * to change and nothing moves.
   */
  adjust<T>(
    account: Account,
    wanted: number | undefined,
    store: (difference: number) => Promise<T>,
  ): Promise<T> {
    return this.edits.run(account, async () => {
      const difference = wanted === undefined ? 0 : wanted - account.quota;
      if (difference < 0) account.quota += difference;
      let isStored = false;
      try {
        const stored = await store(difference);
        isStored = stored !== undefined;
        if (isStored && difference > 0) account.quota += difference;
        return stored;
      } finally {
        if (!isStored && difference < 0) account.quota -= difference;
      }
    });
  }
}
