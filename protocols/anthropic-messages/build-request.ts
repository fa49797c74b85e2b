import { RequestInvalid, type UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { hexHash } from "../shared/json/stable-hash";
import { formatWords } from "../shared/messages/format-words";
import { fitSchema } from "../shared/tools/anthropic-schema";
import type { Block } from "./build-blocks";
import { buildHead, buildMessages, type Message } from "./build-messages";
import { buildSampling } from "./build-sampling";
import { buildThinking, type Thinking } from "./build-thinking";
import { buildToolChoice, buildTools, forcedToolHint, isToolForced } from "./build-tools";
import { findModelRule, type ModelRule } from "./model-rules";

/**
 * Without a stream the API expects an answer within ten minutes and refuses limits that could take longer
 * (https://docs.anthropic.com/en/api/errors#long-requests).
 */
const MAX_WHOLE_ANSWER_TOKENS = 21_000;

/**
 * Builds a Messages request (https://docs.anthropic.com/en/api/messages) from the canonical one, within the model's
 * limits. Seed and penalties have no counterpart and are left out. Undefined fields disappear when the body is
 * serialized.
 * @throws RequestInvalid
 */
export const buildRequest = (request: ChatRequest): UpstreamCall => {
  const rule = findModelRule(request.model);
  const { thinking, effort, maxTokens, isOn } = decideThinking(request, rule);
  const format = rule.hasOutputFormat ? buildFormat(request.responseFormat) : undefined;
  const system = buildSystem(request, rule, format !== undefined);
  const messages = buildMessages(request.turns, rule);
  return {
    path: "/v1/messages",
    headers: { "anthropic-version": "2023-06-01" },
    body: {
      model: request.model,
      max_tokens: maxTokens,
      ...(messages.length > 0
        ? { system: system.length > 0 ? system : undefined, messages }
        : { messages: [instructionsAsTurn(system)] }),
      tools: buildTools(request, rule),
      tool_choice: buildToolChoice(request, rule.canForceTool),
      ...buildSampling(request, rule, isOn),
      stop_sequences: buildStopSequences(request.stopSequences),
      thinking,
      output_config: effort || format ? { effort, format } : undefined,
      metadata: request.endUserId === undefined ? undefined : { user_id: buildUserId(request.endUserId) },
      stream: request.isStream ? true : undefined,
    },
  };
};

/** `max_tokens` as it is sent: the client's limit may have been raised for a thinking budget. */
export const outputLimit = (request: ChatRequest): number =>
  decideThinking(request, findModelRule(request.model)).maxTokens;

const decideThinking = (request: ChatRequest, rule: ModelRule): Thinking => {
  const mostTokens = request.isStream
    ? rule.defaultMaxTokens
    : Math.min(rule.defaultMaxTokens, MAX_WHOLE_ANSWER_TOKENS);
  return buildThinking(request, rule, request.maxOutputTokens ?? mostTokens, mostTokens);
};

/**
 * The client's instructions, then those that replace fields which this API or this model does not have.
 * @param hasFormat whether the request has a field with the schema.
 */
const buildSystem = (request: ChatRequest, rule: ModelRule, hasFormat: boolean): string | Block[] => {
  const pieces: string[] = [];
  const { responseFormat } = request;
  if (responseFormat && !hasFormat) pieces.push(formatWords(responseFormat));
  if (isToolForced(request) && !rule.canForceTool) pieces.push(forcedToolHint(request));
  return buildHead(request.system, pieces);
};

/** A conversation that contains only instructions: they become a user turn. */
const instructionsAsTurn = (system: string | Block[]): Message => {
  if (system.length === 0) throw new RequestInvalid({ code: "nothing-to-send" }, "messages");
  return { role: "user", content: typeof system === "string" ? [{ type: "text", text: system }] : system };
};

/** @returns undefined for a schema that the API would refuse. */
const buildFormat = (format: ChatRequest["responseFormat"]): unknown => {
  const schema = format?.kind === "json-schema" ? fitSchema(format.schema) : undefined;
  return schema && { type: "json_schema", schema };
};

const buildStopSequences = (sequences: readonly string[] | undefined): string[] | undefined => {
  const usable = sequences?.filter((sequence) => sequence.trim() !== "");
  return usable && usable.length > 0 ? usable : undefined;
};

/** The API requires an id that does not identify a person. */
const buildUserId = (id: string): string => (id.includes("@") ? hexHash(id) : id);
