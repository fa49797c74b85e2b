import { describe, expect, it } from "vitest";
import { type Redemption, redemption } from "./redemptions";

const WIRE = {
  id: 7,
  user_id: 3,
  key: "k".repeat(32),
  status: 1,
  name: "n",
  quota: 500,
  created_time: 1_700_000_000,
  redeemed_time: 1_700_000_001,
  count: 0,
  expired_time: 1_800_000_000,
  max_uses: 3,
  used_count: 2,
  used_user_id: 9,
};

const REDEMPTION: Redemption = {
  id: 7,
  userId: 3,
  key: "k".repeat(32),
  status: 1,
  name: "n",
  quota: 500,
  createdTime: 1_700_000_000,
  redeemedTime: 1_700_000_001,
  expiresTime: 1_800_000_000,
  mostUses: 3,
  usedCount: 2,
  usedBy: 9,
};

describe("a redemption code", () => {
  it("has the contract's names on the wire, in their order", () => {
    expect(redemption.encode(REDEMPTION)).toEqual(WIRE);
    expect(Object.keys(redemption.encode(REDEMPTION) as object)).toEqual(Object.keys(WIRE));
    expect(redemption.schema.parse(WIRE)).toEqual(WIRE);
  });

  it("is read from any server: missing, null or mistyped fields become neutral", () => {
    expect(redemption.read({ ...WIRE, count: 5 })).toEqual(REDEMPTION);
    expect(redemption.read({ id: "7", name: null })).toEqual({
      id: 7,
      userId: 0,
      key: "",
      status: 0,
      name: "",
      quota: 0,
      createdTime: 0,
      redeemedTime: 0,
      expiresTime: 0,
      mostUses: 1,
      usedCount: 0,
      usedBy: 0,
    });
    expect(redemption.read(null)).toBeUndefined();
  });
});
