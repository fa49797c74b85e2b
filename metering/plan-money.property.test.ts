import { attributeUse, inSpendingOrder, ownOf, type PlanMoney } from "@tollgate/contract/values/plan-money";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";

/*
 * Random histories of one balance with plans: what is granted, charged, taken back, topped up, taken by administrators and expires.
 * The account itself is kept beside it as storage has it, and each unit that is spent is followed one by one.
 */

const STEPS = 300;

interface Share {
  id: number;
  endsAt: number;
  isOver: boolean;
  left: number;
  spent: number;
  withdrawn: number;
  granted: number;
  taken: number;
}

class World {
  private readonly random: () => number;
  /** As storage has it: what there is, what was ever settled, what was ever given and not taken back. */
  balance: number;
  settled = 0;
  granted: number;
  money: PlanMoney<Share> = { counted: 0, ownSpent: 0, shares: [] };
  /** What is the user's own, followed unit by unit. */
  own: number;
  /** What is left of each share, followed unit by unit. */
  readonly left = new Map<number, number>();
  readonly gone: Share[] = [];
  readonly met = { overlaps: 0, partly: 0, ownSpent: 0, withdrawn: 0 };
  private nextId = 1;
  private now = 0;

  constructor(
    seed: number,
    /** Where balances and quotas lie. */
    private readonly scale: number,
  ) {
    this.random = createRandom(seed);
    this.balance = this.upTo(1000);
    this.granted = this.balance;
    this.own = this.balance;
  }

  private upTo(n: number): number {
    return Math.floor(this.random() * (n * this.scale + 1));
  }

  step(): void {
    this.now += 1;
    const chance = this.random();
    if (chance < 0.45) this.charge();
    else if (chance < 0.57) this.topUp();
    else if (chance < 0.7) this.grant();
    else if (chance < 0.9) this.expire();
    else if (chance < 0.95) this.look();
    else this.takeAway();
  }

  look(): void {
    this.money = attributeUse(this.money, this.settled, this.balance);
  }

  private charge(): void {
    let rest = Math.min(this.balance, this.upTo(120));
    this.balance -= rest;
    this.settled += rest;
    for (const { id } of inSpendingOrder(this.money.shares)) {
      const part = Math.min(rest, this.left.get(id) ?? 0);
      this.left.set(id, (this.left.get(id) ?? 0) - part);
      rest -= part;
    }
    this.own -= rest;
    if (rest > 0) this.met.ownSpent += 1;
  }

  private topUp(): void {
    const quota = this.upTo(100);
    this.balance += quota;
    this.granted += quota;
    this.own += quota;
  }

  private grant(): void {
    this.look();
    const granted = this.upTo(200);
    const id = this.nextId;
    this.nextId += 1;
    const endsAt = this.now + Math.floor(this.random() * 40);
    const share = { id, endsAt, isOver: false, left: granted, spent: 0, withdrawn: 0, granted, taken: 0 };
    this.money = { ...this.money, shares: [...this.money.shares, share] };
    this.balance += granted;
    this.granted += granted;
    this.left.set(id, granted);
    if (this.money.shares.length > 1) this.met.overlaps += 1;
  }

  /** Takes back what is left of a share; a part of it where requests hold the rest. */
  private expire(): void {
    const due = this.money.shares.at(Math.floor(this.random() * this.money.shares.length));
    if (!due) return;
    this.look();
    const share = this.money.shares.find(({ id }) => id === due.id);
    if (!share) throw new Error("a share was lost");
    const own = ownOf(this.money, this.balance);
    const held = this.random() < 0.3 ? this.upTo(60) : 0;
    const taken = Math.min(share.left, Math.max(0, this.balance - held));
    this.balance -= taken;
    this.granted -= taken;
    const left = share.left - taken;
    const next = { ...share, left, taken: share.taken + taken, isOver: true };
    const others = this.money.shares.filter(({ id }) => id !== share.id);
    this.money = { ...this.money, shares: left > 0 ? [...others, next] : others };
    this.left.set(share.id, left);
    if (left > 0) this.met.partly += 1;
    else this.gone.push(next);
    expect(ownOf(this.money, this.balance)).toBe(own);
  }

