import { NO_USAGE, readCounter, type Usage } from "@tollgate/contract/relay/usage";
import { isRecord, readRecord } from "../shared/json/json-values";

/**
 * Reads a usage object in the spelling of completions (`prompt_tokens`), of images and recordings (`input_tokens`), or
 * of rerankers (`total_tokens` alone). Only zeros are a placeholder: no model reads nothing.
 */
export const readTokenUsage = (value: unknown): Usage => {
  if (!isRecord(value)) return NO_USAGE;
  const output = readCounter(value.completion_tokens) ?? readCounter(value.output_tokens);
  const total = readCounter(value.total_tokens);
  const rest = total === undefined ? undefined : Math.max(0, total - (output ?? 0));
  const input = readCounter(value.prompt_tokens) ?? readCounter(value.input_tokens) ?? rest;
  if ((input ?? 0) + (output ?? 0) === 0) return NO_USAGE;
  // Recordings have the name without its plural: https://platform.openai.com/docs/api-reference/audio/json-object
  const details = readRecord(
    value.prompt_tokens_details ?? value.input_tokens_details ?? value.input_token_details,
  );
  return {
    ...NO_USAGE,
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: readCounter(details.cached_tokens),
    audioInputTokens: readCounter(details.audio_tokens),
  };
};

/** The usage of an answer whose model writes no text: only the input counts. */
export const readInputUsage = (value: unknown): Usage => ({ ...readTokenUsage(value), outputTokens: 0 });

export const isReported = (usage: Usage): boolean => (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) > 0;
