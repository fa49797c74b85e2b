import { parseModelPrices } from "@tollgate/contract/management/model-price";
import { describe, expect, test } from "vitest";
import { readPriceDocument } from "./read-price-document";
import { GATEWAY_PRICING, LITELLM, MODELS_DEV } from "./testing/recorded-documents";

const read = (value: unknown) => readPriceDocument(value, async () => {});

/** What a document says of a model: its price, or why there is none. */
const found = async (value: unknown, model: string): Promise<unknown> => {
  const document = await read(value);
  const price = document?.prices.find((each) => each.model === model);
  return price?.price ?? document?.refused.find((each) => each.model === model)?.fault;
};

/** A document of LiteLLM's shape with one model of the given facts. */
const litellm = (facts: Record<string, unknown>): unknown => ({
  m: { litellm_provider: "openai", mode: "chat", ...facts },
});

/** A document of models.dev's shape with one model of the given cost. */
const modelsDev = (cost: unknown): unknown => ({ openai: { models: { m: { id: "m", cost } } } });

describe("recorded documents", () => {
  test("models.dev: prices by million, longer prompts, limits", async () => {
    const document = await read(MODELS_DEV);
    expect(document?.kind).toBe("models.dev");
    expect(document?.refused).toEqual([]);
    expect(document?.prices).toEqual([
      {
        model: "claude-sonnet-4-5",
        seller: "anthropic",
        price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75 },
        context: 200_000,
        outputLimit: 64_000,
      },
      {
        model: "gemini-2.5-pro",
        seller: "google",
        price: {
          input: 1.25,
          output: 10,
          cacheRead: 0.125,
          tiers: [{ aboveTokens: 200_000, input: 2.5, output: 15, cacheRead: 0.25 }],
        },
        context: 1_048_576,
        outputLimit: 65_536,
      },
      {
        model: "gpt-5.5",
        seller: "openai",
        price: {
          input: 5,
          output: 30,
          cacheRead: 0.5,
          tiers: [{ aboveTokens: 272_000, input: 10, output: 45, cacheRead: 1 }],
        },
        context: 1_050_000,
        outputLimit: 128_000,
      },
    ]);
  });

  test("LiteLLM: prices by token are exact by million, and units count as tokens", async () => {
    expect((await read(LITELLM))?.kind).toBe("litellm");
    expect(await found(LITELLM, "claude-opus-4-1")).toEqual({
      input: 15,
      output: 75,
      cacheRead: 1.5,
      cacheWrite5m: 18.75,
      cacheWrite1h: 30,
    });
    expect(await found(LITELLM, "claude-sonnet-4-5-20250929-v1:0")).toEqual({
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
      tiers: [
        { aboveTokens: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite5m: 7.5, cacheWrite1h: 12 },
      ],
    });
    expect(await found(LITELLM, "eu.amazon.nova-lite-v1:0")).toEqual({ input: 0.078, output: 0.312 });
    expect(await found(LITELLM, "embed-multilingual-v3.0")).toEqual({ input: 0.1 });
    // 0.22 USD an hour; an hour counts 12,000 tokens.
    expect(await found(LITELLM, "elevenlabs/scribe_v1")).toEqual({ input: 18.33 });
    expect(await found(LITELLM, "scribe_v1")).toEqual({ input: 18.33 });
    expect(await found(LITELLM, "elevenlabs/eleven_v3")).toEqual({ input: 180 });
    expect(await found(LITELLM, "flux-pro")).toEqual({ perCall: 0.065 });
    expect(await found(LITELLM, "1024-x-1024/dall-e-2")).toBe("unit");
    for (const none of ["sample_spec", "perplexity/search"])
      expect(await found(LITELLM, none)).toBeUndefined();
  });

  test("another gateway: ratios become prices, formulas are told", async () => {
    expect((await read(GATEWAY_PRICING))?.kind).toBe("gateway");
    expect(await found(GATEWAY_PRICING, "claude-sonnet-4-5")).toEqual({
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
    });
    expect(await found(GATEWAY_PRICING, "gpt-4o-audio-preview")).toEqual({
      input: 2.5,
      output: 10,
      audioInput: 40,
      audioOutput: 80,
    });
    expect(await found(GATEWAY_PRICING, "mj_imagine")).toEqual({ perCall: 0.1 });
    expect(await found(GATEWAY_PRICING, "gpt-5.5")).toBe("unit");
  });

  test("every price that is read is one that the option ModelPrice takes", async () => {
    for (const value of [MODELS_DEV, LITELLM, GATEWAY_PRICING]) {
      const prices = (await read(value))?.prices ?? [];
      const text = JSON.stringify(Object.fromEntries(prices.map(({ model, price }) => [model, price])));
      expect(parseModelPrices(text)).toBeInstanceOf(Map);
    }
  });
});

