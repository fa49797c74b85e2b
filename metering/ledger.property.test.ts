import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { type Account, type Hold, hold, move, release, settle } from "./ledger";

/*
 * Random histories of one user with several keys. Each is drawn from a seed, so that a failure can be repeated: its
 * number stands in the title.
 */

const STEPS = 500;

interface Key {
  account: Account;
  /** All that it was ever given and not taken back, while it had a limit. */
  granted: number;
  charged: number;
  open: Hold[];
}

class World {
  private readonly random: () => number;
  readonly user: Account;
  readonly keys: Key[];
  granted: number;
  charged = 0;
  /** How often a history came to what it is there for. */
  readonly met = { refusals: 0, shortfalls: 0, keyShortfalls: 0, mostOpen: 0 };

  constructor(
    seed: number,
    /** Whether balances are edited downwards: below what is held, if it comes to that. */
    private readonly isLowered: boolean,
  ) {
    this.random = createRandom(seed);
    this.granted = this.upTo(600);
    this.user = { id: 1, quota: this.granted, held: 0, isUnlimited: false };
    this.keys = [this.upTo(300), this.upTo(300), this.upTo(50), 0].map((granted, index) => ({
      account: { id: index, quota: granted, held: 0, isUnlimited: index === 3 },
      granted,
      charged: 0,
      open: [],
    }));
  }

  private upTo(n: number): number {
    return Math.floor(this.random() * (n + 1));
  }

  private anyKey(): Key {
    return this.keys[this.upTo(this.keys.length - 1)]!;
  }

  step(): void {
    const chance = this.random();
    if (chance < 0.4) this.open();
    else if (chance < 0.75) this.settleAny();
    else if (chance < 0.82) this.releaseAny();
    else if (chance < 0.87) this.topUp();
    else if (chance < 0.95) this.editKey();
    else if (this.isLowered) this.lowerUser();
  }

  private open(): void {
    const key = this.anyKey();
    const wanted = this.upTo(80);
    const free = this.user.quota - this.user.held;
    const keyFree = key.account.quota - key.account.held;
    const most = wanted + this.upTo(60);
    const result = hold(this.user, key.account, wanted, false, most);
    const least = Math.max(1, wanted);
    const refusal = (account: Account): string => (account.quota < least ? "quota-exceeded" : "quota-held");
    if (least > free) expect(result).toBe(`user-${refusal(this.user)}`);
    else if (!key.account.isUnlimited && least > keyFree)
      expect(result).toBe(`token-${refusal(key.account)}`);
    else key.open.push(result as Hold);
    if (typeof result === "string") this.met.refusals += 1;
    this.met.mostOpen = Math.max(this.met.mostOpen, this.keys.filter((each) => each.open.length > 0).length);
  }

  private takeAny(): { key: Key; taken: Hold } | undefined {
    const key = this.anyKey();
    const [taken] = key.open.splice(this.upTo(Math.max(0, key.open.length - 1)), 1);
    return taken && { key, taken };
  }

  private settleAny(): void {
    const found = this.takeAny();
    if (!found) return;
    const { key, taken } = found;
    const { account } = key;
    const kind = this.upTo(2);
    const price =
      kind === 0 ? this.upTo(taken.quota) : kind === 1 ? taken.quota : taken.quota + this.upTo(200);
    const before = { user: this.user.quota, key: account.quota };
    const { charged, shortfall, takenFromKey, keyShortfall } = settle(taken, price);

    // The user pays as far as the balance goes, whatever became of the key.
    expect({ charged, shortfall }).toEqual({
      charged: Math.min(price, before.user),
      shortfall: Math.max(0, price - before.user),
    });
    expect(before.user - this.user.quota).toBe(charged);
    expect(before.key - account.quota).toBe(takenFromKey);
    expect(takenFromKey + keyShortfall).toBe(account.isUnlimited ? 0 : charged);
    if (keyShortfall > 0) expect(account.quota).toBe(0);
    if (shortfall > 0) this.met.shortfalls += 1;
    if (keyShortfall > 0) this.met.keyShortfalls += 1;
    this.charged += charged;
    key.charged += takenFromKey;
    this.expectEnded(taken);
  }

