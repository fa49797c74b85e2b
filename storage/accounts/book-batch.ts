import {
  accountNumber,
  type BatchBooked,
  type BookedCharge,
  type ChargeBatch,
  type LeaseCharge,
  type LowBalance,
  type RefusedCharge,
} from "@tollgate/contract/records/lease";
import { ChargesRefused } from "../errors";
import { type Charge, encodeCharges } from "./charges";
import { chargesRefused } from "./charges-refused";
import { type CountedFor, HeldRows } from "./held-rows";
import type { Bookings, ChargeEntry, Leases } from "./node-ports";

type EntryOf = Parameters<Leases["book"]>[1];

/** Maximum times a batch is prepared; the second preparation mostly finds the state that it expects. */
const TRIES = 10;

/** The booking of a charge whose account no other charge or edit has changed. */
const expectedOf = ({ requestId, quota, shortfall, key, keyQuota }: LeaseCharge): BookedCharge => ({
  requestId,
  charged: quota,
  shortfall,
  takenFromKey: key ? keyQuota : 0,
  keyShortfall: key ? quota - keyQuota : 0,
});

/** A charge as it is added up and told to the log. */
const toCharge = ({ user, key }: LeaseCharge, booked: BookedCharge, entry: ChargeEntry): Charge => ({
  ...entry,
  requestId: booked.requestId,
  userId: accountNumber(user),
  tokenId: key ? accountNumber(key) : entry.tokenId,
  count: "answered",
  quota: booked.charged,
  tokenQuota: booked.takenFromKey,
});

/** Encodes the changes and log entries of charges. @throws ChargesRefused when a charge cannot be described. */
const describeCharges = (
  charges: readonly LeaseCharge[],
  expected: readonly BookedCharge[],
  entryOf: (booked: BookedCharge) => ChargeEntry,
) => {
  const byId = new Map(charges.map((charge) => [charge.requestId, charge]));
  try {
    const [changes, entries] = encodeCharges(
      expected.flatMap((booked) => {
        const charge = byId.get(booked.requestId);
        return charge ? [toCharge(charge, booked, entryOf(booked))] : [];
      }),
    );
    return { changes, entries };
  } catch (error) {
    throw chargesRefused(error);
  }
};

/** Outcome of charges: each is in exactly one of the three lists. */
interface Outcome {
  readonly booked: BookedCharge[];
  readonly refused: RefusedCharge[];
  readonly heldUp: string[];
  readonly low: LowBalance[];
  isLate: boolean;
}

const empty = (): Outcome => ({ booked: [], refused: [], heldUp: [], low: [], isLate: false });

/** No rows for one of which nothing can be said: that is told when it is booked. */
const countedFor = (charge: LeaseCharge, entryOf: EntryOf): CountedFor => {
  try {
    return entryOf(expectedOf(charge));
  } catch {
    return { tokenId: 0, channelId: 0 };
  }
};

/** Sets those apart whose rows are known to be locked. @returns the others. */
const setHeldApart = (
  heldRows: HeldRows,
  batch: ChargeBatch,
  entryOf: EntryOf,
  outcome: Outcome,
): ChargeBatch => {
  if (heldRows.isEmpty) return batch;
  const free: LeaseCharge[] = [];
  for (const charge of batch.charges) {
    if (heldRows.holds(charge, countedFor(charge, entryOf))) outcome.heldUp.push(charge.requestId);
    else free.push(charge);
  }
  return { epoch: batch.epoch, charges: free };
};

/**
 * Books batches against a database that cannot query the caller for log entries. A booking mostly matches the node's
 * own amounts, so these are prepared first, and prepared again when the database finds others. Charges whose rows
 * another transaction keeps locked, and charges that can never be stored, do not block the others of their batch.
 * @param now monotonic milliseconds.
 */
export const bookBatches = (bookings: Bookings, now = () => performance.now()): Leases["book"] => {
  const heldRows = new HeldRows(bookings, now);

  const bookTogether = async (
    { epoch, charges }: ChargeBatch,
    entryOf: EntryOf,
    remindBelow: number | undefined,
  ): Promise<BatchBooked | "held up"> => {
    let expected: readonly BookedCharge[] = charges.map(expectedOf);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const described = describeCharges(charges, expected, entryOf);
      const answer = await bookings.book({ epoch, charges, expected, ...described }, remindBelow);
      if (answer === "held up" || !("unlike" in answer)) return answer;
      expected = answer.unlike;
    }
    throw new Error("each time something else was to be booked of a batch");
  };

  /** @throws ChargesRefused where one of several is refused: then nothing of them was booked. */
  const bookFree = async (
    batch: ChargeBatch,
    entryOf: EntryOf,
    remindBelow: number | undefined,
    outcome: Outcome,
  ): Promise<void> => {
    let left = setHeldApart(heldRows, batch, entryOf, outcome);
    while (left.charges.length > 0) {
      const answer = await bookTogether(left, entryOf, remindBelow);
      if (answer !== "held up") {
        outcome.booked.push(...answer.booked);
        outcome.low.push(...(answer.low ?? []));
        outcome.isLate ||= answer.isLate;
        return;
      }
      await heldRows.look(left.charges.map((charge) => [charge, countedFor(charge, entryOf)]));
      const free = setHeldApart(heldRows, left, entryOf, outcome);
      // The locked rows are free again, or the lock is on another row.
      if (free.charges.length === left.charges.length) throw new Error("a batch waited too long for a lock");
      left = free;
    }
  };

  /** Each by itself, so that one that is refused takes nothing from the others. */
  const bookApart = async (
    { epoch, charges }: ChargeBatch,
    entryOf: EntryOf,
    remindBelow: number | undefined,
    outcome: Outcome,
  ): Promise<void> => {
    for (const charge of charges) {
      try {
        await bookFree({ epoch, charges: [charge] }, entryOf, remindBelow, outcome);
      } catch (error) {
        if (!(error instanceof ChargesRefused)) throw error;
        outcome.refused.push({ requestId: charge.requestId, reason: error.message });
      }
    }
  };

  const book = async (...[batch, entryOf, remindBelow]: Parameters<Leases["book"]>): Promise<Outcome> => {
    await heldRows.review();
    try {
      const outcome = empty();
      await bookFree(batch, entryOf, remindBelow, outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof ChargesRefused)) throw error;
      const outcome = empty();
      await bookApart(batch, entryOf, remindBelow, outcome);
      return outcome;
    }
  };

  return async (...asked) => {
    const { booked, refused, heldUp, low, isLate } = await book(...asked);
    return {
      booked,
      isLate,
      ...(refused.length > 0 ? { refused } : {}),
      ...(heldUp.length > 0 ? { heldUp } : {}),
      ...(asked[2] === undefined ? {} : { low }),
    };
  };
};
