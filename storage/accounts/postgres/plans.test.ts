import type { AccountId, LeaseCharge } from "@tollgate/contract/records/lease";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSecrets } from "../../secrets";
import { askDatabase } from "../../testing/new-database";
import { MASTER_KEY } from "../../testing/sample-records";
import { entryOf, type LeasesUnderTest, newLeaseDatabase } from "../testing/lease-database-under-test";
import { type OpenAccounts, openAccounts } from "./open-accounts";

/*
 * Plans of a user whose balance several nodes lease. The database refuses to commit what does not add up.
 */

const USER: AccountId = "user:1";
const UNIT = { quotaPerUnit: 500_000, isCurrency: false };
const ALL = Number.MAX_SAFE_INTEGER;

let db: LeasesUnderTest;
let accounts: OpenAccounts;
let other: OpenAccounts;

beforeEach(async () => {
  db = await newLeaseDatabase([
    [USER, 1000],
    ["key:1", 100_000],
  ]);
  const secrets = createSecrets(MASTER_KEY);
  [accounts, other] = [await openAccounts(db.address, secrets), await openAccounts(db.address, secrets)];
});
afterEach(async () => {
  await accounts.close();
  await other.close();
  await db.close();
});

/** A node, and what it holds of the user's balance. */
class Node {
  private number = 0;
  private request = 0;
  leased = 0;

  constructor(readonly epoch: number) {}

  async lease(quota: number): Promise<number> {
    this.number += 1;
    const wish = { epoch: this.epoch, account: USER, number: this.number, least: 1, most: quota };
    const grant = await db.leases.acquire({ ...wish, total: quota, ahead: 0, isLast: true });
    if (grant === "epoch-over") throw new Error(grant);
    this.leased += grant.granted;
    return grant.granted;
  }

  async giveBack(quota: number): Promise<void> {
    this.number += 1;
    this.leased -= quota;
    await db.leases.giveBack({ epoch: this.epoch, account: USER, number: this.number, quota });
  }

  /** @returns what names the request. */
  async charge(quota: number): Promise<string> {
    this.request += 1;
    this.leased -= quota;
    const requestId = `r-${this.epoch}-${this.request}`;
    const charge: LeaseCharge = { requestId, user: USER, quota, shortfall: 0, key: undefined, keyQuota: 0 };
    await db.leases.book({ epoch: this.epoch, charges: [charge] }, entryOf);
    return requestId;
  }
}

const join = async (): Promise<Node> => new Node((await db.leases.join({})).epoch);

let references = 0;
const subscribe = async (by: OpenAccounts, price: number, quota: number, group = "") => {
  references += 1;
  return by.changes.plans.subscribe(
    {
      userId: 1,
      planId: 1,
      terms: {
        title: "Basic",
        price,
        durationUnit: "month",
        durationCount: 1,
        quota,
        reset: "day",
        group,
        beyond: "balance",
      },
      startsAt: 0,
      endsAt: 1_000_000,
      source: "balance",
      reference: `pg-${references}`,
      renews: false,
      actorId: 1,
      now: 0,
      price,
      mostPerUser: undefined,
    },
    ALL,
    UNIT,
  );
};

const idOf = (done: Awaited<ReturnType<typeof subscribe>>): number => {
  if (done === "held") throw new Error("held");
  return done.subscription.id;
};

const open = (by: OpenAccounts, subscriptionId: number, number: number, endsAt = number * 100) =>
  by.changes.plans.openPeriod(
    { subscriptionId, number, startsAt: endsAt - 100, endsAt, now: endsAt - 100, mostParked: ALL },
    UNIT,
  );

const balance = async (): Promise<number> => (await accounts.queries.users.find(1))?.quota ?? -1;
const own = (): Promise<number> => accounts.queries.plans.own(1);

