import type { Operation } from "@tollgate/contract/relay/operation";
import type { EventInspection } from "@tollgate/contract/relay/protocol";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { readBoolean, readInteger, readTokenLimit } from "../shared/request/request-fields";
import { readOutputBounds } from "../shared/usage/output-bounds";
import { COMMON_MARKERS, createEventView, readTokens } from "./event-view";
import { isReported, readTokenUsage } from "./read-usage";
import { readTextInput } from "./text-input";

/** https://platform.openai.com/docs/api-reference/completions/create */
const MAX_CHOICES = 128;

const isFinished = (reason: unknown): boolean =>
  typeof reason === "string" && reason !== "" && reason !== "null";

/** A normal stop has no content for the client; a cut or filtered answer does. */
const isCut = (reason: unknown): boolean => isFinished(reason) && reason !== "stop";

const inspectChunk = (chunk: JsonRecord): Partial<EventInspection> => {
  let text = "";
  let isFinish = false;
  let isDelivery = false;
  for (const choice of readArray(chunk.choices)) {
    if (!isRecord(choice)) continue;
    text += readString(choice.text);
    isFinish ||= isFinished(choice.finish_reason);
    isDelivery ||= isCut(choice.finish_reason);
  }
  const usage = readTokenUsage(chunk.usage);
  return {
    text,
    isFinish,
    isDelivery: isDelivery || text !== "",
    ...(isReported(usage) ? { usage } : {}),
    isUsageOnly: Array.isArray(chunk.choices) && chunk.choices.length === 0 && isRecord(chunk.usage),
  };
};

/** Number of texts to continue: a list of texts, or of lists of token numbers, is several prompts. */
const countPrompts = (prompt: unknown): number =>
  Array.isArray(prompt) && typeof prompt[0] !== "number" ? Math.max(1, prompt.length) : 1;

/** POST /v1/completions, the forerunner of chats. */
export const completions: Operation = {
  name: "completions",
  input: "json",
  defaultModel: undefined,
  isBinary: false,

  summarizeRequest: ({ fields }) => {
    // An absent prompt is the beginning of a document; an empty one is a mistake (contract section 2.3).
    if (fields.prompt === "") {
      throw new RequestInvalid(
        { code: "field-missing", field: "prompt" },
        undefined,
        "required_field_missing",
      );
    }
    const choices = readInteger(fields, "n", 1, MAX_CHOICES) ?? 1;
    const written = Math.max(choices, readInteger(fields, "best_of", 1, MAX_CHOICES) ?? 1);
    const answers = written * countPrompts(fields.prompt);
    const hasLimit = readTokenLimit(fields, "max_tokens") !== undefined;
    const limit = readOutputBounds(fields, hasLimit).tokens;
    const isStream = readBoolean(fields, "stream") ?? false;
    return {
      isStream,
      wantsUsageChunk: isStream && readRecord(fields.stream_options).include_usage === true,
      prompt: readTextInput(fields.prompt, fields.suffix),
      maxOutputTokens: limit === undefined ? undefined : limit * answers,
      answers,
      units: undefined,
    };
  },

  readAnswer: ({ body }) => {
    if (!isRecord(body) || carriesError(body)) return undefined;
    const choices = readArray(body.choices).filter(isRecord);
    const text = choices.map((choice) => readString(choice.text)).join("");
    const usage = readTokenUsage(body.usage);
    const isWorkedFor = choices.length > 0 && (usage.outputTokens ?? 0) > 0;
    if (text === "" && !isWorkedFor && !choices.some((choice) => isCut(choice.finish_reason)))
      return undefined;
    return { usage, text, units: undefined };
  },

  events: {
    inspectEvent: createEventView(inspectChunk),
    markers: COMMON_MARKERS,
    amendBody: (fields) => {
      const options = readRecord(fields.stream_options);
      if (fields.stream !== true || options.include_usage === true) return undefined;
      return { stream_options: { ...options, include_usage: true } };
    },
    // A whole answer has the shape of a chunk.
    encodeWhole: (body) => `data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`,
    readStream: readTokens,
  },
};
