import { describe, expect, it } from "vitest";
import { type Account, type Hold, hold, refund, release, settle } from "./ledger";

const account = (quota: number, isUnlimited = false): Account => ({ id: 1, quota, held: 0, isUnlimited });

const opened = (user: Account, key: Account, quota: number): Hold => {
  const result = hold(user, key, quota, false);
  if (typeof result === "string") throw new Error(result);
  return result;
};

describe("hold", () => {
  it("refuses an amount that the user or the key cannot cover, and then holds nothing", () => {
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
    expect(hold(user, key, 1, false)).toBe("user-quota-held");
  });

  it("counts open holds, and says so where the balance alone would do", () => {
    const user = account(100);
    const key = account(100);
    opened(user, key, 60);
    expect(hold(user, key, 41, false)).toBe("user-quota-held");
    expect(hold(user, key, 101, false)).toBe("user-quota-exceeded");
    expect(hold(account(1000), key, 41, false)).toBe("token-quota-held");
    expect(hold(account(1000), key, 101, false)).toBe("token-quota-exceeded");
  });

  it("sets the worst case aside as far as the balances go (M2)", () => {
    const user = account(100);
    const key = account(30);
    expect(hold(user, key, 10, false, 80)).toMatchObject({ quota: 80, keyQuota: 30 });
    expect([user.held, key.held]).toEqual([80, 30]);
    expect(hold(user, account(0, true), 10, false, 80)).toMatchObject({ quota: 20 });
    expect(hold(user, account(0, true), 1, false, 80)).toBe("user-quota-held");
  });

  it("gives an empty account only free requests", () => {
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
    expect(settle(opened(user, key, 60), 18)).toEqual({
      charged: 18,
      shortfall: 0,
      takenFromKey: 18,
      keyShortfall: 0,
    });
    expect([user.quota, user.held, key.quota, key.held]).toEqual([82, 0, 62, 0]);
  });

  it("takes more than the hold from all that the balance has: another hold may end without a charge", () => {
    const user = account(100);
    const key = account(100);
    const other = opened(user, key, 30);
    expect(settle(opened(user, key, 10), 90)).toMatchObject({ charged: 90, shortfall: 0 });
    expect(settle(other, 30)).toMatchObject({ charged: 10, shortfall: 20 });
    expect([user.quota, key.quota, user.held, key.held]).toEqual([0, 0, 0, 0]);
  });

  it.each([
    ["lowered to 0", (key: Account) => Object.assign(key, { quota: 0 }), 0, 41],
    ["lowered below the hold", (key: Account) => Object.assign(key, { quota: 7 }), 7, 34],
    ["left as it is, just above the hold", (key: Account) => key, 20, 21],
    ["given a limit", (key: Account) => Object.assign(key, { isUnlimited: false, quota: 0 }), 0, 41],
    ["freed of its limit", (key: Account) => Object.assign(key, { isUnlimited: true }), 0, 0],
  ])("charges the user whole when the key is %s meanwhile (M1)", (_, edit, takenFromKey, keyShortfall) => {
    const user = account(1000);
    const key = account(20);
    const open = opened(user, key, 19);
    edit(key);
    expect(settle(open, 41)).toEqual({ charged: 41, shortfall: 0, takenFromKey, keyShortfall });
    expect([user.quota, user.held, key.held]).toEqual([959, 0, 0]);
    expect(key.quota).toBeGreaterThanOrEqual(0);
  });

  it("is refunded whole, the key only for its own part", () => {
    const user = account(100);
    const key = account(10);
    refund(user, key, settle(opened(user, key, 5), 30));
    expect([user.quota, key.quota]).toEqual([100, 10]);
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
