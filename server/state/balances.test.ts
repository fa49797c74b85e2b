import { ftruncate, mkdtempSync, rmSync, write } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryBalances } from "@tollgate/accounts/balances";
import type { PlanTerms } from "@tollgate/contract/api/plans";
import type { NewSubscription } from "@tollgate/contract/records/plan-record";
import { type Account, type Hold, hold, release, settle } from "@tollgate/metering/ledger";
import type { ApiKey, User } from "@tollgate/relay/ports/directory";
import { chargeRecordOf } from "@tollgate/relay/testing/charge-record-of";
import type { AccountChanges } from "@tollgate/storage/accounts/ports";
import { examine } from "@tollgate/storage/doctor/examine";
import { ChargeJournal } from "@tollgate/storage/journal/charge-journal";
import { type JournalDisk, JournalFiles } from "@tollgate/storage/journal/journal-files";
import type { JournalBatch, JournalRecord } from "@tollgate/storage/journal/journal-record";
import type { JournalTarget } from "@tollgate/storage/journal/journal-target";
import { readJournal } from "@tollgate/storage/journal/read-journal";
import { replayJournal } from "@tollgate/storage/journal/replay-journal";
import type { Writes } from "@tollgate/storage/open-sqlite";
import { openStores } from "@tollgate/storage/testing/open-stores";
import { moved, newToken, newUser } from "@tollgate/storage/testing/sample-records";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { ChargeWriter } from "./charge-writer";
import type { Options } from "./options";

/**
 * The storage thread, slowed down at will: calls are done in their order, but only when the test says so. Some calls fail
 * before they do anything.
 */
const slowStorage = (writes: Writes, fails: () => boolean) => {
  const queue: (() => Promise<void>)[] = [];
  const repositories = writes as unknown as Record<string, Record<string, (...p: unknown[]) => unknown>>;
  const write = new Proxy(
    {},
    {
      get: (_, repository: string) =>
        new Proxy(
          {},
          {
            get:
              (__, method: string) =>
              (...parameters: unknown[]) =>
                new Promise((resolve, reject) => {
                  queue.push(async () => {
                    if (fails()) return reject(new Error("disk full"));
                    try {
                      resolve(await repositories[repository]?.[method]?.(...parameters));
                    } catch (error) {
                      reject(error as Error);
                    }
                  });
                }),
          },
        ),
    },
  ) as unknown as AccountChanges & { charges: JournalTarget };
  /** The journal's files, as slow and as unreliable as the thread. */
  const slowFiles = (files: JournalFiles) => ({
    append(batch: JournalBatch, done: (error: Error | undefined, record: JournalRecord) => void): void {
      queue.push(async () => {
        if (fails()) done(new Error("disk full"), { id: batch.id, bytes: new Uint8Array(0) });
        else files.append(batch, done);
      });
    },
    probe: (done: (error: Error | undefined) => void) => {
      queue.push(async () => files.probe(done));
    },
    isShort: false,
    release: (upTo: number) => files.release(upTo),
    close: (isApplied: boolean) => files.close(isApplied),
  });
  return { write, slowFiles, step: async () => queue.shift()?.(), size: () => queue.length };
};

