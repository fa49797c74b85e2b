import type { ModelTrait } from "@tollgate/contract/api/pricing";

/** An endpoint of a client API that reaches a model. */
export interface ModelEndpoint {
  /** Whose API it is; a product's name, the same in every language. */
  api: string;
  address: string;
}

/** A chat is answered in each of these, whatever its upstream speaks (docs/reference/endpoints.md). */
const chatOf = (model: string): readonly ModelEndpoint[] => [
  { api: "OpenAI Chat Completions", address: "POST /v1/chat/completions" },
  { api: "OpenAI Responses", address: "POST /v1/responses" },
  { api: "Anthropic Messages", address: "POST /v1/messages" },
  { api: "Google Gemini", address: `POST /v1beta/models/${encodeURIComponent(model)}:generateContent` },
];

const OPERATIONS: Readonly<Partial<Record<ModelTrait, readonly ModelEndpoint[]>>> = {
  image: [
    { api: "OpenAI Images", address: "POST /v1/images/generations" },
    { api: "OpenAI Images", address: "POST /v1/images/edits" },
  ],
  speech: [{ api: "OpenAI Audio", address: "POST /v1/audio/speech" }],
  transcription: [{ api: "OpenAI Audio", address: "POST /v1/audio/transcriptions" }],
  rerank: [{ api: "Jina, Cohere", address: "POST /v1/rerank" }],
};

/** The endpoints that reach a model; empty where its use is not known. */
export const endpointsOf = (model: string, traits: readonly ModelTrait[] = []): readonly ModelEndpoint[] =>
  traits.flatMap((trait) => (trait === "chat" ? chatOf(model) : (OPERATIONS[trait] ?? [])));
