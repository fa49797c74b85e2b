import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { encodeParts } from "./encode-parts";
import { encodeUsage } from "./encode-usage";
import { encodeFinishReason } from "./finish-reason";

/** Encodes a whole answer (https://ai.google.dev/api/generate-content#GenerateContentResponse). */
export const encodeResponse = (response: ChatResponse, stamp: AnswerStamp): unknown => {
  const parts = encodeParts(response.parts);
  if (response.refusal !== undefined) parts.push({ text: response.refusal });
  return {
    candidates: [
      {
        // Clients read the first part without looking whether there is one.
        content: { parts: parts.length === 0 ? [{ text: "" }] : parts, role: "model" },
        finishReason: encodeFinishReason(
          response.refusal === undefined ? response.finishReason : "content-filter",
        ),
        index: 0,
      },
    ],
    usageMetadata: encodeUsage(response.usage),
    modelVersion: stamp.model,
    responseId: response.id === "" ? stamp.id : response.id,
  };
};
