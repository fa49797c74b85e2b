import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { LedgerCause, Movement, QuotaMove } from "@tollgate/contract/records/ledger-entry";
import {
  type Account,
  move,
  refund,
  type Settlement,
  setDue,
  spendable,
  takeSpare,
} from "@tollgate/metering/ledger";
import { KeyedMutex } from "./keyed-mutex";

/** The result of a step that may take and give. */
export interface Exchanged {
  /** The movement of the balance; negative for a deduction. */
  readonly moved: number;
  /** Quota to reclaim once holds release it; undefined leaves the current value. */
  readonly due?: number | undefined;
}

/** A move of a balance other than a charge, which has a receipt. */
export interface BalanceMove {
  /** The user's id, or the key's if the cause names a key. */
  readonly id: number;
  /** Negative for a deduction. */
  readonly quota: number;
  readonly cause: LedgerCause | "charge-not-stored" | "key-refunded";
}

/** The parts of a balance edit other than the balance itself. */
export interface Adjustment<Stored> {
  /**
   * Stores the difference with its ledger entry, and all changes made with it.
   * @param quotaMove undefined when nothing moves, or the balance moves in a separate step.
   * @param lines log lines about the difference.
   * @returns undefined when there was nothing to change: then nothing moves.
   */
  store(quotaMove: QuotaMove | undefined, lines: readonly AccountLine[]): Promise<Stored>;
  /** Log lines about a moved balance; none by default. */
  linesOf?(before: number, after: number): readonly AccountLine[];
  /** The stored result, with the balance after a separate step. */
  withBalance?(stored: NonNullable<Stored>, balance: number): Stored;
}

/** Moves balances that are in use, otherwise than by charges. Each movement is stored with an entry in the ledger. */
export interface Balances {
  /**
   * Adds quota.
   * @param store stores it with its entry, once per cause and reference.
   * @param quotaOf reads the added quota from the result of `store`; 0 if it was booked before.
   */
  grant<T>(
    account: Account,
    cause: BalanceMove["cause"],
    store: () => Promise<T>,
    quotaOf: (stored: T) => number,
  ): Promise<T>;
  /**
   * Takes quota that is available and not held by running requests.
   * @param most the maximum to take.
   * @param store stores it with its entry. Its argument is the maximum available, and it may take less.
   * @param quotaOf reads the taken quota from the result of `store`; 0 if it was booked before.
   * @param isOwed also takes quota held by running requests, if this process alone has the balance: they hold far more
   * than they cost, and their final cost becomes their shortfall. On several nodes they keep the quota they need until
   * they end.
   */
  take<T>(
    account: Account,
    cause: LedgerCause,
    most: number,
    store: (most: number) => Promise<T>,
    quotaOf: (stored: T) => number,
    isOwed?: boolean,
  ): Promise<T>;
  /**
   * Sets a balance by moving it by the difference to the current one, so that charges made meanwhile are kept. Edits of
   * one balance run sequentially.
   * @param wanted the new balance; undefined leaves it unchanged.
   */
  adjust<T>(
    account: Account,
    movement: Movement,
    wanted: number | undefined,
    adjustment: Adjustment<T>,
  ): Promise<T>;
  /**
   * Moves a balance by the result of a stored step, which may take and give.
   * @param most the maximum to take.
   * @param store stores it. Its argument is the maximum that may be taken: held quota stays.
   */
  exchange<T>(
    account: Account,
    cause: LedgerCause,
    most: number,
    store: (most: number) => Promise<T>,
    read: (stored: T) => Exchanged,
  ): Promise<T>;
  /** Runs a step after the edits of a balance that were begun before it, and before those that come after it. */
  afterEdits<T>(account: Account, step: () => Promise<T>): Promise<T>;
}

/**
 * Whole balances in memory. The stored balance is never below the one in memory, and neither is ever negative: a
 * deduction is made in memory first and stored after, an addition is stored first and made in memory after. The ledger
 * (`metering/ledger.ts`) does the arithmetic and also charges: the engine settles a hold there, and the charge is
 * stored before the last byte of its answer leaves.
 */
export class MemoryBalances implements Balances {
  private readonly edits = new KeyedMutex<Account>();

  /** @param onMove called for each move, once it is stored and in memory. */
  constructor(private readonly onMove: (move: BalanceMove) => void) {}

  async grant<T>(
    account: Account,
    cause: BalanceMove["cause"],
    store: () => Promise<T>,
    quotaOf: (stored: T) => number,
  ): Promise<T> {
    const stored = await store();
    const quota = quotaOf(stored);
    move(account, quota);
    if (quota !== 0) this.onMove({ id: account.id, quota, cause });
    return stored;
  }

  /** Quota that could not be stored is returned to the balance. */
  take<T>(
    account: Account,
    cause: LedgerCause,
    most: number,
    store: (most: number) => Promise<T>,
    quotaOf: (stored: T) => number,
    isOwed = false,
  ): Promise<T> {
    return this.edits.run(account, async () => {
      const there = Math.min(most, isOwed ? account.quota : spendable(account));
      move(account, -there);
      let taken = 0;
      try {
        const stored = await store(there);
        taken = quotaOf(stored);
        if (taken !== 0) this.onMove({ id: account.id, quota: -taken, cause });
        return stored;
      } finally {
        move(account, there - taken);
      }
    });
  }

  /** A deduction that could not be stored is reversed. */
  adjust<T>(
    account: Account,
    movement: Movement,
    wanted: number | undefined,
    { store, linesOf }: Adjustment<T>,
  ): Promise<T> {
    return this.edits.run(account, async () => {
      const before = account.quota;
      const difference = wanted === undefined ? 0 : wanted - before;
      // An operation is done once also where it moves nothing: usage since then must not be refunded by a repeated one.
      const isMove = difference !== 0 || (wanted !== undefined && movement.reference !== undefined);
      if (difference < 0) move(account, difference);
      let isStored = false;
      try {
        const lines = difference === 0 ? [] : (linesOf?.(before, before + difference) ?? []);
        const stored = await store(isMove ? { difference, movement } : undefined, lines);
        isStored = stored !== undefined;
        if (isStored && difference > 0) move(account, difference);
        if (isStored && difference !== 0)
          this.onMove({ id: account.id, quota: difference, cause: movement.cause });
        return stored;
      } finally {
        if (!isStored && difference < 0) move(account, -difference);
      }
    });
  }

  exchange<T>(
    account: Account,
    cause: LedgerCause,
    most: number,
    store: (most: number) => Promise<T>,
    read: (stored: T) => Exchanged,
  ): Promise<T> {
    return this.edits.run(account, async () => {
      const reserved = takeSpare(account, most, cause === "plan-expiry");
      let back = reserved;
      try {
        const stored = await store(reserved);
        const { moved, due } = read(stored);
        back += moved;
        if (due !== undefined) setDue(account, due);
        if (moved !== 0) this.onMove({ id: account.id, quota: moved, cause });
        return stored;
      } finally {
        move(account, back);
      }
    });
  }

  afterEdits<T>(account: Account, step: () => Promise<T>): Promise<T> {
    return this.edits.run(account, step);
  }

  /** Takes a charge back that could not be stored, of an answer that was not delivered. */
  refund(user: Account, key: Account, charge: Pick<Settlement, "charged" | "takenFromKey">): void {
    refund(user, key, charge);
    this.onMove({ id: user.id, quota: charge.charged, cause: "charge-not-stored" });
  }
}
