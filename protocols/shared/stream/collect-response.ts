import type { ChatResponse } from "@tollgate/contract/relay/response";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { mergeUsage, NO_USAGE } from "@tollgate/contract/relay/usage";
import { collectParts } from "./collect-parts";

/**
 * Assembles the parts of a stream to a whole answer, for upstreams that only stream.
 * @returns undefined when the stream failed, or broke off before its end.
 */
export const collectResponse = (stream: readonly StreamPart[]): ChatResponse | undefined => {
  const start = stream.find((part) => part.kind === "start");
  const finish = stream.find((part) => part.kind === "finish");
  if (!finish || stream.some((part) => part.kind === "error")) return undefined;
  let usage = NO_USAGE;
  for (const part of stream) if (part.kind === "usage") usage = mergeUsage(usage, part.usage);
  return {
    id: start?.id ?? "",
    model: start?.model ?? "",
    parts: collectParts(stream),
    finishReason: finish.reason,
    usage,
  };
};