describe("a plan of a user whose balance nodes lease", () => {
  it("is bought once by two nodes with money for one, and not with leased quota", async () => {
    const bought = await Promise.allSettled([subscribe(accounts, 600, 0), subscribe(other, 600, 0)]);
    expect(bought.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const node = await join();
    await node.lease(300);
    expect(await subscribe(accounts, 350, 0)).toBe("held");
    await node.giveBack(300);
    expect(await subscribe(accounts, 350, 0)).not.toBe("held");
    expect(await balance()).toBe(50);
  });

  it("has its period ended once by two nodes, first with the unleased quota, then with the rest when it returns", async () => {
    const id = idOf(await subscribe(accounts, 1000, 500));
    const opened = await Promise.all([open(accounts, id, 1), open(other, id, 1)]);
    expect(opened.map(({ moved }) => moved).sort()).toEqual([0, 500]);
    const node = await join();
    await node.lease(400);
    const close = (by: OpenAccounts) => by.changes.plans.closePeriods(id, 100, ALL, UNIT);
    const closed = await Promise.all([close(accounts), close(other)]);
    expect(closed.map(({ moved }) => moved).sort()).toEqual([-100, 0]);
    expect(closed.map(({ due }) => due)).toEqual([400, 400]);
    await node.charge(150);
    await node.giveBack(250);
    expect(await close(accounts)).toMatchObject({ moved: -250, due: 0 });
    expect(await balance()).toBe(0);
  });

  it("tells all nodes that a user's groups have changed, when it begins and when it ends", async () => {
    const told = async () =>
      (await askDatabase(db.address, `SELECT id, what FROM changes WHERE "of" = 'user' ORDER BY number`))
        .length;
    const id = idOf(await subscribe(accounts, 0, 10, "vip"));
    const before = await told();
    await open(accounts, id, 1);
    expect(await told()).toBe(before + 1);
    await accounts.changes.plans.closePeriods(id, 100, ALL, UNIT);
    expect(await told()).toBe(before + 1);
    await accounts.changes.plans.end(id, "expired", 100, UNIT);
    expect(await told()).toBe(before + 2);
    expect((await other.queries.users.withIds([1]))[0]?.planGroups).toBe("");
  });

  it.each(seeds(4))(
    "keeps own money and plans' money apart to the unit, whatever nodes do at once (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      const upTo = (n: number): number => Math.floor(random() * (n + 1));
      const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
      const nodes = [await join(), await join()];
      const ids: number[] = [];
      const charged: string[] = [];
      let now = 0;
      // A node sends one again that waits for a lock; here no charge is booked meanwhile.
      const refund = async (): Promise<void> => {
        const requestId = random() < 0.3 ? pick(charged) : undefined;
        if (requestId !== undefined) await db.leases.refund(requestId, entryOf);
      };
      const steps: (() => Promise<unknown>)[] = [
        ...nodes.flatMap((node) => [
          () => node.lease(upTo(300)),
          () => node.giveBack(upTo(node.leased)),
          async () => charged.push(await node.charge(upTo(node.leased))),
        ]),
        async () => {
          const done = await subscribe(pick([accounts, other]) ?? other, upTo(150), upTo(300)).catch(
            () => "held" as const,
          );
          if (done !== "held") ids.push(done.subscription.id);
        },
        async () => {
          const id = pick(ids);
          if (id !== undefined)
            await open(pick([accounts, other]) ?? other, id, 1 + upTo(now), now + upTo(20));
        },
        async () => {
          const id = pick(ids);
          if (id !== undefined)
            await (pick([accounts, other]) ?? other).changes.plans.closePeriods(id, now, ALL, UNIT);
        },
      ];
      for (let step = 0; step < 60; step += 1) {
        now += 1;
        // One step of each node at most: a node sends one change of a lease after the other.
        const places = [upTo(2), 3 + upTo(2), 6 + upTo(2), 6 + upTo(2)];
        await Promise.all(places.map((place) => steps[place]?.()));
        await Promise.all([refund(), steps[6 + upTo(2)]?.()]);
      }
      for (const node of nodes) await node.giveBack(node.leased);
      const before = await own();
      let due: number | undefined = 0;
      for (const id of ids) {
        await accounts.changes.plans.end(id, "expired", now, UNIT);
        due = (await accounts.changes.plans.closePeriods(id, now, ALL, UNIT)).due;
      }
      expect(due).toBe(0);
      expect([await own(), await balance()]).toEqual([before, before]);
    },
  );
});
