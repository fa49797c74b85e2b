import type { ChatResponse } from "@tollgate/contract/relay/response";
import { isRecord, type JsonRecord, readArray, readString } from "../shared/json/json-values";
import { textAnswer } from "../shared/stream/text-answer";

/** Reads `{candidates: [{author, content}], filters}`, which never contains usage. */
export const readAnswer = (body: JsonRecord): ChatResponse | undefined => {
  const filters = readArray(body.filters);
  if (!Array.isArray(body.candidates) && filters.length === 0) return undefined;
  const candidate = readArray(body.candidates)[0];
  const text = isRecord(candidate) ? readString(candidate.content) : "";
  return textAnswer({
    id: "",
    text,
    finishReason: text === "" && filters.length > 0 ? "content-filter" : "stop",
  });
};
