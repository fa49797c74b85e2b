import type { RaisedNotice } from "@tollgate/contract/records/notice-record";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

let store: StoreUnderTest;
let accounts: AccountsUnderTest;
/** Another node, where there can be one. */
let other: AccountsUnderTest;

const openOther = onEngine({
  sqlite: async () => accounts,
  postgres: () => store.open(MASTER_KEY),
});

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  other = await openOther();
});

afterEach(async () => {
  if (other !== accounts) await other.close();
  await accounts.close();
  await store.remove();
});

const raised = (more: Partial<RaisedNotice> = {}): RaisedNotice => ({
  event: "channel-disabled",
  subject: "7",
  params: '{"id":7}',
  at: 100,
  canMail: false,
  ...more,
});

const addTarget = (owner: "site" | number = "site", more: object = {}) =>
  accounts.changes.notices.addTarget(
    owner,
    {
      kind: "webhook",
      name: "ops",
      isEnabled: true,
      language: "en",
      events: ["channel-disabled", "user-created", "balance-low", "top-up"],
      fields: { address: "https://example.com/hook", secret: "signing-secret-1" },
      createdTime: 1,
      ...more,
    },
    50,
  );

const sent = (owner: "site" | number = "site") => accounts.queries.notices.sent(owner, 0, 1000);

const claim = (now: number, perMinute = 10) => accounts.changes.notices.claim(now, now + 60, perMinute);

const SENT = { state: "sent", status: 200, detail: "" } as const;

describe("targets", () => {
  it("come back whole to the server, and are stored without their secrets in clear", async () => {
    const target = await addTarget();
    expect(await accounts.queries.notices.targets("site")).toEqual([target]);
    expect(target).toMatchObject({ owner: "site", fields: { secret: "signing-secret-1" } });
    expect(
      (await accounts.changes.notices.changeTarget("site", target?.id ?? 0, { name: "night" }))?.fields,
    ).toEqual(target?.fields);
    const stored = await accounts.stored();
    expect(stored.includes("signing-secret-1")).toBe(false);
    expect(stored.includes("example.com/hook")).toBe(false);
  });

  it("are their owner's alone, at most as many as there may be, and go with a user", async () => {
    const { user } = await accounts.changes.users.create(newUser(), 0, []);
    const own = await addTarget(user.id);
    const { notices } = accounts.changes;
    expect(await accounts.queries.notices.targets("site")).toEqual([]);
    expect(await notices.changeTarget("site", own?.id ?? 0, { name: "x" })).toBeUndefined();
    expect(await notices.removeTarget("site", own?.id ?? 0)).toBe(false);
    expect(await notices.removeTarget(user.id + 1, own?.id ?? 0)).toBe(false);
    expect(
      await notices.addTarget(
        user.id,
        { kind: "bark", name: "", isEnabled: true, language: "en", events: [], fields: {}, createdTime: 1 },
        1,
      ),
    ).toBeUndefined();
    await notices.raise(raised({ event: "balance-low", subject: String(user.id), userId: user.id }));
    expect(await sent(user.id)).toHaveLength(1);
    await accounts.changes.users.remove(user.id);
    expect([await accounts.queries.notices.targets(user.id), await sent(user.id)]).toEqual([[], []]);
    expect(await accounts.queries.notices.open()).toEqual([]);
  });
});

