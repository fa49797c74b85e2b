import type { ModelFacts } from "@tollgate/contract/relay/client-api";
import { describe, expect, it } from "vitest";
import { api as anthropic } from "./anthropic-messages/api";
import { api as gemini } from "./gemini-generate/api";
import { api } from "./openai-chat/api";

const facts: ModelFacts = {
  context: 128_000,
  outputLimit: 16_384,
  abilities: {
    inputs: ["text", "image"],
    outputs: ["text"],
    features: { tools: true, structured: false, files: true, streaming: true },
  },
  traits: ["chat", "cache"],
  endpointTypes: ["openai", "anthropic"],
  price: {
    input: 2.5,
    output: 10,
    cacheRead: 0.075,
    cacheWrite5m: 2.5,
    cacheWrite1h: 2.5,
    audioInput: 2.5,
    audioOutput: 10,
    tiers: [{ aboveTokens: 200_000, input: 5, output: 20 }],
  },
};
const model = { id: "m", owner: "someone" };

describe("a model of the list", () => {
  it("begins with the contract's fields byte for byte, whatever else is known", () => {
    const bare = JSON.stringify(api.models?.describe(model));
    const full = JSON.stringify(api.models?.describe({ ...model, facts }));
    expect(full.startsWith(`${bare.slice(0, -1)},`)).toBe(true);
  });

  it("has its facts by the names that clients know, prices as decimals per token", () => {
    expect(api.models?.describe({ ...model, facts })).toMatchObject({
      context_length: 128_000,
      top_provider: { context_length: 128_000, max_completion_tokens: 16_384 },
      pricing: {
        prompt: "0.0000025",
        completion: "0.00001",
        input_cache_read: "0.000000075",
        input_cache_write: "0.0000025",
        input_cache_write_1h: "0.0000025",
        tiers: [{ above_tokens: 200_000, prompt: "0.000005", completion: "0.00002" }],
      },
      max_output_tokens: 16_384,
      architecture: { input_modalities: ["text", "image", "file"], output_modalities: ["text"] },
      supported_parameters: ["tools", "tool_choice"],
      supported_endpoint_types: ["openai", "anthropic"],
      traits: ["chat", "cache"],
    });
  });

  it.each([
    [{ perCall: 0.04 }, { request: "0.04" }],
    [{ input: 0 }, { prompt: "0" }],
    [
      { input: 1, output: 2, audioInput: 32, audioOutput: 64 },
      { prompt: "0.000001", completion: "0.000002", audio: "0.000032", audio_output: "0.000064" },
    ],
  ])("shows the price %j as it is charged", (price, pricing) => {
    const described = api.models?.describe({
      ...model,
      facts: { traits: [], endpointTypes: [], price },
    });
    expect((described as { pricing: unknown }).pricing).toEqual(pricing);
  });

  it("has no field for what is unknown", () => {
    const described = api.models?.describe({ ...model, facts: { traits: [], endpointTypes: [] } });
    expect(described).toEqual(api.models?.describe(model));
  });

  it("has only fields of the vendor's own list for clients of Anthropic and Gemini", () => {
    expect(anthropic.models?.describe({ ...model, facts })).toEqual({
      type: "model",
      id: "m",
      display_name: "m",
      created_at: "1970-01-01T00:00:00Z",
      max_input_tokens: 128_000,
      max_tokens: 16_384,
    });
    expect(gemini.models?.describe({ ...model, facts })).toMatchObject({
      inputTokenLimit: 128_000,
      outputTokenLimit: 16_384,
    });
    expect(JSON.stringify(gemini.models?.describe({ ...model, facts }))).not.toMatch(/pricing|traits/);
  });
});
