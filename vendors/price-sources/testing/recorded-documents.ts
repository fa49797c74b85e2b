/*
 * Excerpts of published documents with their original entries and fields, without unused fields (supported features).
 * All were read on 2026-11-22 in stored copies.
 */

/**
 * models.dev: providers/<seller>/models/<model>.toml of https://github.com/anomalyco/models.dev in the form of its
 * api.json: anthropic at 179029e9, google at 0760ceff. `openai` is another project's quotation of the document in its
 * tests.
 */
export const MODELS_DEV = {
  anthropic: {
    id: "anthropic",
    env: ["ANTHROPIC_API_KEY"],
    name: "Anthropic",
    models: {
      "claude-sonnet-4-5": {
        id: "claude-sonnet-4-5",
        name: "Claude Sonnet 4.5 (latest)",
        release_date: "2025-09-29",
        last_updated: "2025-09-29",
        cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
        limit: { context: 200_000, output: 64_000 },
      },
    },
  },
  google: {
    id: "google",
    env: ["GOOGLE_GENERATIVE_AI_API_KEY"],
    name: "Google",
    models: {
      "gemini-2.5-pro": {
        id: "gemini-2.5-pro",
        cost: {
          input: 1.25,
          output: 10,
          cache_read: 0.125,
          tiers: [{ input: 2.5, output: 15, cache_read: 0.25, tier: { type: "context", size: 200_000 } }],
          context_over_200k: { input: 2.5, output: 15, cache_read: 0.25 },
        },
        limit: { context: 1_048_576, output: 65_536 },
      },
    },
  },
  openai: {
    id: "openai",
    env: ["OPENAI_API_KEY"],
    name: "OpenAI",
    models: {
      "gpt-5.5": {
        id: "gpt-5.5",
        cost: {
          input: 5,
          output: 30,
          cache_read: 0.5,
          tiers: [{ input: 10, output: 45, cache_read: 1, tier: { type: "context", size: 272_000 } }],
          context_over_200k: { input: 10, output: 45, cache_read: 1 },
        },
        limit: { context: 1_050_000, input: 922_000, output: 128_000 },
      },
    },
  },
};

/** LiteLLM: model_prices_and_context_window.json of https://github.com/BerriAI/litellm at 00035b69. */
export const LITELLM = {
  sample_spec: {
    input_cost_per_token: 0,
    litellm_provider: "one of https://docs.litellm.ai/docs/providers",
    max_input_tokens: "max input tokens, if the provider specifies it. if not default to max_tokens",
    mode: "one of: chat, embedding, completion, image_generation, audio_transcription, audio_speech",
    output_cost_per_token: 0,
  },
  "claude-opus-4-1": {
    cache_creation_input_token_cost: 1.875e-5,
    cache_creation_input_token_cost_above_1hr: 3e-5,
    cache_read_input_token_cost: 1.5e-6,
    input_cost_per_token: 1.5e-5,
    litellm_provider: "anthropic",
    max_input_tokens: 200_000,
    max_output_tokens: 32_000,
    mode: "chat",
    output_cost_per_token: 7.5e-5,
  },
  "claude-sonnet-4-5-20250929-v1:0": {
    cache_creation_input_token_cost: 3.75e-6,
    cache_creation_input_token_cost_above_1hr: 6e-6,
    cache_creation_input_token_cost_above_1hr_above_200k_tokens: 1.2e-5,
    cache_read_input_token_cost: 3e-7,
    input_cost_per_token: 3e-6,
    input_cost_per_token_above_200k_tokens: 6e-6,
    output_cost_per_token_above_200k_tokens: 2.25e-5,
    cache_creation_input_token_cost_above_200k_tokens: 7.5e-6,
    cache_read_input_token_cost_above_200k_tokens: 6e-7,
    litellm_provider: "bedrock",
    max_input_tokens: 200_000,
    max_output_tokens: 64_000,
    mode: "chat",
    output_cost_per_token: 1.5e-5,
  },
  "eu.amazon.nova-lite-v1:0": {
    input_cost_per_token: 7.8e-8,
    litellm_provider: "bedrock_converse",
    max_input_tokens: 300_000,
    max_output_tokens: 10_000,
    mode: "chat",
    output_cost_per_token: 3.12e-7,
  },
  "embed-multilingual-v3.0": {
    input_cost_per_token: 1e-7,
    litellm_provider: "cohere",
    max_input_tokens: 1024,
    mode: "embedding",
    output_cost_per_token: 0,
  },
  // A thousand times its neighbours: a mistake of the published table.
  "embed-multilingual-light-v3.0": {
    input_cost_per_token: 0.0001,
    litellm_provider: "cohere",
    max_input_tokens: 1024,
    mode: "embedding",
    output_cost_per_token: 0,
  },
  "elevenlabs/scribe_v1": {
    input_cost_per_second: 6.11e-5,
    litellm_provider: "elevenlabs",
    mode: "audio_transcription",
    output_cost_per_second: 0,
  },
  "elevenlabs/eleven_v3": {
    input_cost_per_character: 0.00018,
    litellm_provider: "elevenlabs",
    mode: "audio_speech",
  },
  "aiml/flux-pro": { litellm_provider: "aiml", mode: "image_generation", output_cost_per_image: 0.065 },
  "1024-x-1024/dall-e-2": {
    input_cost_per_pixel: 1.9e-8,
    litellm_provider: "openai",
    mode: "image_generation",
    output_cost_per_pixel: 0,
  },
  "perplexity/search": { input_cost_per_query: 0.005, litellm_provider: "perplexity", mode: "search" },
};

/**
 * new-api's answer to GET /api/pricing: made after controller/pricing.go and model/pricing.go of
 * https://github.com/QuantumNous/new-api (09e9618a, 0067bd93), which define the fields and their meaning.
 */
export const GATEWAY_PRICING = {
  success: true,
  data: [
    {
      model_name: "claude-sonnet-4-5",
      vendor_id: 2,
      quota_type: 0,
      model_ratio: 1.5,
      model_price: 0,
      owner_by: "",
      completion_ratio: 5,
      cache_ratio: 0.1,
      create_cache_ratio: 1.25,
      enable_groups: ["default", "vip"],
      supported_endpoint_types: ["anthropic", "openai"],
    },
    {
      model_name: "gpt-4o-audio-preview",
      quota_type: 0,
      model_ratio: 1.25,
      model_price: 0,
      owner_by: "",
      completion_ratio: 4,
      audio_ratio: 16,
      audio_completion_ratio: 2,
      enable_groups: ["default"],
      supported_endpoint_types: ["openai"],
    },
    {
      model_name: "mj_imagine",
      quota_type: 1,
      model_ratio: 0,
      model_price: 0.1,
      owner_by: "",
      completion_ratio: 0,
      enable_groups: ["default"],
      supported_endpoint_types: ["openai"],
    },
    {
      model_name: "gpt-5.5",
      quota_type: 0,
      model_ratio: 2.5,
      model_price: 0,
      owner_by: "",
      completion_ratio: 6,
      billing_mode: "tiered_expr",
      billing_expr:
        'len <= 272000 ? tier("standard", p * 5 + c * 30) : tier("long_context", p * 10 + c * 45)',
      enable_groups: ["default"],
      supported_endpoint_types: ["openai"],
    },
  ],
  vendors: [{ id: 2, name: "Anthropic" }],
  group_ratio: { default: 1, vip: 0.8 },
  usable_group: { default: "", vip: "" },
  supported_endpoint: { openai: { path: "/v1/chat/completions", method: "POST" } },
  auto_groups: [],
  pricing_version: "a42d372ccf0b5dd13ecf71203521f9d2",
};
