import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, TextPart } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readRecord } from "../shared/json/json-values";
import {
  readInteger,
  readList,
  readNumber,
  requireBody,
  requireMessages,
  requireRecord,
  requireString,
} from "../shared/request/request-fields";
import { parseTextBlocks } from "./parse-blocks";
import { parseMessages } from "./parse-messages";
import { parseReasoning, showsReasoning } from "./parse-reasoning";
import { parseTools } from "./parse-tools";
import { summarizeRequest } from "./request-summary";

/** Claude Code's first system block changes with every request and would defeat the upstream's prompt cache. */
const VOLATILE_SYSTEM = "x-anthropic-billing-header:";

/** Features that only Anthropic's servers have. */
const SERVER_FEATURES = ["mcp_servers", "container"] as const;

/**
 * Parses a Messages request (https://docs.anthropic.com/en/api/messages) for an upstream of another protocol. Hints
 * without a counterpart (`cache_control`, `service_tier` …) are left out.
 * @throws RequestInvalid
 */
export const parseRequest = (body: unknown): ChatRequest => {
  const request = requireBody(body);
  const { model, isStream, maxOutputTokens } = summarizeRequest(request);
  for (const field of SERVER_FEATURES) {
    const value = request[field];
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue;
    throw new RequestInvalid({ code: "unsupported-field", field });
  }
  const { system, turns } = parseMessages(requireMessages(request));
  return {
    model,
    system: [...parseSystem(request.system), ...system],
    turns,
    ...parseTools(request),
    maxOutputTokens,
    temperature: readNumber(request, "temperature", 0, 1),
    topP: readNumber(request, "top_p", 0, 1),
    topK: readInteger(request, "top_k", 0, 2 ** 31 - 1),
    stopSequences: parseStopSequences(request),
    reasoning: parseReasoning(request),
    showsReasoning: showsReasoning(request),
    responseFormat: parseFormat(request),
    endUserId: parseUserId(request.metadata),
    isStream,
    wantsUsageChunk: false,
  };
};

const parseSystem = (system: unknown): TextPart[] =>
  system === undefined || system === null
    ? []
    : parseTextBlocks(system, "system").filter((part) => !part.text.startsWith(VOLATILE_SYSTEM));

const parseStopSequences = (request: JsonRecord): string[] | undefined => {
  const list = readList(request.stop_sequences, "stop_sequences");
  return list.length === 0
    ? undefined
    : list.map((entry, index) => requireString(entry, `stop_sequences[${index}]`));
};

/** `output_config.format`, or `output_format` in its beta. Neither has a name for the schema. */
const parseFormat = (request: JsonRecord): ChatRequest["responseFormat"] => {
  const format = readRecord(request.output_config).format ?? request.output_format;
  if (format === undefined || format === null) return undefined;
  const { type, schema } = requireRecord(format, "output_config.format");
  if (type !== "json_schema") {
    throw new RequestInvalid({
      code: "not-one-of",
      field: "output_config.format.type",
      allowed: ["json_schema"],
    });
  }
  return {
    kind: "json-schema",
    name: "response",
    schema: requireRecord(schema, "output_config.format.schema"),
    // Here an answer always follows its schema.
    isStrict: true,
  };
};

const parseUserId = (metadata: unknown): string | undefined => {
  const id = isRecord(metadata) ? metadata.user_id : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
};
