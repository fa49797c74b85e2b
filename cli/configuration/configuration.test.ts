import { channel as channelFormat, createChannelBodySchema } from "@tollgate/contract/api/channels";
import type { Plan } from "@tollgate/contract/api/plans";
import type { User } from "@tollgate/contract/api/user";
import { TIME_LIMITS } from "@tollgate/contract/management/time-limits";
import { OPTION_KEYS, type OptionKey } from "@tollgate/contract/options/options";
import { NEW_PLAN } from "@tollgate/server/management-api/money/plan-rules";
import { defaultOf } from "@tollgate/server/state/options";
import { describe, expect, it } from "vitest";
import type { OperatorApi } from "../operator/operator-api";
import type { CurrentChannel, SecretSource } from "./configuration";
import { findChanges } from "./find-changes";
import { readOptionText, writeOptionText } from "./option-value";
import { findPlanChanges } from "./plan-changes";
import { CHANNEL_FIELDS, parseConfiguration } from "./read-file";
import type { CurrentState } from "./read-gateway";
import { showChanges } from "./show-changes";
import { findUserChanges } from "./user-changes";
import { writeConfiguration } from "./write-file";

const channel = (change: Partial<CurrentChannel> = {}): CurrentChannel => ({
  id: 1,
  name: "one",
  type: 1,
  status: 1,
  base_url: "",
  other: "",
  models: ["gpt-4o"],
  groups: ["default"],
  model_mapping: {},
  priority: 0,
  weight: 0,
  buying_prices: undefined,
  tag: "",
  test_model: "",
  skip_tests: false,
  calendar: {},
  rpm: 0,
  tpm: 0,
  concurrency: 0,
  key_rpm: 0,
  key_tpm: 0,
  key_concurrency: 0,
  headers_seconds: 0,
  first_token_seconds: 0,
  token_gap_seconds: 0,
  thinking_seconds: 0,
  whole_answer_seconds: 0,
  shownProxy: "",
  shownOverrides: undefined,
  ...change,
});

const state = (
  channels: CurrentChannel[] = [channel()],
  options: Partial<Record<OptionKey, string>> = {},
): CurrentState => ({
  channels,
  users: [],
  plans: [],
  options: new Map([
    ...OPTION_KEYS.map((key) => [key, defaultOf(key)] as const),
    ...(Object.entries(options) as [OptionKey, string][]),
  ]),
});

/** Sealing that tests can read: "sealed:" in front. */
const sealedOf = (current: CurrentState, key = "sk-1", proxy = "") => ({
  channels: new Map(
    current.channels.map(({ id }) => [
      id,
      { key: `sealed:${key}`, proxy: proxy && `sealed:${proxy}`, headers: { "x-a": "sealed:value" } },
    ]),
  ),
  options: new Map([["SMTPToken", "sealed:mail"]]),
});

const plan = (
  text: string,
  current: CurrentState = state(),
  { prune = false, key = "sk-1", proxy = "" } = {},
) => {
  const file = parseConfiguration("gateway.yaml", text);
  return findChanges({
    file,
    current,
    channelSecrets: new Map(
      current.channels.map(({ id }) => [id, { key, proxy, headers: { "x-a": "value" } }]),
    ),
    optionSecrets: new Map([["SMTPToken", "mail"]]),
    reveal: (source: SecretSource) =>
      typeof source === "string"
        ? source
        : "sealed" in source
          ? source.sealed.replace("sealed:", "")
          : source.env,
    prune,
  });
};

const HEAD = "version: 1\n";

