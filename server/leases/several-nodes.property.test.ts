import { LeaseBalances } from "@tollgate/accounts/lease-balances";
import { type OrderMoney, type OrderStep, stepOrder } from "@tollgate/contract/payments/order-machine";
import type { AccountId } from "@tollgate/contract/records/lease";
import { attributeUse, ownOf, type PlanMoney, type PlanShare } from "@tollgate/contract/values/plan-money";
import { createLease, type Lease } from "@tollgate/metering/leases/lease";
import { NODE_LIFE_MS } from "@tollgate/metering/leases/liveness";
import { type Hold, release, settle } from "@tollgate/metering/ledger";
import type { HoldOutcome } from "@tollgate/relay/ports/charges";
import type { ApiKey, User } from "@tollgate/relay/ports/directory";
import { chargeRecordOf } from "@tollgate/relay/testing/charge-record-of";
import type { AccountRow, LeaseDatabase } from "@tollgate/testkit/lease-database";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LeaseCharges } from "./lease-charges";
import { LeaseRunner } from "./lease-runner";
import { FlakyDatabase } from "./testing/flaky-leases";

const BY_ADMINISTRATOR = { cause: "quota-changed", actorId: 1, at: 1 } as const;

/*
 * Two or three nodes on one database, which is the reference: with a bad network, a database that goes away, nodes that die and
 * nodes that stop, and a row that another transaction keeps locked; orders that are told to several nodes, twice and late, that are refunded and claimed back, plans and
 * commissions, each of which may be done without any person hearing of it. After every step granted = balance + leased + settled = the sum of
 * all entries; at the end every delivered answer was charged once, every one of which nothing was delivered not at all, and each order
 * was given once.
 */

const USER: AccountId = "user:1";
const LIMITED: AccountId = "key:1";
const UNLIMITED: AccountId = "key:2";
const GRANTED: readonly (readonly [AccountId, number])[] = [
  [USER, 3000],
  [LIMITED, 1500],
  [UNLIMITED, 0],
];

interface Order extends OrderMoney {
  readonly number: number;
}

interface Share extends PlanShare {
  readonly granted: number;
  readonly taken: number;
}

const INVITER: AccountId = "user:2";

interface Answer {
  readonly node: Node;
  readonly isDelivered: boolean;
  /** undefined while the last byte waits. */
  end: "whole" | "broken off" | undefined;
}

interface Node {
  readonly runner: LeaseRunner;
  readonly charges: LeaseCharges;
  readonly balances: LeaseBalances;
  readonly keys: readonly ApiKey[];
  readonly leases: ReadonlyMap<AccountId, Lease>;
  readonly open: { hold: Hold; key: ApiKey }[];
  isDead: boolean;
  isStopping: boolean;
}

const settled = async (): Promise<void> => {
  for (let i = 0; i < 12; i += 1) await Promise.resolve();
};

class World {
  readonly answers = new Map<string, Answer>();
  readonly met = { waited: 0, placed: 0, refused: 0, whole: 0, brokenOff: 0, taken: 0, edits: 0, locked: 0 };
  /** How often money moved otherwise. */
  readonly moved = { paid: 0, back: 0, periods: 0, expired: 0, commissions: 0 };
  private readonly orders: Order[] = [];
  private plan: PlanMoney<Share> = { counted: 0, ownSpent: 0, shares: [] };
  private readonly over: Share[] = [];
  private commission = 0;
  readonly nodes: Node[] = [];
  readonly errors: string[] = [];
  private readonly db: FlakyDatabase;
  private readonly random: () => number;
  private now = 1000;
  private requests = 0;

