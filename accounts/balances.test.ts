import { type Account, move } from "@tollgate/metering/ledger";
import { afterEach, describe, expect, it } from "vitest";
import { type BalanceMove, MemoryBalances } from "./balances";

const accountOf = (quota: number): Account => ({ id: 1, quota, held: 0, isUnlimited: false });

const moves: BalanceMove[] = [];
const balances = (): MemoryBalances => new MemoryBalances((made) => moves.push(made));

afterEach(() => {
  moves.length = 0;
});

describe("an edit of a balance", () => {
  it.each([
    [100, 40, 40],
    [100, 300, 100],
  ])("from %i to %i shows %i while it is being stored", async (from, to, meanwhile) => {
    const account = accountOf(from);
    await balances().adjust(account, "quota-changed", to, {
      store: async (difference) => {
        expect(difference).toBe(to - from);
        expect(account.quota).toBe(meanwhile);
        return "stored";
      },
    });
    expect(account.quota).toBe(to);
  });

  it("keeps a charge that is made meanwhile", async () => {
    const account = accountOf(100);
    await balances().adjust(account, "quota-changed", 300, {
      store: async () => {
        move(account, -18);
        return "stored";
      },
    });
    expect(account.quota).toBe(282);
  });

  it.each([40, 300])("to %i changes nothing when it cannot be stored", async (to) => {
    const account = accountOf(100);
    await expect(
      balances().adjust(account, "quota-changed", to, {
        store: () => Promise.reject(new Error("disk full")),
      }),
    ).rejects.toThrow();
    expect(account.quota).toBe(100);
  });

  it.each([40, 300])("to %i changes nothing when there was nothing to change", async (to) => {
    const account = accountOf(100);
    await balances().adjust(account, "quota-changed", to, { store: async () => undefined });
    expect(account.quota).toBe(100);
    expect(moves).toEqual([]);
  });

  it("waits for the one before it, and starts from what that left", async () => {
    const edited = balances();
    const account = accountOf(100);
    const differences: number[] = [];
    const store = async (difference: number) => differences.push(difference);
    await Promise.all([
      edited.adjust(account, "quota-changed", 300, { store }),
      edited.adjust(account, "quota-changed", 250, { store }),
    ]);
    expect(differences).toEqual([200, -50]);
    expect(account.quota).toBe(250);
    expect(moves).toEqual([
      { id: 1, quota: 200, cause: "quota-changed" },
      { id: 1, quota: -50, cause: "quota-changed" },
    ]);
  });
});

describe("a grant", () => {
  it("is in memory once it is stored, beside what was charged meanwhile", async () => {
    const account = accountOf(100);
    await balances().grant(
      account,
      "redeemed",
      async () => {
        expect(account.quota).toBe(100);
        move(account, -18);
        return { quota: 40 };
      },
      ({ quota }) => quota,
    );
    expect(account.quota).toBe(122);
    expect(moves).toEqual([{ id: 1, quota: 40, cause: "redeemed" }]);
  });

  it("changes nothing when it cannot be stored", async () => {
    const account = accountOf(100);
    const fails = () => Promise.reject<number>(new Error("disk full"));
    await expect(balances().grant(account, "redeemed", fails, (quota) => quota)).rejects.toThrow();
    expect(account.quota).toBe(100);
  });
});

describe("a refund", () => {
  it("gives the user and the key back what the charge took", () => {
    const [user, key] = [accountOf(10), accountOf(3)];
    balances().refund(user, key, { charged: 40, takenFromKey: 7 });
    expect([user.quota, key.quota]).toEqual([50, 10]);
    expect(moves).toEqual([{ id: 1, quota: 40, cause: "charge-not-stored" }]);
  });
});
