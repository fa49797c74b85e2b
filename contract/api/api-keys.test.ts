import { describe, expect, it } from "vitest";
import { safeParse } from "zod/mini";
import {
  type ApiKey,
  createApiKeyBodySchema,
  encodeApiKeyBody,
  token as format,
  KEY_SETTINGS,
  listApiKeys,
  updateApiKeyBodySchema,
} from "../api/api-keys";

import { unsetSettings } from "../resource/settings";

const WIRE = {
  id: 7,
  user_id: 3,
  key: "k".repeat(48),
  status: 1,
  name: "n",
  created_time: 1_700_000_000,
  accessed_time: 1_700_000_001,
  expired_time: -1,
  remain_quota: 500,
  unlimited_quota: false,
  used_quota: 12,
};

const TOKEN: ApiKey = {
  id: 7,
  userId: 3,
  key: "k".repeat(48),
  status: 1,
  name: "n",
  createdTime: 1_700_000_000,
  accessedTime: 1_700_000_001,
  expiredTime: -1,
  remainQuota: 500,
  unlimitedQuota: false,
  usedQuota: 12,
};

const onTheWire = (token: ApiKey): unknown => JSON.parse(JSON.stringify(format.encode(token)));

describe("a token", () => {
  it("has the contract's names on the wire, and nothing of ours that is not set", () => {
    expect(onTheWire(TOKEN)).toEqual(WIRE);
    expect(onTheWire({ ...TOKEN, models: [], subnet: "", limits: undefined })).toEqual(WIRE);
  });

  it("has the set extra fields beside the contract's fields", () => {
    const more = {
      models: ["a", "b"],
      subnet: "10.0.0.0/8",
      limits: { rpm: 60, dailyQuota: 5 },
      group: "auto",
      autoGroups: ["a", "b"],
      hasNoFallbacks: true,
      unsupportedFields: "refuse",
      modelAliases: '{"a":"b"}',
    } as const;
    expect(onTheWire({ ...TOKEN, ...more })).toEqual({
      ...WIRE,
      group: "auto",
      auto_groups: "a,b",
      no_fallbacks: true,
      unsupported_fields: "refuse",
      model_aliases: '{"a":"b"}',
      models: "a,b",
      subnet: "10.0.0.0/8",
      rpm: 60,
      daily_quota: 5,
    });
    expect(format.read(onTheWire({ ...TOKEN, ...more }))).toMatchObject({ ...TOKEN, ...more });
  });

  it("is read from any server: missing, null or mistyped fields become neutral", () => {
    expect(
      format.read({ id: "7", name: null, remain_quota: "500", unlimited_quota: "true", extra: 1 }),
    ).toEqual({
      id: 7,
      userId: 0,
      key: "",
      status: 0,
      name: "",
      createdTime: 0,
      accessedTime: 0,
      expiredTime: 0,
      remainQuota: 500,
      unlimitedQuota: true,
      usedQuota: 0,
      ...unsetSettings(KEY_SETTINGS),
      limits: undefined,
    });
    expect(listApiKeys.data?.read([7, WIRE, null])).toHaveLength(1);
  });
});

describe("the body of a change", () => {
  it("is read under the names that a token has inside; null is absent, and unknown fields are ignored", () => {
    const parsed = safeParse(updateApiKeyBodySchema, {
      id: 7,
      expired_time: 5,
      remain_quota: null,
      monthly_quota: 0,
      userId: 9,
      expiredTime: 6,
    });
    expect(parsed.data).toEqual({ id: 7, expiredTime: 5, monthlyQuota: 0 });
  });

  it("is refused with the name that the field has on the wire", () => {
    const parsed = safeParse(createApiKeyBodySchema, { name: "n", remain_quota: -1 });
    expect(parsed.error?.issues.map(({ path }) => path)).toEqual([["remain_quota"]]);
  });

  it("is sent under the names of the wire", () => {
    expect(encodeApiKeyBody({ name: "n", expiredTime: -1, unlimitedQuota: true, dailyQuota: 0 })).toEqual({
      name: "n",
      expired_time: -1,
      unlimited_quota: true,
      daily_quota: 0,
    });
  });
});
