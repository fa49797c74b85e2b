import type { Operation } from "@tollgate/contract/relay/operation";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, readArray } from "../shared/json/json-values";
import { readInputUsage } from "./read-usage";
import { readTextInput, requireInput } from "./text-input";

/** POST /v1/moderations: https://platform.openai.com/docs/api-reference/moderations */
export const moderations: Operation = {
  name: "moderations",
  input: "json",
  defaultModel: "text-moderation-stable",
  isBinary: false,

  summarizeRequest: ({ fields }) => ({
    isStream: false,
    wantsUsageChunk: false,
    prompt: readTextInput(requireInput(fields, "input")),
    maxOutputTokens: 0,
    units: undefined,
  }),

  // OpenAI reports no usage here, so it is counted; others (Mistral) report it.
  readAnswer: ({ body }) => {
    if (!isRecord(body) || carriesError(body) || readArray(body.results).length === 0) return undefined;
    return { usage: readInputUsage(body.usage), text: "", units: undefined };
  },

  events: undefined,
};
