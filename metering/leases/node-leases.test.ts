import type { AccountId, BookedCharge } from "@tollgate/contract/records/lease";
import { LeaseDatabase } from "@tollgate/testkit/lease-database";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { type Hold, release, settle } from "../ledger";
import type { LeaseRefusal } from "./decide-hold";
import { createLease, type Lease, RECALL_FOR_MS, WINDOW_MS } from "./lease";
import type { LeaseEffects } from "./lease-effects";
import { ADMIT_FOR_MS, NODE_LIFE_MS, RENEW_EVERY_MS } from "./liveness";
import { NodeLeases } from "./node-leases";

const USER: AccountId = "user:1";
const FREE_KEY: AccountId = "key:1";
const LIMITED_KEY: AccountId = "key:2";

interface Node {
  leases: NodeLeases;
  user: Lease;
  freeKey: Lease;
  limitedKey: Lease;
}

/** Nodes and a database that answer as soon as `flow` is called, in order. Times are milliseconds. */
class Installation {
  now = 1000;
  readonly db: LeaseDatabase;
  readonly nodes: Node[];
  /** Whether commands reach the database. */
  isConnected = true;
  readonly outcomes: (Hold | LeaseRefusal)[] = [];
  readonly committed: BookedCharge[] = [];
  readonly edits: number[] = [];
  /** How many commands of each kind were sent. */
  readonly sent: Record<string, number> = {};
  private readonly wire: (() => void)[] = [];

  constructor(count: number, quota: number, keyQuota = 0) {
    this.db = new LeaseDatabase(NODE_LIFE_MS, (recall) => {
      for (const { leases } of this.nodes) this.wire.push(() => leases.recalled(recall, this.now));
    });
    this.db.open(USER, quota);
    this.db.open(FREE_KEY, 0);
    this.db.open(LIMITED_KEY, keyQuota);
    this.nodes = Array.from({ length: count }, () => this.createNode());
    for (const { leases } of this.nodes) leases.tick(this.now);
    this.flow();
  }

  private createNode(): Node {
    const user = createLease(USER, 1, false);
    const freeKey = createLease(FREE_KEY, 1, true);
    const limitedKey = createLease(LIMITED_KEY, 2, false);
    const accounts = new Map([user, freeKey, limitedKey].map((lease) => [lease.account, lease]));
    const { db } = this;
    const ask = <T>(kind: string, atDatabase: () => T, onReply: (reply: T) => void): void => {
      this.sent[kind] = (this.sent[kind] ?? 0) + 1;
      this.wire.push(() => {
        if (!this.isConnected) return;
        const reply = atDatabase();
        this.wire.push(() => onReply(reply));
      });
    };
    const effects: LeaseEffects = {
      join: (askedAt) =>
        ask(
          "join",
          () => db.join(this.now),
          (reply) => leases.joined(askedAt, reply, this.now),
        ),
      renew: (epoch, askedAt) =>
        ask(
          "renew",
          () => db.renew(epoch, this.now),
          (reply) => leases.renewed(epoch, askedAt, reply, this.now),
        ),
      expire: () =>
        ask(
          "expire",
          () => db.expire(this.now),
          () => {},
        ),
      acquire: (wish) =>
        ask(
          "acquire",
          () => db.acquire(wish),
          (reply) => leases.acquired(wish, reply, this.now),
        ),
      giveBack: (change) =>
        ask(
          "give back",
          () => db.giveBack(change),
          (reply) => leases.gaveBack(change, reply, this.now),
        ),
      book: (batch) =>
        ask(
          "book",
          () => db.book(batch),
          (reply) => leases.booked(batch, reply, this.now),
        ),
      refund: (requestId) =>
        ask(
          "refund",
          () => db.refund(requestId),
          () => leases.refunded(requestId),
        ),
      edit: (edit) =>
        ask(
          "edit",
          () => db.edit(edit),
          (reply) => leases.edited(edit, reply, this.now),
        ),
      leave: (epoch) =>
        ask(
          "leave",
          () => db.leave(epoch),
          () => leases.left(),
        ),
      decided: (_, outcome) => this.outcomes.push(outcome),
      committed: (charge) => this.committed.push(charge),
      refused: ({ requestId }) => {
        throw new Error(`${requestId} was refused`);
      },
      heldUp: (requestId) => {
        throw new Error(`${requestId} was held up`);
      },
      editDone: (_, moved) => this.edits.push(moved),
    };
    const leases = new NodeLeases((account) => accounts.get(account), effects);
    return { leases, user, freeKey, limitedKey };
  }