describe("prices without a usable meaning", () => {
  test.each([
    ["zero", { input_cost_per_token: 0, output_cost_per_token: 1e-6 }],
    ["zero", { input_cost_per_token: 1e-6, output_cost_per_token: 0 }],
    ["output-missing", { input_cost_per_token: 1e-6 }],
    ["output-missing", { input_cost_per_token: 1e-6, output_cost_per_token: null }],
    ["not-a-price", { input_cost_per_token: -1e-6, output_cost_per_token: 1e-6 }],
    ["not-a-price", { input_cost_per_token: "NaN", output_cost_per_token: 1e-6 }],
    ["not-a-price", { input_cost_per_token: 1e-6, output_cost_per_token: { usd: 1 } }],
    ["not-a-price", { input_cost_per_token: 1e-6, output_cost_per_token: Number.POSITIVE_INFINITY }],
    [
      "not-a-price",
      { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6, cache_read_input_token_cost: -1 },
    ],
    ["too-high", { input_cost_per_token: 3, output_cost_per_token: 15 }],
    ["unit", { output_cost_per_token: 1e-6 }],
    ["unit", { mode: "image_generation", input_cost_per_pixel: 1e-6 }],
    ["zero", { mode: "image_generation", output_cost_per_image: 0 }],
    ["too-high", { mode: "image_generation", output_cost_per_image: 1e6 }],
    // Below a billionth of a dollar for a million tokens nothing is left of it.
    ["zero", { input_cost_per_token: 1e-18, output_cost_per_token: 1e-6 }],
  ])("%s: %o", async (fault, facts) => {
    expect(await found(litellm(facts), "m")).toBe(fault);
  });

  test.each([
    [[{ tier: { size: 0 }, input: 2, output: 2 }]],
    [[{ tier: { size: "many" }, input: 2, output: 2 }]],
    [["a tier"]],
    [
      [
        { tier: { size: 5 }, input: 2, output: 2 },
        { tier: { size: 5 }, input: 3, output: 3 },
      ],
    ],
    [Array.from({ length: 11 }, (_, index) => ({ tier: { size: index + 1 }, input: 2, output: 2 }))],
  ])("tiers that cannot be meant: %o", async (tiers) => {
    expect(await found(modelsDev({ input: 1, output: 1, tiers }), "m")).toBe("tiers");
  });

  test("no price of a part is told by 0, and a missing price of output is none", async () => {
    expect(
      await found(modelsDev({ input: 1, output: 2, cache_read: 0, cache_write: 0, input_audio: 0 }), "m"),
    ).toEqual({
      input: 1,
      output: 2,
    });
    expect(await found(modelsDev({ input: 1 }), "m")).toBe("output-missing");
  });
});

describe("exact decimals", () => {
  test("a drifting float is the price that was meant", async () => {
    const facts = {
      input_cost_per_token: 1.2000000000000002e-7,
      output_cost_per_token: 2.4000000000000003e-7,
    };
    expect(await found(litellm(facts), "m")).toEqual({ input: 0.12, output: 0.24 });
    expect(await found(modelsDev({ input: 0.1 + 0.2, output: "0.30" }), "m")).toEqual({
      input: 0.3,
      output: 0.3,
    });
  });

  test("ratios multiply without drift", async () => {
    const data = [
      { model_name: "m", quota_type: 0, model_ratio: 0.15, completion_ratio: 1.1, cache_ratio: 0.1 },
    ];
    expect(await found({ data }, "m")).toEqual({ input: 0.3, output: 0.33, cacheRead: 0.03 });
  });

  test("reasoning that costs more than output gets the price of output", async () => {
    expect(await found(modelsDev({ input: 1, output: 2, reasoning: 8.4 }), "m")).toEqual({
      input: 1,
      output: 8.4,
    });
    expect(await found(modelsDev({ input: 1, output: 2, reasoning: 1 }), "m")).toEqual({
      input: 1,
      output: 2,
    });
  });

  test("a field that a tier leaves out keeps its ratio to the input; a field that only the tier names is left out", async () => {
    const cost = {
      input: 2,
      output: 8,
      cache_read: 0.5,
      context_over_200k: { input: 3, output: 10, input_audio: 9 },
    };
    expect(await found(modelsDev(cost), "m")).toEqual({
      input: 2,
      output: 8,
      cacheRead: 0.5,
      tiers: [{ aboveTokens: 200_000, input: 3, output: 10, cacheRead: 0.75 }],
    });
  });

  test("steps of lengths are a price and its tiers", async () => {
    const tiered_pricing = [
      { range: [0, 32_000], input_cost_per_token: 1.2e-6, output_cost_per_token: 6e-6 },
      { range: [32_000, 128_000], input_cost_per_token: 2.4e-6, output_cost_per_token: 1.2e-5 },
    ];
    expect(await found(litellm({ tiered_pricing }), "m")).toEqual({
      input: 1.2,
      output: 6,
      tiers: [{ aboveTokens: 32_000, input: 2.4, output: 12 }],
    });
    expect(await found(litellm({ tiered_pricing: tiered_pricing.slice(1) }), "m")).toBe("tiers");
  });
});

