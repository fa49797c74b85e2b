import type { BookedCharge, LeaseCharge } from "@tollgate/contract/records/lease";
import { expect, it } from "vitest";
import { decodeEntries } from "../outbox/log-entry";
import { newCharge } from "../testing/sample-records";
import { bookBatches } from "./book-batch";
import { decodeChanges } from "./charges";
import type { ChargeEntry, PreparedBatch } from "./node-ports";

const entryOf = (_: BookedCharge): ChargeEntry => {
  const { requestId, userId, quota, count, tokenQuota, ...entry } = newCharge();
  return entry;
};

const charge = (requestId: string, quota: number): LeaseCharge => ({
  requestId,
  user: "user:1",
  quota,
  shortfall: 0,
  key: "key:2",
  keyQuota: quota,
});

const bookedAs = (requestId: string, charged: number): BookedCharge => ({
  requestId,
  charged,
  shortfall: 0,
  takenFromKey: charged,
  keyShortfall: 0,
});

it("a batch with a charge booked at another amount is prepared again for that charge only", async () => {
  const asked: PreparedBatch[] = [];
  const book = bookBatches({
    async book(batch) {
      asked.push(batch);
      if (asked.length === 1) return { unlike: [bookedAs("two", 3)] };
      return { booked: [bookedAs("one", 5), bookedAs("two", 3)], isLate: false };
    },
    lockedOf: async () => ({ users: [], tokens: [], channels: [] }),
    reach: async () => {},
  });
  const answer = await book({ epoch: 1, charges: [charge("one", 5), charge("two", 7)] }, entryOf);
  expect(answer.booked.map(({ charged }) => charged)).toEqual([5, 3]);
  const said = asked.map(({ changes, entries }) => {
    const lines: [string, number][] = [];
    decodeEntries(
      entries,
      ({ requestId, quota }) => lines.push([requestId, quota]),
      () => {},
    );
    return { lines, users: decodeChanges(changes).users.map(([id, quota]) => [id, quota]) };
  });
  expect(said).toEqual([
    {
      lines: [
        ["one", 5],
        ["two", 7],
      ],
      users: [[1, 12]],
    },
    { lines: [["two", 3]], users: [[1, 3]] },
  ]);
});