  node(index: number): Node {
    return this.nodes[index]!;
  }

  /** Carries everything that is under way, and what it calls forth. */
  flow(): void {
    for (const carry of this.wire) carry();
    this.wire.length = 0;
  }

  /** Time goes by; every node runs. */
  pass(ms: number, isRunning: (node: Node) => boolean = () => true): void {
    for (let gone = 0; gone < ms; gone += 50) {
      this.now += 50;
      for (const node of this.nodes) if (isRunning(node)) node.leases.tick(this.now);
      this.flow();
    }
  }

  ask(index: number, least: number, most = least, isLimited = false): Hold | LeaseRefusal | undefined {
    const { leases, user, freeKey, limitedKey } = this.node(index);
    const outcome = leases.hold(user, isLimited ? limitedKey : freeKey, least, most, this.now);
    if (typeof outcome === "string" || "isOpen" in outcome) return outcome;
    const before = this.outcomes.length;
    this.flow();
    if (this.outcomes.length === before) this.pass(RECALL_FOR_MS + 100);
    return this.outcomes[before];
  }

  /** @throws where it is refused. */
  mustHold(index: number, least: number, most = least): Hold {
    const outcome = this.ask(index, least, most);
    if (!outcome || typeof outcome === "string") throw new Error(`refused: ${outcome}`);
    return outcome;
  }

  charge(index: number, requestId: string, hold: Hold, price: number): void {
    const { leases } = this.node(index);
    const { charged, shortfall, takenFromKey } = settle(hold, price);
    const key = hold.key.isUnlimited ? undefined : LIMITED_KEY;
    leases.charge(
      { requestId, user: USER, quota: charged, shortfall, key, keyQuota: takenFromKey },
      this.now,
    );
  }

  /** The balance as people see it. */
  sumOf(account: AccountId): number {
    const { quota, leases } = this.db.accounts.get(account)!;
    return leases.reduce((sum, row) => sum + row.quota, quota);
  }

  get left(): number {
    return this.db.accounts.get(USER)!.quota;
  }
}

