import type { Feature, FieldTable } from "@tollgate/contract/relay/features";
import {
  asks,
  asksAll,
  holder,
  INFERENCE_GEO,
  openHolder,
  READ,
  readAll,
  THINKING,
  USER_LOCATION,
} from "../shared/json/field-nodes";
import { isRecord, readString } from "../shared/json/json-values";

const INNER: FieldTable = {
  ...readAll("type", "text", "source", "title", "context"),
  cache_control: asks("cacheMark"),
  citations: {
    featureOf: (value) => (isRecord(value) && value.enabled !== true ? undefined : "citations"),
  },
  transformations: asks("imageChanges"),
};

/** The blocks of a conversation; blocks from earlier answers may be present without being read. */
const BLOCKS = openHolder({
  ...INNER,
  ...readAll("id", "name", "input", "tool_use_id", "is_error", "thinking", "signature", "data"),
  content: openHolder(INNER),
  ...asksAll("history", "caller", "toolset_name"),
});

const WEB_SEARCH = /^web_search_\d+$/;
const TOOL_SEARCH = /^tool_search_tool_/;

/** Tools that upstreams of other protocols run, or leave out; all others are functions, or are refused. */
const toolFeature = (tool: unknown): Feature | undefined => {
  const type = isRecord(tool) ? readString(tool.type) : "";
  if (WEB_SEARCH.test(type)) return "webSearch";
  return TOOL_SEARCH.test(type) ? "hostedToolSearch" : undefined;
};

/** Parallel calls are part of the tool choice here. */
const choiceFeature = (value: unknown): Feature | undefined =>
  isRecord(value) && (value.type === "any" || value.type === "tool") ? "toolChoice" : undefined;

/** The feature that each field of a Messages request requires. */
export const fields: FieldTable = {
  // The gateway interprets `models` and `route` itself; the others are refused when they request anything.
  ...readAll("model", "models", "route", "stream", "mcp_servers", "container"),
  messages: { fields: { role: READ, content: BLOCKS } },
  system: openHolder(INNER),
  max_tokens: asks("outputLimit"),
  temperature: asks("temperature", 1),
  top_p: asks("topP", 1),
  top_k: asks("topK"),
  stop_sequences: asks("stop"),
  thinking: THINKING,
  output_config: holder({
    effort: asks("reasoning"),
    format: holder(readAll("type", "schema"), "format"),
    task_budget: asks("taskBudget"),
  }),
  output_format: holder(readAll("type", "schema"), "format"),
  tools: {
    featureOf: toolFeature,
    fields: {
      ...readAll("type", "name", "description", "input_schema"),
      cache_control: asks("cacheMark"),
      strict: asks("strictTools", false),
      input_examples: asks("toolExamples"),
      allowed_callers: {
        featureOf: (value) => (value === "direct" ? undefined : "toolCallers"),
      },
      eager_input_streaming: asks("toolStreaming"),
      defer_loading: asks("deferredTools", false),
      allowed_domains: asks("searchDomains"),
      blocked_domains: asks("blockedDomains"),
      max_uses: asks("searchLimit"),
      user_location: USER_LOCATION,
    },
  },
  tool_choice: {
    featureOf: choiceFeature,
    fields: { ...readAll("type", "name"), disable_parallel_tool_use: asks("singleToolCall", false) },
  },
  cache_control: asks("automaticCache"),
  context_management: asks("contextManagement"),
  compaction: asks("contextManagement"),
  thread: asks("contextManagement"),
  service_tier: asks("vendorTier", "auto", "standard_only"),
  speed: asks("speed", "standard"),
  inference_geo: INFERENCE_GEO,
  fallbacks: asks("routing"),
  metadata: holder({ user_id: asks("endUser") }),
  ...asksAll(
    "diagnostics",
    "diagnostics",
    "betas",
    "billing_policy",
    "fallback_credit_token",
    "user_profile_id",
    "workspace_id",
  ),
};
