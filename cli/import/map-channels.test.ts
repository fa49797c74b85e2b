import { generateKeyPairSync } from "node:crypto";
import { createUpstreamTargets, nameKey } from "@tollgate/relay/routing/upstream-target";
import { findVendor } from "@tollgate/vendors/vendors";
import { describe, expect, it } from "vitest";
import { mapChannels } from "./map-channels";
import type { Series } from "./origin";
import type { ChannelRow } from "./source-rows";

const BASE = "https://upstream.example.com";

const rowOf = (row: Partial<ChannelRow>): ChannelRow => ({
  id: 7,
  type: 1,
  key: "sk-secret-of-the-upstream",
  status: 1,
  name: "one",
  models: "gpt-4o,gpt-4o-mini",
  group: "default",
  ...row,
});

const map = (series: Series, row: Partial<ChannelRow>) => {
  const { records, remarks } = mapChannels([rowOf(row)], { series, version: undefined });
  return { record: records[0], remarks, codes: remarks.map(({ code }) => code) };
};

/** Each number of one-api: what it is here, and where it is asked while no address is written. */
const ONE_API: readonly [number, number | "none", string?][] = [
  [1, 1],
  [2, 2],
  [3, 3, BASE],
  [4, 4],
  [5, 5],
  [6, 6],
  [7, 7],
  [8, 8, BASE],
  [9, 9],
  [10, 10],
  [11, 11],
  [12, 12],
  [13, 13],
  [14, 14],
  [15, 15],
  [16, 16],
  [17, 17],
  [18, 18],
  [19, 19],
  [20, 20],
  [21, 21],
  [22, 22],
  [23, 23],
  [24, 24],
  [25, 25],
  [26, 8, "https://api.baichuan-ai.com"],
  [27, 27],
  [28, 28],
  [29, 29],
  [30, 30],
  [31, 8, "https://api.lingyiwanwu.com"],
  [32, 32],
  [33, 33],
  [34, "none"],
  [35, 35],
  [36, 36],
  [37, 37, "https://api.cloudflare.com/client/v4/accounts/acc-1/ai"],
  [38, "none"],
  [39, 8, "https://api.together.xyz"],
  [40, 40],
  [41, 8, "https://api.novita.ai/v3/openai"],
  [42, 42],
  [43, "none"],
  [44, 44],
  [45, 45],
  [46, "none"],
  [47, 15],
  [48, 18],
  [49, 17],
  [50, 8, `${BASE}/v1`],
  [51, 8, "https://generativelanguage.googleapis.com/v1beta/openai"],
];

const NEW_API: readonly [number, number | "none", string?][] = [
  [1, 1],
  [2, "none"],
  [3, 3, BASE],
  [4, 30],
  [5, "none"],
  [6, 6],
  [7, 7],
  [8, 8, `${BASE}/v1`],
  [9, 9],
  [10, 10],
  [11, 11],
  [12, 12],
  [13, 13],
  [14, 14],
  [15, 15],
  [16, 16],
  [17, 17],
  [18, 18],
  [19, 19],
  [20, 20],
  [21, 21],
  [22, 22],
  [23, 23],
  [24, 24],
  [25, 25],
  [26, 16],
  [27, 8, "https://api.perplexity.ai"],
  [31, 8, "https://api.lingyiwanwu.com"],
  [33, 33],
  [34, 35],
  [35, 27],
  [36, "none"],
  [37, "none"],
  [38, 8, "https://api.jina.ai"],
  [39, 37, "https://api.cloudflare.com/client/v4/accounts/acc-1/ai"],
  [40, 44],
  [41, 42],
  [42, 28],
  [43, 36],
  [44, 8, "https://api.moka.ai"],
  [45, 40],
  [46, 15],
  [47, 8, BASE],
  [48, 45],
  [49, "none"],
  [50, "none"],
  [51, "none"],
  [52, "none"],
  [53, 8, "https://llm.submodel.ai"],
  [54, "none"],
  [55, "none"],
  [56, "none"],
  [57, "none"],
  [58, "none"],
  [59, 8, BASE],
  [60, 8, BASE],
  [61, "none"],
  [62, 8, BASE],
  [63, 8, BASE],
];

