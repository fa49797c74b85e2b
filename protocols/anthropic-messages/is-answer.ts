import { carriesError } from "../shared/errors/error-details";
import { isRecord } from "../shared/json/json-values";
import { isTooMany } from "../shared/stream/bounded-parts";
import { readUsage } from "./read-usage";

/**
 * Whether a whole body has content for the client. Empty content counts only when the model demonstrably worked for it:
 * it was cut or refused, or reports output tokens. A body with more parts than any real answer is not one.
 */
export const isAnswer = (body: unknown): boolean => {
  if (!isRecord(body) || carriesError(body) || !Array.isArray(body.content)) return false;
  if (isTooMany(body.content)) return false;
  if (body.content.some(hasContent)) return true;
  if (body.stop_reason === "max_tokens" || body.stop_reason === "refusal") return true;
  return (readUsage(body).outputTokens ?? 0) > 0;
};

/** Every block except an empty text. */
const hasContent = (block: unknown): boolean =>
  isRecord(block) && typeof block.type === "string" && (block.type !== "text" || block.text !== "");
