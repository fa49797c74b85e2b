import { TOKEN_ENABLED, TOKEN_EXHAUSTED } from "@tollgate/contract/values/statuses";
import { createLease } from "@tollgate/metering/leases/lease";
import { findPrice } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { describe, expect, it } from "vitest";
import { checkKey, isRefusal } from "../admission/admit";
import type { HoldOutcome, Pricing } from "../ports/charges";
import type { ApiKey } from "../ports/directory";
import { entryOf } from "../testing/entry-of";
import { reserveQuota } from "./reserve-quota";

const RATIOS = parseRatioTable('{"m":1,"default":1}')!;

const setUp = () => {
  const key: ApiKey = {
    id: 2,
    name: "k",
    status: TOKEN_ENABLED,
    expiredTime: -1,
    account: createLease("key:2", 2, false),
    user: {
      id: 1,
      username: "alice",
      role: 1,
      status: 1,
      groups: ["default"],
      account: createLease("user:1", 1, false),
    },
  };
  const marks: number[] = [];
  const directory = { markKey: (_: ApiKey, status: number) => void marks.push(status) };
  const pricing = {
    find: (model: string, group: string) =>
      findPrice({ modelRatios: RATIOS, completionRatios: RATIOS, groupRatios: RATIOS }, model, group, 0),
    defaultHoldTokens: () => 500,
  } as unknown as Pricing;
  const task = { model: "m", writesText: false, holdQuota: () => ({ least: 10, most: 100 }) };
  const reserve = (outcome: HoldOutcome | Promise<HoldOutcome>) =>
    reserveQuota(
      { directory, pricing, holds: { place: () => outcome } },
      key,
      "default",
      "m",
      task,
      entryOf(),
    );
  return { key, marks, directory, reserve };
};

describe("a key on a node that leases nothing of it", () => {
  it("may be used: the database knows its remaining quota", () => {
    const { key, marks, directory } = setUp();
    expect(checkKey(key, directory, 0)).toBeUndefined();
    expect(marks).toEqual([]);
  });

  it("is marked as used up where the database says that nothing is left", async () => {
    const { marks, reserve } = setUp();
    expect(await reserve(Promise.resolve("token-exhausted"))).toEqual({ code: "token-exhausted" });
    expect(marks).toEqual([TOKEN_EXHAUSTED]);
  });

  it.each(["token-quota-exceeded", "token-quota-held", "node-not-admitting", "database-silent"] as const)(
    "stays as it is where the answer is %s",
    async (outcome) => {
      const { marks, reserve } = setUp();
      const refused = await reserve(Promise.resolve(outcome));
      expect(isRefusal(refused) && refused.code).toBe(outcome);
      expect(reserve(outcome)).toEqual(refused);
      expect(marks).toEqual([]);
    },
  );
});
