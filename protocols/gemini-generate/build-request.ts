import { RequestInvalid, type UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, Tool, ToolChoice } from "@tollgate/contract/relay/request";
import { formatWords } from "../shared/messages/format-words";
import { refuseRequiredSearch } from "../shared/tools/web-search";
import { buildContents, type Content } from "./build-contents";
import { buildThinking } from "./build-thinking";
import { callPath } from "./call-path";
import { buildResolution } from "./media-resolution";
import { findModelRule } from "./model-rules";

/** https://ai.google.dev/api/generate-content#generationconfig */
const MAX_STOP_SEQUENCES = 5;

/**
 * Builds a generateContent request (https://ai.google.dev/api/generate-content) from the canonical one. The end user
 * and `parallel_tool_calls` have no counterpart and are left out. Fields that are undefined disappear when the body is
 * serialised.
 * @throws RequestInvalid
 */
export const buildRequest = (request: ChatRequest): UpstreamCall => {
  const rule = findModelRule(request.model);
  const hasTools = request.tools.length > 0 || request.webSearch !== undefined;
  const hasFormat = rule.formatsBesideTools || !hasTools;
  const system = buildSystem(request, hasFormat);
  const contents = buildContents(request.turns, rule.sealsCalls);
  const isApart = rule.hasInstruction && contents.length > 0;
  return {
    path: callPath(request.model, request.isStream),
    headers: {},
    body: {
      systemInstruction: isApart && system !== "" ? { parts: [{ text: system }] } : undefined,
      contents: isApart ? contents : withInstruction(system, contents),
      ...buildTools(request),
      generationConfig: {
        maxOutputTokens: request.maxOutputTokens,
        temperature: request.temperature,
        topP: request.topP,
        topK: request.topK,
        stopSequences: buildStopSequences(request.stopSequences),
        seed: request.seed,
        presencePenalty: request.presencePenalty,
        frequencyPenalty: request.frequencyPenalty,
        ...(hasFormat ? buildFormat(request.responseFormat) : {}),
        responseLogprobs: request.logprobs ? true : undefined,
        logprobs: request.logprobs?.top || undefined,
        thinkingConfig: buildThinking(request, rule),
        mediaResolution: buildResolution(request),
      },
    },
  };
};

/** @param hasFormat whether fields carry the answer's format; otherwise the instructions request it. */
const buildSystem = ({ system, responseFormat }: ChatRequest, hasFormat: boolean): string => {
  const texts = system.map((part) => part.text).filter((text) => text.trim() !== "");
  if (responseFormat && !hasFormat) texts.push(formatWords(responseFormat));
  return texts.join("\n\n");
};

/**
 * Instructions as the first user turn: for models without a field for them, and for conversations without other turns.
 */
const withInstruction = (system: string, contents: readonly Content[]): Content[] => {
  if (system === "" && contents.length === 0) {
    throw new RequestInvalid({ code: "nothing-to-send" }, "messages");
  }
  if (system === "") return [...contents];
  const [first, ...others] = contents;
  const parts = [{ text: system }];
  if (first?.role !== "user") return [{ role: "user", parts }, ...contents];
  return [{ role: "user", parts: [...parts, ...first.parts] }, ...others];
};

/** Functions and Google's search exclude each other (https://ai.google.dev/gemini-api/docs/google-search). */
const buildTools = (request: ChatRequest): Record<string, unknown> => {
  const { tools, toolChoice, webSearch } = request;
  if (tools.length === 0) return webSearch ? { tools: [{ googleSearch: {} }] } : {};
  refuseRequiredSearch(request);
  return {
    tools: [{ functionDeclarations: tools.map(buildFunction) }],
    toolConfig: toolChoice && { functionCallingConfig: buildChoice(toolChoice) },
  };
};

/** Plain JSON Schema goes into a separate field; the older one supports only a part of OpenAPI's. */
const buildFunction = ({ name, description, parameters }: Tool): unknown => ({
  name,
  description,
  parametersJsonSchema: parameters,
});

const buildChoice = (choice: ToolChoice): unknown => {
  switch (choice.kind) {
    case "auto":
      return { mode: "AUTO" };
    case "none":
      return { mode: "NONE" };
    case "required":
      return { mode: "ANY" };
    case "tool":
      return { mode: "ANY", allowedFunctionNames: [choice.name] };
  }
};

const buildFormat = (format: ChatRequest["responseFormat"]): Record<string, unknown> => {
  if (format === undefined) return {};
  const schema = format.kind === "json-schema" ? format.schema : undefined;
  return { responseMimeType: "application/json", responseJsonSchema: schema };
};

const buildStopSequences = (sequences: readonly string[] | undefined): string[] | undefined => {
  const usable = sequences?.filter((sequence) => sequence !== "");
  return usable && usable.length > 0 ? usable.slice(0, MAX_STOP_SEQUENCES) : undefined;
};
