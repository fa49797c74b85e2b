import type { UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { plainTurnsWithSystem } from "../shared/messages/plain-turns";
import { clamp } from "../shared/request/clamp";

/** Both are part of the signature, so they are always sent. */
const DEFAULT_TEMPERATURE = 0.8;
const DEFAULT_TOP_P = 1;

/**
 * Builds a chat; account, time and query id are added when it is signed. The API has no limit on the answer, and no
 * choice of a model.
 * @throws RequestInvalid for anything but text.
 */
export const buildRequest = (request: ChatRequest): UpstreamCall => ({
  path: "/hyllm/v1/chat/completions",
  headers: {},
  body: {
    temperature: clamp(request.temperature, 0, 2) ?? DEFAULT_TEMPERATURE,
    top_p: clamp(request.topP, 0, 1) ?? DEFAULT_TOP_P,
    stream: request.isStream ? 1 : 0,
    messages: plainTurnsWithSystem(request).map(({ role, text }) => ({ role, content: text })),
  },
});
