import { carriesError } from "../shared/errors/error-details";
import { isRecord, type JsonRecord, readArray } from "../shared/json/json-values";
import { isTooMany } from "../shared/stream/bounded-parts";
import { readFinishReason } from "./finish-reason";
import { isPromptBlocked, partsOf } from "./read-response";
import { readUsage } from "./read-usage";

/**
 * Whether a whole body has content for the client. A candidate without content counts only when the model demonstrably
 * worked for it: it was cut or filtered, or reports output tokens. A blocked prompt counts, because the client must
 * know about it. A body with more parts than any real answer is not one.
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
