import type { TestChat } from "@tollgate/contract/api/channel-upstream";
import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { CLIENT_PROTOCOLS, type UPSTREAM_PROTOCOLS } from "./protocols";
import { findModelRule } from "./shared/request/openai-model-rules";

/* Requests with which an administrator tests a channel, each in a client's protocol. */

/** Tokens of a chat's answer: enough to see it, too few to be of use for anything else. */
const MAX_ANSWER_TOKENS = 256;
/** A model that thinks needs some before its first word. */
const MAX_THINKING_TOKENS = 1024;

/** The client of each kind of chat. */
export const TRIAL_CLIENTS: Readonly<
  Record<TestChat, ClientProtocol & { readonly name: keyof typeof UPSTREAM_PROTOCOLS }>
> = {
  chat: CLIENT_PROTOCOLS["openai-chat"],
  responses: CLIENT_PROTOCOLS["openai-responses"],
  messages: CLIENT_PROTOCOLS["anthropic-messages"],
};

/** The client of requests that are no chat. */
export const OPERATION_CLIENT = CLIENT_PROTOCOLS["openai-chat"];

/** The body of a chat of one turn. */
export const trialBody = (endpoint: TestChat, model: string, prompt: string, stream: boolean) => {
  const isReasoning = findModelRule(model).isReasoning;
  const most = isReasoning ? MAX_THINKING_TOKENS : MAX_ANSWER_TOKENS;
  const common = { model, ...(stream ? { stream } : {}) };
  if (endpoint === "responses") return { ...common, input: prompt, max_output_tokens: most, store: false };
  const limit = isReasoning && endpoint === "chat" ? "max_completion_tokens" : "max_tokens";
  return { ...common, messages: [{ role: "user", content: prompt }], [limit]: most };
};
