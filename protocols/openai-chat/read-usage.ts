import { NO_USAGE, readCounter, type Usage } from "@tollgate/contract/relay/usage";
import { isRecord, type JsonRecord, readRecord } from "../shared/json-values";
import { withServedTier } from "../shared/served-tier";

/** Reads the usage of a whole Chat Completions answer. */
export const readUsage = (body: unknown): Usage => {
  const { usage, service_tier } = readRecord(body);
  return withServedTier(readUsageObject(usage), service_tier);
};

/**
 * Finds the usage object of a stream's chunk: at the top (OpenAI), in `x_groq` (Groq) or in the choice (Moonshot).
 * @returns undefined when the chunk tells nothing.
 */
export const findChunkUsage = (chunk: JsonRecord): Usage | undefined => {
  const found = [
    chunk.usage,
    readRecord(chunk.x_groq).usage,
    readRecord(readFirst(chunk.choices)).usage,
  ].find(isRecord);
  if (!found) return undefined;
  const usage = readUsageObject(found);
  return usage === NO_USAGE ? undefined : withServedTier(usage, chunk.service_tier);
};

const readFirst = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/**
 * Reads a usage object (https://platform.openai.com/docs/api-reference/chat/object) with the spellings of vendors that
 * took over its shape: DeepSeek's `prompt_cache_hit_tokens`, Moonshot's `cached_tokens`, Qwen's
 * `cache_creation_input_tokens`.
 */
const readUsageObject = (value: unknown): Usage => {
  if (!isRecord(value)) return NO_USAGE;
  const input = readCounter(value.prompt_tokens) ?? readCounter(value.input_tokens);
  const output = readCounter(value.completion_tokens) ?? readCounter(value.output_tokens);
  // Only zeros are a placeholder that some vendors put into every chunk: no model reads zero tokens.
  if ((input === undefined || input === 0) && (output === undefined || output === 0)) return NO_USAGE;
  const inputDetails = readRecord(value.prompt_tokens_details ?? value.input_tokens_details);
  const outputDetails = readRecord(value.completion_tokens_details ?? value.output_tokens_details);
  const reasoning = readCounter(outputDetails.reasoning_tokens);
  return {
    inputTokens: input,
    ...withHiddenReasoning(input, output, reasoning, readCounter(value.total_tokens)),
    cacheReadTokens:
      readCounter(inputDetails.cached_tokens) ??
      readCounter(value.prompt_cache_hit_tokens) ??
      readCounter(value.cached_tokens),
    cacheWriteTokens:
      readCounter(inputDetails.cache_write_tokens) ?? readCounter(inputDetails.cache_creation_input_tokens),
    audioInputTokens: readCounter(inputDetails.audio_tokens),
    audioOutputTokens: readCounter(outputDetails.audio_tokens),
  };
};

/**
 * Some vendors (xAI) leave reasoning out of `completion_tokens` but not out of the total: the surplus was written by
 * the model too.
 */
const withHiddenReasoning = (
  input: number | undefined,
  output: number | undefined,
  reasoning: number | undefined,
  total: number | undefined,
): Pick<Usage, "outputTokens" | "reasoningTokens"> => {
  const surplus =
    input === undefined || output === undefined || total === undefined ? 0 : total - input - output;
  if (output === undefined || surplus <= 0) return { outputTokens: output, reasoningTokens: reasoning };
  if (reasoning === undefined) return { outputTokens: output + surplus, reasoningTokens: surplus };
  return { outputTokens: output + Math.min(surplus, reasoning), reasoningTokens: reasoning };
};