/** What a channel must say where no default holds. */
const NEEDED: Readonly<Record<Series, Readonly<Record<number, Partial<ChannelRow>>>>> = {
  "one-api-0.5": { 3: { base_url: BASE }, 8: { base_url: BASE } },
  "one-api-0.6": {
    3: { base_url: BASE },
    8: { base_url: BASE },
    37: { config: '{"user_id":"acc-1"}' },
    50: { base_url: `${BASE}/v1` },
  },
  "new-api": {
    3: { base_url: BASE },
    8: { base_url: `${BASE}/v1/chat/completions` },
    39: { other: "acc-1" },
    47: { base_url: BASE },
    59: { base_url: BASE },
    60: { base_url: BASE },
    62: { base_url: BASE },
    63: { base_url: BASE },
  },
};

/** A key of the form that a type needs here. */
const KEYS: Readonly<Record<number, string>> = { 33: "AKID|secret|us-east-1" };

describe("channel types of the source", () => {
  const cases = [
    ...ONE_API.map(([from, to, base]) => ({ series: "one-api-0.6" as const, from, to, base })),
    ...NEW_API.map(([from, to, base]) => ({ series: "new-api" as const, from, to, base })),
  ];

  it.each(cases)("$series: $from is $to here", ({ series, from, to, base }) => {
    const key = KEYS[from] ?? "sk-1";
    const { record, codes, remarks } = map(series, { type: from, key, ...NEEDED[series][from] });
    if (to === "none") {
      expect(record).toBeUndefined();
      expect(remarks).toMatchObject([{ effect: "left-out", code: "channel-type-none" }]);
      return;
    }
    expect(record).toMatchObject({ type: to, baseUrl: base ?? "", status: 1 });
    expect(findVendor(to)).toBeDefined();
    expect(codes).not.toContain("channel-key-malformed");
    // It can be relayed to.
    const target = createUpstreamTargets(
      { ...record!, keyCount: 1, deadKeyCount: 0, closedUntil: 0, usedRequests: 0, spentSinceTyped: 0 },
      { key: record!.key, proxy: "" },
    );
    expect(target).toHaveLength(1);
  });

  it("leaves out numbers that are not known, which forks use for other companies", () => {
    for (const type of [0, -1, 52, 64, 95, 101, 1000, 2 ** 40]) {
      const { record, remarks } = map("one-api-0.6", { type });
      expect(record).toBeUndefined();
      expect(remarks).toMatchObject([{ effect: "left-out", code: "channel-type-unknown", id: 7 }]);
    }
    expect(map("new-api", { type: 28 }).record).toBeUndefined();
    expect(map("new-api", { type: undefined }).record).toBeUndefined();
  });
});