describe("a configuration file", () => {
  const current = state(
    [
      channel({
        base_url: "https://x.example",
        type: 8,
        other: "",
        models: ["a", "b/c:d"],
        weight: 3,
        rpm: 60,
        key_concurrency: 2,
      }),
      channel({
        id: 2,
        name: '同名 "two"',
        status: 2,
        groups: ["vip"],
        model_mapping: { a: "b" },
        priority: -1,
      }),
      channel({
        id: 3,
        name: "123",
        status: 3,
        type: 3,
        base_url: "https://azure.example",
        other: "2024-10-21",
        shownProxy: "http://u:***@proxy:1",
        shownOverrides:
          '{"body":{"set":{"a.b":1}},"headers":{"x-a":"***","x-b":"{client:x-b}"},"status_codes":{"400":500}}',
      }),
    ],
    {
      RetryTimes: "3",
      SystemName: "007",
      Notice: "line\n# two: - {x}\n",
      RegisterEnabled: "false",
      GroupRatio: '{"default":1,"__proto__":2}',
      FallbackModelRatio: "30",
      EmailDomainWhitelist: "a.example,b.example",
    },
  );

  it.each(["yaml", "json"] as const)(
    "says all of it as %s: applied to the same gateway it changes nothing",
    (format) => {
      const text = writeConfiguration(current, sealedOf(current, "sk-1", "http://u:p@proxy:1"), format);
      expect(plan(text, current, { proxy: "http://u:p@proxy:1", prune: true })).toEqual([]);
    },
  );

  it("takes back a channel without models, as an import may leave one", () => {
    const empty = state([channel({ models: [], groups: [] })]);
    expect(
      plan(writeConfiguration(empty, sealedOf(empty), "yaml"), state([channel({ models: [] })])),
    ).toEqual([]);
    expect(() => plan(`${HEAD}channels: [{name: one, type: 1, models: []}]`)).toThrow(
      /gateway\.yaml:2: .*model/,
    );
  });

  it("without secrets says none, and changes none", () => {
    const text = writeConfiguration(current, undefined, "yaml");
    expect(text).not.toMatch(/sealed|key:|proxy/);
    expect(plan(text, current, { proxy: "http://u:p@proxy:1", prune: true })).toEqual([]);
  });

  it("contains only the differences from a new gateway", () => {
    const text = writeConfiguration(state([]), undefined, "json");
    expect(JSON.parse(text)).toEqual({ version: 1, options: {}, channels: [] });
  });

  it("has a field for everything that may be written of a channel", () => {
    const written = new Set<string>();
    for (const name of [...Object.keys(channelFormat.schema.shape), "multi_key"]) {
      for (const value of ["", 1, true]) {
        const read = createChannelBodySchema.safeParse({ type: 1, key: "k", [name]: value });
        for (const field of read.success ? Object.keys(read.data) : []) written.add(field);
      }
    }
    const own: Record<string, string> = {
      baseUrl: "base_url",
      modelMapping: "model_mapping",
      buyingPrices: "buying_prices",
      status: "enabled",
      testModel: "test_model",
      skipsTests: "skip_tests",
      keyRpm: "key_rpm",
      keyTpm: "key_tpm",
      keyConcurrency: "key_concurrency",
      ...Object.fromEntries(Object.entries(TIME_LIMITS).map(([inner, { name }]) => [inner, name])),
    };
    // One channel of all keys, always.
    written.delete("isMultiKey");
    expect([...written].map((name) => own[name] ?? name).sort()).toEqual([...CHANNEL_FIELDS].sort());
  });

  it.each(OPTION_KEYS)("writes the option %s by its meaning, and reads it again", (key) => {
    const text = defaultOf(key);
    expect(writeOptionText(key, readOptionText(key, text))).toBeDefined();
  });
});

describe("the plan of a configuration file", () => {
  it("is nothing where the file says nothing, and everything that it leaves out where it prunes", () => {
    const current = state([channel(), channel({ id: 2, name: "two" })], { RetryTimes: "3" });
    expect(plan(HEAD, current)).toEqual([]);
    expect(plan(`${HEAD}channels: []`, current)).toEqual([]);
    const pruned = plan(`${HEAD}channels: []`, current, { prune: true });
    expect(pruned.map(({ sign, what, name }) => `${sign} ${what} ${name}`)).toEqual([
      "- option RetryTimes",
      "- channel one",
      "- channel two",
    ]);
    // Secrets are never taken away by leaving them out, channels only where the file speaks of channels.
    expect(plan(HEAD, current, { prune: true }).map(({ name }) => name)).toEqual(["RetryTimes"]);
  });

  it("is shown by field, secrets only as changed", () => {
    const changes = plan(
      `${HEAD}options:\n  SMTPToken: other\n  GroupRatio: {default: 2, vip: 1, svip: 1}\nchannels:\n  - {name: one, type: 1, models: [gpt-5, gpt-4o], weight: 2, enabled: false, key: sk-2}`,
    );
    const shown = showChanges(changes);
    expect(shown).toEqual([
      "~ option SMTPToken: (secret) -> (changed)",
      "+ option GroupRatio",
      "    default: 1 -> 2",
      '~ channel "one"',
      "    weight: 0 -> 2",
      '    models: +"gpt-5"',
      "    enabled: true -> false",
      "    key: (secret) -> (changed)",
    ]);
    expect(JSON.stringify(changes.map(({ fields }) => fields))).not.toMatch(/sk-2|other/);
  });

  it("sends the key along where the channel is asked elsewhere", () => {
    const moved = plan(
      `${HEAD}channels:\n  - {name: one, type: 1, models: [gpt-4o], base_url: "https://x.example", key: sk-1}`,
    );
    expect(moved[0]?.call?.body).toMatchObject({ id: 1, base_url: "https://x.example", key: "sk-1" });
    expect(() =>
      plan(`${HEAD}channels:\n  - {name: one, type: 1, models: [gpt-4o], base_url: "https://x.example"}`),
    ).toThrow(/^gateway\.yaml:3: /);
  });

  it("can empty a field", () => {
    const azure = { type: 3, base_url: "https://azure.example" };
    const [change] = plan(
      `${HEAD}channels:\n  - {name: one, type: 3, base_url: "https://azure.example", models: [gpt-4o]}`,
      state([channel({ ...azure, other: "2024-10-21" })]),
    );
    expect(change?.call?.body).toEqual({ id: 1, other: " " });
  });

  it("pairs channels of one name in their order, and rejects the file when the pairs are ambiguous", () => {
    const twins = state([channel(), channel({ id: 2, models: ["m"] })]);
    const twin = (models: string) => `  - {name: one, type: 1, models: [${models}]}\n`;
    expect(plan(`${HEAD}channels:\n${twin("gpt-4o")}${twin("m")}`, twins)).toEqual([]);
    expect(() => plan(`${HEAD}channels:\n${twin("gpt-4o")}`, twins)).toThrow(
      /^gateway\.yaml:3: .*name them apart/,
    );
  });

  it("sets switches after the options they need", () => {
    const changes = plan(
      `${HEAD}options:\n  GitHubOAuthEnabled: true\n  GitHubClientId: id\n  GitHubClientSecret: {sealed: "sealed:s"}`,
    );
    expect(changes.map(({ name }) => name)).toEqual([
      "GitHubClientId",
      "GitHubClientSecret",
      "GitHubOAuthEnabled",
    ]);
    expect(() => plan(`${HEAD}options:\n\n  GitHubOAuthEnabled: true`)).toThrow(/^gateway\.yaml:4: /);
  });
});

