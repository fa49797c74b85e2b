import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { Account } from "@tollgate/metering/ledger";
import type { AdjustCause, Adjustment, BalanceMove, Balances, GrantCause } from "./balances";
import { KeyedMutex } from "./keyed-mutex";

/** What became of an edit. */
export interface EditedBalance {
  /** By how much it was moved; nearer to 0 than was asked for where holds keep the rest. */
  readonly moved: number;
  /** What there is now, leased or not. */
  readonly balance: number;
}

/** Where balances are moved that several nodes lease. */
export interface BalanceEdits {
  /**
   * Sets a balance. What other nodes lease of it and do not need is given back first.
   * @param linesOf what the log says of it.
   * @throws when the balance would be too large, or nobody answers.
   */
  edit(
    account: Account,
    wanted: number,
    linesOf: (before: number, after: number) => readonly AccountLine[],
  ): Promise<EditedBalance>;
}

/**
 * Balances of which this node leases a part (docs/decisions/0013-leases.md). Nothing is moved in memory: what is granted is in
 * the database for whoever needs it. An edit says what the balance is to become, and the difference is worked out under the lock
 * of its row: of two edits on two nodes one comes after the other, and both are not added up. What changes beside the balance
 * comes first, because it may be refused.
 */
export class LeaseBalances implements Balances {
  private readonly mutex = new KeyedMutex<Account>();

  constructor(
    private readonly edits: BalanceEdits,
    private readonly onMove: (move: BalanceMove) => void,
  ) {}

  async grant<T>(
    { id }: Account,
    cause: GrantCause,
    store: () => Promise<T>,
    quotaOf: (stored: T) => number,
  ): Promise<T> {
    const stored = await store();
    this.onMove({ id, quota: quotaOf(stored), cause });
    return stored;
  }

  adjust<T>(
    account: Account,
    cause: AdjustCause,
    wanted: number | undefined,
    { store, linesOf, withBalance }: Adjustment<T>,
  ): Promise<T> {
    return this.mutex.run(account, async () => {
      const stored = await store(0, []);
      if (stored === undefined || stored === null || wanted === undefined) return stored;
      const { moved, balance } = await this.edits.edit(
        account,
        wanted,
        (...range) => linesOf?.(...range) ?? [],
      );
      if (moved !== 0) this.onMove({ id: account.id, quota: moved, cause });
      return withBalance ? withBalance(stored, balance) : stored;
    });
  }

  afterEdits<T>(account: Account, step: () => Promise<T>): Promise<T> {
    return this.mutex.run(account, step);
  }
}
