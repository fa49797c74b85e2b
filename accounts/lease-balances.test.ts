import type { AccountLine } from "@tollgate/contract/records/account-line";
import { createLease } from "@tollgate/metering/leases/lease";
import { describe, expect, it } from "vitest";
import type { BalanceMove } from "./balances";
import { LeaseBalances } from "./lease-balances";

const BY_ADMINISTRATOR = { cause: "quota-changed", actorId: 1, at: 1 } as const;
const BY_KEY = { cause: "key-quota-changed", actorId: 1, at: 1 } as const;

const setUp = (there: number, leasedElsewhere = 0) => {
  const account = createLease("user:1", 1, false);
  const moves: BalanceMove[] = [];
  const state = { balance: there, isRecalled: false };
  const edits = {
    async edit(
      _account: unknown,
      wanted: number,
      linesOf: (before: number, after: number) => readonly AccountLine[],
    ) {
      const before = state.balance;
      state.balance = Math.max(wanted, leasedElsewhere);
      linesOf(before, state.balance);
      return { moved: state.balance - before, balance: state.balance };
    },
    async recall() {
      state.isRecalled = true;
    },
  };
  return { account, moves, state, balances: new LeaseBalances(edits, (made) => moves.push(made)) };
};

describe("an edit of a balance that nodes lease", () => {
  it("stores the other changes first, and reports the amount that was moved", async () => {
    const { account, moves, balances } = setUp(100, 30);
    const said: number[][] = [];
    const stored = await balances.adjust(account, BY_ADMINISTRATOR, 10, {
      store: async (quotaMove, lines) => ({ quotaMove, lines, quota: 100 }),
      linesOf: (before, after) => {
        said.push([before, after]);
        return [];
      },
      withBalance: (record, quota) => ({ ...record, quota }),
    });
    expect(stored).toEqual({ quotaMove: undefined, lines: [], quota: 30 });
    expect(said).toEqual([[100, 30]]);
    expect(moves).toEqual([{ id: 1, quota: -70, cause: "quota-changed" }]);
    expect(account.quota).toBe(0);
  });

  it("moves nothing where the other changes are refused, there is nothing to change, or no balance is named", async () => {
    const { account, moves, state, balances } = setUp(100);
    const adjust = (wanted: number | undefined, store: () => Promise<unknown>) =>
      balances.adjust(account, BY_KEY, wanted, { store });
    await expect(adjust(10, () => Promise.reject(new Error("taken")))).rejects.toThrow("taken");
    expect(await adjust(10, async () => undefined)).toBeUndefined();
    expect(await adjust(undefined, async () => "stored")).toBe("stored");
    expect(state.balance).toBe(100);
    expect(moves).toEqual([]);
  });
});

describe("a grant", () => {
  it("goes to the database only: a node that needs quota leases it", async () => {
    const { account, moves, balances } = setUp(100);
    const store = async () => 40;
    expect(await balances.grant(account, "redeemed", store, (quota) => quota)).toBe(40);
    expect(account.quota).toBe(0);
    expect(moves).toEqual([{ id: 1, quota: 40, cause: "redeemed" }]);
  });
});

describe("a deduction", () => {
  it("takes quota from the database after nodes were asked to return unneeded leases", async () => {
    const { account, moves, state, balances } = setUp(100);
    const store = async (most: number) => {
      expect(state.isRecalled).toBe(true);
      return Math.min(most, 60);
    };
    expect(await balances.take(account, "plan-expiry", 90, store, (quota) => quota)).toBe(60);
    expect(moves).toEqual([{ id: 1, quota: -60, cause: "plan-expiry" }]);
  });
});
