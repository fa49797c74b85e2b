import type { UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { plainTurns } from "../shared/messages/plain-turns";
import { systemText } from "../shared/messages/system-text";

const AUTHORS = { user: "0", assistant: "1" } as const;

/** The clients' name of the only model ever offered. */
const CHAT_MODEL = "chat-bison-001";

/** @throws RequestInvalid for anything but text. */
export const buildRequest = (request: ChatRequest): UpstreamCall => {
  const model = /bison/.test(request.model) ? request.model : CHAT_MODEL;
  const context = systemText(request);
  const messages = plainTurns(request).map(({ role, text }) => ({ author: AUTHORS[role], content: text }));
  return {
    path: `/v1beta2/models/${encodeURIComponent(model)}:generateMessage`,
    headers: {},
    body: {
      prompt:
        messages.length > 0
          ? { context: context || undefined, messages }
          : { messages: [{ author: AUTHORS.user, content: context }] },
      temperature: request.temperature,
      candidateCount: 1,
      topP: request.topP,
      topK: request.topK,
    },
  };
};
