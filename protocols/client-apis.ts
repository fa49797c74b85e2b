import type { ClientApi } from "@tollgate/contract/relay/client-api";
import { api as anthropicMessages } from "./anthropic-messages/api";
import { api as geminiGenerate } from "./gemini-generate/api";
import { api as openaiChat } from "./openai-chat/api";
import { OPERATION_ENDPOINTS } from "./openai-operations/endpoints";
import { api as openaiResponses } from "./openai-responses/api";

/** What is assumed of a client that is known by nothing; what is no chat is OpenAI's, and so are its errors. */
export const DEFAULT_API: ClientApi = {
  ...openaiChat,
  endpoints: [...openaiChat.endpoints, ...OPERATION_ENDPOINTS],
};

/** Every API that clients may speak. Where a request carries the marks of two of them, the later one counts. */
export const CLIENT_APIS: readonly ClientApi[] = [
  DEFAULT_API,
  openaiResponses,
  anthropicMessages,
  geminiGenerate,
];