/** A disk on which a write that is under way when the process ends is finished, and nothing follows. */
const mortalDisk = () => {
  let underWay = 0;
  let isCutOff = false;
  const ending =
    <P extends unknown[]>(done: (...result: P) => void) =>
    (...result: P): void => {
      underWay -= 1;
      if (!isCutOff) done(...result);
    };
  const disk: JournalDisk = {
    write(descriptor, bytes, from, length, position, done) {
      underWay += 1;
      write(descriptor, bytes, from, length, position, ending(done));
    },
    ftruncate(descriptor, length, done) {
      underWay += 1;
      ftruncate(descriptor, length, ending(done));
    },
  };
  const cutOff = async (): Promise<void> => {
    isCutOff = true;
    while (underWay > 0) await turn();
  };
  return { disk, cutOff };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Open {
  hold: Hold;
  key: ApiKey;
}

const UNIT = { quotaPerUnit: 500_000, isCurrency: false };

/** A purchased plan; every second one stops at its end. */
const subscriptionOf = (userId: number, number: number): NewSubscription => {
  const terms: PlanTerms = {
    title: "Basic",
    price: 20,
    durationUnit: "day",
    durationCount: 1,
    quota: 90,
    reset: "never",
    group: "",
    beyond: number % 2 === 0 ? "stop" : "balance",
  };
  return {
    ...{ userId, planId: 1, terms, startsAt: 0, endsAt: 10, now: 0, actorId: userId, price: terms.price },
    ...{ source: "balance", reference: `plan ${number}`, renews: false, mostPerUser: undefined },
  };
};

const runWorld = async (seed: number, isCrashed: boolean): Promise<void> => {
  const random = createRandom(seed);
  const upTo = (n: number) => Math.floor(random() * (n + 1));
  const folder = mkdtempSync(join(tmpdir(), "tollgate-balances-"));
  const path = join(folder, "tollgate.db");
  const stores = await openStores(path);
  const { writer, log, reader } = stores;
  const { disk, cutOff } = mortalDisk();
  const files = new JournalFiles(path, { initial: 16_384, reserve: 4096 }, disk);
  try {
    const { users, tokens, redemptions } = writer.repositories;
    const { user: stored } = await users.create(newUser({ quota: 500 }), 0, []);
    const accountOf = (id: number, quota: number, isUnlimited: boolean): Account => ({
      id,
      quota,
      held: 0,
      isUnlimited,
    });
    const user: User = {
      id: stored.id,
      username: "alice",
      role: 1,
      status: 1,
      groups: ["default"],
      account: accountOf(stored.id, 500, false),
    };
    const keys: ApiKey[] = [];
    for (const [remainQuota, unlimitedQuota] of [
      [300, false],
      [200, false],
      [0, true],
    ] as const) {
      const { token } = await tokens.create(
        newToken(user.id, { key: `key ${keys.length}`, remainQuota, unlimitedQuota }),
      );
      keys.push({
        id: token.id,
        user,
        name: "k",
        status: 1,
        expiredTime: -1,
        account: accountOf(token.id, remainQuota, unlimitedQuota),
      });
    }
    let codes = 0;
    await redemptions.create(
      Array.from({ length: 30 }, (_, i) => ({
        userId: user.id,
        key: `code ${i}`,
        name: "",
        quota: 40,
        createdTime: 1,
      })),
    );

    let isFlaky = true;
    const storage = slowStorage(writer.repositories, () => isFlaky && random() < 0.05);
    const options = { number: () => 0, isOn: () => true } as unknown as Options;
    const journal = new ChargeJournal(
      storage.slowFiles(files),
      async (batches) => await storage.write.charges.commitJournal(batches),
      () => {},
      0,
    );
    const balances = new MemoryBalances(() => {});
    const charges = new ChargeWriter(
      journal,
      balances,
      options,
      () => 1_767_225_600_000,
      () => {},
      () => {},
      () => 1,
    );
    const open: Open[] = [];
    const pending: Promise<unknown>[] = [];
    const delivered: string[] = [];
    let requests = 0;

    const settleOne = ({ hold: ended, key }: Open): void => {
      const asked = upTo(120);
      const { charged, shortfall, takenFromKey, keyShortfall } = settle(ended, asked);
      expect(charged + shortfall).toBe(asked);
      requests += 1;
      const requestId = `request ${requests}`;
      const record = chargeRecordOf(key, {
        requestId,
        quota: charged,
        shortfall,
        takenFromKey,
        keyShortfall,
      });
      // Output delivered to a client is charged also when storing fails at first.
      const isDelivered = random() < 0.5;
      if (isDelivered && !isCrashed) delivered.push(requestId);
      pending.push(
        new Promise<void>((resolve) => {
          const done = (error: Error | undefined): void => {
            if (!error && !delivered.includes(requestId)) delivered.push(requestId);
            resolve();
          };
          charges.commit(record, done, isDelivered);
        }),
      );
    };
    const redeem = async (): Promise<void> => {
      codes += 1;
      void journal.applied();
      const amount = { quotaPerUnit: 500_000, isCurrency: true };
      const code = `code ${codes}`;
      const redeem = () => storage.write.redemptions.redeem(code, user.id, 2, "alice", amount);
      await balances.grant(user.account, "redeemed", redeem, (quota) => quota);
    };
    const edit = (account: Account, wanted: number, key?: ApiKey): Promise<unknown> =>
      balances.adjust<unknown>(account, moved(0).movement, wanted, {
        store(quotaMove) {
          void journal.applied();
          return key
            ? storage.write.tokens.change(user.id, key.id, { remainQuotaMove: quotaMove })
            : storage.write.users.change(user.id, { quotaMove });
        },
      });

    /** Subscriptions that began, with whether they stop at their end. */
    const plans: number[] = [];
    let bought = 0;
    const buyPlan = async (): Promise<void> => {
      bought += 1;
      void journal.applied();
      const wanted = subscriptionOf(user.id, bought);
      const done = await balances.exchange(
        user.account,
        "plan-purchase",
        wanted.price,
        (most) => storage.write.plans.subscribe(wanted, most, UNIT),
        (subscribed) => ({ moved: subscribed === "held" ? 0 : subscribed.moved }),
      );
      if (done === "held") return;
      const { id } = done.subscription;
      const period = { subscriptionId: id, number: 1, startsAt: 0, endsAt: 10, now: 0 };
      await balances.exchange(
        user.account,
        "plan-grant",
        upTo(300),
        (most) => storage.write.plans.openPeriod({ ...period, mostParked: most }, UNIT),
        ({ moved: quota }) => ({ moved: quota }),
      );
      plans.push(id);
    };
    const endPlan = async (id: number): Promise<void> => {
      void journal.applied();
      await balances.exchange(
        user.account,
        "plan-expiry",
        upTo(200),
        (most) => storage.write.plans.closePeriods(id, 10, most, UNIT),
        (step) => step,
      );
      await balances.exchange(
        user.account,
        "plan-unparked",
        0,
        () => storage.write.plans.end(id, "expired", 10, UNIT),
        ({ moved: quota }) => ({ moved: quota }),
      );
    };

    const check = async (): Promise<void> => {
      const now = await reader.repositories.users.find(user.id);
      expect(user.account.quota).toBeGreaterThanOrEqual(0);
      expect(now?.quota).toBeGreaterThanOrEqual(user.account.quota);
      for (const key of keys) {
        const token = await reader.repositories.tokens.find(user.id, key.id);
        expect(key.account.quota).toBeGreaterThanOrEqual(0);
        expect(token?.remainQuota).toBeGreaterThanOrEqual(key.account.quota);
      }
      expect(user.account.held).toBe(open.reduce((sum, each) => sum + each.hold.quota, 0));
    };

    const steps = isCrashed ? 20 + upTo(100) : 120;
    for (let i = 0; i < steps; i += 1) {
      const key = keys[upTo(2)]!;
      const action = random();
      if (action < 0.35) {
        const placed = hold(user.account, key.account, upTo(80), false);
        if (typeof placed !== "string") open.push({ hold: placed, key });
      } else if (action < 0.6 && open.length > 0) {
        settleOne(open.splice(upTo(open.length - 1), 1)[0]!);
      } else if (action < 0.66 && open.length > 0) {
        release(open.splice(upTo(open.length - 1), 1)[0]!.hold);
      } else if (action < 0.69) {
        pending.push(
          (random() < 0.5 ? buyPlan() : endPlan(plans[upTo(plans.length - 1)] ?? 0)).catch(() => {}),
        );
      } else if (action < 0.73 && codes < 29) {
        pending.push(redeem().catch(() => {}));
      } else if (action < 0.77) {
        pending.push(edit(user.account, upTo(600)).catch(() => {}));
      } else if (action < 0.8 && !key.account.isUnlimited) {
        pending.push(edit(key.account, upTo(300), key).catch(() => {}));
      } else if (action < 0.9) {
        await storage.step();
        await turn();
      } else if (action < 0.94) {
        log.repositories.log.ingest();
      } else {
        await turn();
      }
      await check();
    }
    if (!isCrashed) {
      for (const each of open.splice(0)) release(each.hold);
      while (storage.size() > 0 || pending.length > 0) {
        await storage.step();
        await turn();
        const settled = await Promise.race([Promise.all(pending).then(() => true), turn().then(() => false)]);
        if (settled && storage.size() === 0) break;
      }
      await check();
      isFlaky = false;
      let isClosed = false;
      void charges.close().then(() => {
        isClosed = true;
      });
      while (!isClosed) {
        await storage.step();
        await turn();
      }
      // A group that could not be stored waits in the journal for the next one.
      const { newestBatch } = writer.repositories.charges;
      while (storage.size() > 0 || newestBatch() < (readJournal(path, true).batches.at(-1)?.id ?? 0)) {
        void journal.applied();
        await storage.step();
        await turn();
      }
      const now = await reader.repositories.users.find(user.id);
      expect(now?.quota).toBe(user.account.quota);
      for (const key of keys) {
        const token = await reader.repositories.tokens.find(user.id, key.id);
        expect(token?.remainQuota).toBe(key.account.quota);
      }
    }
    // State that is only in memory is lost: the stored state must be right by itself.
    await cutOff();
    expect((await examine(path)).faults).toEqual([]);
    // The next start.
    await replayJournal(path, writer.repositories.charges, (error) => {
      throw error;
    });
    log.repositories.log.ingest();
    expect(await examine(path)).toMatchObject({ waiting: 0, faults: [] });
    const lines = await reader.repositories.logs.page({ type: 2 }, 0, 1000);
    const logged = new Set(lines.map((line) => line.requestId));
    expect(logged.size).toBe(lines.length);
    expect(delivered.filter((id) => !logged.has(id))).toEqual([]);
  } finally {
    files.close(false);
    stores.close();
    rmSync(folder, { recursive: true });
  }
};

describe("any interleaving of holds, settlements, releases, top-ups, plans, edits and failures of storage", () => {
  it.each(seeds(12))(
    "keeps stored balances at or above those in memory, and both alike at the end (seed %i)",
    (seed) => runWorld(seed, false),
  );

  it.each(seeds(12, 1001))("leaves sound data behind when it is cut off (seed %i)", (seed) =>
    runWorld(seed, true),
  );
});
