import type { FieldNode, FieldTable } from "@tollgate/contract/relay/features";
import {
  asks,
  asksAll,
  holder,
  INFERENCE_GEO,
  openHolder,
  READ,
  readAll,
  SERVICE_TIER,
  STORE,
  THINKING,
  TOOL_CHOICE,
  USER_LOCATION,
} from "../shared/json/field-nodes";
import { isRecord } from "../shared/json/json-values";

const CONTENT = openHolder({
  ...readAll("type", "text", "refusal", "file", "input_audio"),
  image_url: openHolder({ url: READ, detail: asks("imageDetail", "auto") }),
  cache_control: asks("cacheMark"),
  citations: asks("citations"),
});

const MESSAGE: FieldTable = {
  ...readAll(
    "role",
    "tool_call_id",
    "tool_calls",
    "function_call",
    "refusal",
    "reasoning_content",
    "reasoning",
  ),
  content: CONTENT,
  name: asks("speakerName"),
  audio: asks("spokenHistory"),
  cache_control: asks("cacheMark"),
  ...asksAll("history", "annotations", "reasoning_details", "id", "status", "created"),
};

/** The name of a message with the role `function` identifies the call it answers. */
const MESSAGES: FieldNode = { fields: MESSAGE };

/** Google's own field for thinking, and other vendors' equivalents in this shape. */
const THINKING_CONFIG = holder({
  thinking_budget: asks("reasoning", -1),
  thinking_level: asks("reasoning"),
  include_thoughts: asks("reasoningShown", false),
});

const GOOGLE = holder({ thinking_config: THINKING_CONFIG, cached_content: asks("unknown") });

const EXTENSIONS: FieldTable = {
  thinking: THINKING,
  reasoning: holder({
    effort: asks("reasoning"),
    max_tokens: asks("reasoning"),
    enabled: asks("reasoning"),
    exclude: asks("unknown", false),
    summary: asks("reasoningShown"),
  }),
  ...asksAll("reasoning", "enable_thinking", "thinking_budget"),
  include_reasoning: { featureOf: (value) => (value === true ? "reasoningShown" : "unknown") },
  reasoning_format: asks("unknown"),
  top_k: asks("topK"),
  min_p: asks("minP"),
  inference_geo: INFERENCE_GEO,
  speed: asks("speed", "standard"),
  moderation: asks("moderation"),
  google: GOOGLE,
};

/** The feature that each field of a Chat Completions request requires. */
export const fields: FieldTable = {
  // The gateway interprets `models` and `route` itself; the others are refused when they request more than one text.
  ...readAll("model", "models", "route", "stream", "n", "modalities", "functions"),
  messages: MESSAGES,
  max_tokens: asks("outputLimit"),
  max_completion_tokens: asks("outputLimit"),
  temperature: asks("temperature", 1),
  top_p: asks("topP", 1),
  seed: asks("seed"),
  presence_penalty: asks("presencePenalty", 0),
  frequency_penalty: asks("frequencyPenalty", 0),
  logit_bias: asks("logitBias"),
  logprobs: asks("logprobs", false),
  top_logprobs: asks("logprobs", 0),
  stop: asks("stop"),
  prediction: asks("prediction"),
  reasoning_effort: asks("reasoning"),
  verbosity: asks("verbosity"),
  response_format: {
    featureOf: (value) => (isRecord(value) && value.type === "text" ? undefined : "format"),
    fields: {
      type: READ,
      json_schema: holder({
        name: asks("formatName"),
        description: asks("formatDescription"),
        schema: READ,
        strict: asks("strictFormat", false),
      }),
    },
  },
  tools: {
    fields: {
      type: READ,
      function: holder({
        ...readAll("name", "description", "parameters"),
        strict: asks("strictTools", false),
      }),
      custom: holder(readAll("name", "description", "format")),
      cache_control: asks("cacheMark"),
    },
  },
  tool_choice: TOOL_CHOICE,
  function_call: TOOL_CHOICE,
  parallel_tool_calls: asks("singleToolCall", true),
  web_search_options: {
    feature: "webSearch",
    isSwitch: true,
    fields: {
      search_context_size: asks("searchContext", "medium"),
      user_location: USER_LOCATION,
      filters: holder({ allowed_domains: asks("searchDomains"), blocked_domains: asks("blockedDomains") }),
      allowed_domains: asks("searchDomains"),
      blocked_domains: asks("blockedDomains"),
      max_uses: asks("searchLimit"),
    },
  },
  audio: asks("spokenAnswer"),
  prompt_cache_key: asks("cacheKey"),
  prompt_cache_retention: asks("cacheRetention"),
  cache_control: asks("automaticCache"),
  service_tier: SERVICE_TIER,
  store: STORE,
  metadata: asks("metadata"),
  user: asks("endUser"),
  safety_identifier: asks("endUser"),
  stream_options: holder({ include_usage: READ, include_obfuscation: asks("obfuscation") }),
  ...EXTENSIONS,
  extra_body: holder(EXTENSIONS),
};
