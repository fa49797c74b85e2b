import type { FeatureCarriers } from "@tollgate/contract/relay/features";

/** Places of features in a request of this protocol. */
export const carries: FeatureCarriers = {
  outputLimit: "max_tokens",
  temperature: "temperature",
  topP: "top_p",
  topK: "top_k",
  stop: "stop_sequences|(cut)",
  reasoning: "thinking|output_config.effort",
  reasoningShown: "thinking",
  format: "output_config.format|(instructions)",
  strictFormat: "output_config.format",
  toolChoice: "tool_choice|(instructions)",
  singleToolCall: "tool_choice.disable_parallel_tool_use",
  strictTools: "tools[].strict",
  webSearch: "tools[].type=web_search",
  searchLocation: "tools[].user_location",
  searchLimit: "tools[].max_uses",
  searchDomains: "tools[].allowed_domains",
  blockedDomains: "tools[].blocked_domains",
  cacheMark:
    "tools[].cache_control|system[].cache_control|messages[].content[].cache_control|messages[].content[].content[].cache_control",
  endUser: "metadata.user_id",
};
