import type { ChatResponse } from "@tollgate/contract/relay/response";
import { type JsonRecord, readString } from "../shared/json/json-values";
import { textAnswer } from "../shared/stream/text-answer";
import { referenceList } from "./references";

/** Reads `{success, answer, documents}`, which contains no usage. */
export const readAnswer = (body: JsonRecord): ChatResponse | undefined => {
  const text = readString(body.answer);
  if (text === "") return undefined;
  return textAnswer({ id: "", text: text + referenceList(body.documents), finishReason: "stop" });
};