describe("users of a file", () => {
  const user = (change: Partial<User>): User => ({
    id: 1,
    username: "root",
    displayName: "Root User",
    role: 100,
    status: 1,
    email: "",
    identities: {},
    quota: 5,
    usedQuota: 0,
    requestCount: 0,
    group: "default",
    affCode: "",
    inviterId: 0,
    ...change,
  });
  const users = [
    user({}),
    user({
      id: 2,
      username: "alice",
      displayName: "alice",
      role: 1,
      group: "vip,default",
      limits: { rpm: 3 },
    }),
    user({ id: 3, username: "bob", displayName: "Bob", role: 10, status: 2 }),
  ];
  const current = { ...state([]), users };
  const planOf = (text: string) => {
    const sides = {
      file: parseConfiguration("gateway.yaml", `${HEAD}users:\n${text}`),
      current,
      channelSecrets: new Map(),
      optionSecrets: new Map(),
      reveal: String,
      prune: true,
    };
    return findUserChanges(sides);
  };

  it("are written without money, and nothing changes them", () => {
    const text = writeConfiguration(current, undefined, "yaml");
    expect(text).not.toMatch(/quota|password/);
    expect(planOf(text.slice(text.indexOf("users:") + 7))).toEqual([]);
  });

  it("are changed by calls, created without a usable password, and never deleted", async () => {
    const changes = planOf(
      "  - {username: alice, rpm: 0, role: admin}\n  - {username: carol, group: vip, enabled: false}",
    );
    expect(showChanges(changes)).toEqual([
      '~ user "alice"',
      '    role: "user" -> "admin"',
      '    group: "vip,default" -> "default"',
      "    rpm: 3 -> 0",
      '+ user "carol"',
      "    enabled: true -> false",
      '    group: "default" -> "vip"',
    ]);
    const calls: unknown[] = [];
    const api: OperatorApi = {
      async call(call) {
        calls.push([call.method ?? "GET", call.path, call.query ?? call.body]);
        return {
          data: [
            { id: 9, username: "alice" },
            { id: 10, username: "carol" },
          ],
        };
      },
    };
    for (const { after } of changes) await after?.(api);
    expect(calls).toEqual([
      ["GET", "/api/user/search", { keyword: "alice" }],
      ["PUT", "/api/user/", { id: 9, group: "default", rpm: 0 }],
      ["POST", "/api/user/manage", { username: "alice", action: "promote" }],
      ["GET", "/api/user/search", { keyword: "carol" }],
      ["PUT", "/api/user/", { id: 10, group: "vip" }],
      ["POST", "/api/user/manage", { username: "carol", action: "disable" }],
    ]);
  });

  it.each([
    ["  - {username: root, enabled: false}", "root"],
    ["  - {username: alice, role: root}", "root"],
    ["  - {username: has blanks}", ""],
    ["  - {username: alice, quota: 5}", "quota"],
    ["  - {username: alice, role: king}", "role"],
  ])("are refused with their line: %s", (text, says) => {
    expect(() => planOf(text)).toThrow(new RegExp(`^gateway\\.yaml:3: .*${says}`));
  });
});