describe("an incident", () => {
  it("has its parameters until it seems to be over", async () => {
    const { notices } = accounts.changes;
    const incident = { event: "backup-failed", subject: "/backups" } as const;
    const params = { place: "/backups", reason: "no space" };
    await notices.raise(raised({ ...incident, params: JSON.stringify(params) }));
    const read = async () =>
      (await accounts.queries.notices.paramsOf("backup-failed")).map((json) => JSON.parse(json));
    expect(await read()).toEqual([params]);
    await notices.resolve(incident, 20);
    expect(await read()).toEqual([]);
  });

  it("is sent over the targets that subscribe to it, and no others", async () => {
    await addTarget();
    await addTarget("site", { name: "off", isEnabled: false });
    await addTarget("site", { name: "others", events: ["user-created"] });
    expect(await accounts.changes.notices.raise(raised())).toBe(1);
    expect((await sent()).map(({ targetName, state }) => [targetName, state])).toEqual([["ops", "waiting"]]);
  });

  it("is told by e-mail where no target is set at all, and mail can be sent", async () => {
    const { notices } = accounts.changes;
    expect(await notices.raise(raised({ subject: "1" }))).toBe(0);
    expect(await notices.raise(raised({ subject: "2", canMail: true }))).toBe(1);
    expect(await notices.raise(raised({ event: "user-created", subject: "2", canMail: true }))).toBe(0);
    await addTarget("site", { isEnabled: false });
    expect(await notices.raise(raised({ subject: "3", canMail: true }))).toBe(0);
    expect((await sent()).map(({ targetId, targetKind }) => [targetId, targetKind])).toEqual([[0, "email"]]);
  });

  it("that is over is reported as over when it did not start again, and the next one is reported again", async () => {
    await addTarget();
    const { notices } = accounts.changes;
    const key = { event: "channel-disabled", subject: "7" } as const;
    await notices.raise(raised());
    await notices.resolve(key, 110);
    await notices.raise(raised({ at: 120 }));
    expect(await notices.settle(1000, 1000, false)).toBe(0);
    await notices.resolve(key, 1100);
    await notices.resolve(key, 1200);
    expect(await notices.settle(1099, 1399, false)).toBe(0);
    expect(await notices.settle(1100, 1400, false)).toBe(1);
    await notices.raise(raised({ at: 1500 }));
    expect((await sent()).map(({ phase }) => phase).reverse()).toEqual(["opened", "recovered", "opened"]);
  });

  it.each(seeds(6))("is told once, and never not, whatever two nodes do at once (seed %i)", async (seed) => {
    const random = createRandom(seed);
    await addTarget();
    const nodes = [accounts.changes.notices, other.changes.notices];
    const key = { event: "channel-disabled", subject: "7" } as const;
    const count = async () => {
      const lines = await sent();
      const of = (phase: string) => lines.filter((line) => line.phase === phase).length;
      return { opened: of("opened"), recovered: of("recovered") };
    };
    let at = 1000;
    for (let step = 0; step < 12; step += 1) {
      at += Math.floor(random() * 400);
      const before = await count();
      const now = at;
      let raises = 0;
      await Promise.all(
        Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
          const notices = nodes[random() < 0.5 ? 0 : 1] as (typeof nodes)[number];
          const kind = random();
          if (kind < 0.5) {
            raises += 1;
            return notices.raise(raised({ at: now }));
          }
          return kind < 0.75 ? notices.resolve(key, now) : notices.settle(now - 300, now, false);
        }),
      );
      const after = await count();
      // It begins before it ends, and ends at most once.
      expect([0, 1]).toContain(after.opened - after.recovered);
      // However often it was raised at once, one more is told at most; where it was not open, one.
      expect(after.opened - before.opened).toBeLessThanOrEqual(1);
      if (raises > 0 && before.opened === before.recovered) expect(after.opened).toBe(before.opened + 1);
      if (raises > 0) expect(after.opened).toBeGreaterThan(0);
    }
  });

  it("that does not last is told once for its subject", async () => {
    await addTarget();
    const once = raised({ event: "user-created", subject: "9" });
    const told = await Promise.all(
      [accounts, other, accounts].map((node) => node.changes.notices.raise(once)),
    );
    expect(told.sort()).toEqual([0, 0, 1]);
    expect(await accounts.queries.notices.open()).toEqual([]);
    await accounts.changes.notices.forget(1000, 100);
    expect(await accounts.changes.notices.raise(once)).toBe(1);
  });

  it("of a user is told to that user and, where it is for both, to the site", async () => {
    const { user } = await accounts.changes.users.create(newUser(), 0, []);
    await addTarget();
    await addTarget(user.id);
    const topUp = raised({ event: "top-up", subject: "req-1", userId: user.id });
    expect(await accounts.changes.notices.raise(topUp)).toBe(2);
    expect([(await sent()).length, (await sent(user.id)).length]).toEqual([1, 1]);
  });
});

