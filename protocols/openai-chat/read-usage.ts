import { NO_USAGE, readCounter, type Usage } from "@tollgate/contract/relay/usage";
import { isRecord, type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { findModelRule } from "../shared/request/openai-model-rules";
import { withServedTier } from "../shared/usage/served-tier";

/** Reads the usage of a whole Chat Completions answer. */
export const readUsage = (body: unknown): Usage => {
  const { model, usage, service_tier } = readRecord(body);
  return withServedTier(readUsageObject(usage, model), service_tier);
};

/**
 * Finds the usage object of a stream's chunk: at the top level (OpenAI), in `x_groq` (Groq) or in the choice
 * (Moonshot).
 * @returns undefined when the chunk has none.
 */
export const findChunkUsage = (chunk: JsonRecord): Usage | undefined => {
  const found = [
    chunk.usage,
    readRecord(chunk.x_groq).usage,
    readRecord(readFirst(chunk.choices)).usage,
  ].find(isRecord);
  if (!found) return undefined;
  const usage = readUsageObject(found, chunk.model);
  return usage === NO_USAGE ? undefined : withServedTier(usage, chunk.service_tier);
};

const readFirst = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/**
 * Reads a usage object (https://platform.openai.com/docs/api-reference/chat/object) with the spellings of other vendors
 * of this shape: DeepSeek's `prompt_cache_hit_tokens`, Moonshot's `cached_tokens`, Qwen's
 * `cache_creation_input_tokens`.
 * @param model the model named in the answer.
 */
const readUsageObject = (value: unknown, model: unknown): Usage => {
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
    ...withHiddenReasoning(input, output, reasoning, readCounter(value.total_tokens), model),
    cacheReadTokens:
      readCounter(inputDetails.cached_tokens) ??
      readCounter(value.prompt_cache_hit_tokens) ??
      readCounter(value.cached_tokens),
    cacheWriteTokens:
      readCounter(inputDetails.cache_write_tokens) ?? readCounter(inputDetails.cache_creation_input_tokens),
    audioInputTokens: readCounter(inputDetails.audio_tokens),
    audioOutputTokens: readCounter(outputDetails.audio_tokens),
    rejectedTokens: readCounter(outputDetails.rejected_prediction_tokens),
  };
};

/** The longest answer of Gemini's, reasoning included: https://ai.google.dev/gemini-api/docs/models */
const MAX_UNTOLD = 65_536;

/**
 * Some vendors exclude reasoning from `completion_tokens` but not from the total: the surplus is output, too. xAI
 * reports the reasoning part, and only that much is accepted. Google reports only the total
 * (https://ai.google.dev/gemini-api/docs/openai#thinking): for models with hidden reasoning it is accepted up to the
 * maximum of one answer. Any other total is not a count of the output.
 */
const withHiddenReasoning = (
  input: number | undefined,
  output: number | undefined,
  reasoning: number | undefined,
  total: number | undefined,
  model: unknown,
): Pick<Usage, "outputTokens" | "reasoningTokens"> => {
  const surplus =
    input === undefined || output === undefined || total === undefined ? 0 : total - input - output;
  if (output === undefined || surplus <= 0) return { outputTokens: output, reasoningTokens: reasoning };
  if (reasoning !== undefined)
    return { outputTokens: output + Math.min(surplus, reasoning), reasoningTokens: reasoning };
  if (!findModelRule(readString(model)).hidesReasoning)
    return { outputTokens: output, reasoningTokens: undefined };
  const untold = Math.min(surplus, MAX_UNTOLD);
  return { outputTokens: output + untold, reasoningTokens: untold };
};
