import { describe, expect, it } from "vitest";
import { type Account, type Hold, hold, release, settle } from "./ledger";

const account = (quota: number, isUnlimited = false): Account => ({ id: 1, quota, held: 0, isUnlimited });

const opened = (user: Account, key: Account, quota: number): Hold => {
  const result = hold(user, key, quota, false);
  if (typeof result === "string") throw new Error(result);
  return result;
};

describe("hold", () => {
  it("refuses what the user or the key cannot cover, and then holds nothing", () => {
    const user = account(100);
    const key = account(50);
    expect(hold(user, key, 101, false)).toBe("user-quota-exceeded");
    expect(hold(user, key, 51, false)).toBe("token-quota-exceeded");
    expect([user.held, key.held]).toEqual([0, 0]);
  });

  it("lets an unlimited key spend all of its user's quota, and not more", () => {
    const user = account(100);
    const key = account(0, true);
    opened(user, key, 100);
    expect(hold(user, key, 1, false)).toBe("user-quota-exceeded");
  });

  it("counts open holds", () => {
    const user = account(100);
    const key = account(100);
    opened(user, key, 60);
    expect(hold(user, key, 41, false)).toBe("user-quota-exceeded");
  });

  it("gives an empty account nothing that costs, but what is free", () => {
    const user = account(0);
    const key = account(0);
    expect(hold(user, key, 0, false)).toBe("user-quota-exceeded");
    expect(hold(user, key, 0, true)).toMatchObject({ quota: 0 });
  });
});

describe("settle", () => {
  it("charges the price and gives the rest of the hold back", () => {
    const user = account(100);
    const key = account(80);
    expect(settle(opened(user, key, 60), 18)).toEqual({ charged: 18, shortfall: 0 });
    expect([user.quota, user.held, key.quota, key.held]).toEqual([82, 0, 62, 0]);
  });

  it("takes more than the hold from what no other hold counts on", () => {
    const user = account(100);
    const key = account(100);
    const other = opened(user, key, 30);
    expect(settle(opened(user, key, 10), 90)).toEqual({ charged: 70, shortfall: 20 });
    expect(settle(other, 30)).toEqual({ charged: 30, shortfall: 0 });
    expect([user.quota, key.quota]).toEqual([0, 0]);
  });

  it("does not touch the balance of an unlimited key", () => {
    const user = account(100);
    const key = account(0, true);
    settle(opened(user, key, 10), 12);
    expect([user.quota, key.quota, key.held]).toEqual([88, 0, 0]);
  });

  it("ends a hold only once", () => {
    const user = account(100);
    const key = account(100);
    const open = opened(user, key, 10);
    release(open);
    expect(() => settle(open, 5)).toThrow();
    expect(() => release(open)).toThrow();
    expect([user.quota, user.held]).toEqual([100, 0]);
  });
});
