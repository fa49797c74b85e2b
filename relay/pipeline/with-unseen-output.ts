import type { Usage } from "@tollgate/contract/relay/usage";
import { hiddenReasoning } from "@tollgate/metering/estimate";
import type { ReceivedStream } from "./answer-stream";

/**
 * Adds to the received part of a stream the hidden output that the upstream reported at its end.
 * @param hasCalls the end also tells of the vendor's tools that ran before the received part; otherwise only the calls in
 * that part count.
 */
export const withUnseenOutput = (
  received: ReceivedStream,
  told: Usage,
  hasCalls: boolean,
): ReceivedStream => {
  const content = received.delivered();
  const unseen = hiddenReasoning(told.reasoningTokens ?? 0, content) + (told.rejectedTokens ?? 0);
  const hidden = Math.min(unseen, told.outputTokens ?? 0);
  const estimatedTokens = content.estimatedTokens + hidden;
  return {
    usage: {
      ...told,
      outputTokens: received.usage.outputTokens,
      toolCalls: hasCalls ? told.toolCalls : received.usage.toolCalls,
      toolCallIds: received.usage.toolCallIds,
    },
    delivered: () => ({ ...content, estimatedTokens }),
  };
};
