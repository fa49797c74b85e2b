import type { BalanceMove } from "@tollgate/accounts/balances";
import { createLease, type Lease } from "@tollgate/metering/leases/lease";
import { NODE_LIFE_MS } from "@tollgate/metering/leases/liveness";
import { settle } from "@tollgate/metering/ledger";
import type { HoldOutcome } from "@tollgate/relay/ports/charges";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { chargeRecordOf } from "@tollgate/relay/testing/charge-record-of";
import type { Leases } from "@tollgate/storage/accounts/node-ports";
import { DatabaseRefused } from "@tollgate/storage/errors";
import { decodeReceiptDetail } from "@tollgate/storage/log/receipt-detail";
import { decodeEntries, type RequestEntry } from "@tollgate/storage/outbox/log-entry";
import { createRandom } from "@tollgate/testkit/random";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LeaseCharges } from "./lease-charges";
import { LeaseRunner } from "./lease-runner";
import { FlakyDatabase } from "./testing/flaky-leases";

const BY_ADMINISTRATOR = { cause: "quota-changed", actorId: 1, at: 1 } as const;

/** Longer than the last byte of an answer waits. */
const TOO_LONG_MS = 16_000;

const settled = async (): Promise<void> => {
  for (let i = 0; i < 12; i += 1) await Promise.resolve();
};

/** One node, and a database that answers at once while it is there. */
const setUp = async (quota = 1000, keyQuota = 500) => {
  const clock = { now: 1000 };
  const seen = {
    low: [] as [number, number][],
    moves: [] as BalanceMove[],
    errors: [] as string[],
    limits: [] as number[],
    ended: [] as string[],
    failures: [] as RequestEntry[],
    /** Why failures cannot be stored. */
    unstorable: undefined as Error | undefined,
  };
  const db = new FlakyDatabase(
    NODE_LIFE_MS,
    () => clock.now,
    createRandom(1),
    (recall) => runner.recalled(recall),
  );
  db.database.open("user:1", quota);
  db.database.open("key:2", keyQuota);
  const user = createLease("user:1", 1, false);
  const account = createLease("key:2", 2, false);
  const leases = new Map<string, Lease>([user, account].map((lease) => [lease.account, lease]));
  const key: ApiKey = {
    id: 2,
    name: "k",
    status: 1,
    expiredTime: -1,
    account,
    user: { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account: user },
  };
  const reportError = (error: Error) => void seen.errors.push(error.message);
  const runner = new LeaseRunner(db.connect(), {
    find: (id) => leases.get(id),
    about: () => ({}),
    remindBelow: () => 400,
    onQuotaLow: (id, left) => void seen.low.push([id, left]),
    reportError,
    now: () => clock.now,
  });
  const charges = new LeaseCharges(runner, {
    isLogged: () => true,
    wallNow: () => clock.now,
    now: () => clock.now,
    async storeFailures(_, entries) {
      if (seen.unstorable) throw seen.unstorable;
      if (db.isAway) throw new Error("no connection");
      decodeEntries(
        entries,
        (entry) => seen.failures.push(entry),
        () => {},
      );
    },
    onMove: (move) => void seen.moves.push(move),
    reportError,
    ended: {
      charged: ({ requestId }, quota) => void seen.ended.push(`${requestId} charged ${quota}`),
      failed: ({ requestId }) => void seen.ended.push(`${requestId} failed`),
      lost: ({ requestId }) => void seen.ended.push(`${requestId} lost`),
    },
    limiter: {
      charge: (_, __, charged) => void seen.limits.push(charged),
      refund: (_, refunded) => void seen.limits.push(-refunded),
    },
  });
  /** Carries all there is to carry. */
  const flow = async (): Promise<void> => {
    for (let round = 0; round < 8; round += 1) {
      db.carry(db.size);
      await settled();
    }
  };
  const pass = async (ms: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += 50) {
      clock.now += 50;
      vi.advanceTimersByTime(50);
      await flow();
    }
  };
  /** Another user, who pays with the same key. */
  const addUser = (id: number, balance: number): Lease => {
    const lease = createLease(`user:${id}`, id, false);
    db.database.open(lease.account, balance);
    leases.set(lease.account, lease);
    return lease;
  };
  const place = async (least: number, most = least, payer = user): Promise<HoldOutcome> => {
    const placed = runner.place(payer, account, least, false, most);
    await pass(500);
    return placed;
  };
  let requests = 0;
  /** Ends a hold with a charge. */
  const charge = (placed: HoldOutcome, price: number, isDelivered = false) => {
    if (typeof placed === "string") throw new Error(placed);
    const { charged, ...rest } = settle(placed, price);
    requests += 1;
    const ends: (string | undefined)[] = [];
    const record = chargeRecordOf(key, { requestId: `r${requests}`, quota: charged, ...rest });
    charges.commit(record, (error) => ends.push(error?.message), isDelivered);
    return ends;
  };
  const started = runner.start();
  await flow();
  await pass(50);
  await started;
  return { runner, charges, db, user, addUser, key, seen, clock, flow, pass, place, charge };
};

