import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { TokenLogprob } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { joinLogprobs } from "../shared/answer/logprobs";
import { encodeParts } from "./encode-parts";
import { encodeUsage } from "./encode-usage";
import { encodeFinishReason } from "./finish-reason";
import { encodeLogprobs } from "./logprobs";

const logprobsOf = ({ parts }: ChatResponse): TokenLogprob[] | undefined =>
  parts.reduce<TokenLogprob[] | undefined>(
    (tokens, part) => (part.kind === "text" ? joinLogprobs(tokens, part.logprobs) : tokens),
    undefined,
  );

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
        ...encodeLogprobs(logprobsOf(response)),
      },
    ],
    usageMetadata: encodeUsage(response.usage),
    modelVersion: stamp.model,
    responseId: response.id === "" ? stamp.id : response.id,
  };
};
