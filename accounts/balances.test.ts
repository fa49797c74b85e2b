import type { Account } from "@tollgate/metering/ledger";
import { describe, expect, it } from "vitest";
import { Balances } from "./balances";

const accountOf = (quota: number): Account => ({ id: 1, quota, held: 0, isUnlimited: false });

describe("an edit of a balance", () => {
  it.each([
    [100, 40, 40],
    [100, 300, 100],
  ])("from %i to %i shows %i while it is being stored", async (from, to, meanwhile) => {
    const account = accountOf(from);
    await new Balances().adjust(account, to, async (difference) => {
      expect(difference).toBe(to - from);
      expect(account.quota).toBe(meanwhile);
      return "stored";
    });
    expect(account.quota).toBe(to);
  });

  it("keeps a charge that is made meanwhile", async () => {
    const account = accountOf(100);
    await new Balances().adjust(account, 300, async () => {
      account.quota -= 18;
      return "stored";
    });
    expect(account.quota).toBe(282);
  });

  it.each([40, 300])("to %i changes nothing when it cannot be stored", async (to) => {
    const account = accountOf(100);
    await expect(
      new Balances().adjust(account, to, () => Promise.reject(new Error("disk full"))),
    ).rejects.toThrow();
    expect(account.quota).toBe(100);
  });

  it.each([40, 300])("to %i changes nothing when there was nothing to change", async (to) => {
    const account = accountOf(100);
    await new Balances().adjust(account, to, async () => undefined);
    expect(account.quota).toBe(100);
  });

  it("waits for the one before it, and starts from what that left", async () => {
    const balances = new Balances();
    const account = accountOf(100);
    const differences: number[] = [];
    const store = async (difference: number) => differences.push(difference);
    await Promise.all([balances.adjust(account, 300, store), balances.adjust(account, 250, store)]);
    expect(differences).toEqual([200, -50]);
    expect(account.quota).toBe(250);
  });
});

describe("a grant", () => {
  it("is in memory once it is stored, beside what was charged meanwhile", async () => {
    const account = accountOf(100);
    await new Balances().grant(
      account,
      async () => {
        expect(account.quota).toBe(100);
        account.quota -= 18;
        return { quota: 40 };
      },
      ({ quota }) => quota,
    );
    expect(account.quota).toBe(122);
  });

  it("changes nothing when it cannot be stored", async () => {
    const account = accountOf(100);
    const fails = () => Promise.reject<number>(new Error("disk full"));
    await expect(new Balances().grant(account, fails, (quota) => quota)).rejects.toThrow();
    expect(account.quota).toBe(100);
  });
});
