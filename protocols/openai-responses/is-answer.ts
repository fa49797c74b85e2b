import { carriesError } from "../shared/errors/error-details";
import { isRecord, readArray } from "../shared/json/json-values";
import { isTooMany } from "../shared/stream/bounded-parts";
import { readTexts } from "./read-response";
import { readUsage } from "./read-usage";

/**
 * Whether a whole body has content for the client. An answer without content counts only when the model demonstrably
 * worked for it: it was cut or filtered, or reports output tokens. A body with more items than any real answer is not
 * one.
 */
export const isAnswer = (body: unknown): boolean => {
  if (!isRecord(body) || carriesError(body) || !Array.isArray(body.output)) return false;
  if (isTooMany(body.output)) return false;
  if (body.status === "incomplete") return true;
  if (body.status !== undefined && body.status !== "completed") return false;
  return readArray(body.output).some(hasContent) || (readUsage(body).outputTokens ?? 0) > 0;
};

/** Calls, and results of built-in tools, count by themselves; reasoning alone does not. */
const hasContent = (item: unknown): boolean => {
  if (!isRecord(item) || typeof item.type !== "string" || item.type === "reasoning") return false;
  if (item.type !== "message") return true;
  return readTexts(item.content, "text") !== "" || readTexts(item.content, "refusal") !== "";
};