describe("addresses of channels", () => {
  it("of new-api that are names of plans become the plans' addresses", () => {
    const plans = [
      [26, "glm-coding-plan", "https://open.bigmodel.cn/api/coding/paas/v4"],
      [26, "glm-coding-plan-international", "https://api.z.ai/api/coding/paas/v4"],
      [25, "kimi-coding-plan", "https://api.kimi.com/coding/v1"],
      [45, "doubao-coding-plan", "https://ark.cn-beijing.volces.com/api/coding/v3"],
    ] as const;
    for (const [type, base_url, baseUrl] of plans)
      expect(map("new-api", { type, base_url }).record).toMatchObject({ baseUrl, status: 1 });
    // On any other type the name is no address: the key must not go to the vendor's own.
    expect(map("new-api", { type: 43, base_url: "kimi-coding-plan" }).record).toBeUndefined();
  });

  it("that were the source's default are left to the vendor's file, others are kept", () => {
    expect(map("new-api", { type: 45, base_url: "https://ark.cn-beijing.volces.com/" }).record?.baseUrl).toBe(
      "",
    );
    expect(map("new-api", { type: 45, base_url: "https://ark.example.com" }).record?.baseUrl).toBe(
      "https://ark.example.com/api/v3",
    );
    expect(map("one-api-0.6", { type: 36, base_url: BASE }).record?.baseUrl).toBe(BASE);
  });

  it("of OpenAI's own type that lead elsewhere become custom channels, which use the protocol that one-api used", () => {
    expect(map("one-api-0.6", { base_url: BASE }).record).toMatchObject({ type: 8, baseUrl: BASE });
    expect(map("new-api", { base_url: "https://api.openai.com/v1" }).record).toMatchObject({ type: 1 });
  });

  it.each([
    ["ftp://x", "channel-address-invalid"],
    ["https://name:pass@host", "channel-address-invalid"],
    ["nonsense", "channel-address-invalid"],
    ["", "channel-address-missing"],
  ])("leave the channel out where they are none: %j", (base_url, code) => {
    const { record, codes, remarks } = map("one-api-0.6", { type: 8, base_url });
    expect(record).toBeUndefined();
    expect(codes).toEqual([code]);
    expect(JSON.stringify(remarks)).not.toContain("pass@");
  });

  it("of new-api's custom channels are whole ones", () => {
    const whole = (base_url: string) => map("new-api", { type: 8, base_url }).record?.baseUrl;
    expect(whole("https://x.example/v1/chat/completions")).toBe("https://x.example/v1");
    expect(whole("https://x.example/api/v3/chat/completions")).toBe("https://x.example/api/v3");
    expect(whole("https://x.example/{model}/v1/chat/completions")).toBeUndefined();
    expect(whole("https://x.example/chat/completions")).toBeUndefined();
    expect(whole("https://x.example/v1/complete")).toBeUndefined();
  });
});

describe("keys of channels", () => {
  it("of new-api with many keys: on, off by hand, and dead", () => {
    const channel_info = JSON.stringify({
      is_multi_key: true,
      multi_key_size: 4,
      multi_key_status_list: { "1": 2, "3": 3 },
    });
    const { record, codes } = map("new-api", { key: "a\nb\n c \nd\n", channel_info });
    expect(record).toMatchObject({ key: "a\nc\nd", deadKeys: [nameKey("d")], status: 1 });
    expect(codes).toEqual(["channel-keys-left-out", "channel-keys-dead"]);
  });

  it("are one key where the source says nothing of many, whatever stands in them", () => {
    const { record, codes } = map("new-api", { key: "a\nb", channel_info: "{}" });
    expect(record).toMatchObject({ status: 2 });
    expect(codes).toContain("channel-key-malformed");
  });

  it("of AWS and Vertex are put together from one-api's config", () => {
    const aws = map("one-api-0.6", {
      type: 33,
      key: "x",
      config: '{"ak":"A","sk":"S","region":"us-east-1"}',
    });
    expect(aws.record).toMatchObject({ key: "A|S|us-east-1", status: 1 });
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 1024,
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const account = {
      type: "service_account",
      project_id: "p",
      private_key_id: "k1",
      private_key: privateKey,
      client_email: "a@p.iam.gserviceaccount.com",
    };
    const adc = JSON.stringify(account, null, 2);
    const config = JSON.stringify({ region: "us-east5", vertex_ai_project_id: "p", vertex_ai_adc: adc });
    const models = "claude-sonnet-4-20250514,gemini-2.5-pro";
    const vertex = map("one-api-0.6", { type: 42, key: "us-east5|p|x", config, models });
    expect(vertex.record).toMatchObject({
      key: JSON.stringify(account),
      other: "us-east5",
      status: 1,
      modelMapping: { "claude-sonnet-4-20250514": "claude-sonnet-4@20250514" },
    });
    const channel_info = JSON.stringify({ is_multi_key: true });
    const many = map("new-api", {
      type: 41,
      key: JSON.stringify([account, { ...account, project_id: "q" }]),
      channel_info,
      other: '{"default":"us-central1","gemini-2.5-pro":"europe-west1"}',
    });
    expect(many.record?.key.split("\n")).toHaveLength(2);
    expect(many.record).toMatchObject({ other: "us-central1", status: 1 });
    expect(many.codes).toContain("channel-regions");
  });

  it("of a form that there is not here switch the channel off, and are kept", () => {
    const { record, remarks } = map("new-api", {
      type: 33,
      key: "bedrock-api-key|us-east-1",
      settings: '{"aws_key_type":"api_key"}',
    });
    expect(record).toMatchObject({ status: 2, key: "bedrock-api-key|us-east-1" });
    expect(remarks).toMatchObject([{ effect: "changed", code: "channel-key-malformed" }]);
    expect(map("one-api-0.5", { key: "" }).record?.status).toBe(2);
    expect(map("new-api", { type: 46, key: "bce-v3/1|app-2" }).record).toMatchObject({
      type: 15,
      key: "bce-v3/1",
      status: 1,
    });
  });
});

