import type { FeatureCarriers } from "@tollgate/contract/relay/features";

/** Places of features in a request of this protocol. */
export const carries: FeatureCarriers = {
  outputLimit: "max_output_tokens",
  temperature: "temperature",
  topP: "top_p",
  logprobs: "include[]=message",
  stop: "(cut)",
  reasoning: "reasoning.effort",
  reasoningShown: "reasoning.summary",
  verbosity: "text.verbosity",
  format: "text.format",
  formatName: "text.format.name",
  formatDescription: "text.format.description",
  strictFormat: "text.format.strict=true",
  toolChoice: "tool_choice",
  singleToolCall: "parallel_tool_calls=false",
  strictTools: "tools[].strict=true",
  webSearch: "tools[].type=web_search",
  searchContext: "tools[].search_context_size",
  searchLocation: "tools[].user_location",
  searchLimit: "max_tool_calls",
  searchDomains: "tools[].filters.allowed_domains",
  blockedDomains: "tools[].filters.blocked_domains",
  imageDetail:
    "input[].content[].detail=low|input[].content[].detail=high|input[].content[].detail=original|input[].output[].detail=low|input[].output[].detail=high|input[].output[].detail=original",
  cacheKey: "prompt_cache_key",
  cacheRetention: "prompt_cache_retention",
  serviceTier: "service_tier",
  noStorage: "store=false",
  metadata: "metadata",
  endUser: "safety_identifier",
};
