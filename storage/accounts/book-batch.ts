import {
  accountNumber,
  type BookedCharge,
  type LeaseCharge,
  type LowBalance,
  type RefusedCharge,
} from "@tollgate/contract/records/lease";
import { ChargesRefused } from "../errors";
import { type Charge, encodeCharges } from "./charges";
import { chargesRefused } from "./charges-refused";
import type { Bookings, ChargeEntry, Leases } from "./ports";

/** How often a batch is prepared anew: what is found the second time is mostly what is expected then. */
const TRIES = 10;

/** What is booked of a charge where nothing else happened. */
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

/** What is written beside charges. @throws ChargesRefused where nothing can be said of one. */
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

/**
 * Books batches where they cannot be asked what the log is to say: what is booked is mostly what the node took, so that is prepared,
 * and prepared anew where something else was found.
 */
export const bookBatches = (bookings: Bookings): Leases["book"] => {
  const bookTogether: Leases["book"] = async ({ epoch, charges }, entryOf, remindBelow) => {
    let expected: readonly BookedCharge[] = charges.map(expectedOf);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const described = describeCharges(charges, expected, entryOf);
      const answer = await bookings.book({ epoch, charges, expected, ...described }, remindBelow);
      if (!("unlike" in answer)) return answer;
      expected = answer.unlike;
    }
    throw new Error("each time something else was to be booked of a batch");
  };

  /** Each by itself, so that one that is refused takes nothing from the others. */
  const bookApart: Leases["book"] = async ({ epoch, charges }, entryOf, remindBelow) => {
    const booked: BookedCharge[] = [];
    const refused: RefusedCharge[] = [];
    const low: LowBalance[] = [];
    let isLate = false;
    for (const charge of charges) {
      try {
        const answer = await bookTogether({ epoch, charges: [charge] }, entryOf, remindBelow);
        booked.push(...answer.booked);
        low.push(...(answer.low ?? []));
        isLate ||= answer.isLate;
      } catch (error) {
        if (!(error instanceof ChargesRefused)) throw error;
        refused.push({ requestId: charge.requestId, reason: error.message });
      }
    }
    return { booked, refused, isLate, ...(remindBelow === undefined ? {} : { low }) };
  };

  return async (batch, entryOf, remindBelow) => {
    try {
      return await bookTogether(batch, entryOf, remindBelow);
    } catch (error) {
      if (!(error instanceof ChargesRefused)) throw error;
      return bookApart(batch, entryOf, remindBelow);
    }
  };
};