describe("plans of a file", () => {
  const BASIC: Plan = {
    ...NEW_PLAN,
    id: 3,
    title: "Basic",
    price: 300,
    quota: 500,
    reset: "day",
    createdTime: 1,
  };
  const planOf = (text: string, prune = false) => {
    const current: CurrentState = { ...state([]), plans: [BASIC, { ...BASIC, id: 4, title: "Old" }] };
    return findPlanChanges({
      file: parseConfiguration("gateway.yaml", `${HEAD}plans:\n${text}`),
      current,
      channelSecrets: new Map(),
      optionSecrets: new Map(),
      reveal: () => "",
      prune,
    });
  };

  it("are found by their titles, made, changed, and taken away only where that is wanted", () => {
    const text =
      "  - {title: Basic, price: 400, quota: 500, reset: day}\n  - {title: New, quota: 5, group: vip}";
    const changes = planOf(text);
    expect(changes.map(({ sign, name, call }) => [sign, name, call?.method, call?.path])).toEqual([
      ["~", "Basic", "PUT", "/api/plan/3"],
      ["+", "New", "POST", "/api/plan/"],
    ]);
    expect(changes[0]?.fields).toEqual([{ field: "price", before: 300, after: 400 }]);
    expect(changes[1]?.call?.body).toMatchObject({ title: "New", quota: 5, group: "vip", is_enabled: true });
    expect(planOf(text, true).at(-1)?.call).toEqual({ method: "DELETE", path: "/api/plan/4" });
    expect(planOf("  - {title: Basic, price: 300, quota: 500, reset: day}")).toEqual([]);
  });

  it("come back as they were written", () => {
    const written = writeConfiguration({ ...state([]), plans: [BASIC] }, undefined, "yaml");
    expect(written).toContain("plans:\n  - title: Basic\n    price: 300\n    quota: 500\n    reset: day\n");
  });

  it.each([
    ["  - {title: A, duration_count: 0}", "duration|last"],
    ["  - {title: A, reset: hour}", "reset"],
    ["  - {title: A, quota: -1}", "quota"],
    ["  - {title: A}\n  - {title: A}", "twice"],
    ["  - {title: A, owner: 1}", "owner"],
  ])("are refused with their line: %s", (text, says) => {
    expect(() => planOf(text)).toThrow(new RegExp(`^gateway\\.yaml:[34]: .*(${says})`));
  });
});

describe("a file that cannot be meant", () => {
  it.each([
    ["", 1, "object"],
    ["options: {}", 1, "version"],
    ["version: 2", 1, "version"],
    [`${HEAD}chanels: []`, 2, '"chanels"'],
    [`${HEAD}options:\n  RetryTime: 3`, 3, '"RetryTime"'],
    [`${HEAD}options:\n  RetryTimes: 99`, 3, "RetryTimes"],
    [`${HEAD}options:\n  RetryTimes: true`, 3, "RetryTimes"],
    [`${HEAD}options:\n  PriceVersion: 3`, 3, "PriceVersion"],
    [`${HEAD}options:\n  ModelPrice: {m: {input: -1}}`, 3, "ModelPrice"],
    [`${HEAD}channels:\n  - name: one\n    type: 1\n    models: [m]\n    wieght: 3`, 6, '"wieght"'],
    [`${HEAD}channels:\n  - name: one\n    type: one\n    models: [m]`, 4, "type"],
    [`${HEAD}channels:\n  - name: one\n    type: 1\n    models: []`, 5, "at least one model"],
    [
      `${HEAD}channels:\n  - name: one\n    type: 1\n    models: [m]\n  - name: new\n    type: 1\n    models: [m]`,
      6,
      "needs a key",
    ],
    [`${HEAD}channels:\n  - {name: one, type: 1, models: [m], type: 2}`, 3, ""],
    [`${HEAD}channels:\n  - {name: new, type: 4711, models: [m], key: k}`, 3, ""],
    [`${HEAD}channels: &a\n  - *a`, 1, "aliases"],
    [`${HEAD}channels: ${"[".repeat(100_000)}`, 1, "nested too deeply"],
    [`${HEAD}options: {SystemName: "a\\u0000b"}`, 2, ""],
    ["{", 1, ""],
    ["- a", 1, ""],
    ["[".repeat(100_000), 1, ""],
    [`${HEAD}__proto__: 1`, 2, "__proto__"],
  ])("is refused with its line: %#", (text, line, says) => {
    let message = "";
    try {
      plan(text);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(new RegExp(`^gateway\\.yaml:${line}: `));
    expect(message).toContain(says);
  });
});
