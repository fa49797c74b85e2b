import { carriesError } from "../shared/errors/error-details";
import { isRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { isTooMany } from "../shared/stream/bounded-parts";
import { readContent } from "./read-content";
import { readUsage } from "./read-usage";

/**
 * Whether a whole body has content for the client. A choice without content counts only when the model demonstrably
 * worked for it: it was cut or filtered, or reports output tokens. A body with more parts than any real answer is not
 * one.
 */
export const isAnswer = (body: unknown): boolean => {
  if (!isRecord(body) || carriesError(body)) return false;
  const choices = readArray(body.choices);
  if (choices.some(hasTooMuch)) return false;
  if (choices.some(hasContent)) return true;
  return choices.length > 0 && (readUsage(body).outputTokens ?? 0) > 0;
};

const hasTooMuch = (choice: unknown): boolean => {
  const { content, tool_calls } = readRecord(readRecord(choice).message);
  return isTooMany(content) || isTooMany(tool_calls);
};

const hasContent = (choice: unknown): boolean => {
  if (!isRecord(choice) || !isRecord(choice.message)) return false;
  const { message } = choice;
  if (choice.finish_reason === "length" || choice.finish_reason === "content_filter") return true;
  if (readArray(message.tool_calls).length > 0 || isRecord(message.function_call) || isRecord(message.audio))
    return true;
  const { text, reasoning } = readContent(message);
  return text !== "" || reasoning !== "" || readString(message.refusal) !== "";
};
