import type { QuotaMove } from "@tollgate/contract/records/ledger-entry";
import { type Account, move } from "@tollgate/metering/ledger";
import { afterEach, describe, expect, it } from "vitest";
import { type BalanceMove, MemoryBalances } from "./balances";

const BY_ADMINISTRATOR = { cause: "quota-changed", actorId: 1, at: 1 } as const;

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
    await balances().adjust(account, BY_ADMINISTRATOR, to, {
      store: async (quotaMove) => {
        expect(quotaMove).toEqual({ difference: to - from, movement: BY_ADMINISTRATOR });
        expect(account.quota).toBe(meanwhile);
        return "stored";
      },
    });
    expect(account.quota).toBe(to);
  });

  it("keeps a charge that is made meanwhile", async () => {
    const account = accountOf(100);
    await balances().adjust(account, BY_ADMINISTRATOR, 300, {
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
      balances().adjust(account, BY_ADMINISTRATOR, to, {
        store: () => Promise.reject(new Error("disk full")),
      }),
    ).rejects.toThrow();
    expect(account.quota).toBe(100);
  });

  it.each([40, 300])("to %i changes nothing when there was nothing to change", async (to) => {
    const account = accountOf(100);
    await balances().adjust(account, BY_ADMINISTRATOR, to, { store: async () => undefined });
    expect(account.quota).toBe(100);
    expect(moves).toEqual([]);
  });

  it("to what it is is stored where it is an operation that is done once", async () => {
    const moved: (QuotaMove | undefined)[] = [];
    const store = async (quotaMove: QuotaMove | undefined) => moved.push(quotaMove);
    const movement = { ...BY_ADMINISTRATOR, reference: "one" };
    await balances().adjust(accountOf(100), BY_ADMINISTRATOR, 100, { store });
    await balances().adjust(accountOf(100), movement, undefined, { store });
    await balances().adjust(accountOf(100), movement, 100, { store });
    expect(moved).toEqual([undefined, undefined, { difference: 0, movement }]);
    expect(moves).toEqual([]);
  });

  it("waits for the previous edit, and starts from its result", async () => {
    const edited = balances();
    const account = accountOf(100);
    const differences: number[] = [];
    const store = async (quotaMove: QuotaMove | undefined) => differences.push(quotaMove?.difference ?? 0);
    await Promise.all([
      edited.adjust(account, BY_ADMINISTRATOR, 300, { store }),
      edited.adjust(account, BY_ADMINISTRATOR, 250, { store }),
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
  it("is in memory once it is stored, beside the charges made meanwhile", async () => {
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

describe("a deduction", () => {
  it("takes only quota that no running request holds, and returns quota that the store did not take", async () => {
    const account = { ...accountOf(100), held: 30 };
    const take = (most: number, store: (there: number) => Promise<number>) =>
      balances().take(account, "payment-refund", most, store, (taken) => taken);
    expect(
      await take(90, async (there) => {
        expect([there, account.quota]).toEqual([70, 30]);
        return 50;
      }),
    ).toBe(50);
    expect(account.quota).toBe(50);
    await expect(take(10, () => Promise.reject(new Error("disk full")))).rejects.toThrow("disk full");
    expect(await take(10, async () => 0)).toBe(0);
    expect(account.quota).toBe(50);
    expect(moves).toEqual([{ id: 1, quota: -50, cause: "payment-refund" }]);
  });

  it("of a debt takes quota that running requests hold as well", async () => {
    const account = { ...accountOf(100), held: 80 };
    const store = async (there: number) => there;
    expect(await balances().take(account, "payment-refund", 90, store, (taken) => taken, true)).toBe(90);
    expect([account.quota, account.held]).toEqual([10, 80]);
  });
});

describe("a refund", () => {
  it("returns the charge to the user and the key", () => {
    const [user, key] = [accountOf(10), accountOf(3)];
    balances().refund(user, key, { charged: 40, takenFromKey: 7 });
    expect([user.quota, key.quota]).toEqual([50, 10]);
    expect(moves).toEqual([{ id: 1, quota: 40, cause: "charge-not-stored" }]);
  });
});
