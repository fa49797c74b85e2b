import type { Operation } from "@tollgate/contract/relay/operation";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, readArray, readString } from "../shared/json/json-values";
import { readInteger } from "../shared/request/request-fields";
import { readTokenUsage } from "./read-usage";
import { readTextInput, requireTextField } from "./text-input";

/** The same as for completions, whose shape it shares. */
const MAX_CHOICES = 128;

/**
 * POST /v1/edits (contract section 1.11): OpenAI has closed it, relays and vendors of its shape may still offer it.
 */
export const edits: Operation = {
  name: "edits",
  input: "json",
  defaultModel: undefined,
  isBinary: false,

  summarizeRequest: ({ fields }) => {
    const instruction = requireTextField(fields, "instruction");
    return {
      isStream: false,
      wantsUsageChunk: false,
      prompt: readTextInput(fields.input, instruction),
      maxOutputTokens: undefined,
      answers: readInteger(fields, "n", 1, MAX_CHOICES) ?? 1,
      units: undefined,
    };
  },

  readAnswer: ({ body }) => {
    if (!isRecord(body) || carriesError(body)) return undefined;
    const text = readArray(body.choices)
      .map((choice) => (isRecord(choice) ? readString(choice.text) : ""))
      .join("");
    return text === "" ? undefined : { usage: readTokenUsage(body.usage), text, units: undefined };
  },

  events: undefined,
};