  constructor(seed: number) {
    this.random = createRandom(seed);
    this.db = new FlakyDatabase(
      NODE_LIFE_MS,
      () => this.now,
      this.random,
      (recall) => {
        for (const node of this.nodes) if (!node.isDead && !this.chance(0.1)) node.runner.recalled(recall);
      },
    );
    for (const [account, quota] of GRANTED) this.db.database.open(account, quota);
    this.db.database.open(INVITER, 0);
    const count = 2 + this.below(2);
    for (let i = 0; i < count; i += 1) this.nodes.push(this.createNode());
    if (this.chance(0.8))
      this.db.faults = {
        lost: this.random() * 0.15,
        unanswered: this.random() * 0.15,
        doubled: this.random() * 0.1,
        hangs: this.random() * 0.5,
      };
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      await this.step();
      this.examine();
    }
    await this.heal();
    this.examineEnd();
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }

  private pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  private createNode(): Node {
    const leases = new Map(
      GRANTED.map(([account]) => {
        const id = Number(account.split(":")[1]);
        return [account, createLease(account, id, account === UNLIMITED)];
      }),
    );
    const leaseOf = (account: AccountId): Lease => leases.get(account) as Lease;
    const user: User = {
      id: 1,
      username: "alice",
      role: 1,
      status: 1,
      groups: ["default"],
      account: leaseOf(USER),
    };
    const keys = [LIMITED, UNLIMITED].map(
      (account): ApiKey => ({
        id: leaseOf(account).id,
        user,
        name: "k",
        status: 1,
        expiredTime: -1,
        account: leaseOf(account),
      }),
    );
    const tools = { now: () => this.now, reportError: (error: Error) => this.errors.push(error.message) };
    const runner = new LeaseRunner(this.db.connect(), {
      ...tools,
      find: (account) => leases.get(account),
      about: () => ({}),
      remindBelow: () => 0,
      onQuotaLow: () => {},
    });
    const charges = new LeaseCharges(runner, {
      ...tools,
      isLogged: () => true,
      wallNow: () => this.now,
      storeFailures: async () => {},
      onMove: () => {
        this.met.taken += 1;
      },
    });
    const balances = new LeaseBalances(runner, () => {});
    const about = { open: [], isDead: false, isStopping: false };
    const node: Node = { runner, charges, balances, keys, leases, ...about };
    // A process that the database does not take ends, and is started again.
    runner.start().catch(() => this.kill(node));
    return node;
  }

  private async step(): Promise<void> {
    const draw = this.random();
    const node = this.pick(this.nodes);
    if (draw < 0.3) this.request(node);
    else if (draw < 0.5) this.end(node);
    else if (draw < 0.56) await this.pass(this.below(400));
    else if (draw < 0.57) await this.pass(this.below(20_000));
    else if (draw < 0.58) this.db.isAway = !this.db.isAway && this.chance(0.5);
    else if (draw < 0.6) this.edit(node);
    else if (draw < 0.605) this.kill(node);
    else if (draw < 0.61) this.stop(node);
    else if (draw < 0.618) this.lockUser();
    else if (draw < 0.66) this.trade(this.random());
    else this.db.carry(1 + this.below(6));
    await settled();
  }

  /** A person keeps the user's row locked, or lets it go. */
  private lockUser(): void {
    this.met.locked += 1;
    if (!this.db.locked.delete(USER)) this.db.locked.add(USER);
  }

  private request(node: Node): void {
    if (node.isDead) return;
    const key = this.pick(node.keys);
    const least = 1 + this.below(60);
    const take = (outcome: HoldOutcome): void => {
      if (node.isDead) return;
      this.met[typeof outcome === "string" ? "refused" : "placed"] += 1;
      if (typeof outcome !== "string") node.open.push({ hold: outcome, key });
    };
    const placed = node.runner.place(key.user.account, key.account, least, false, least + this.below(200));
    if (!(placed instanceof Promise)) {
      take(placed);
      return;
    }
    this.met.waited += 1;
    void placed.then(take);
  }

  private end(node: Node): void {
    const [ended] = node.open.splice(this.below(node.open.length), 1);
    if (!ended || node.isDead) return;
    if (this.chance(0.2)) {
      release(ended.hold);
      return;
    }
    const { charged, shortfall, takenFromKey, keyShortfall } = settle(ended.hold, this.below(120));
    this.requests += 1;
    const requestId = `r${this.requests}`;
    const answer: Answer = { node, isDelivered: this.chance(0.5), end: undefined };
    this.answers.set(requestId, answer);
    const amounts = { quota: charged, shortfall, takenFromKey, keyShortfall };
    node.charges.commit(
      chargeRecordOf(ended.key, { requestId, ...amounts }),
      (error) => {
        expect(answer.end).toBeUndefined();
        answer.end = error ? "broken off" : "whole";
        this.met[error ? "brokenOff" : "whole"] += 1;
      },
      answer.isDelivered,
    );
  }

  /** Another movement of money, on several nodes at the same time; an unanswered call may be repeated. */
  private trade(draw: number): void {
    const nodes = Array.from({ length: 1 + this.below(3) }, () => this.pick(this.nodes));
    const onEach = (step: (node: Node) => Promise<unknown>): void => {
      for (const node of nodes) if (!node.isDead) step(node).catch(() => {});
    };
    const [order] = this.orders.length === 0 ? [] : [this.pick(this.orders)];
    const user = (node: Node): Lease => node.leases.get(USER) as Lease;
    const grant = (node: Node, step: (database: LeaseDatabase) => number) =>
      node.balances.grant(
        user(node),
        "payment",
        () => this.db.transact(step),
        (given) => given,
      );
    const take = (node: Node, most: number, step: (database: LeaseDatabase, most: number) => number) =>
      node.balances.take(
        user(node),
        "payment-refund",
        most,
        (there) => this.db.transact((database) => step(database, there)),
        (taken) => taken,
      );
    if (draw < 0.2 || !order) this.newOrder();
    else if (draw < 0.5) onEach((node) => grant(node, (database) => this.pay(database, order)));
    else if (draw < 0.65) {
      const amount = 1 + this.below(order.amount);
      const kind = this.pick(["refunded-part", "disputed"] as const);
      const name = `${kind} ${order.number} ${this.below(3)}`;
      onEach((node) =>
        take(node, order.quota, (database, most) =>
          this.sendBack(database, order, { kind, amount }, most, name),
        ),
      );
    } else if (draw < 0.75) {
      const quota = 1 + this.below(900);
      onEach((node) => grant(node, (database) => this.openPeriod(database, quota)));
    } else if (draw < 0.9) {
      const id = this.below(this.moved.periods + 1);
      onEach((node) => take(node, 3000, (database, most) => this.closePeriod(database, id, most)));
    } else {
      const name = `transfer ${this.below(20)}`;
      const quota = 1 + this.below(60);
      onEach(() => this.db.transact((database) => this.transfer(database, quota, name)));
    }
  }

  private newOrder(): void {
    this.orders.push({
      number: this.orders.length,
      state: "pending",
      provider: "stripe",
      amount: 1 + this.below(500),
      currency: "CNY",
      quota: 1 + this.below(800),
      payment: "",
      refunded: 0,
      disputed: 0,
      taken: 0,
      isLate: false,
    });
  }

  /** Like storage, within one transaction: steps the order, and books its quota with the commission. */
  private pay(database: LeaseDatabase, order: Order): number {
    const { provider, amount, currency, number } = order;
    const result = stepOrder(order, { kind: "paid", provider, amount, currency, payment: `p${number}` });
    if (result.kind !== "changed") return 0;
    Object.assign(order, result.order);
    this.moved.paid += 1;
    this.commission += Math.floor(order.quota / 10);
    return database.move(USER, result.grant, `order ${number}`);
  }

  private sendBack(
    database: LeaseDatabase,
    order: Order,
    step: OrderStep & { kind: "refunded-part" | "disputed" },
    most: number,
    name: string,
  ): number {
    if (database.entries.has(name)) return 0;
    const result = stepOrder(order, step);
    if (result.kind !== "changed") return 0;
    const own = ownOf(this.look(database), this.there(database));
    const taken = 0 - database.move(USER, 0 - Math.max(0, Math.min(result.take, most, own)), name);
    Object.assign(order, result.order, { taken: result.order.taken + taken });
    this.moved.back += 1;
    return taken;
  }

  private row(database: LeaseDatabase): AccountRow {
    return database.accounts.get(USER) as AccountRow;
  }

  private there(database: LeaseDatabase): number {
    const { quota, leases } = this.row(database);
    return leases.reduce((sum, lease) => sum + lease.quota, quota);
  }

  private look(database: LeaseDatabase): PlanMoney<Share> {
    this.plan = attributeUse(this.plan, this.row(database).settled, this.there(database));
    return this.plan;
  }

  private openPeriod(database: LeaseDatabase, granted: number): number {
    const { shares } = this.look(database);
    // One is open at a time; none begins twice.
    if (shares.some(({ isOver }) => !isOver)) return 0;
    this.moved.periods += 1;
    const id = this.moved.periods;
    const begun = { id, endsAt: id, isOver: false, left: granted, spent: 0, withdrawn: 0, granted, taken: 0 };
    this.plan = { ...this.plan, shares: [...shares, begun] };
    return database.move(USER, granted, `period ${id}`);
  }

  private closePeriod(database: LeaseDatabase, id: number, most: number): number {
    const { shares } = this.look(database);
    const share = shares.find((each) => each.id === id);
    if (!share) return 0;
    const own = ownOf(this.plan, this.there(database));
    const taken = 0 - database.move(USER, 0 - Math.min(share.left, most), `expiry ${id} ${share.taken}`);
    const next = { ...share, isOver: true, left: share.left - taken, taken: share.taken + taken };
    const others = shares.filter((each) => each !== share);
    this.plan = { ...this.plan, shares: next.left > 0 ? [...others, next] : others };
    if (next.left === 0) this.over.push(next);
    this.moved.expired += 1;
    expect(ownOf(this.plan, this.there(database))).toBe(own);
    return taken;
  }

  private transfer(database: LeaseDatabase, quota: number, name: string): number {
    const there = Math.min(quota, this.commission);
    const moved = database.move(INVITER, there, name);
    this.commission -= moved;
    this.moved.commissions += moved > 0 ? 1 : 0;
    return moved;
  }

  private edit(node: Node): void {
    if (node.isDead) return;
    const account = this.pick([USER, LIMITED]);
    this.met.edits += 1;
    node.runner
      .edit(node.leases.get(account) as Lease, this.below(3500), () => [], BY_ADMINISTRATOR)
      .catch(() => {});
  }

  private kill(node: Node): void {
    if (node.isDead) return;
    node.isDead = true;
    node.runner.halt();
    this.replace(node);
  }

  private stop(node: Node): void {
    if (node.isDead || node.isStopping) return;
    node.isStopping = true;
    for (const { hold } of node.open.splice(0)) release(hold);
    void node.runner.stop(60_000).then((hasLeft) => {
      // Its timeout was over: this is reported, and its state is lost like that of a killed node.
      node.isDead ||= !hasLeft;
      return node.charges.close();
    });
    this.nodes.push(this.createNode());
  }

  private replace(node: Node): void {
    this.nodes[this.nodes.indexOf(node)] = this.createNode();
  }

  private async pass(ms: number): Promise<void> {
    for (let gone = 0; gone < ms; gone += 50) {
      this.now += 50;
      vi.advanceTimersByTime(50);
      this.db.carry(this.below(8));
      await settled();
    }
  }

  /** Everything works again, providers repeat refused events, plans end, and all nodes stop. */
  private async heal(): Promise<void> {
    this.db.isAway = false;
    this.db.locked.clear();
    this.db.faults = { lost: 0, unanswered: 0, doubled: 0, hangs: 0 };
    await this.calm(20_000);
    for (const order of this.orders) for (const _ of [1, 2]) this.pay(this.db.database, order);
    const stopped = this.nodes.map((node) => {
      for (const { hold } of node.open.splice(0)) release(hold);
      return node.isStopping || node.runner.stop(60_000);
    });
    await this.calm(30_000);
    expect(await Promise.all(stopped)).toEqual(stopped.map(() => true));
    // Of those that were killed.
    this.db.database.expire(Number.POSITIVE_INFINITY);
  }

  private async calm(ms: number): Promise<void> {
    for (let gone = 0; gone < ms; gone += 50) {
      this.now += 50;
      vi.advanceTimersByTime(50);
      for (let round = 0; round < 4; round += 1) {
        this.db.carry(this.db.size);
        await settled();
      }
    }
  }

  private examine(): void {
    const entered = new Map<AccountId, number>();
    for (const { account, amount } of this.db.database.entries.values())
      entered.set(account, (entered.get(account) ?? 0) + amount);
    for (const [id, { quota, granted, settled: charged, leases }] of this.db.database.accounts) {
      expect(entered.get(id), id).toBe(granted);
      const leased = leases.reduce((sum, lease) => sum + lease.quota, 0);
      expect(quota, id).toBeGreaterThanOrEqual(0);
      expect(quota + leased + charged, id).toBe(granted);
    }
    for (const { leases } of this.nodes)
      for (const { quota, account } of leases.values()) expect(quota, account).toBeGreaterThanOrEqual(0);
    this.examineTrade();
  }

  /** Called after every step: reports faults, and costs no other time. */
  private examineTrade(): void {
    const { database } = this.db;
    const holds = (isTrue: boolean, what: string): void => {
      if (!isTrue) throw new Error(what);
    };
    for (const { id, granted, left, spent, withdrawn, taken } of [
      ...this.look(database).shares,
      ...this.over,
    ])
      holds(
        left + spent + withdrawn + taken === granted,
        `period ${id} is not granted = spent + left + taken`,
      );
    holds(ownOf(this.plan, this.there(database)) >= 0, "plans have more than there is");
    holds(this.commission >= 0, "more commission was taken than there was");
    for (const { number, state, quota, taken, amount, refunded, disputed } of this.orders) {
      const given = database.entries.get(`order ${number}`)?.amount ?? 0;
      holds(given === (state === "pending" ? 0 : quota), `order ${number} gave ${given} of ${quota}`);
      holds(taken <= quota && refunded <= amount && disputed <= amount, `order ${number} went back twice`);
    }
  }

  private examineEnd(): void {
    const { charges, accounts } = this.db.database;
    for (const [requestId, { node, isDelivered, end }] of this.answers) {
      const row = charges.get(requestId);
      const isCharged = row !== undefined && !row.isRefunded;
      if (end === "whole") expect(isCharged, `${requestId} is whole`).toBe(true);
      // The state of a killed node is lost, and none of it was delivered to the end.
      if (node.isDead) continue;
      expect(end, requestId).toBeDefined();
      if (end === "broken off") expect(isCharged, `${requestId} is broken off`).toBe(isDelivered);
    }
    const sums = new Map<string, number>();
    for (const { requestId, quota } of this.db.lines) sums.set(requestId, (sums.get(requestId) ?? 0) + quota);
    for (const [requestId, { booked, isRefunded }] of charges)
      expect(sums.get(requestId), requestId).toBe(isRefunded ? 0 : booked.charged);
    for (const { state } of this.orders) expect(state).not.toBe("pending");
    const settledInAll = [...sums.values()].reduce((sum, quota) => sum + quota, 0);
    expect(accounts.get(USER)?.settled).toBe(settledInAll);
    for (const { leases } of accounts.values()) expect(leases).toEqual([]);
    for (const { leases } of this.nodes) for (const lease of leases.values()) expect(lease.held).toBe(0);
  }
}

describe("nodes on one database", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(seeds(12))("charge each delivered answer once, whatever happens (seed %i)", async (seed) => {
    const world = new World(seed);
    await world.run(1500);
  });

  it("cover every planned event", async () => {
    const world = new World(1);
    await world.run(6000);
    for (const [name, count] of Object.entries({ ...world.met, ...world.moved }))
      expect(count, name).toBeGreaterThan(3);
  });
});
