import type { UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { plainTurnsWithSystem } from "../shared/messages/plain-turns";
import { clamp } from "../shared/request/clamp";

/**
 * Builds an invocation; the model and streaming are in the address. The API has no limit on the answer.
 * @throws RequestInvalid for anything but text.
 */
export const buildRequest = (request: ChatRequest): UpstreamCall => ({
  path: `/api/paas/v3/model-api/${encodeURIComponent(request.model)}/${request.isStream ? "sse-invoke" : "invoke"}`,
  headers: {},
  body: {
    prompt: plainTurnsWithSystem(request).map(({ role, text }) => ({ role, content: text })),
    temperature: clamp(request.temperature, 0.01, 1),
    top_p: clamp(request.topP, 0.01, 0.99),
    incremental: true,
  },
});
