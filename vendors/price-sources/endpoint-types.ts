/*
 * new-api's names of a model's endpoints, in `supported_endpoint_types` of its prices (constant/endpoint_type.go of
 * https://github.com/QuantumNous/new-api).
 */

/** Every client protocol reaches every chat model. */
export const CHAT_ENDPOINT_TYPES: readonly string[] = ["openai", "openai-response", "anthropic", "gemini"];
export const IMAGE_ENDPOINT_TYPE = "image-generation";
export const RERANK_ENDPOINT_TYPE = "jina-rerank";