describe("a node that starts", () => {
  it("reports the database's answer when it is refused, and leaves no timer behind", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      let now = 0;
      const refused = () => Promise.reject(new Error("too many connections"));
      const runner = new LeaseRunner({ join: refused } as unknown as Leases, {
        find: () => undefined,
        about: () => ({}),
        remindBelow: () => 0,
        onQuotaLow: () => {},
        reportError: () => {},
        now: () => now,
      });
      const started = expect(runner.start()).rejects.toThrow("too many connections");
      for (; now < 11_000; now += 50) {
        vi.advanceTimersByTime(50);
        await settled();
      }
      await started;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("charges of a node", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("are told to the answer once they are in the database", async () => {
    const { db, place, charge, flow, seen } = await setUp();
    const ends = charge(await place(100), 60);
    expect(ends).toEqual([]);
    await flow();
    expect(ends).toEqual([undefined]);
    expect(db.database.accounts.get("user:1")).toMatchObject({ settled: 60 });
    expect(db.database.accounts.get("key:2")).toMatchObject({ settled: 60 });
    expect(seen.limits).toEqual([60]);
  });

  it("report the booked amount: the account covers the lease's shortfall, and the rest stands in the log", async () => {
    const { db, place, charge, flow, seen } = await setUp(150, 40);
    charge(await place(30), 200);
    await flow();
    const [line] = db.lines;
    expect(line).toMatchObject({ quota: 150 });
    expect(line?.entry.content).toContain("user-shortfall");
    expect(line?.entry.content).toContain("50");
    const receipt = decodeReceiptDetail(line?.entry.receipt ?? "");
    expect(receipt).toMatchObject({ quota: 150, shortfall: 50, keyShortfall: 110 });
    expect(seen.limits.reduce((sum, quota) => sum + quota, 0)).toBe(150);
    expect(seen.ended).toEqual(["r1 charged 150"]);
  });

  it("that the database will never store end their answers, and hold up no others", async () => {
    const { db, place, charge, charges, pass, seen, user } = await setUp();
    db.refused.add("r1");
    const [one, other] = [await place(100), await place(100)];
    const [refused, booked] = [charge(one, 60, true), charge(other, 70)];
    await pass(100);
    const lost = "the charge of 60 of user 1 for request r1 cannot be stored and is lost: against a rule";
    expect([refused, booked]).toEqual([[lost], [undefined]]);
    expect(seen.errors).toEqual([lost]);
    expect(seen.limits).toEqual([60, 70, -60]);
    expect(seen.ended.sort()).toEqual(["r1 lost", "r2 charged 70"]);
    expect(charges.isFailing).toBe(false);
    expect(db.database.accounts.get("user:1")).toMatchObject({ settled: 70 });
    // Its price cannot be spent before it is released.
    expect(user.held).toBe(0);
    expect(typeof (await place(10))).toBe("object");
  });

  it("that wait for another client's lock delay no others, and are booked when it is released, also after interrupted answers", async () => {
    const { db, place, charge, charges, pass, runner, seen, user, addUser, key } = await setUp();
    const other = addUser(3, 500);
    const [one, two, three] = [await place(100), await place(100), await place(100)];
    db.locked.add("user:1");
    const delivered = charge(one, 60, true);
    await pass(100);
    expect([delivered, charges.isFailing]).toEqual([[], false]);
    await pass(5000);
    // Other users go on; the user concerned begins no request that could not be charged.
    expect(charges.isFailing).toBe(false);
    expect(runner.place(user, key.account, 1, false, 1)).toBe("database-silent");
    expect(await place(10, 10, other)).toMatchObject({ isOpen: true });
    const undelivered = charge(two, 70);
    await pass(TOO_LONG_MS);
    const brokenOff = ["the database did not book a charge in time"];
    expect([delivered, undelivered, charges.isFailing]).toEqual([brokenOff, brokenOff, false]);
    const patient = charge(three, 50, true);
    db.locked.clear();
    await pass(2000);
    expect(patient).toEqual([undefined]);
    expect(db.database.accounts.get("user:1")).toMatchObject({ settled: 110 });
    expect(db.lines.map(({ requestId, quota }) => [requestId, quota]).sort()).toEqual([
      ["r1", 60],
      ["r2", -70],
      ["r2", 70],
      ["r3", 50],
    ]);
    expect(seen.errors).toEqual([]);
    expect(typeof (await place(10))).toBe("object");
  });

  it("keep an answer's last byte back while the database is away, and break it off in the end: each is charged or taken back, once", async () => {
    const { db, place, charge, charges, pass, flow, seen, user } = await setUp();
    const [one, other] = [await place(100), await place(100)];
    db.isAway = true;
    const [delivered, undelivered] = [charge(one, 60, true), charge(other, 70)];
    await pass(5000);
    expect([delivered, undelivered]).toEqual([[], []]);
    expect(charges.backlog).toMatchObject({ waiting: 2, late: 0 });
    expect(charges.backlog.longestMs).toBeGreaterThanOrEqual(5000);
    expect(charges.isFailing).toBe(true);
    await pass(TOO_LONG_MS);
    expect([delivered, undelivered]).toEqual([
      ["the database did not book a charge in time"],
      ["the database did not book a charge in time"],
    ]);
    expect(charges.backlog).toMatchObject({ waiting: 0, late: 2 });
    db.isAway = false;
    await pass(3000);
    await flow();
    expect(seen.ended).toEqual(["r1 charged 60"]);
    expect(charges.isFailing).toBe(false);
    expect(db.database.accounts.get("user:1")).toMatchObject({ settled: 60 });
    expect(db.lines.map(({ requestId, quota }) => [requestId, quota]).sort()).toEqual([
      ["r1", 60],
      ["r2", -70],
      ["r2", 70],
    ]);
    expect(db.lines.find(({ quota }) => quota < 0)?.entry.content).toContain("charge-taken-back");
    expect(seen.moves).toEqual([{ id: 1, quota: 70, cause: "charge-not-stored" }]);
    expect(seen.limits).toEqual([60, 70, -70]);
    expect([delivered, undelivered].flat()).toHaveLength(2);
    // It goes on without a restart.
    expect(typeof (await place(10))).toBe("object");
    expect(user.held).toBe(10);
  });

  it("store the failure of a request after its charge was taken back, and those of others at once", async () => {
    const { db, place, charge, charges, pass, key, seen } = await setUp();
    const refunds = vi.spyOn(db.database, "refund");
    const placed = await place(100);
    db.isAway = true;
    charge(placed, 70);
    await pass(TOO_LONG_MS);
    charges.noteFailure(chargeRecordOf(key, { requestId: "r1", end: "failed" }));
    charges.noteFailure(chargeRecordOf(key, { requestId: "f1", end: "failed", model: "another" }));
    refunds.mockImplementation(() => {
      throw new Error("no connection");
    });
    db.isAway = false;
    await pass(3000);
    expect(db.lines.map(({ quota }) => quota)).toEqual([70]);
    expect(seen.failures.map(({ requestId }) => requestId)).toEqual(["f1"]);
    refunds.mockRestore();
    await pass(3000);
    expect(db.lines.map(({ quota }) => quota)).toEqual([70, -70]);
    expect(seen.failures.map(({ requestId }) => requestId)).toEqual(["f1", "r1"]);
  });

  it("are refused on a node that has lost touch with the database, and not before its leases end", async () => {
    const { db, place, charges, pass, runner, user, key } = await setUp();
    const [first, second] = [await place(300), await place(1)];
    expect([typeof first, typeof second]).toEqual(["object", "object"]);
    db.isAway = true;
    await pass(1000);
    if (typeof first === "object") settle(first, 0);
    expect(typeof runner.place(user, key.account, 100, false, 100)).toBe("object");
    expect(charges.isFailing).toBe(false);
    await pass(6000);
    expect(runner.place(user, key.account, 1, false, 1)).toBe("node-not-admitting");
    expect(charges.isFailing).toBe(true);
    // A free request needs no quota; it is refused before, at admission.
    expect(runner.place(user, key.account, 0, true, 0)).toMatchObject({ quota: 0 });
  });

  it("say of a hold that the database did not answer, and release one that comes too late", async () => {
    const { db, pass, runner, user, key } = await setUp();
    db.isAway = true;
    const placed = runner.place(user, key.account, 100, false, 100);
    await pass(3000);
    expect(await placed).toBe("database-silent");
    expect([user.held, key.account.held]).toEqual([0, 0]);
  });

  it("tell once that a balance became low, and that it is used up", async () => {
    const { place, charge, flow, seen } = await setUp(500);
    for (const price of [50, 80, 30]) {
      charge(await place(100), price);
      await flow();
    }
    charge(await place(100, 340), 340);
    await flow();
    expect(seen.low).toEqual([
      [1, 370],
      [1, 0],
    ]);
  });

  it("say of a key with nothing left anywhere that it is used up, and of one with too little that it is too little", async () => {
    const { place, charge, flow } = await setUp(1000, 50);
    expect(await place(51)).toBe("token-quota-exceeded");
    charge(await place(50), 50);
    await flow();
    expect(await place(1)).toBe("token-exhausted");
  });

  it("continue beside an edit that gets no answer, which times out and is dropped", async () => {
    const { db, place, charge, flow, pass, runner, user } = await setUp();
    const ends = charge(await place(100), 60);
    await flow();
    db.isAway = true;
    const edit = runner.edit(user, 5000, () => [], BY_ADMINISTRATOR);
    const failed = expect(edit).rejects.toThrow("did not answer in time");
    await pass(11_000);
    await failed;
    db.isAway = false;
    await pass(3000);
    expect(ends).toEqual([undefined]);
    expect(db.database.accounts.get("user:1")).toMatchObject({ granted: 1000, settled: 60 });
    const done = runner.edit(user, 5000, () => [], BY_ADMINISTRATOR);
    await pass(200);
    expect(await done).toEqual({ moved: 4060, balance: 5000 });
  });

  it("leave nothing behind at a stop, and let requests that failed go to the log in groups", async () => {
    const { charges, runner, db, place, charge, pass, key, seen } = await setUp();
    charges.noteFailure({ ...chargeRecordOf(key, { requestId: "f1", end: "failed" }) });
    charges.noteFailure({ ...chargeRecordOf(key, { requestId: "f2", end: "client-left" }) });
    await pass(200);
    expect(seen.failures.map(({ requestId, count }) => [requestId, count])).toEqual([
      ["f1", "refused"],
      ["f2", "left"],
    ]);
    charge(await place(100), 60);
    const stopped = runner.stop(10_000);
    await pass(500);
    expect(await stopped).toBe(true);
    await charges.close();
    expect(db.database.accounts.get("user:1")).toEqual({
      quota: 940,
      granted: 1000,
      settled: 60,
      leases: [],
    });
    expect(seen.errors).toEqual([]);
  });

  it("let requests that failed, and the costs of ended attempts, be stored later where the database stored nothing", async () => {
    const { charges, pass, key, seen } = await setUp();
    const endedCost = { model: "m", cost: 30, formula: "", isEstimate: true };
    const attempt = { channelId: 4, outcome: "late-answer", status: 0, startedMs: 0, durationMs: 1 };
    const attempts = [{ ...attempt, firstByteMs: undefined, endedCost }];
    const fail = (requestId: string, model: string): void =>
      charges.noteFailure({ ...chargeRecordOf(key, { requestId, end: "failed", model }), attempts });
    seen.unstorable = new DatabaseRefused({ code: "database-locked" });
    fail("f1", "one");
    await pass(200);
    fail("f2", "another");
    await pass(1000);
    expect([seen.failures, seen.errors.length]).toEqual([[], 1]);
    seen.unstorable = undefined;
    await pass(5000);
    const told = seen.failures.map(({ requestId, cost }) => [requestId, cost]);
    expect(told).toEqual([
      ["f1", undefined],
      ["f2", undefined],
      ["", 60],
    ]);
  });

  it("let no request that failed be stored twice: after an error that says nothing it is gone", async () => {
    const { charges, pass, key, seen } = await setUp();
    seen.unstorable = new Error("Connection terminated unexpectedly");
    charges.noteFailure(chargeRecordOf(key, { requestId: "f1", end: "failed" }));
    await pass(200);
    seen.unstorable = undefined;
    await pass(6000);
    expect([seen.failures, seen.errors.length]).toEqual([[], 1]);
  });

  it("report at the end the charges that were delivered and could not be stored", async () => {
    const { charges, runner, db, place, charge, pass, seen } = await setUp();
    const placed = await place(100);
    db.isAway = true;
    charge(placed, 60, true);
    const stopped = runner.stop(1000);
    await pass(1500);
    expect(await stopped).toBe(false);
    await charges.close();
    expect(seen.errors.at(-1)).toBe("1 charges of 60 together could not be stored and are lost");
  });
});
