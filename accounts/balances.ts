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

/** What a step did that may take and give. */
export interface Exchanged {
  /** By how much the balance moved; less than 0 for what was taken. */
  readonly moved: number;
  /** What is still to be taken back as soon as no hold needs it; undefined leaves that as it is. */
  readonly due?: number | undefined;
}

/** A balance moved otherwise than by a charge, of which there are receipts. */
export interface BalanceMove {
  /** The user's, or where the cause names a key, the key's. */
  readonly id: number;
  /** Less than 0 for what was taken. */
  readonly quota: number;
  readonly cause: LedgerCause | "charge-not-stored";
}

/** What an edit of a balance is beside the balance itself. */
export interface Adjustment<Stored> {
  /**
   * Stores the difference with its entry in the ledger, and whatever changes beside it.
   * @param quotaMove undefined where nothing moves, or the balance moves in a step of its own.
   * @param lines what the log says of the difference.
   * @returns undefined where there was nothing to change: then nothing moves.
   */
  store(quotaMove: QuotaMove | undefined, lines: readonly AccountLine[]): Promise<Stored>;
  /** What the log says of a balance that was moved; nothing unless it is given. */
  linesOf?(before: number, after: number): readonly AccountLine[];
  /** What was stored, with the balance as it is after a step of its own. */
  withBalance?(stored: NonNullable<Stored>, balance: number): Stored;
}

/** Moves balances that are in use, otherwise than by charges. Each movement is stored with an entry in the ledger. */
export interface Balances {
  /**
   * Adds quota.
   * @param store stores it with its entry, which it writes once for a cause and a reference.
   * @param quotaOf how much it was, as what `store` resolves to says; 0 where it was booked before.
   */
  grant<T>(
    account: Account,
    cause: LedgerCause,
    store: () => Promise<T>,
    quotaOf: (stored: T) => number,
  ): Promise<T>;
  /**
   * Takes as much as is there and no request under way counts on.
   * @param most what is taken where there is so much.
   * @param store stores it with its entry. It is told how much there is to take at most, and may take less.
   * @param quotaOf how much it was, as what `store` resolves to says; 0 where it was booked before.
   * @param isOwed what requests under way count on is taken as well, where this process alone has the balance: they hold far more than
   * they cost, and what they cost then is their shortfall. On several nodes what they need stays theirs until they are done.
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
   * Sets a balance: it moves by the difference to what is left now, so that charges made meanwhile stay. Edits of one balance
   * come one after another.
   * @param wanted the new balance; undefined leaves it as it is.
   */
  adjust<T>(
    account: Account,
    movement: Movement,
    wanted: number | undefined,
    adjustment: Adjustment<T>,
  ): Promise<T>;
  /**
   * Moves a balance by what a step stores, which may take and give.
   * @param most how much it may take.
   * @param store stores it. It is told how much of that may be taken: what holds need stays.
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
 * Balances that are in memory, whole. What is stored is never below what is in memory, and neither is ever negative: a
 * deduction is made in memory first and stored after, an addition is stored first and made in memory after. The arithmetic
 * is the ledger's (`metering/ledger.ts`), which also charges: the engine settles a hold there, and the charge is stored
 * before the last byte of its answer leaves.
 */
export class MemoryBalances implements Balances {
  private readonly edits = new KeyedMutex<Account>();

  /** @param onMove told of each move, once it is stored and in memory. */
  constructor(private readonly onMove: (move: BalanceMove) => void) {}

  async grant<T>(
    account: Account,
    cause: LedgerCause,
    store: () => Promise<T>,
    quotaOf: (stored: T) => number,
  ): Promise<T> {
    const stored = await store();
    const quota = quotaOf(stored);
    move(account, quota);
    if (quota !== 0) this.onMove({ id: account.id, quota, cause });
    return stored;
  }

  /** What is not stored is given back. */
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

  /** A deduction that is not stored is taken back. */
  adjust<T>(
    account: Account,
    movement: Movement,
    wanted: number | undefined,
    { store, linesOf }: Adjustment<T>,
  ): Promise<T> {
    return this.edits.run(account, async () => {
      const before = account.quota;
      const difference = wanted === undefined ? 0 : wanted - before;
      if (difference < 0) move(account, difference);
      let isStored = false;
      try {
        const lines = difference === 0 ? [] : (linesOf?.(before, before + difference) ?? []);
        const stored = await store(difference === 0 ? undefined : { difference, movement }, lines);
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