describe("whose price holds", () => {
  const sellers = (prices: Record<string, number>): unknown =>
    Object.fromEntries(
      Object.entries(prices).map(([seller, input]) => [
        seller,
        { models: { m: { cost: { input, output: 2 * input } } } },
      ]),
    );

  test("the maker's, whatever others ask", async () => {
    expect(await found(sellers({ somebody: 1, openai: 3, another: 2 }), "m")).toEqual({
      input: 3,
      output: 6,
    });
  });

  test("without a maker the one that all agree on, else none", async () => {
    expect(await found(sellers({ somebody: 1, another: 1 }), "m")).toEqual({ input: 1, output: 2 });
    expect(await found(sellers({ somebody: 1, another: 2 }), "m")).toBe("several-prices");
  });

  test("a maker's price that cannot be meant is not replaced by another's", async () => {
    expect(await found(sellers({ openai: 0, another: 2 }), "m")).toBe("zero");
  });
});

describe("hostile documents", () => {
  test.each([
    undefined,
    null,
    1,
    "text",
    [],
    {},
    { data: "no list" },
    { data: [null, 1, {}, { model_name: 3 }] },
    { a: { models: "none" } },
    { a: { litellm_provider: 1 } },
  ])("%o is no price list", async (value) => {
    expect((await read(value))?.prices ?? []).toEqual([]);
  });

  test("a seller's name is told as far as names go, however many models say it", async () => {
    const seller = "s".repeat(1_000_000);
    const cost = { input: 1, output: 1 };
    const models = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`m${number}`, { cost }]));
    const document = await read({ [seller]: { models } });
    expect(document?.prices).toHaveLength(100);
    expect(document?.prices[0]?.seller).toBe("s".repeat(60));
  });

  test("no more than twenty thousand offers are read", async () => {
    const models = Object.fromEntries(
      Array.from({ length: 20_050 }, (_, number) => [`m${number}`, { cost: { input: 0 } }]),
    );
    expect((await read({ openai: { models } }))?.refused).toHaveLength(20_000);
  });

  test("a model without a usable name counts among them: it was read all the same", async () => {
    const facts = { litellm_provider: "x", input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 };
    const names = [...Array.from({ length: 20_000 }, (_, number) => `\u0001${number}`), "last"];
    const document = await read(Object.fromEntries(names.map((name) => [name, facts])));
    expect(document).toMatchObject({ prices: [], refused: [] });
  });

  test("no more lengths of prompts are looked at than a price may have", async () => {
    let looks = 0;
    const facts: Record<string, unknown> = {
      litellm_provider: "x",
      input_cost_per_token: 1e-6,
      output_cost_per_token: 1e-6,
    };
    for (let length = 1; length <= 20_000; length += 1)
      facts[`input_cost_per_token_above_${length}k_tokens`] = 1e-6;
    const watched = new Proxy(facts, {
      get(target, name) {
        looks += 1;
        return Reflect.get(target, name);
      },
    });
    expect(await found({ m: watched }, "m")).toBe("tiers");
    expect(looks).toBeLessThan(500);
  });

  test("names that no model has are left out, __proto__ is a name like any other", async () => {
    const facts =
      '{"litellm_provider":"x","mode":"chat","input_cost_per_token":1e-6,"output_cost_per_token":1e-6}';
    const names = ["__proto__", "constructor", "a\\u0000b", "a\\u202eb", " a", "a\\n", "", "x".repeat(201)];
    const value: unknown = JSON.parse(`{${names.map((name) => `"${name}":${facts}`).join(",")}}`);
    expect((await read(value))?.prices.map(({ model }) => model)).toEqual(["__proto__", "constructor"]);
    expect({}).not.toHaveProperty("litellm_provider");
  });
});