  private releaseAny(): void {
    const found = this.takeAny();
    if (!found) return;
    const before = { user: this.user.quota, key: found.key.account.quota };
    release(found.taken);
    expect({ user: this.user.quota, key: found.key.account.quota }).toEqual(before);
    this.expectEnded(found.taken);
  }

  private expectEnded(taken: Hold): void {
    const before = [this.user.quota, this.user.held, taken.key.quota, taken.key.held];
    expect(() => settle(taken, 5)).toThrow();
    expect(() => release(taken)).toThrow();
    expect([this.user.quota, this.user.held, taken.key.quota, taken.key.held]).toEqual(before);
  }

  private topUp(): void {
    const amount = this.upTo(150);
    move(this.user, amount);
    this.granted += amount;
  }

  private lowerUser(): void {
    const amount = Math.min(this.user.quota, this.upTo(200));
    move(this.user, -amount);
    this.granted -= amount;
  }

  private editKey(): void {
    const key = this.anyKey();
    const { account } = key;
    if (this.isLowered && this.random() < 0.2) {
      account.isUnlimited = !account.isUnlimited;
      return;
    }
    const wanted = this.isLowered ? this.upTo(200) : account.quota + this.upTo(100);
    key.granted += wanted - account.quota;
    move(account, wanted - account.quota);
  }

  /** What does not hold; nothing, if all is well. Asked after every step, so it is plain arithmetic. */
  findFaults(): string[] {
    const { user, keys } = this;
    const heldBy = (open: Hold[]): number => open.reduce((sum, each) => sum + each.quota, 0);
    const heldByKey = (open: Hold[]): number => open.reduce((sum, each) => sum + each.keyQuota, 0);
    const faults: string[] = [];
    const holds = (isTrue: boolean, what: string): void => {
      if (!isTrue) faults.push(what);
    };
    holds(user.quota >= 0, "the user is not below zero");
    holds(user.quota === this.granted - this.charged, "the user has what was given and not charged");
    holds(
      user.held === keys.reduce((sum, { open }) => sum + heldBy(open), 0),
      "the user's holds are its keys' holds",
    );
    for (const { account, granted, charged, open } of keys) {
      holds(account.quota >= 0, "a key is not below zero");
      holds(account.quota === granted - charged, "a key has what was given and not charged");
      holds(account.held === heldByKey(open), "a key's held sum is that of its holds");
    }
    return faults;
  }

  releaseAll(): void {
    for (const { open } of this.keys) for (const each of open.splice(0)) release(each);
  }
}

describe.each([
  ["only added to", false],
  ["edited up and down", true],
])("any interleaving over several keys of a user, whose balances are %s", (_, isLowered) => {
  it.each(seeds(40))("keeps every balance above zero and every sum (seed %i)", (seed) => {
    const world = new World(seed, isLowered);
    for (let step = 0; step < STEPS; step += 1) {
      world.step();
      const faults = world.findFaults();
      if (faults.length > 0) expect({ step, faults }).toBeUndefined();
    }
    world.releaseAll();
    expect(world.findFaults()).toEqual([]);
    expect(world.user.held).toBe(0);
  });

  it("meets refusals, shortfalls and open holds of several keys on the way", () => {
    const world = new World(7, isLowered);
    for (let step = 0; step < STEPS; step += 1) world.step();
    expect(world.met.refusals).toBeGreaterThan(0);
    expect(world.met.shortfalls).toBeGreaterThan(0);
    expect(world.met.keyShortfalls).toBeGreaterThan(0);
    expect(world.met.mostOpen).toBeGreaterThan(1);
  });
});
