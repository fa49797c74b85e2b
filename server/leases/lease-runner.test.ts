import { createLease } from "@tollgate/metering/leases/lease";
import type { Leases } from "@tollgate/storage/accounts/node-ports";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LeaseRunner } from "./lease-runner";

const BY_ADMINISTRATOR = { cause: "quota-changed", actorId: 1, at: 1 } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a node whose database waits for a lock on one account", () => {
  it("does not ask the same of it more and more, and asks for others", async () => {
    const asked: string[] = [];
    const never = (name: string) => () => {
      asked.push(name);
      return new Promise<never>(() => {});
    };
    const database = {
      join: async () => ({ epoch: 1 }),
      renew: async () => ({ liveNodes: 1, rank: 0 }),
      expire: async () => [],
      acquire: ({ account }) => never(`acquire ${account}`)(),
      edit: ({ account }) => never(`edit ${account}`)(),
      giveBack: never("give back"),
      book: never("book"),
      refund: never("refund"),
      leave: never("leave"),
      recall: never("recall"),
    } satisfies Leases;
    let now = 0;
    const runner = new LeaseRunner(database, {
      find: () => undefined,
      about: () => ({}),
      remindBelow: () => 0,
      onQuotaLow: () => {},
      reportError: (error) => expect.fail(error.message),
      now: () => now,
    });
    const pass = async (ms: number): Promise<void> => {
      for (const until = now + ms; now < until; ) {
        now += 50;
        await vi.advanceTimersByTimeAsync(50);
      }
    };
    const started = runner.start();
    await pass(100);
    await started;
    const key = createLease("key:1", 1, true);
    const edited = runner
      .edit(createLease("user:9", 9, false), 5, () => [], BY_ADMINISTRATOR)
      .catch(() => undefined);
    const first = runner.place(createLease("user:1", 1, false), key, 1, false, 1);
    await pass(9000);
    const second = runner.place(createLease("user:2", 2, false), key, 1, false, 1);
    await pass(500);
    expect(asked.sort()).toEqual([
      "acquire user:1",
      "acquire user:1",
      "acquire user:2",
      "edit user:9",
      "edit user:9",
    ]);
    await pass(3000);
    expect([await first, await second]).toEqual(["database-silent", "database-silent"]);
    await edited;
    runner.halt();
  });
});
