import type { ClientProtocolName, ProtocolName } from "@tollgate/contract/relay/protocol";

/** How a vendor speaks besides its main protocol; apart from its row, because only the relay needs it. */
export interface Speech {
  /**
   * Protocols that it speaks at the same address besides: a client of one of them is served in its own, so that the
   * bytes pass unchanged.
   */
  alsoSpeaks?: readonly ClientProtocolName[];
  /** Models that it offers in one protocol alone, whatever the client speaks; the first match counts. */
  modelProtocols?: readonly { match: RegExp; protocol: ProtocolName }[];
  /** Fields at the top of a request that it refuses instead of ignoring them: they are left out. */
  refusedFields?: readonly string[];
  /** Headers of a client that reach it besides those of its protocol, in lower case. */
  clientHeaders?: readonly string[];
}

const SPEECH: Readonly<Record<number, Speech>> = {
  // OpenAI. Its model pages (https://platform.openai.com/docs/models) name no other endpoint for these models.
  1: {
    clientHeaders: ["openai-beta"],
    alsoSpeaks: ["openai-responses"],
    modelProtocols: [
      { match: /-codex|^o\d.*-pro|^gpt-.*-pro|-deep-research|^computer-use/, protocol: "openai-responses" },
    ],
  },
  // DashScope: https://help.aliyun.com/zh/model-studio/qwen-api-reference
  17: { clientHeaders: ["x-dashscope-cachecontrol", "x-dashscope-datainspection"] },
  // Mistral: unknown fields are refused (https://docs.mistral.ai/api); the usage comes without being asked for.
  28: { refusedFields: ["stream_options", "user", "logit_bias", "logprobs", "top_logprobs", "store"] },
  // Volcengine Ark: https://www.volcengine.com/docs/82379
  40: { alsoSpeaks: ["openai-responses"] },
  // xAI: https://docs.x.ai/docs/api-reference
  45: { alsoSpeaks: ["openai-responses"], clientHeaders: ["x-grok-conv-id"] },
};

const NOTHING_ELSE: Speech = {};

/** @param type the channel type's number. */
export const speechOf = (type: number): Speech => SPEECH[type] ?? NOTHING_ELSE;

/**
 * Where `max_completion_tokens` is a limit by the vendor's own word; other upstreams of OpenAI's shape may know `max_tokens`
 * alone: https://platform.openai.com/docs/api-reference/chat/create, https://console.groq.com/docs/api-reference,
 * https://docs.x.ai/docs/api-reference, https://openrouter.ai/docs/api-reference/parameters.
 */
const COMPLETION_LIMIT_HOSTS =
  /^https:\/\/(?:api\.openai\.com|[\w-]+\.openai\.azure\.com|api\.groq\.com|api\.x\.ai|openrouter\.ai)$/;

/** Whether an upstream reads every limit that the Chat Completions API has. @param origin "https://host:port". */
export const readsEveryLimit = (origin: string): boolean => COMPLETION_LIMIT_HOSTS.test(origin);