  /** An administrator takes some of the balance, whosever it is. */
  private takeAway(): void {
    this.look();
    const quota = Math.min(this.balance, this.upTo(150));
    this.balance -= quota;
    this.granted -= quota;
    this.look();
    const ofOwn = Math.min(this.own, quota);
    this.own -= ofOwn;
    if (ofOwn < quota) this.met.withdrawn += 1;
    for (const { id, left } of this.money.shares) this.left.set(id, left);
  }

  findFaults(): string[] {
    const { shares } = attributeUse(this.money, this.settled, this.balance);
    const faults: string[] = [];
    const holds = (isTrue: boolean, what: string): void => {
      if (!isTrue) faults.push(what);
    };
    const own = ownOf({ ...this.money, shares }, this.balance);
    holds(this.balance === this.granted - this.settled, "the balance is what was granted and not settled");
    holds(own === this.own, "own money is what was followed unit by unit");
    holds(own >= 0, "own money is not below zero");
    for (const share of [...shares, ...this.gone]) {
      const { left, spent, withdrawn, taken, granted } = share;
      holds(left >= 0 && spent >= 0 && withdrawn >= 0 && taken >= 0, "no part of a share is below zero");
      holds(granted === left + spent + withdrawn + taken, "a share is what became of it");
    }
    for (const { id, left } of shares)
      holds(left === this.left.get(id), "a share has what was followed unit by unit");
    for (const { left } of this.gone) holds(left === 0, "nothing of a share outlives it");
    return faults;
  }
}

/** The largest sums of a history stay below what a number says exactly. */
const NEAR_THE_LIMIT = Number.MAX_SAFE_INTEGER / (1000 + STEPS * 200);

describe.each([
  ["small", 1],
  ["near 2^53", Math.floor(NEAR_THE_LIMIT)],
])("any history of a balance with plans, of amounts that are %s", (_, scale) => {
  it.each(seeds(60))(
    "takes no own money when a period ends, and leaves no plan's behind (seed %i)",
    (seed) => {
      const world = new World(seed, scale);
      for (let step = 0; step < STEPS; step += 1) {
        world.step();
        const faults = world.findFaults();
        if (faults.length > 0) expect({ step, faults }).toBeUndefined();
      }
    },
  );

  it("covers several plans at once, ends of partly held plans, spent balances, and withdrawals", () => {
    const world = new World(3, scale);
    for (let step = 0; step < STEPS; step += 1) world.step();
    expect(Object.entries(world.met).filter(([, times]) => times === 0)).toEqual([]);
  });
});

const share = (id: number, more: Partial<Share> = {}) => ({
  id,
  endsAt: 100,
  isOver: false,
  left: 10,
  spent: 0,
  withdrawn: 0,
  ...more,
});

describe("the order in which several plans are spent", () => {
  it("is the order in which their periods end, then that of their age; those that are over come last", () => {
    const shares = [share(1, { endsAt: 300 }), share(2), share(3, { endsAt: 50, isOver: true }), share(4)];
    expect(inSpendingOrder(shares).map(({ id }) => id)).toEqual([2, 4, 1, 3]);
    const { shares: after } = attributeUse({ counted: 0, ownSpent: 0, shares }, 25, 1000);
    expect(after.map(({ id, left, spent }) => [id, left, spent])).toEqual([
      [2, 0, 10],
      [4, 0, 10],
      [1, 5, 5],
      [3, 10, 0],
    ]);
  });

  it("gets a charge that is taken back behind the user's own money", () => {
    const used = attributeUse({ counted: 0, ownSpent: 0, shares: [share(1)] }, 14, 6);
    expect(used).toMatchObject({ ownSpent: 4, shares: [{ left: 0, spent: 10 }] });
    expect(attributeUse(used, 8, 12)).toMatchObject({ ownSpent: 0, shares: [{ left: 2, spent: 8 }] });
  });

  it("forgets the user's own share once there is no plan", () => {
    expect(attributeUse({ counted: 5, ownSpent: 7, shares: [] }, 9, 100)).toEqual({
      counted: 9,
      ownSpent: 0,
      shares: [],
    });
  });
});
