import type { LeaseCharge } from "@tollgate/contract/records/lease";
import { describe, expect, it } from "vitest";
import { ChargeQueue } from "./charge-queue";

const RESEND_MS = 1000;

const charge = (requestId: string): LeaseCharge => ({
  requestId,
  user: "user:1",
  quota: 1,
  shortfall: 0,
  key: undefined,
  keyQuota: 0,
});

const idsOf = (batch: { charges: readonly LeaseCharge[] } | undefined): string[] | undefined =>
  batch?.charges.map(({ requestId }) => requestId);

describe("charges that wait for company", () => {
  it("go at once when they are alone, and together when one batch follows another", () => {
    const queue = new ChargeQueue(4);
    queue.add(1, charge("one"));
    expect(queue.dueAt).toBeLessThan(0);
    const first = queue.next(100, RESEND_MS);
    expect([idsOf(first), queue.dueAt]).toEqual([["one"], undefined]);
    if (first) queue.finish(first);
    expect(queue.dueAt).toBeUndefined();
    queue.add(1, charge("two"));
    expect([queue.dueAt, queue.next(101, RESEND_MS)]).toEqual([104, undefined]);
    queue.add(1, charge("three"));
    expect(idsOf(queue.next(104, RESEND_MS))).toEqual(["two", "three"]);
  });

  it("do not wait to be sent again", () => {
    const queue = new ChargeQueue(5000);
    queue.add(1, charge("one"));
    const first = queue.next(0, RESEND_MS);
    expect(queue.next(999, RESEND_MS)).toBeUndefined();
    expect(queue.next(1000, RESEND_MS)).toBe(first);
  });
});
