import { parseGroupLimits } from "@tollgate/contract/management/limits";
import { parseModelPrices } from "@tollgate/contract/management/model-price";
import { OPTIONS } from "@tollgate/contract/options/options";
import { formatDecimal, multiply, parseDecimal, roundUp } from "@tollgate/contract/values/decimal";
import { priceAnswer } from "@tollgate/metering/bill";
import { Options } from "@tollgate/server/state/options";
import { createPricing } from "@tollgate/server/state/pricing";
import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it } from "vitest";
import { mapOptions } from "./map-options";
import type { Series } from "./origin";
import type { ChannelRow } from "./source-rows";

interface Source {
  options?: Record<string, unknown>;
  channels?: Partial<ChannelRow>[];
  groups?: string[];
  pricing?: string;
  priceDecision?: "dearest" | "cheapest";
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const map = (
  series: Series,
  { options = {}, channels = [], groups = [], pricing, priceDecision }: Source = {},
) => {
  const mapped = mapOptions(
    Object.entries(options).map(([key, value]) => ({ key, value: textOf(value) })),
    { series, version: undefined },
    {
      channels: channels.map((row, index) => ({ id: index + 1, type: 1, key: "k", status: 1, ...row })),
      groups: new Set(groups),
      pricing,
      priceDecision,
    },
  );
  const value = (key: string) => mapped.options.find((option) => option.key === key)?.value;
  const prices = (): Record<string, Record<string, number>> => JSON.parse(value("ModelPrice") ?? "{}");
  const said = (code: string) => mapped.remarks.filter((remark) => remark.code === code);
  return { ...mapped, value, prices, said };
};

describe("the currency of amounts", () => {
  const type = "general_setting.quota_display_type";
  const symbol = "general_setting.custom_currency_symbol";
  const rate = "general_setting.custom_currency_exchange_rate";

  it("of new-api is the display currency, with the rate of the source", () => {
    const shown = (options: Record<string, string>) => map("new-api", { options }).value("DisplayCurrency");
    const row = (currency: string, of: string) =>
      JSON.stringify([{ from: "1970-01-01", currency, rate: of }]);
    expect(shown({ [type]: "CNY", USDExchangeRate: "7.2" })).toBe(row("CNY", "7.2"));
    expect(shown({ [type]: "CNY" })).toBe(row("CNY", "7.3"));
    expect(shown({ [type]: "CUSTOM", [symbol]: "€", [rate]: "0.92" })).toBe(row("EUR", "0.92"));
    expect(shown({ [type]: "CUSTOM", [symbol]: "hkd", [rate]: "7.8" })).toBe(row("HKD", "7.8"));
    expect(shown({ [type]: "USD", USDExchangeRate: "7.2" })).toBeUndefined();
    expect(map("one-api-0.6", { options: { [type]: "CNY" } }).value("DisplayCurrency")).toBeUndefined();
  });

  it("is left out with a reason where it is a unit of the site's own, or the rate cannot be used", () => {
    const own = map("new-api", { options: { [type]: "CUSTOM", [symbol]: "credits", [rate]: "100" } });
    expect(own.value("DisplayCurrency")).toBeUndefined();
    expect(own.said("display-currency-unknown")).toMatchObject([{ values: { symbol: "credits" } }]);
    const odd = map("new-api", { options: { [type]: "CNY", USDExchangeRate: "-1" } });
    expect(odd.value("DisplayCurrency")).toBeUndefined();
    expect(odd.said("option-refused")).toMatchObject([{ id: "USDExchangeRate" }]);
  });

  it("are points where new-api counts them, whatever its older switch says", () => {
    const { options } = map("new-api", { options: { [type]: "TOKENS", DisplayInCurrencyEnabled: "true" } });
    const switches = options.filter(({ key }) => key === "DisplayInCurrencyEnabled");
    expect(switches).toEqual([{ key: "DisplayInCurrencyEnabled", value: "false", isSecret: false }]);
  });
});

describe("prices of the source", () => {
  it("of one-api are ratios: input, and output by the completion ratio of options or code", () => {
    const { prices, value, said } = map("one-api-0.6", {
      options: {
        ModelRatio: { "gpt-4o": 1.25, own: 2, "gpt-4": 15, "m(17)": 3 },
        CompletionRatio: { own: 7 },
      },
    });
    expect(prices()).toEqual({
      "gpt-4o": { input: 2.5, output: 10 },
      own: { input: 4, output: 28 },
      "gpt-4": { input: 30, output: 60 },
    });
    expect(value("CacheBillingEnabled")).toBe("false");
    expect(said("price-per-channel-type")).toHaveLength(1);
    // The options of the same names mean something else here.
    expect(value("ModelRatio")).toBeUndefined();
    expect(value("CompletionRatio")).toBeUndefined();
  });

  it("of new-api: caches, sound, calls, and completion ratios that beat the option", () => {
    const { prices, said } = map("new-api", {
      options: {
        ModelRatio: { "gpt-5": 0.625, "claude-sonnet-4-5": 1.5, voice: 1, painter: 5, "vendor/gpt-5": 1 },
        CompletionRatio: { "gpt-5": 4, "vendor/gpt-5": 4, voice: 2 },
        CacheRatio: { "gpt-5": 0.1, "claude-sonnet-4-5": 0.1 },
        CreateCacheRatio: {},
        AudioRatio: { voice: 16 },
        AudioCompletionRatio: { voice: 2 },
        ImageRatio: { voice: 2 },
        ModelPrice: { painter: 0.04 },
      },
    });
    expect(prices()).toEqual({
      "gpt-5": { input: 1.25, output: 10, cacheRead: 0.125 },
      "claude-sonnet-4-5": { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 },
      voice: { input: 2, output: 4, cacheRead: 2, audioInput: 32, audioOutput: 64 },
      painter: { perCall: 0.04 },
      "vendor/gpt-5": { input: 2, output: 8, cacheRead: 2 },
    });
    expect(said("price-image-ratio")).toHaveLength(1);
  });

  it("of new-api that are expressions win, and are reported where they cannot be said", () => {
    const { prices, said } = map("new-api", {
      options: {
        ModelRatio: { a: 1, b: 1, c: 1 },
        "billing_setting.billing_mode": { a: "tiered_expr", b: "tiered_expr", c: "ratio" },
        "billing_setting.billing_expr": {
          a: 'len <= 200000 ? tier("s", p * 3 + c * 15) : tier("l", p * 6 + c * 22.5)',
          b: 'param("x") ? tier("s", p) : tier("l", p)',
          c: 'tier("s", p * 9)',
        },
      },
    });
    expect(prices().a).toMatchObject({ input: 3, tiers: [{ aboveTokens: 200_000, input: 6 }] });
    expect(prices().c).toMatchObject({ input: 2 });
    expect(prices().b).toBeUndefined();
    expect(said("price-expression")).toMatchObject([{ values: { name: "b" } }]);
  });

  it("count in the source's own points of quota", () => {
    const { prices, value } = map("one-api-0.6", {
      options: { QuotaPerUnit: "1000000", ModelRatio: { own: 3 } },
    });
    expect(prices().own).toEqual({ input: 3, output: 3 });
    expect(value("QuotaPerUnit")).toBe("1000000");
    for (const bad of ["0", "-1", "NaN", "x", "1e300", ""]) {
      const { prices: usual, value: written } = map("one-api-0.6", {
        options: { QuotaPerUnit: bad, ModelRatio: { own: 3 } },
      });
      expect(usual().own).toEqual({ input: 6, output: 6 });
      expect(written("QuotaPerUnit")).toBeUndefined();
    }
  });

  it("of new-api are those of the client's name: they are written under the name that is asked for", () => {
    const channel = { models: "alias,gpt-4o", model_mapping: '{"alias":"upstream-1"}' };
    const options = { ModelRatio: { alias: 2, "upstream-1": 1, "gpt-4o": 1.25 } };
    expect(map("new-api", { options, channels: [channel] }).prices()["upstream-1"]?.input).toBe(4);
    expect(map("one-api-0.6", { options, channels: [channel] }).prices()["upstream-1"]?.input).toBe(2);
  });

  it("that differ between two names of one upstream are reported, and the dearest is used unless the administrator chose another", () => {
    const source: Source = {
      options: { ModelRatio: { cheap: 1, dear: 5 } },
      channels: [{ models: "cheap,dear", model_mapping: '{"cheap":"u","dear":"u"}' }],
    };
    const { prices, said } = map("new-api", source);
    expect(prices().u?.input).toBe(10);
    expect(map("new-api", { ...source, priceDecision: "dearest" }).prices().u?.input).toBe(10);
    expect(map("new-api", { ...source, priceDecision: "cheapest" }).prices().u?.input).toBe(2);
    expect(said("price-conflict")).toMatchObject([{ values: { name: "u", aliases: "cheap, dear" } }]);
  });

  it("follow the names that a vendor alone has", () => {
    const { prices } = map("one-api-0.6", {
      options: { ModelRatio: { "claude-3-haiku-20240307": 0.125 } },
      channels: [{ type: 33, key: "A|S|us-east-1", models: "claude-3-haiku-20240307" }],
    });
    expect(prices()["anthropic.claude-3-haiku-20240307-v1:0"]).toEqual({ input: 0.25, output: 1.25 });
  });

  it("that the database does not have are the catalogue's, or missing, and both are told", () => {
    const { said, value } = map("new-api", { channels: [{ models: "gpt-4o,nobody-knows-it" }] });
    expect(value("ModelPrice")).toBeUndefined();
    expect(said("price-from-catalogue")).toMatchObject([{ values: { name: "gpt-4o" } }]);
    expect(said("price-missing")).toMatchObject([{ values: { name: "nobody-knows-it" } }]);
  });

  it("come from the running server where it was asked", () => {
    const answers = [
      {
        success: true,
        data: [
          { model_name: "a", quota_type: 0, model_ratio: 1, completion_ratio: 3 },
          { model_name: "b", quota_type: 1, model_price: 0.1, model_ratio: 0, completion_ratio: 0 },
        ],
        group_ratio: { default: 1, vip: 0.5 },
      },
      { success: true, data: { model_ratio: { a: 1 }, completion_ratio: { a: 3 }, model_price: { b: 0.1 } } },
      {
        success: true,
        data: [
          { key: "ModelRatio", value: '{"a":1}' },
          { key: "CompletionRatio", value: '{"a":3}' },
          { key: "ModelPrice", value: '{"b":0.1}' },
        ],
      },
    ];
    for (const answer of answers) {
      const { prices } = map("new-api", { pricing: JSON.stringify(answer) });
      expect(prices()).toMatchObject({ a: { input: 2, output: 6 }, b: { perCall: 0.1 } });
    }
    expect(map("new-api", { pricing: "<html>" }).prices()).toEqual({});
    // What is charged beats what versions of its code say.
    const charged = { data: [{ model_name: "gpt-5.1", quota_type: 0, model_ratio: 1, completion_ratio: 6 }] };
    expect(map("new-api", { pricing: JSON.stringify(charged) }).prices()["gpt-5.1"]?.output).toBe(12);
  });
});

describe("other options of the source", () => {
  it("that both sides have are imported as if an administrator had typed them; secrets are sealed and never printed", () => {
    const { value, options, remarks, said } = map("one-api-0.6", {
      options: {
        SystemName: "My site",
        RetryTimes: "3",
        SMTPPort: "not a port",
        SMTPToken: "the-mail-secret",
        GitHubOAuthEnabled: "true",
        GitHubClientId: "id",
        GitHubClientSecret: "the-github-secret",
        TurnstileCheckEnabled: "true",
        Theme: "berry",
        Unheard: "of",
        Notice: "line\u0000",
        EmptyOne: "",
      },
    });
    expect(value("SystemName")).toBe("My site");
    expect(value("RetryTimes")).toBe("3");
    expect(value("GitHubOAuthEnabled")).toBe("true");
    expect(value("TurnstileCheckEnabled")).toBeUndefined();
    expect(options.filter(({ isSecret }) => isSecret).map(({ key }) => key)).toEqual([
      "SMTPToken",
      "GitHubClientSecret",
    ]);
    expect(said("option-refused").map(({ id }) => id)).toEqual([
      "SMTPPort",
      "Notice",
      "TurnstileCheckEnabled",
    ]);
    expect(said("option-no-equal").map(({ id }) => id)).toEqual(["Theme"]);
    expect(said("option-unknown").map(({ id }) => id)).toEqual(["Unheard"]);
    expect(JSON.stringify(remarks)).not.toMatch(/the-mail-secret|the-github-secret/);
  });

  it("never take an option that has the same name and another meaning", () => {
    const options = Object.fromEntries(Object.keys(OPTIONS).map((key) => [key, "{}"]));
    const taken = map("new-api", { options: { ...options, ModelPrice: { m: 0.5 } } });
    expect(taken.value("ModelPrice")).toBe('{"m":{"perCall":0.5}}');
    expect(taken.value("ToolPrice")).toBeUndefined();
    expect(taken.value("PriceVersion")).toBeUndefined();
    expect(map("new-api", { options: { PriceVersion: "9" } }).value("PriceVersion")).toBeUndefined();
  });

  it("have every group that users or channels are in, at the ratio that it was charged", () => {
    const { value, said } = map("new-api", {
      options: { GroupRatio: { default: 1, vip: 0.5, bad: -1 } },
      channels: [{ group: "default,team" }],
      groups: ["vip", "friends"],
    });
    expect(JSON.parse(value("GroupRatio") ?? "")).toEqual({ default: 1, vip: 0.5, friends: 1, team: 1 });
    expect(said("group-added")).toHaveLength(2);
    expect(JSON.parse(map("one-api-0.6").value("GroupRatio") ?? "")).toEqual({ default: 1, vip: 1, svip: 1 });
  });

  it("let keys choose the same groups as before, at the ratios for users of other groups", () => {
    const options = {
      UserUsableGroups: { default: "Usual", premium: "Fast" },
      GroupGroupRatio: { vip: { premium: 0.8 } },
      AutoGroups: ["premium", "default"],
      "group_ratio_setting.group_special_usable_group": { vip: { "+:gold": "Best", "-:default": "" } },
    };
    const { value } = map("new-api", { options });
    expect(JSON.parse(value("UserUsableGroups") ?? "")).toEqual(options.UserUsableGroups);
    expect(JSON.parse(value("GroupGroupRatio") ?? "")).toEqual(options.GroupGroupRatio);
    expect(JSON.parse(value("GroupUsableGroups") ?? "")).toEqual({
      vip: { "+:gold": "Best", "-:default": "" },
    });
    expect(value("AutoGroups")).toBe("premium,default");
    // What its code has until a person saves another.
    expect(Object.keys(JSON.parse(map("new-api").value("UserUsableGroups") ?? ""))).toEqual([
      "default",
      "vip",
    ]);
    expect(map("one-api-0.6", { options }).value("UserUsableGroups")).toBeUndefined();
  });

  it("limit requests for each user of a group, where they count over a minute", () => {
    const options = {
      GroupRatio: { default: 1, vip: 1 },
      ModelRequestRateLimitEnabled: "true",
      ModelRequestRateLimitDurationMinutes: "1",
      ModelRequestRateLimitCount: "0",
      ModelRequestRateLimitSuccessCount: "60",
      ModelRequestRateLimitGroup: { vip: [200, 100] },
    };
    const limits = map("new-api", { options }).value("GroupLimits") ?? "";
    expect(JSON.parse(limits)).toEqual({
      default: { per_user: { rpm: 60 } },
      vip: { per_user: { rpm: 200 } },
    });
    expect(parseGroupLimits(limits)).not.toHaveProperty("fault");
    const long = map("new-api", { options: { ...options, ModelRequestRateLimitDurationMinutes: "5" } });
    expect(long.value("GroupLimits")).toBeUndefined();
    expect(long.said("option-limit-duration")).toHaveLength(1);
  });
});

const seed = 14_022;

describe(`option documents of any kind (seed ${seed})`, () => {
  const random = createRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const KEYS = [
    "ModelRatio",
    "CompletionRatio",
    "CacheRatio",
    "CreateCacheRatio",
    "AudioRatio",
    "AudioCompletionRatio",
    "ImageRatio",
    "ModelPrice",
    "GroupRatio",
    "QuotaPerUnit",
    "billing_setting.billing_mode",
    "billing_setting.billing_expr",
    "ModelRequestRateLimitEnabled",
    "ModelRequestRateLimitGroup",
    "RetryTimes",
  ];
  const NAMES = [
    "m",
    "gpt-5",
    "claude-3-opus",
    "__proto__",
    "constructor",
    "a/b",
    " ",
    "m(3)",
    "gpt-4-gizmo-*",
  ];
  const deep = `${"[".repeat(60_000)}${"]".repeat(60_000)}`;
  const value = (): unknown =>
    pick([0, 1, -1, 0.1, 1e-40, 1e308, 123_456_789_012_345, "NaN", null, true, [], {}, 1 / 3, "tiered_expr"]);
  const json = (): string =>
    pick([
      () =>
        `{${Array.from({ length: 4 }, () => `${JSON.stringify(pick(NAMES))}:${JSON.stringify(value())}`)}}`,
      () => JSON.stringify(value()),
      () => `{"m":1e999}`,
      () => deep,
      () => "{",
      () => "",
    ])();

  it("never throw, and never make a price that is negative, infinite or none", () => {
    for (let run = 0; run < 400; run += 1) {
      const series = pick(["one-api-0.5", "one-api-0.6", "new-api"] as const);
      const options = Object.fromEntries(KEYS.filter(() => random() < 0.7).map((key) => [key, json()]));
      const channels = [{ models: NAMES.join(","), model_mapping: json(), group: "default" }];
      const mapped = map(series, { options, channels, groups: ["__proto__"], pricing: json() });
      const prices = mapped.value("ModelPrice");
      if (prices !== undefined) expect(parseModelPrices(prices)).not.toHaveProperty("fault");
      for (const { key, value: text } of mapped.options)
        expect(`${key} ${text}`).not.toMatch(/NaN|Infinity|:-/);
      expect(new Set(mapped.options.map(({ key }) => key)).size).toBe(mapped.options.length);
    }
  });

  it("charge the same as the source, by its own formula, within the rounding of one point", async () => {
    for (let run = 0; run < 60; run += 1) {
      const ratio = Math.round(random() * 40_000) / 1000;
      const completion = Math.round(random() * 8000) / 1000;
      const group = Math.round(random() * 3000) / 1000;
      const { options } = map(pick(["one-api-0.6", "new-api"] as const), {
        options: {
          ModelRatio: { own: ratio },
          CompletionRatio: { own: completion },
          GroupRatio: { g: group },
        },
      });
      const loaded = await Options.load(
        { options: { all: async () => options } },
        { options: { put: async () => [] } },
      );
      const price = createPricing(loaded, Date.now).find("own", "g");
      const [prompt, written] = [Math.floor(random() * 100_000), Math.floor(random() * 20_000)];
      const decimal = (number: number) => parseDecimal(number)!;
      const tokens = parseDecimal(formatDecimal(decimal(prompt)))!;
      const unit = multiply(decimal(ratio), decimal(group));
      const of = (a: number, b: number) => multiply(multiply(decimal(a), decimal(b)), unit);
      const read = multiply(tokens, unit);
      const other = of(written, completion);
      const scale = Math.max(read.scale, other.scale);
      const sum = {
        digits:
          read.digits * 10n ** BigInt(scale - read.scale) + other.digits * 10n ** BigInt(scale - other.scale),
        scale,
      };
      const charged = Math.max(ratio * group > 0 && prompt + written > 0 ? 1 : 0, roundUp(sum));
      expect(Math.abs(priceAnswer(price!, prompt, written).quota - charged)).toBeLessThanOrEqual(1);
    }
  });
});