describe("a hold", () => {
  it("waits for the database when the lease does not cover it, and leases the missing quota", () => {
    const all = new Installation(1, 1000);
    all.mustHold(0, 100);
    expect(all.node(0).user.quota).toBe(100);
    expect(all.left).toBe(900);
  });

  it("sends no request when the lease covers it", () => {
    const all = new Installation(1, 1000);
    release(all.mustHold(0, 100));
    const { leases, user, freeKey } = all.node(0);
    const { acquire } = all.sent;
    expect(leases.hold(user, freeKey, 50, 100, all.now)).toMatchObject({ quota: 100 });
    expect(all.sent.acquire).toBe(acquire);
  });

  it("shares one statement with others that come meanwhile", () => {
    const all = new Installation(1, 1000);
    const { leases, user, freeKey } = all.node(0);
    for (let i = 0; i < 5; i += 1) leases.hold(user, freeKey, 10, 20, all.now);
    all.flow();
    expect(all.outcomes).toHaveLength(5);
    // The first asked alone, the others together.
    expect(all.sent.acquire).toBe(2);
  });

  it("needs both, the user and a key with a limit", () => {
    const all = new Installation(2, 1000, 60);
    expect(all.ask(0, 50, 50, true)).toMatchObject({ quota: 50, keyQuota: 50 });
    expect(all.ask(1, 50, 50, true)).toBe("token-quota-held");
    expect(all.ask(1, 70, 70, true)).toBe("token-quota-exceeded");
    expect(all.ask(1, 900, 900, true)).toBe("token-quota-exceeded");
  });

  it("gets quota that another node does not need, and is refused only above the sum", () => {
    const all = new Installation(2, 100);
    release(all.mustHold(0, 100));
    expect(all.node(0).user.quota).toBe(100);
    expect(all.ask(1, 100)).toMatchObject({ quota: 100 });
    expect(all.ask(0, 1)).toBe("user-quota-held");
    expect(all.ask(0, 101)).toBe("user-quota-exceeded");
  });

  it("sets aside the worst case also where another node has a part of it", () => {
    const all = new Installation(2, 100);
    release(all.mustHold(0, 60));
    expect(all.mustHold(1, 10, 90).quota).toBe(90);
  });

  it("takes the available quota when others hold the rest", () => {
    const all = new Installation(2, 100);
    all.mustHold(0, 60);
    expect(all.mustHold(1, 10, 90).quota).toBe(40);
  });

  it.each(seeds(60))("is placed on one of two nodes that ask for all at once (seed %i)", (seed) => {
    const random = createRandom(seed);
    const upTo = (most: number): number => 1 + Math.floor(random() * most);
    const all = new Installation(2, upTo(200), upTo(200));
    // Both lease something of both.
    for (const { leases, user, freeKey, limitedKey } of all.nodes) {
      leases.hold(user, freeKey, 1, upTo(150), all.now);
      leases.hold(freeKey, limitedKey, 1, upTo(150), all.now);
      all.pass(RECALL_FOR_MS + 100);
    }
    for (const outcome of all.outcomes.splice(0)) if (typeof outcome !== "string") release(outcome);
    const most = Math.min(all.sumOf(USER), all.sumOf(LIMITED_KEY));
    for (const { leases, user, limitedKey } of all.nodes) {
      const outcome = leases.hold(user, limitedKey, most, most, all.now);
      if (typeof outcome !== "string" && "isOpen" in outcome) all.outcomes.push(outcome);
    }
    all.flow();
    all.pass(1000);
    expect(all.outcomes.filter((outcome) => typeof outcome !== "string")).toHaveLength(1);
  });

  it("is refused in time where the database is silent", () => {
    const all = new Installation(1, 100);
    all.isConnected = false;
    const { leases, user, freeKey } = all.node(0);
    leases.hold(user, freeKey, 10, 10, all.now);
    all.pass(3000);
    expect(all.outcomes).toEqual(["database-silent"]);
  });

  it("is placed for exactly as many requests as an account affords: 600 at 64 at once over three nodes, for 55", () => {
    const all = new Installation(3, 55 * 7);
    let answered = 0;
    while (answered < 600) {
      const before = all.outcomes.length;
      for (let i = 0; i < 64 && answered < 600; i += 1) {
        answered += 1;
        const { leases, user, freeKey } = all.node(i % 3);
        const outcome = leases.hold(user, freeKey, 7, 7, all.now);
        if (typeof outcome === "string" || "isOpen" in outcome) all.outcomes.push(outcome);
      }
      all.pass(RECALL_FOR_MS + 100);
      for (const [index, outcome] of all.outcomes.slice(before).entries()) {
        if (typeof outcome === "string") continue;
        const node = all.nodes.findIndex(({ user }) => user === outcome.user);
        all.charge(node, `${before + index}`, outcome, 7);
      }
      all.flow();
    }
    expect(all.outcomes).toHaveLength(600);
    expect(all.outcomes.filter((outcome) => typeof outcome !== "string")).toHaveLength(55);
    expect(all.db.accounts.get(USER)).toMatchObject({ settled: 55 * 7 });
  });
});

describe("quota leased ahead", () => {
  /** Spends 100 in one window, all of its lease. */
  const spend = (all: Installation, index: number): void => {
    for (let i = 0; i < 10; i += 1) all.charge(index, `${index} ${i}`, all.mustHold(index, 10), 10);
    all.flow();
  };

  it("covers the recent spending, so that the next holds send few requests", () => {
    const all = new Installation(1, 100_000);
    spend(all, 0);
    expect(all.node(0).user.quota).toBeGreaterThan(0);
    expect(all.sent.acquire).toBeLessThan(10);
  });

  it("goes back after some seconds, when no hold needed it", () => {
    const all = new Installation(1, 1000);
    release(all.mustHold(0, 300));
    all.pass(3 * WINDOW_MS);
    expect(all.left).toBe(1000);
    expect(all.node(0).user.quota).toBe(0);
  });

  it("stays as far as a hold needs it", () => {
    const all = new Installation(1, 1000);
    const long = all.mustHold(0, 200);
    release(all.mustHold(0, 300));
    all.pass(3 * WINDOW_MS);
    expect(all.node(0).user.quota).toBe(200);
    release(long);
  });
});

