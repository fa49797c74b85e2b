import { carriesError } from "../shared/errors/error-details";
import { isRecord, type JsonRecord, readArray } from "../shared/json/json-values";
import { isTooMany } from "../shared/stream/bounded-parts";
import { readFinishReason } from "./finish-reason";
import { isPromptBlocked, partsOf } from "./read-response";
import { readUsage } from "./read-usage";

/**
 * Tells whether a whole body gives the client something. A candidate without content counts only when the model
 * demonstrably worked for it: it was cut or filtered, or reports tokens that it wrote. That the prompt was blocked is
 * something that the client must know. One of more parts than any has is none.
 */
export const isAnswer = (body: unknown): boolean => {
  if (!isRecord(body) || carriesError(body)) return false;
  if (isPromptBlocked(body)) return true;
  const candidates = readArray(body.candidates).filter(isRecord);
  if (candidates.some((candidate) => isTooMany(partsOf(candidate)))) return false;
  if (candidates.some(hasContent)) return true;
  return candidates.length > 0 && (readUsage(body).outputTokens ?? 0) > 0;
};

const hasContent = (candidate: JsonRecord): boolean => {
  const reason = readFinishReason(candidate.finishReason, false);
  if (reason === "length" || reason === "content-filter") return true;
  return partsOf(candidate).some((part) => part.text !== "" && Object.keys(part).length > 0);
};
