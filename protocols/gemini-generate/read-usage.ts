import { NO_USAGE, readCounter, type Usage } from "@tollgate/contract/relay/usage";
import { isRecord, readArray, readRecord } from "../shared/json/json-values";
import { readSearches } from "./extras";

/** Reads the usage of a whole answer, or of one event of a stream (https://ai.google.dev/api/generate-content#UsageMetadata). */
export const readUsage = (body: unknown): Usage => {
  const answer = readRecord(body);
  const told = readCounters(answer.usageMetadata);
  const toolCalls = readSearches(answer);
  return toolCalls === undefined ? told : { ...told, toolCalls };
};

const readCounters = (usageMetadata: unknown): Usage => {
  if (!isRecord(usageMetadata)) return NO_USAGE;
  const prompt = readCounter(usageMetadata.promptTokenCount);
  const candidates = readCounter(usageMetadata.candidatesTokenCount);
  const thoughts = readCounter(usageMetadata.thoughtsTokenCount);
  // Results of Google's own tools are read by the model, too.
  const input = add(prompt, readCounter(usageMetadata.toolUsePromptTokenCount));
  const output = add(candidates, thoughts);
  if ((input ?? 0) + (output ?? 0) === 0) return NO_USAGE;
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: readCounter(usageMetadata.cachedContentTokenCount),
    cacheWriteTokens: undefined,
    audioInputTokens: readSound(usageMetadata.promptTokensDetails),
    audioOutputTokens: readSound(usageMetadata.candidatesTokensDetails),
    reasoningTokens: thoughts,
  };
};

/** The tokens of sound, where counts are told apart: https://ai.google.dev/api/generate-content#ModalityTokenCount */
const readSound = (details: unknown): number | undefined => {
  const sound = readArray(details).find((each) => isRecord(each) && each.modality === "AUDIO");
  return readCounter(readRecord(sound).tokenCount);
};

/** This protocol omits counters of 0; a sum is unknown only when both are missing. */
const add = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
