import type { Feature, FieldTable } from "@tollgate/contract/relay/features";
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
  TOOL_CHOICE,
  USER_LOCATION,
} from "../shared/json/field-nodes";
import { isRecord, readString } from "../shared/json/json-values";

/** Tools that upstreams of other protocols run, or leave out; all others are functions, or are refused. */
const toolFeature = (tool: unknown): Feature | undefined => {
  if (!isRecord(tool)) return undefined;
  const type = readString(tool.type);
  // No other vendor has the pages that OpenAI keeps.
  if (type.startsWith("web_search")) return tool.external_web_access === false ? "storedSearch" : "webSearch";
  if (type === "image_generation") return "imageGeneration";
  return type === "tool_search" && tool.execution !== "client" ? "hostedToolSearch" : undefined;
};

const OWN_TOOL: FieldTable = {
  ...readAll("type", "name", "description", "parameters", "format", "tools", "execution", "environment"),
  strict: asks("strictTools", false),
  defer_loading: asks("deferredTools", false),
  output_schema: asks("toolResponses"),
  allowed_callers: asks("toolCallers"),
};

const TOOLS = {
  featureOf: toolFeature,
  fields: {
    ...OWN_TOOL,
    tools: holder(OWN_TOOL),
    filters: holder({ allowed_domains: asks("searchDomains"), blocked_domains: asks("blockedDomains") }),
    allowed_domains: asks("searchDomains"),
    blocked_domains: asks("blockedDomains"),
    search_context_size: asks("searchContext", "medium"),
    search_content_types: asks("searchKinds"),
    user_location: USER_LOCATION,
    external_web_access: READ,
    // Fields of the picture tool, which is left out as a whole.
    ...asksAll(
      "imageGeneration",
      "action",
      "background",
      "input_fidelity",
      "input_image_mask",
      "model",
      "moderation",
      "output_compression",
      "output_format",
      "partial_images",
      "quality",
      "size",
    ),
  },
};

/** The element of `include` that requests token probabilities. */
export const LOGPROBS = "message.output_text.logprobs";

const includeFeature = (value: unknown): Feature => (value === LOGPROBS ? "logprobs" : "included");

/** The feature that each field of a Responses request requires. */
export const fields: FieldTable = {
  // The gateway interprets `models` and `route` itself; the others are refused when they request anything.
  ...readAll(
    "model",
    "models",
    "route",
    "stream",
    "instructions",
    "prompt",
    "previous_response_id",
    "conversation",
    "background",
  ),
  input: openHolder({
    type: READ,
    content: openHolder({ type: READ, detail: asks("imageDetail", "auto") }),
    output: openHolder({ type: READ, detail: asks("imageDetail", "auto") }),
    tools: TOOLS,
    phase: asks("history"),
  }),
  max_output_tokens: asks("outputLimit"),
  max_tool_calls: asks("searchLimit"),
  temperature: asks("temperature", 1),
  top_p: asks("topP", 1),
  top_logprobs: asks("logprobs", 0),
  reasoning: holder({
    effort: asks("reasoning"),
    summary: asks("reasoningShown"),
    generate_summary: asks("reasoningShown"),
  }),
  text: holder({
    format: {
      featureOf: (value) => (isRecord(value) && value.type === "text" ? undefined : "format"),
      fields: {
        ...readAll("type", "schema"),
        name: asks("formatName"),
        description: asks("formatDescription"),
        strict: asks("strictFormat", false),
      },
    },
    verbosity: asks("verbosity"),
  }),
  tools: TOOLS,
  tool_choice: TOOL_CHOICE,
  parallel_tool_calls: asks("singleToolCall", true),
  truncation: asks("truncation", "disabled"),
  context_management: asks("contextManagement"),
  include: { featureOf: includeFeature },
  prompt_cache_key: asks("cacheKey"),
  prompt_cache_retention: asks("cacheRetention"),
  service_tier: SERVICE_TIER,
  speed: asks("speed", "standard"),
  inference_geo: INFERENCE_GEO,
  moderation: asks("moderation"),
  store: STORE,
  metadata: asks("metadata"),
  client_metadata: asks("metadata"),
  user: asks("endUser"),
  safety_identifier: asks("endUser"),
  stream_options: holder({ include_obfuscation: asks("obfuscation") }),
};