describe("another field of a channel", () => {
  it("is written for the same share of requests: new-api adds ten, one-api reads no weight", () => {
    expect(map("new-api", { weight: 5 }).record?.weight).toBe(15);
    expect(map("new-api", {}).record?.weight).toBe(10);
    expect(map("one-api-0.6", { weight: 5 })).toMatchObject({
      record: { weight: 0 },
      codes: ["channel-weight"],
    });
  });

  it("is told where there is no place for it, by the names of the columns alone", () => {
    const secret = "Bearer-of-a-header";
    const { codes, remarks, record } = map("new-api", {
      header_override: JSON.stringify({ host: secret }),
      param_override: JSON.stringify({ stream: true }),
      status_code_mapping: '{"400":"200"}',
      setting: JSON.stringify({ force_format: true, proxy: "http://u:p@proxy:3128", [secret]: 1 }),
      settings: '{"claude_beta_query":true,"allow_service_tier":false}',
      tag: "team",
      remark: "mine",
      test_model: "gpt-4o",
      openai_organization: "org",
      auto_ban: 0,
      system_prompt: "",
    });
    expect(record).toMatchObject({ proxy: "http://u:p@proxy:3128", tag: "team", testModel: "gpt-4o" });
    expect(codes).toEqual(["channel-auto-ban", "channel-not-taken"]);
    expect(remarks.at(-1)?.values.columns).toBe(
      "openai_organization, remark, header_override, status_code_mapping, param_override, setting.force_format, setting, settings.claude_beta_query",
    );
    expect(JSON.stringify(remarks)).not.toContain(secret);
    expect(JSON.stringify(remarks)).not.toContain("u:p");
  });

  it("keeps its overrides: parameters, headers, statuses, its system prompt, and its pass-through mode", () => {
    const { codes, record } = map("new-api", {
      header_override: '{"Authorization":"Token {api_key}","X-Title":"{client_header:X-Title}","*":"x y"}',
      param_override: '{"temperature":0,"a.b":[1],"stream":true}',
      status_code_mapping: '{"400":"500"}',
      setting: '{"system_prompt":"Be brief.","system_prompt_override":true}',
    });
    expect(record?.requestChanges).toEqual({
      body: { set: { temperature: 0, "a\\.b": [1] } },
      headers: { authorization: "Token {api_key}", "x-title": "{client:x-title}" },
      statusCodes: { "400": 500 },
      systemPrompt: { text: "Be brief.", mode: "prepend" },
    });
    expect(codes).toEqual(["channel-not-taken"]);
    const operations = JSON.stringify({
      operations: [
        { mode: "set", path: "reasoning.effort", value: "low" },
        { mode: "delete", path: "user" },
        { mode: "append", path: "stop", value: "x" },
      ],
    });
    expect(map("new-api", { param_override: operations }).record?.requestChanges).toEqual({
      body: { set: { "reasoning.effort": "low" }, delete: ["user"] },
    });
    const passing = { setting: '{"pass_through_body_enabled":true}', param_override: '{"temperature":0}' };
    expect(map("new-api", passing).record?.requestChanges).toEqual({ passBody: true });
    expect(map("new-api", { ...passing, model_mapping: '{"gpt-4":"x"}' }).record?.requestChanges).toEqual({
      body: { set: { temperature: 0 } },
    });
    const forced = map("one-api-0.6", { system_prompt: "Be brief." });
    expect(forced.codes).toContain("channel-system-prompt");
    expect(forced.record?.requestChanges?.systemPrompt).toEqual({ text: "Be brief.", mode: "prepend" });
  });

  it.each(["socks5://u:p@proxy:1080", "socks5h://proxy", "http://proxy:3128"])(
    "keeps a channel on that goes through %s",
    (proxy) => {
      const { record, codes } = map("new-api", { setting: JSON.stringify({ proxy }) });
      expect(record).toMatchObject({ status: 1, proxy });
      expect(codes).toEqual([]);
    },
  );

  it("switches the channel off where it would be reached otherwise than its owner wants", () => {
    const { record, codes } = map("new-api", { setting: '{"proxy":"socks4://u:p@proxy:1080"}' });
    expect(record).toMatchObject({ status: 2, proxy: "" });
    expect(codes).toEqual(["channel-proxy-unsupported"]);
  });

  it("maps the names of models as the source did", () => {
    const model_mapping = '{"a":"b","b":"c","round":"trip","trip":"round"}';
    const models = "a,b,round";
    expect(map("one-api-0.6", { models, model_mapping }).record?.modelMapping).toMatchObject({
      a: "b",
      b: "c",
    });
    expect(map("new-api", { models, model_mapping })).toMatchObject({
      record: { modelMapping: { a: "c", b: "c" } },
      codes: ["channel-mapping-chain"],
    });
    const aws = { type: 33, key: "A|S|eu-west-1", models: "claude-3-haiku-20240307,amazon.titan" };
    expect(map("new-api", aws).record?.modelMapping).toEqual({
      "claude-3-haiku-20240307": "eu.anthropic.claude-3-haiku-20240307-v1:0",
    });
    expect(map("one-api-0.6", aws).record?.modelMapping).toEqual({
      "claude-3-haiku-20240307": "anthropic.claude-3-haiku-20240307-v1:0",
    });
    expect(map("new-api", { model_mapping: '{"a":1}' })).toMatchObject({
      record: { status: 2, modelMapping: {} },
      codes: ["channel-mapping-invalid"],
    });
    expect(map("one-api-0.6", { model_mapping: "{" })).toMatchObject({
      record: { status: 1, modelMapping: {} },
      codes: ["channel-mapping-ignored"],
    });
  });

  it("stays within bounds, and says where it was changed", () => {
    const { record, codes } = map("new-api", {
      name: `${"n".repeat(200)}\u0000`,
      priority: 9_000_000_000n,
      used_quota: -5,
      status: 9,
      models: " a ,a,,\u0001b,c",
      group: "vip, default,vip",
      balance: Number.NaN,
    });
    expect(record).toMatchObject({
      name: "n".repeat(100),
      priority: 1_000_000,
      usedQuota: 0,
      status: 2,
      models: ["a", "c"],
      groups: ["vip", "default"],
      balance: 0,
    });
    expect(codes).toEqual(["channel-name", "channel-status", "channel-number", "channel-number"]);
  });

  it("never throws, whatever stands in a column", () => {
    const deep = `${"[".repeat(50_000)}1${"]".repeat(50_000)}`;
    const texts = [
      deep,
      "{",
      '{"__proto__":{"x":1},"constructor":"y"}',
      "null",
      "1e999",
      "[]",
      "\u0000",
      '"',
    ];
    for (const series of ["one-api-0.5", "one-api-0.6", "new-api"] as const) {
      for (const text of texts) {
        for (const type of [1, 3, 8, 33, 37, 39, 41, 42]) {
          const { remarks } = map(series, {
            type,
            key: text,
            base_url: text,
            other: text,
            config: text,
            setting: text,
            settings: text,
            channel_info: text,
            model_mapping: text,
            param_override: text,
            models: text,
            group: text,
          });
          for (const { values } of remarks)
            for (const value of Object.values(values)) expect(String(value).length).toBeLessThan(1000);
        }
      }
    }
  });
});
