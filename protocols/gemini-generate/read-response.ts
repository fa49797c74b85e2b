import type { ChatResponse } from "@tollgate/contract/relay/response";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { collectParts } from "../shared/stream/collect-parts";
import { AnswerParts } from "./answer-parts";
import { readFinishReason } from "./finish-reason";
import { readLogprobs } from "./logprobs";
import { readUsage } from "./read-usage";

/**
 * Reads a whole answer (https://ai.google.dev/api/generate-content#GenerateContentResponse); of several candidates the
 * first. A blocked prompt is an answer without content.
 * @returns undefined when the body is no such answer or carries an error.
 */
export const readResponse = (body: unknown): ChatResponse | undefined => {
  if (!isRecord(body) || carriesError(body)) return undefined;
  const candidate: unknown = readArray(body.candidates)[0];
  if (!isRecord(candidate) && !isPromptBlocked(body)) return undefined;
  const id = readString(body.responseId);
  const answer = new AnswerParts();
  const parts = withLogprobs(
    partsOf(candidate).flatMap((part) => answer.push(part, id)),
    readRecord(candidate),
  );
  const reason = readFinishReason(readRecord(candidate).finishReason, answer.hasToolCalls);
  return {
    id,
    model: readString(body.modelVersion),
    parts: collectParts(parts),
    finishReason: isPromptBlocked(body)
      ? "content-filter"
      : (reason ?? (answer.hasToolCalls ? "tool-calls" : "stop")),
    usage: readUsage(body),
  };
};

/** Adds a candidate's log probabilities to its text; they cover all of its parts. */
export const withLogprobs = (parts: StreamPart[], candidate: JsonRecord): StreamPart[] => {
  const logprobs = readLogprobs(candidate);
  const at = logprobs ? parts.findIndex(({ kind }) => kind === "text") : -1;
  return parts.map((part, index) =>
    index === at && part.kind === "text" && logprobs ? { ...part, logprobs } : part,
  );
};

/** The parts of a candidate. */
export const partsOf = (candidate: unknown): JsonRecord[] =>
  readArray(readRecord(readRecord(candidate).content).parts).filter(isRecord);

/** Whether the vendor refused to answer the prompt. */
export const isPromptBlocked = (body: JsonRecord): boolean => {
  const reason = readString(readRecord(body.promptFeedback).blockReason);
  return reason !== "" && reason !== "BLOCK_REASON_UNSPECIFIED" && reason !== "BLOCKED_REASON_UNSPECIFIED";
};
