import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readArray } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { isReasoningEffort, REASONING_EFFORTS } from "../shared/request/reasoning-effort";
import { readInteger, readNumber, requireRecord } from "../shared/request/request-fields";
import { pickField, readField } from "./read-field";
import { readTexts } from "./read-texts";
import { readConfig } from "./request-summary";
import { toJsonSchema } from "./to-json-schema";

const MAX_INTEGER = 2 ** 31 - 1;

/**
 * Parses `generationConfig` (https://ai.google.dev/api/generate-content#generationconfig) except the limit, which
 * `summarizeRequest` reads. Answers other than text are refused.
 * @throws RequestInvalid
 */
export const parseConfig = (request: JsonRecord): Partial<ChatRequest> => {
  const config = readConfig(request);
  const modalities = readArray(readField(config, "responseModalities"));
  if (modalities.some((kind) => shownValue(kind).toUpperCase() !== "TEXT")) {
    throw new RequestInvalid({ code: "other-answers-than-text" }, "generationConfig.responseModalities");
  }
  const number = (field: string, min: number, max: number): number | undefined =>
    readNumber(pickField(config, field), field, min, max);
  return {
    temperature: number("temperature", 0, 2),
    topP: number("topP", 0, 1),
    topK: number("topK", 0, MAX_INTEGER),
    stopSequences: readTexts(readField(config, "stopSequences"), "generationConfig.stopSequences"),
    logprobs: parseLogprobs(config),
    seed: readInteger(config, "seed", -MAX_INTEGER - 1, MAX_INTEGER),
    presencePenalty: number("presencePenalty", -2, 2),
    frequencyPenalty: number("frequencyPenalty", -2, 2),
    reasoning: parseThinking(readField(config, "thinkingConfig")),
    showsReasoning: showsReasoning(readField(config, "thinkingConfig")),
    responseFormat: parseFormat(config),
  };
};

/** https://ai.google.dev/api/generate-content#generationconfig */
const MAX_LOGPROBS = 20;

const parseLogprobs = (config: JsonRecord): ChatRequest["logprobs"] => {
  const top = readInteger(pickField(config, "logprobs"), "logprobs", 0, MAX_LOGPROBS);
  return readField(config, "responseLogprobs") === true ? { top } : undefined;
};

/** A budget of 0 turns thinking off, -1 leaves it to the model. */
const parseThinking = (value: unknown): ChatRequest["reasoning"] => {
  if (value === undefined) return undefined;
  const thinking = requireRecord(value, "generationConfig.thinkingConfig");
  const level = readField(thinking, "thinkingLevel");
  const effort = typeof level === "string" ? level.toLowerCase() : undefined;
  if (effort !== undefined && effort !== "thinking_level_unspecified") {
    if (isReasoningEffort(effort)) return { effort };
    throw new RequestInvalid(
      { code: "unknown-value", field: "thinkingLevel", value: shownValue(level), allowed: REASONING_EFFORTS },
      "generationConfig.thinkingConfig",
    );
  }
  const field = "thinkingBudget";
  const budgetTokens = readInteger(pickField(thinking, field), field, -1, MAX_INTEGER);
  if (budgetTokens === 0) return { effort: "none" };
  return budgetTokens === undefined || budgetTokens < 0 ? undefined : { budgetTokens };
};

const showsReasoning = (thinking: unknown): boolean | undefined =>
  isRecord(thinking) && readField(thinking, "includeThoughts") === true ? true : undefined;

const parseFormat = (config: JsonRecord): ChatRequest["responseFormat"] => {
  const plain = readField(config, "responseJsonSchema");
  const schema = plain ?? readField(config, "responseSchema");
  const mediaType =
    readField(config, "responseMimeType") ?? (schema === undefined ? "text/plain" : "application/json");
  if (mediaType === "text/plain") return undefined;
  if (mediaType === "application/json" && schema === undefined) return { kind: "json" };
  if (isRecord(schema) && (mediaType === "application/json" || mediaType === "text/x.enum")) {
    return {
      kind: "json-schema",
      name: "response",
      schema: plain === schema ? schema : toJsonSchema(schema),
      // Here an answer always follows its schema.
      isStrict: true,
    };
  }
  throw new RequestInvalid(
    { code: "unsupported-value", field: "responseMimeType", value: shownValue(mediaType) },
    "generationConfig.responseMimeType",
  );
};