describe("a node that cannot reach the database", () => {
  it("stops admitting well before its epoch can be ended, and goes on when it is back", () => {
    const all = new Installation(1, 1000);
    release(all.mustHold(0, 100));
    const { leases, user, freeKey } = all.node(0);
    all.isConnected = false;
    all.pass(ADMIT_FOR_MS);
    expect(leases.hold(user, freeKey, 1, 1, all.now)).toBe("node-not-admitting");
    expect(all.db.expire(all.now)).toEqual([]);
    all.isConnected = true;
    all.pass(RENEW_EVERY_MS);
    expect(all.ask(0, 1)).toMatchObject({ quota: 1 });
  });

  it("finds its epoch over: its leases count as nothing, and its charges are booked late", () => {
    const all = new Installation(2, 100);
    const hold = all.mustHold(0, 80);
    const [stopped] = all.nodes;
    all.pass(2 * NODE_LIFE_MS, (node) => node !== stopped);
    expect(all.left).toBe(100);
    all.mustHold(1, 50);
    all.charge(0, "late", hold, 80);
    all.flow();
    expect(all.committed).toEqual([
      { requestId: "late", charged: 50, shortfall: 30, takenFromKey: 0, keyShortfall: 0 },
    ]);
    expect(all.node(0).user.quota).toBe(0);
    expect(all.db.accounts.get(USER)).toMatchObject({ quota: 0, settled: 50 });
  });

  it("gives the others time after a failure of the database that all felt", () => {
    const all = new Installation(3, 100);
    all.isConnected = false;
    all.pass(2 * NODE_LIFE_MS);
    all.isConnected = true;
    const [first] = all.nodes;
    all.pass(1000, (node) => node === first);
    expect(all.db.nodes.size).toBe(3);
    all.pass(1000);
    expect([...all.db.nodes.keys()]).toEqual([1, 2, 3]);
  });
});

describe("charges", () => {
  it("are sent again until they are answered, and booked once", () => {
    const all = new Installation(1, 100);
    const hold = all.mustHold(0, 30);
    all.isConnected = false;
    all.charge(0, "one", hold, 30);
    all.pass(3000);
    expect(all.committed).toEqual([]);
    all.isConnected = true;
    all.pass(3000);
    expect(all.committed).toHaveLength(1);
    expect(all.db.accounts.get(USER)).toMatchObject({ settled: 30, quota: 70 });
  });

  it("take the part of a price above the lease from the account", () => {
    const all = new Installation(1, 100);
    all.charge(0, "dear", all.mustHold(0, 30), 45);
    all.charge(0, "dearer", all.mustHold(0, 30), 90);
    all.flow();
    expect(all.committed).toMatchObject([
      { charged: 45, shortfall: 0 },
      { charged: 55, shortfall: 35 },
    ]);
  });
});

describe("a charge of which nothing was delivered", () => {
  it("is booked, because its outcome is unknown, and then refunded once", () => {
    const all = new Installation(1, 100);
    const hold = all.mustHold(0, 30);
    all.isConnected = false;
    all.charge(0, "broken off", hold, 30);
    all.flow();
    all.node(0).leases.refund("broken off");
    all.isConnected = true;
    all.pass(5000);
    expect(all.committed).toEqual([]);
    expect(all.db.accounts.get(USER)).toMatchObject({ settled: 0, quota: 100 });
    expect(all.node(0).leases.isIdle).toBe(true);
  });
});

describe("an edit", () => {
  it("recalls leases that nodes do not need", () => {
    const all = new Installation(2, 100);
    release(all.mustHold(0, 100));
    all.node(1).leases.edit("e1", USER, 10, all.now);
    all.pass(RECALL_FOR_MS);
    expect(all.edits).toEqual([-90]);
    expect(all.db.accounts.get(USER)).toMatchObject({ quota: 10, granted: 10 });
  });

  it("takes the available quota when holds keep the rest", () => {
    const all = new Installation(2, 100);
    all.mustHold(0, 40);
    all.node(1).leases.edit("e1", USER, 10, all.now);
    all.pass(RECALL_FOR_MS + 500);
    expect(all.edits).toEqual([-60]);
    expect(all.db.accounts.get(USER)).toMatchObject({ quota: 0, granted: 40 });
  });
});

describe("a graceful stop", () => {
  it("admits nothing, waits for open requests, and gives back everything", () => {
    const all = new Installation(1, 100);
    const hold = all.mustHold(0, 40);
    const { leases, user, freeKey } = all.node(0);
    leases.stop(all.now);
    expect(leases.hold(user, freeKey, 1, 1, all.now)).toBe("node-not-admitting");
    all.pass(5000);
    expect(leases.hasLeft).toBe(false);
    all.charge(0, "last", hold, 25);
    all.pass(200);
    expect(leases.hasLeft).toBe(true);
    expect(all.db.accounts.get(USER)).toMatchObject({ quota: 75, settled: 25, leases: [] });
    expect(all.db.nodes.size).toBe(0);
  });
});
