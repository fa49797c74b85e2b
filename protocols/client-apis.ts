import type { ClientApi } from "@tollgate/contract/relay/client-api";
import { api as anthropicMessages } from "./anthropic-messages/api";
import { api as geminiGenerate } from "./gemini-generate/api";
import { api as openaiChat } from "./openai-chat/api";
import { OPERATION_ENDPOINTS } from "./openai-operations/endpoints";
import { api as openaiResponses } from "./openai-responses/api";

/**
 * The default for a client without recognizable marks; operations other than chats are OpenAI's, and so are their
 * errors.
 */
export const DEFAULT_API: ClientApi = {
  ...openaiChat,
  endpoints: [...openaiChat.endpoints, ...OPERATION_ENDPOINTS],
};

/** Every client API. If a request carries the marks of two of them, the later one applies. */
export const CLIENT_APIS: readonly ClientApi[] = [
  DEFAULT_API,
  openaiResponses,
  anthropicMessages,
  geminiGenerate,
];
