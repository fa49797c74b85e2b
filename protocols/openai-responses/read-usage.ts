import { NO_USAGE, readCounter, type Usage } from "@tollgate/contract/relay/usage";
import { isRecord, readArray, readRecord } from "../shared/json/json-values";
import { withServedTier } from "../shared/usage/served-tier";
import { callIds } from "./extras";

/** Reads the usage of a whole Responses answer (https://platform.openai.com/docs/api-reference/responses/object). */
export const readUsage = (body: unknown): Usage => {
  const { usage, output, service_tier } = readRecord(body);
  const told = withServedTier(readCounters(usage), service_tier);
  const toolCallIds = callIds(readArray(output));
  return toolCallIds.length === 0 ? told : { ...told, toolCallIds };
};

const readCounters = (usage: unknown): Usage => {
  if (!isRecord(usage)) return NO_USAGE;
  const input = readCounter(usage.input_tokens);
  const output = readCounter(usage.output_tokens);
  if ((input ?? 0) + (output ?? 0) === 0) return NO_USAGE;
  const details = readRecord(usage.input_tokens_details);
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: readCounter(details.cached_tokens),
    cacheWriteTokens: readCounter(details.cache_write_tokens),
    reasoningTokens: readCounter(readRecord(usage.output_tokens_details).reasoning_tokens),
  };
};
