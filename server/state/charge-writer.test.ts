import { MemoryBalances } from "@tollgate/accounts/balances";
import { move } from "@tollgate/metering/ledger";
import type { ChargeRecord } from "@tollgate/relay/ports/charges";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { chargeRecordOf } from "@tollgate/relay/testing/charge-record-of";
import { decodeEntries } from "@tollgate/storage/outbox/log-entry";
import { describe, expect, it, vi } from "vitest";
import { ChargeWriter } from "./charge-writer";
import type { Options } from "./options";

const setUp = (isUnlimited = false) => {
  const batches: unknown[][] = [];
  const commits: { resolve(): void; reject(error: Error): void }[] = [];
  const low: number[] = [];
  const errors: Error[] = [];
  const ended: string[] = [];
  const journal = {
    append(_changes: string, entries: string, done: (error: Error | undefined) => void) {
      const requests: unknown[] = [];
      decodeEntries(
        entries,
        (entry) => requests.push(entry),
        () => {},
      );
      batches.push(requests);
      commits.push({ resolve: () => done(undefined), reject: done });
    },
  };
  const options = { number: () => 1000, isOn: () => true } as unknown as Options;
  const key: ApiKey = {
    id: 2,
    name: "k",
    status: 1,
    expiredTime: -1,
    account: { id: 2, quota: 5000, held: 0, isUnlimited },
    user: {
      id: 1,
      username: "alice",
      role: 1,
      status: 1,
      groups: ["default"],
      account: { id: 1, quota: 5000, held: 0, isUnlimited: false },
    },
  };
  const writer = new ChargeWriter(
    journal,
    new MemoryBalances(() => {}),
    options,
    () => 1_000_000,
    (error) => errors.push(error),
    (_id, quota) => low.push(quota),
    () => 1,
    undefined,
    {
      charged: (_, quota) => ended.push(`charged ${quota}`),
      failed: ({ end }) => ended.push(end),
      lost: ({ quota }) => ended.push(`lost ${quota}`),
    },
  );
  const record = (quota: number): ChargeRecord =>
    chargeRecordOf(key, { quota, takenFromKey: isUnlimited ? 0 : quota });
  /** Charges as the ledger does: taken in memory first. */
  const charge = (
    quota: number,
    done: (error: Error | undefined) => void = () => {},
    isDelivered = false,
  ) => {
    move(key.user.account, -quota);
    if (!isUnlimited) move(key.account, -quota);
    writer.commit(record(quota), done, isDelivered);
  };
  return { writer, charge, batches, commits, key, low, errors, record, ended };
};

const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe("ChargeWriter", () => {
  it("writes charges that arrive together as one batch, and later ones as the next", async () => {
    const { charge, batches, commits } = setUp();
    const done: number[] = [];
    charge(1, () => done.push(1));
    charge(2, () => done.push(2));
    await nextTurn();
    charge(3, () => done.push(3));
    await nextTurn();
    expect(batches.map((batch) => batch.length)).toEqual([2]);
    expect(done).toEqual([]);
    commits[0]!.resolve();
    await nextTurn();
    expect(done).toEqual([1, 2]);
    expect(batches.map((batch) => batch.length)).toEqual([2, 1]);
    commits[1]!.resolve();
    await nextTurn();
    expect(done).toEqual([1, 2, 3]);
  });

  it.each([false, true])(
    "gives everything back when storing fails (unlimited key: %s)",
    async (isUnlimited) => {
      const { charge, commits, key } = setUp(isUnlimited);
      const errors: (string | undefined)[] = [];
      charge(100, (error) => errors.push(error?.message));
      await nextTurn();
      commits[0]!.reject(new Error("disk full"));
      await nextTurn();
      expect(errors).toEqual(["disk full"]);
      expect([key.user.account.quota, key.account.quota]).toEqual([5000, 5000]);
    },
  );

  it("tells every request of a batch, although one of them fails over its answer", async () => {
    const { charge, commits, errors } = setUp();
    const done: number[] = [];
    charge(1, () => done.push(1));
    charge(2, () => {
      throw new RangeError("Maximum call stack size exceeded");
    });
    charge(3, () => done.push(3));
    await nextTurn();
    commits[0]!.resolve();
    await nextTurn();
    expect(done).toEqual([1, 3]);
    expect(errors).toHaveLength(1);
    charge(4, () => done.push(4));
    await nextTurn();
    commits[1]!.resolve();
    await nextTurn();
    expect(done).toEqual([1, 3, 4]);
  });

  it("keeps charges of delivered answers when storing fails, and stores them with the next that can be stored (M8)", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { charge, batches, commits, key } = setUp();
      const told: (string | undefined)[] = [];
      charge(100, (error) => told.push(error?.message), true);
      charge(30, (error) => told.push(error?.message), false);
      await nextTurn();
      commits[0]!.reject(new Error("disk full"));
      expect(told).toEqual(["disk full", "disk full"]);
      // Only undelivered output is reversed.
      expect(key.user.account.quota).toBe(4900);
      vi.advanceTimersByTime(1000);
      commits[1]!.reject(new Error("disk full"));
      expect(batches.map((batch) => batch.length)).toEqual([2, 1]);
      charge(7);
      await nextTurn();
      commits[2]!.resolve();
      expect(batches[2]).toMatchObject([{ quota: 100 }, { quota: 7 }]);
      vi.advanceTimersByTime(5000);
      await nextTurn();
      expect(batches.length).toBe(3);
      expect(key.user.account.quota).toBe(4893);
    } finally {
      vi.useRealTimers();
    }
  });

  it("reports the outcome of each request once: charged when it is stored, failed, or lost", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { writer, charge, commits, record, ended } = setUp();
      charge(100, () => {}, true);
      charge(30, () => {}, false);
      expect(writer.backlog).toMatchObject({ waiting: 2, late: 0 });
      await nextTurn();
      commits[0]!.reject(new Error("disk full"));
      // An undelivered charge is reported as a failed request.
      expect(ended).toEqual([]);
      expect(writer.backlog).toMatchObject({ waiting: 0, late: 1 });
      writer.noteFailure({ ...record(0), end: "failed" });
      expect(writer.backlog.failures).toBe(1);
      vi.advanceTimersByTime(1000);
      commits[1]!.resolve();
      await nextTurn();
      expect(ended).toEqual(["failed", "charged 100"]);
      charge(8, () => {}, true);
      await nextTurn();
      commits[2]!.reject(new Error("disk full"));
      const closing = writer.close();
      commits[3]!.reject(new Error("disk full"));
      await closing;
      expect(ended.slice(2)).toEqual(["lost 8"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("reports at the end charges that could never be stored", async () => {
    const { writer, charge, commits, errors } = setUp();
    charge(100, () => {}, true);
    await nextTurn();
    commits[0]!.reject(new Error("disk full"));
    const closing = writer.close();
    commits[1]!.reject(new Error("disk full"));
    await closing;
    expect(errors.at(-1)?.message).toBe("1 charges of 100 together could not be stored and are lost");
  });

  it("says once when a balance falls below the reminder, and once when it is used up", () => {
    const { charge, low } = setUp();
    charge(3000);
    charge(1500);
    charge(100);
    charge(400);
    expect(low).toEqual([500, 0]);
  });
});
