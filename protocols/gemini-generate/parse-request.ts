import { RequestInvalid, type RequestSummary } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, TextPart } from "@tollgate/contract/relay/request";
import { requireBody, requireRecord, requireString } from "../shared/request/request-fields";
import { applyDetail, readDetail } from "./media-resolution";
import { parseConfig } from "./parse-config";
import { listParts, parseContents } from "./parse-contents";
import { parseSearch, parseToolConfig, parseTools } from "./parse-tools";
import { readField } from "./read-field";
import { readConfig, requireContents, summarizeRequest } from "./request-summary";

/**
 * Parses a generateContent request (https://ai.google.dev/api/generate-content) for an upstream of another protocol.
 * Settings of Google's own filters (`safetySettings`) have no counterpart and are left out; content stored on Google's
 * servers (`cachedContent`) is refused.
 * @throws RequestInvalid
 */
export const parseRequest = (body: unknown, { model, isStream }: RequestSummary): ChatRequest => {
  const request = requireBody(body);
  const { choices, maxOutputTokens } = summarizeRequest(request, { model, isStream });
  if (choices > 1) {
    throw new RequestInvalid(
      { code: "several-answers", field: "candidateCount" },
      "generationConfig.candidateCount",
    );
  }
  if (readField(request, "cachedContent") !== undefined) {
    throw new RequestInvalid({ code: "unsupported-field", field: "cachedContent" });
  }
  const toolConfig = parseToolConfig(request);
  const tools = parseTools(request);
  const turns = parseContents(requireContents(request));
  applyDetail(turns, readDetail(readConfig(request)));
  return {
    model,
    system: parseInstruction(readField(request, "systemInstruction")),
    turns,
    // Naming several functions that may be called leaves no others.
    tools: toolConfig.allowed ? tools.filter(({ name }) => toolConfig.allowed?.includes(name)) : tools,
    toolChoice: toolConfig.choice,
    webSearch: toolConfig.choice?.kind === "none" ? undefined : parseSearch(request),
    maxOutputTokens,
    ...parseConfig(request),
    isStream,
    wantsUsageChunk: false,
  };
};

const parseInstruction = (value: unknown): TextPart[] => {
  if (value === undefined) return [];
  if (typeof value === "string") return [{ kind: "text", text: value }];
  const { parts } = requireRecord(value, "systemInstruction");
  return listParts(parts, "systemInstruction.parts").map((part, index) => ({
    kind: "text",
    text: requireString(part.text, `systemInstruction.parts[${index}].text`),
  }));
};
