import type { Operation } from "@tollgate/contract/relay/operation";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, readArray } from "../shared/json/json-values";
import { readInputUsage } from "./read-usage";
import { readTextInput, requireInput } from "./text-input";

/** A vector as numbers, as base64, or as an object of several kinds of it. */
const hasVector = (item: unknown): boolean => {
  if (!isRecord(item)) return false;
  const { embedding } = item;
  return typeof embedding === "string" || Array.isArray(embedding)
    ? embedding.length > 0
    : isRecord(embedding);
};

/** POST /v1/embeddings: https://platform.openai.com/docs/api-reference/embeddings */
export const embeddings: Operation = {
  name: "embeddings",
  input: "json",
  defaultModel: undefined,
  isBinary: false,

  summarizeRequest: ({ fields }) => ({
    isStream: false,
    wantsUsageChunk: false,
    prompt: readTextInput(requireInput(fields, "input")),
    maxOutputTokens: 0,
    units: undefined,
  }),

  readAnswer: ({ body }) => {
    if (!isRecord(body) || carriesError(body)) return undefined;
    const data = readArray(body.data);
    if (data.length === 0 || !data.every(hasVector)) return undefined;
    return { usage: readInputUsage(body.usage), text: "", units: undefined };
  },

  events: undefined,
};
