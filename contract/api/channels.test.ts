import { describe, expect, it } from "vitest";
import { type Channel, channel as format } from "./channels";

const WIRE = {
  id: 7,
  type: 14,
  key: "",
  status: 1,
  name: "n",
  weight: 2,
  created_time: 1_700_000_000,
  test_time: 1_700_000_001,
  response_time: 321,
  base_url: "https://upstream.test",
  other: "o",
  balance: 1.25,
  balance_updated_time: 1_700_000_002,
  models: "a,b",
  group: "default,vip",
  used_quota: 12,
  model_mapping: '{\n  "a": "b"\n}',
  priority: -3,
  key_count: 2,
  dead_key_count: 1,
  proxy: "http://user:***@proxy.test",
  tag: "pool",
  test_model: "b",
  skip_tests: true,
  calendar: '{"endsAt":1800000000}',
  closed_until: 1_700_000_003,
  used_requests: 4,
  overrides: '{"pass_body":true}',
};

const CHANNEL: Channel = {
  id: 7,
  type: 14,
  name: "n",
  status: 1,
  weight: 2,
  priority: -3,
  createdTime: 1_700_000_000,
  testTime: 1_700_000_001,
  responseTimeMs: 321,
  baseUrl: "https://upstream.test",
  other: "o",
  balance: 1.25,
  balanceUpdatedTime: 1_700_000_002,
  models: ["a", "b"],
  groups: ["default", "vip"],
  usedQuota: 12,
  modelMapping: { a: "b" },
  keyCount: 2,
  deadKeyCount: 1,
  proxy: "http://user:***@proxy.test",
  tag: "pool",
  testModel: "b",
  skipsTests: true,
  calendar: { endsAt: 1_800_000_000 },
  closedUntil: 1_700_000_003,
  usedRequests: 4,
  overrides: '{"pass_body":true}',
  spentSinceTyped: 0,
};

describe("a channel", () => {
  it("has the contract's names on the wire, in their order, and never its key", () => {
    expect(format.encode(CHANNEL)).toEqual(WIRE);
    expect(Object.keys(format.encode(CHANNEL))).toEqual(Object.keys(WIRE));
    expect(format.schema.parse(WIRE)).toEqual(WIRE);
    expect(format.encode({ ...CHANNEL, modelMapping: {}, models: [] })).toMatchObject({
      model_mapping: "",
      models: "",
    });
    const withKey = { ...CHANNEL, key: "sk-secret" };
    expect(JSON.stringify(format.encode(withKey))).not.toContain("sk-secret");
  });

  it("is read from any server: missing, null or mistyped fields become neutral", () => {
    expect(format.read({ ...WIRE, key: "sk-secret" })).toEqual(CHANNEL);
    expect(format.read({ id: "7", name: null, models: " a ,,b,a", model_mapping: "[1]" })).toEqual({
      id: 7,
      type: 0,
      name: "",
      status: 0,
      weight: 0,
      priority: 0,
      createdTime: 0,
      testTime: 0,
      responseTimeMs: 0,
      baseUrl: "",
      other: "",
      balance: 0,
      balanceUpdatedTime: 0,
      models: ["a", "b"],
      groups: [],
      usedQuota: 0,
      modelMapping: {},
      keyCount: 1,
      deadKeyCount: 0,
      proxy: "",
      tag: "",
      testModel: "",
      skipsTests: false,
      calendar: {},
      closedUntil: 0,
      usedRequests: 0,
      overrides: "",
      spentSinceTyped: 0,
    });
    expect(format.read("no object")).toBeUndefined();
  });
});
