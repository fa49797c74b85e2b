import type { Account } from "@tollgate/metering/ledger";
import { describe, expect, it } from "vitest";
import { changeBalance } from "./change-balance";

const accountOf = (quota: number): Account => ({ id: 1, quota, held: 0, isUnlimited: false });

describe("changeBalance", () => {
  it.each([
    [100, 40, 40],
    [100, 300, 100],
  ])("from %i to %i shows %i while it is being stored", async (from, to, meanwhile) => {
    const account = accountOf(from);
    await changeBalance(account, to, async (difference) => {
      expect(difference).toBe(to - from);
      expect(account.quota).toBe(meanwhile);
    });
    expect(account.quota).toBe(to);
  });

  it("keeps a charge that is made meanwhile", async () => {
    const account = accountOf(100);
    await changeBalance(account, 300, async () => {
      account.quota -= 18;
    });
    expect(account.quota).toBe(282);
  });

  it.each([40, 300])("to %i changes nothing when it cannot be stored", async (to) => {
    const account = accountOf(100);
    await expect(changeBalance(account, to, () => Promise.reject(new Error("disk full")))).rejects.toThrow();
    expect(account.quota).toBe(100);
  });
});