describe("a waiting notice", () => {
  it("belongs to one claimant until the claim ends, one for each receiver at a time", async () => {
    await addTarget();
    await addTarget("site", { name: "second" });
    await accounts.changes.notices.raise(raised());
    await accounts.changes.notices.raise(raised({ event: "user-created", subject: "1" }));
    const [first, second] = await Promise.all([claim(200), other.changes.notices.claim(200, 260, 10)]);
    const taken = [...first, ...second];
    expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length);
    const rest = await claim(200);
    expect(taken.length + rest.length).toBe(4);
    expect(await claim(259)).toEqual([]);
    expect((await claim(260)).map(({ attempts }) => attempts)).toEqual([2, 2]);
  });

  it("for the site goes first, and of users each in turn, however many receivers of one never answer", async () => {
    const users: number[] = [];
    for (const email of ["many@example.com", "one@example.com"])
      users.push(
        (await accounts.changes.users.create({ ...newUser(), username: email, email }, 0, [])).user.id,
      );
    const [many = 0, one = 0] = users;
    for (let target = 0; target < 30; target += 1) await addTarget(many);
    await addTarget(one);
    await addTarget();
    for (const userId of [many, one])
      await accounts.changes.notices.raise(raised({ event: "top-up", subject: String(userId), userId }));
    const claimed = await claim(200);
    expect(claimed).toHaveLength(20);
    expect(new Set(claimed.slice().map(({ owner }) => owner))).toEqual(new Set(["site", many, one]));
    // Those of one that were tried go behind those that were not.
    for (const { id } of claimed)
      await accounts.changes.notices.finish(
        id,
        { state: "waiting", fault: "unreachable", status: 0, detail: "", dueAt: 201 },
        201,
      );
    const tried = new Set(claimed.map(({ id }) => id));
    const next = await claim(210);
    expect(next.filter(({ id, owner }) => owner === many && !tried.has(id))).toHaveLength(12);
  });

  it("is given to a receiver a few times a minute", async () => {
    await addTarget();
    for (let subject = 0; subject < 5; subject += 1)
      await accounts.changes.notices.raise(raised({ event: "user-created", subject: String(subject) }));
    const times = [100, 101, 102, 103, 161, 162, 163];
    const counts: number[] = [];
    for (const now of times) {
      const claimed = await claim(now, 2);
      for (const { id } of claimed) await accounts.changes.notices.finish(id, SENT, now);
      counts.push(claimed.length);
    }
    expect(counts).toEqual([1, 1, 0, 0, 1, 1, 0]);
  });

  it("is limited for a receiver that is gone: later notices are recorded as not sent", async () => {
    await addTarget();
    for (let subject = 0; subject < 101; subject += 1)
      await accounts.changes.notices.raise(raised({ event: "user-created", subject: String(subject) }));
    const lines = await sent();
    expect(lines.filter(({ state }) => state === "waiting")).toHaveLength(100);
    expect(lines[0]).toMatchObject({ state: "failed", fault: "too-many" });
  });

  it("is tried again when it is due, and says how it went", async () => {
    await addTarget();
    await accounts.changes.notices.raise(raised());
    const [one] = await claim(200);
    const outcome = { state: "waiting", fault: "status", status: 502, detail: "", dueAt: 230 } as const;
    await accounts.changes.notices.finish(one?.id ?? 0, outcome, 201);
    expect(await claim(229)).toEqual([]);
    const [again] = await claim(230);
    expect(again).toMatchObject({
      attempts: 2,
      messageId: one?.messageId,
      target: { fields: { secret: "signing-secret-1" } },
    });
    await accounts.changes.notices.finish(again?.id ?? 0, SENT, 231);
    expect(await sent()).toMatchObject([
      { state: "sent", status: 200, fault: "", attempts: 2, triedAt: 230 },
    ]);
    expect(await claim(10_000)).toEqual([]);
  });

  it("for a target that was removed or switched off is not sent", async () => {
    const target = await addTarget();
    const off = await addTarget("site", { name: "off later" });
    await accounts.changes.notices.raise(raised());
    await accounts.changes.notices.removeTarget("site", target?.id ?? 0);
    await accounts.changes.notices.changeTarget("site", off?.id ?? 0, { isEnabled: false });
    expect((await claim(200)).map((notice) => notice.target)).toEqual(["gone", "gone"]);
  });

  it("is kept, and the record of sent ones is limited", async () => {
    await addTarget();
    for (let subject = 0; subject < 6; subject += 1)
      await accounts.changes.notices.raise(
        raised({ event: "user-created", subject: String(subject), at: 100 + subject }),
      );
    for (const now of [200, 201, 202, 203, 204])
      for (const { id } of await claim(now)) await accounts.changes.notices.finish(id, SENT, now);
    await accounts.changes.notices.forget(101, 3);
    expect((await sent()).map(({ subject, state }) => [subject, state])).toEqual([
      ["5", "waiting"],
      ["4", "sent"],
      ["3", "sent"],
    ]);
  });
});
