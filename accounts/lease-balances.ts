import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { LedgerCause, Movement } from "@tollgate/contract/records/ledger-entry";
import type { Account } from "@tollgate/metering/ledger";
import type { Adjustment, BalanceMove, Balances, Exchanged } from "./balances";
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
   * @param linesOf what the log says of it. @param movement what the ledger says.
   * @throws when the balance would be too large, or the database does not answer.
   */
  edit(
    account: Account,
    wanted: number,
    linesOf: (before: number, after: number) => readonly AccountLine[],
    movement: Movement,
  ): Promise<EditedBalance>;
  /**
   * Waits until nodes have given back what they lease of a balance and do not need, for a moment at most.
   * @throws when the database does not answer.
   */
  recall(account: Account): Promise<void>;
}

/**
 * Balances of which this node leases a part (docs/decisions/0013-leases.md). Nothing is moved in memory: what is granted is in
 * the database for the nodes that need it. An edit says what the balance is to become, and the difference is worked out under the lock
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
    cause: LedgerCause,
    store: () => Promise<T>,
    quotaOf: (stored: T) => number,
  ): Promise<T> {
    const stored = await store();
    const quota = quotaOf(stored);
    if (quota !== 0) this.onMove({ id, quota, cause });
    return stored;
  }

  /** What nodes lease and need stays theirs. */
  take<T>(
    account: Account,
    cause: LedgerCause,
    most: number,
    store: (most: number) => Promise<T>,
    quotaOf: (stored: T) => number,
  ): Promise<T> {
    return this.mutex.run(account, async () => {
      await this.edits.recall(account);
      const stored = await store(most);
      const taken = quotaOf(stored);
      if (taken !== 0) this.onMove({ id: account.id, quota: -taken, cause });
      return stored;
    });
  }

  adjust<T>(
    account: Account,
    movement: Movement,
    wanted: number | undefined,
    { store, linesOf, withBalance }: Adjustment<T>,
  ): Promise<T> {
    return this.mutex.run(account, async () => {
      const stored = await store(undefined, []);
      if (stored === undefined || stored === null || wanted === undefined) return stored;
      const { moved, balance } = await this.edits.edit(
        account,
        wanted,
        (...range) => linesOf?.(...range) ?? [],
        movement,
      );
      if (moved !== 0) this.onMove({ id: account.id, quota: moved, cause: movement.cause });
      return withBalance ? withBalance(stored, balance) : stored;
    });
  }

  /** What may be taken is what no node leases once nodes have given back what they do not need. */
  exchange<T>(
    account: Account,
    cause: LedgerCause,
    most: number,
    store: (most: number) => Promise<T>,
    read: (stored: T) => Exchanged,
  ): Promise<T> {
    return this.mutex.run(account, async () => {
      if (most > 0) await this.edits.recall(account);
      const stored = await store(most);
      const { moved } = read(stored);
      if (moved !== 0) this.onMove({ id: account.id, quota: moved, cause });
      return stored;
    });
  }

  afterEdits<T>(account: Account, step: () => Promise<T>): Promise<T> {
    return this.mutex.run(account, step);
  }
}
