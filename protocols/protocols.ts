import type { UpstreamOperations } from "@tollgate/contract/relay/operation";
import type {
  ClientProtocol,
  ClientProtocolName,
  ProtocolName,
  UpstreamProtocol,
} from "@tollgate/contract/relay/protocol";
import { aiproxyLibrary } from "./aiproxy-library/aiproxy-library";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages";
import { vertexUpstream as anthropicOnVertex } from "./anthropic-messages/vertex";
import { baidu } from "./baidu/baidu";
import { embeddings as baiduEmbeddings } from "./baidu/embeddings";
import { bedrockConverse } from "./bedrock-converse/bedrock-converse";
import { dashscope } from "./dashscope/dashscope";
import { embeddings as dashscopeEmbeddings } from "./dashscope/embeddings";
import { createImageOperations } from "./dashscope/images";
import { createSpeech } from "./dashscope/speech";
import { createTranscriptions } from "./dashscope/transcriptions";
import { embeddings as geminiEmbeddings } from "./gemini-generate/embeddings";
import { geminiGenerate } from "./gemini-generate/gemini-generate";
import {
  imageEdits as geminiEdits,
  imageGenerations as geminiGenerations,
  vertexImageEdits as vertexEdits,
} from "./gemini-generate/images";
import {
  transcriptions as geminiTranscriptions,
  translations as geminiTranslations,
} from "./gemini-generate/recordings";
import { speech as geminiSpeech } from "./gemini-generate/speech";
import { vertexEmbeddings } from "./gemini-generate/vertex-embeddings";
import { embeddings as hunyuanEmbeddings } from "./hunyuan/embeddings";
import { hunyuan } from "./hunyuan/hunyuan";
import { hunyuanLegacy } from "./hunyuan-legacy/hunyuan-legacy";
import { openaiChat } from "./openai-chat/openai-chat";
import { smallestChat } from "./openai-chat/smallest-chat";
import { ARK_IMAGES } from "./openai-operations/ark-images";
import { cohereRerank } from "./openai-operations/cohere-rerank";
import { minimaxSpeech } from "./openai-operations/minimax-speech";
import { minimaxTranscriptions } from "./openai-operations/minimax-transcriptions";
import { OPENAI_UPSTREAM_OPERATIONS } from "./openai-operations/openai-operations";
import { openaiResponses } from "./openai-responses/openai-responses";
import { palm } from "./palm/palm";
import { spark } from "./spark/spark";
import { zhipu } from "./zhipu/zhipu";

/** The protocols for clients. */
export const CLIENT_PROTOCOLS: Readonly<Record<ClientProtocolName, ClientProtocol>> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  "gemini-generate": geminiGenerate,
};

/** The protocols for upstreams. */
export const UPSTREAM_PROTOCOLS: Readonly<Record<ProtocolName, UpstreamProtocol>> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  "gemini-generate": geminiGenerate,
  "aiproxy-library": aiproxyLibrary,
  baidu,
  "bedrock-converse": bedrockConverse,
  dashscope,
  hunyuan,
  "hunyuan-legacy": hunyuanLegacy,
  palm,
  spark,
  zhipu,
};

/** Sound of Google's models, the same at all of its addresses. */
const GEMINI_SOUND: UpstreamOperations = {
  "audio/speech": geminiSpeech,
  "audio/transcriptions": geminiTranscriptions,
  "audio/translations": geminiTranslations,
};

/** Sound of Alibaba's models, which its addresses of OpenAI's shape do not offer. */
const createSound = (base: string): UpstreamOperations => ({
  "audio/speech": createSpeech(base),
  "audio/transcriptions": createTranscriptions(base),
});

const without = (operations: UpstreamOperations, name: string): UpstreamOperations =>
  Object.fromEntries(Object.entries(operations).filter(([each]) => each !== name));

/** Vendors that recognize speech but do not translate it. */
const UNTRANSLATED = without(OPENAI_UPSTREAM_OPERATIONS, "audio/translations");

/** Upstream operations other than chats, by protocol; a protocol that is missing has none. */
export const UPSTREAM_OPERATIONS: Readonly<Partial<Record<ProtocolName, UpstreamOperations>>> = {
  "openai-chat": OPENAI_UPSTREAM_OPERATIONS,
  "gemini-generate": {
    embeddings: geminiEmbeddings,
    "images/generations": geminiGenerations,
    "images/edits": geminiEdits,
    ...GEMINI_SOUND,
  },
  baidu: { embeddings: baiduEmbeddings },
  dashscope: { embeddings: dashscopeEmbeddings, ...createImageOperations(""), ...createSound("") },
  hunyuan: { embeddings: hunyuanEmbeddings },
};

/** Variants for Google's Vertex AI. */
export const VERTEX_PROTOCOLS: Readonly<Partial<Record<ProtocolName, UpstreamProtocol>>> = {
  "anthropic-messages": anthropicOnVertex,
};

/** Variants of the operations for special addresses (see VendorRoute.addressing). */
export const OPERATIONS_BY_ADDRESSING: Readonly<
  Record<string, Readonly<Partial<Record<ProtocolName, UpstreamOperations>>>>
> = {
  vertex: {
    "gemini-generate": {
      embeddings: vertexEmbeddings,
      "images/generations": geminiGenerations,
      "images/edits": vertexEdits,
      ...GEMINI_SOUND,
    },
  },
  // Chats in OpenAI's shape, pictures and sound in the vendor's own beside it.
  "model-studio": {
    "openai-chat": { ...UNTRANSLATED, ...createImageOperations("/api/v1"), ...createSound("/api/v1") },
  },
  ark: { "openai-chat": { ...OPENAI_UPSTREAM_OPERATIONS, ...ARK_IMAGES } },
  minimax: {
    "openai-chat": {
      ...UNTRANSLATED,
      "audio/speech": minimaxSpeech,
      "audio/transcriptions": minimaxTranscriptions,
    },
  },
  cohere: { "openai-chat": { ...OPENAI_UPSTREAM_OPERATIONS, rerank: cohereRerank } },
};

/** The smallest request, to see whether a channel answers. */
export const PROBE_REQUEST = { client: openaiChat, bodyFor: smallestChat };
