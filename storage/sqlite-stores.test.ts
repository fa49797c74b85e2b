import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { amountOf } from "@tollgate/contract/values/log-phrase";
import { LOG_SYSTEM } from "@tollgate/contract/values/statuses";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodeCharges } from "./accounts/charges";

import { DataRefused, StorageConflict } from "./errors";
import { type SqliteStores, startSqliteStores } from "./sqlite-stores";
import { MASTER_KEY, moved, newCharge, newUser } from "./testing/sample-records";
import type { StorageThread } from "./threads/connect-worker";
import { openThread } from "./threads/open-thread";
import type { WorkerSettings } from "./threads/worker-messages";

let folder: string;
let storage: SqliteStores;
/** Calls that do not come through before their promise is fulfilled, by group and method. */
let held: Map<string, Promise<void>>;

/** A thread on this one: calls are done in their order. */
const startHere = async (settings: WorkerSettings): Promise<StorageThread> => {
  const { run, close } = await openThread(settings);
  let last: Promise<unknown> = Promise.resolve();
  return {
    async call(group, method, parameters) {
      await held.get(`${group}.${method}`);
      const reply = last.then(() => run({ id: 1, group, method, parameters }));
      last = reply;
      const { conflict, fault, failure, ...rest } = await reply;
      if (conflict !== undefined) throw new StorageConflict(conflict);
      if (fault !== undefined) throw new DataRefused(fault);
      if (failure !== undefined) throw new Error(failure);
      return rest;
    },
    async close() {
      await last;
      close();
    },
  };
};

/** Holds a call back. @returns lets it come through. */
const holdBack = (call: string): (() => void) => {
  let release = (): void => {};
  held.set(
    call,
    new Promise((resolve) => {
      release = resolve;
    }),
  );
  return release;
};

/** Whether something is still waiting after everything that could be done has been done. */
const isWaiting = async (promise: Promise<unknown>): Promise<boolean> => {
  let isDone = false;
  void promise.then(() => {
    isDone = true;
  });
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return !isDone;
};

const errors: string[] = [];

beforeEach(async () => {
  held = new Map();
  errors.length = 0;
  folder = mkdtempSync(join(tmpdir(), "tollgate-client-"));
  storage = await startSqliteStores(startHere, join(folder, "tollgate.db"), MASTER_KEY, ({ message }) =>
    errors.push(message),
  );
  await storage.write.users.create(newUser(), 0, []);
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
  expect(errors).toEqual([]);
});

const charge = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const [changes, entries] = encodeCharges([newCharge()]);
    storage.charges.append(changes, entries, (error) => (error ? reject(error) : resolve()));
  });

const LINE = {
  createdAt: 100,
  userId: 1,
  username: "alice",
  type: LOG_SYSTEM,
  phrase: { code: "redeemed", amount: amountOf(5, 500_000, false) },
} as const;

describe("a query", () => {
  it("of balances waits for charges that only the journal has; a query of other data does not wait", async () => {
    const release = holdBack("charges.commitJournal");
    await charge();
    const user = storage.read.users.find(1);
    expect(await storage.read.options.all()).toEqual([]);
    expect(await isWaiting(user)).toBe(true);
    release();
    expect(await user).toMatchObject({ quota: 982, usedQuota: 18 });
  });

  it("of the log waits for its lines, too; balances do not", async () => {
    const release = holdBack("log.ingest");
    await charge();
    const lines = storage.read.logs.page({}, 0, 10);
    expect(await storage.read.users.find(1)).toMatchObject({ quota: 982 });
    expect(await isWaiting(lines)).toBe(true);
    release();
    expect(await lines).toMatchObject([{ quota: 18 }]);
  });
});

describe("a change", () => {
  it("is answered before the one that came after it, whatever the log still has to say of it", async () => {
    const release = holdBack("log.ingest");
    const change = storage.write.users.change(1, { quotaMove: moved(5) }, [LINE]);
    await storage.write.users.setAccessToken(1, "token");
    expect(await isWaiting(change)).toBe(false);
    const lines = storage.read.logs.page({}, 0, 10);
    expect(await isWaiting(lines)).toBe(true);
    release();
    expect(await lines).toHaveLength(1);
  });

  it("comes after the charges of before", async () => {
    await charge();
    expect(await storage.write.users.change(1, { quotaMove: moved(-982) })).toMatchObject({
      user: { quota: 0, usedQuota: 18 },
    });
  });
});
