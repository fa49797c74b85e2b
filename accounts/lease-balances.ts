import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { LedgerCause, Movement } from "@tollgate/contract/records/ledger-entry";
import type { Account } from "@tollgate/metering/ledger";
import type { Adjustment, BalanceMove, Balances, Exchanged } from "./balances";
import { KeyedMutex } from "./keyed-mutex";

export interface EditedBalance {
  /** The actual movement; nearer to 0 than requested when holds keep the rest. */
  readonly moved: number;
  /** The balance afterwards, leased or not. */
  readonly balance: number;
}

/** Moves balances that several nodes lease. */
export interface BalanceEdits {
  /**
   * Sets a balance. First, other nodes return the parts of their leases that they do not need.
   * @param linesOf creates the log lines. @param movement the ledger's entry.
   * @throws when the balance would be too large, or the database does not answer.
   */
  edit(
    account: Account,
    wanted: number,
    linesOf: (before: number, after: number) => readonly AccountLine[],
    movement: Movement,
  ): Promise<EditedBalance>;
  /**
   * Waits a moment at most until nodes have returned the unneeded parts of their leases of a balance.
   * @throws when the database does not answer.
   */
  recall(account: Account): Promise<void>;
}

/**
 * Balances partly leased by this node (docs/decisions/0013-leases.md). Nothing is moved in memory: granted quota is in
 * the database for the nodes that need it. An edit names the target balance, and the difference is computed under the
 * lock of its row: concurrent edits on two nodes run sequentially, and are not added up. The accompanying changes come
 * first, because they may be refused.
 */
export class LeaseBalances implements Balances {
  private readonly mutex = new KeyedMutex<Account>();

  constructor(
    private readonly edits: BalanceEdits,
    private readonly onMove: (move: BalanceMove) => void,
  ) {}

  async grant<T>(
    { id }: Account,
    cause: BalanceMove["cause"],
    store: () => Promise<T>,
    quotaOf: (stored: T) => number,
  ): Promise<T> {
    const stored = await store();
    const quota = quotaOf(stored);
    if (quota !== 0) this.onMove({ id, quota, cause });
    return stored;
  }

  /** Quota that nodes lease and need stays with them. */
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

  /** Only quota that no node leases may be taken, after nodes have returned what they do not need. */
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
