import { MAX_NEW_KEYS } from "@tollgate/contract/api/api-key-batches";
import { MAX_PLAN_DURATION } from "@tollgate/contract/api/plans";
import { MAX_REDEMPTION_COUNT, MAX_REDEMPTION_USES } from "@tollgate/contract/api/redemptions";
import { MAX_TIME_LIMIT_SECONDS, TIME_LIMITS } from "@tollgate/contract/management/time-limits";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { describe, expect, it } from "vitest";
import { NO_LIMITS } from "../lib/limit-fields";
import { NEW_TOKEN, tokenFieldsSchema } from "./api-keys/api-key-form";
import { channelLimitSchema, NO_CHANNEL_LIMITS } from "./channels/channel-limits";
import { NEW_PLAN, planFieldsSchema } from "./plans/plan-form";
import { NEW_REDEMPTION, redemptionFieldsSchema } from "./redemptions/redemption-form";
import { userFieldsSchema } from "./users/user-form";

/*
 * Every numeric field of every form is tried at each of its declared bounds, one below and one above. A numeric field
 * without bounds here fails: a new field declares its own.
 */

interface Schema {
  safeParse: (fields: object) => { success: boolean };
}
type Bounds = readonly [min: number, max: number];

const LIMIT: Bounds = [0, Number.MAX_SAFE_INTEGER];
const QUOTA: Bounds = [0, MAX_QUOTA];
const limitsOf = (fields: object): Record<string, Bounds> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, LIMIT]));

const USER = {
  ...{
    username: "u",
    password: "",
    displayName: "",
    groups: [],
    quota: "0",
    modelAliases: "",
    permissionSet: "",
  },
  ...NO_LIMITS,
};

const FORMS: {
  form: string;
  schema: Schema;
  valid: Record<string, unknown>;
  bounds: Record<string, Bounds>;
}[] = [
  {
    form: "redemption",
    schema: redemptionFieldsSchema(true),
    valid: { ...NEW_REDEMPTION, name: "n" },
    bounds: { quota: [1, MAX_QUOTA], count: [1, MAX_REDEMPTION_COUNT], uses: [1, MAX_REDEMPTION_USES] },
  },
  {
    form: "token",
    schema: tokenFieldsSchema(true),
    valid: { ...NEW_TOKEN, name: "n" },
    bounds: { quota: QUOTA, count: [1, MAX_NEW_KEYS], ...limitsOf(NO_LIMITS) },
  },
  { form: "user", schema: userFieldsSchema, valid: USER, bounds: { quota: QUOTA, ...limitsOf(NO_LIMITS) } },
  {
    form: "plan",
    schema: planFieldsSchema,
    valid: { ...NEW_PLAN, title: "t" },
    bounds: {
      price: QUOTA,
      durationCount: [1, MAX_PLAN_DURATION],
      quota: QUOTA,
      maxPerUser: QUOTA,
      sortOrder: [-1_000_000, 1_000_000],
      ...limitsOf(NO_LIMITS),
    },
  },
  {
    form: "limits of a channel",
    schema: channelLimitSchema,
    valid: NO_CHANNEL_LIMITS as unknown as Record<string, unknown>,
    bounds: {
      ...limitsOf(NO_CHANNEL_LIMITS),
      ...Object.fromEntries(Object.keys(TIME_LIMITS).map((name) => [name, [1, MAX_TIME_LIMIT_SECONDS]])),
    },
  },
];

/** A date field rejects every number. */
const NO_NUMBERS = new Set(["expires", "expiry"]);

describe.each(FORMS)("the form of a $form", ({ schema, valid, bounds }) => {
  const accepts = (name: string, value: number | bigint) =>
    schema.safeParse({ ...valid, [name]: String(value) }).success;

  it("accepts its initial values", () => {
    expect(schema.safeParse(valid).success).toBe(true);
  });

  it.each(Object.entries(bounds))("accepts %s from its lower to its upper bound", (name, [min, max]) => {
    expect([min, min + 1, max - 1, max].filter((value) => !accepts(name, value))).toEqual([]);
    expect(
      [BigInt(min) - 1n, BigInt(max) + 1n, BigInt(max) * 10n].filter((value) => accepts(name, value)),
    ).toEqual([]);
  });

  it("has no field with undeclared bounds", () => {
    const probes = [-(10 ** 12), -1, 0, 1, 999, 1000, 1001, 10 ** 12, Number.MAX_SAFE_INTEGER + 1];
    const bounded = Object.keys(valid)
      .filter((name) => typeof valid[name] === "string" && !NO_NUMBERS.has(name))
      .filter((name) => {
        const accepted = probes.filter((value) => accepts(name, value)).length;
        return accepted > 0 && accepted < probes.length;
      });
    expect(bounded.sort()).toEqual(Object.keys(bounds).sort());
  });
});
