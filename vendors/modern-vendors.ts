import type { Vendor } from "./vendor";

const model = (
  type: number,
  name: Vendor["name"],
  color: Vendor["color"],
  more: Partial<Vendor>,
): Vendor => ({
  type,
  name,
  category: "model",
  color,
  protocol: "openai-chat",
  baseUrl: "",
  auth: "bearer",
  presetModels: [],
  ...more,
});

const same = (name: string): Vendor["name"] => ({ zh: name, en: name });

/**
 * Vendors beyond the specification's list. Their type numbers are those of one-api, so that its channels can be taken
 * over; addresses are from each vendor's own API reference.
 */
export const MODERN_VENDORS: readonly Vendor[] = [
  model(24, same("Google Gemini"), "orange", {
    protocol: "gemini-generate",
    baseUrl: "https://generativelanguage.googleapis.com",
    auth: "x-goog-api-key",
    presetModels: ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-3.5-flash"],
  }),
  model(36, same("DeepSeek"), "blue", {
    baseUrl: "https://api.deepseek.com",
    presetModels: ["deepseek-chat", "deepseek-reasoner", "deepseek-v4-pro", "deepseek-v4-flash"],
  }),
  model(25, { zh: "月之暗面 Kimi", en: "Moonshot Kimi" }, "black", {
    baseUrl: "https://api.moonshot.cn",
    presetModels: ["kimi-latest", "kimi-k2.6", "moonshot-v1-8k", "moonshot-v1-32k", "moonshot-v1-128k"],
  }),
  model(27, same("MiniMax"), "red", {
    baseUrl: "https://api.minimaxi.com",
    presetModels: ["MiniMax-M3", "MiniMax-M2.5", "MiniMax-Text-01"],
  }),
  model(40, { zh: "火山方舟（豆包）", en: "Volcengine Ark (Doubao)" }, "blue", {
    baseUrl: "https://ark.cn-beijing.volces.com/api/v3",
    alsoSpeaks: ["openai-responses"],
    presetModels: ["doubao-seed-2-0-pro-260215", "doubao-seed-1-8-251228"],
  }),
  model(44, { zh: "硅基流动 SiliconFlow", en: "SiliconFlow" }, "violet", {
    baseUrl: "https://api.siliconflow.cn",
    presetModels: ["deepseek-ai/DeepSeek-V3.2", "deepseek-ai/DeepSeek-R1", "Qwen/Qwen3-32B", "BAAI/bge-m3"],
  }),
  model(28, same("Mistral"), "orange", {
    baseUrl: "https://api.mistral.ai",
    // Unknown fields are refused (https://docs.mistral.ai/api); the usage comes without being asked for.
    refusedFields: ["stream_options", "user", "logit_bias", "logprobs", "top_logprobs", "store"],
    presetModels: [
      "mistral-large-latest",
      "mistral-medium-latest",
      "mistral-small-latest",
      "codestral-latest",
    ],
  }),
  model(29, same("Groq"), "red", {
    baseUrl: "https://api.groq.com/openai",
    presetModels: ["llama-3.3-70b-versatile", "openai/gpt-oss-120b", "openai/gpt-oss-20b", "qwen/qwen3-32b"],
  }),
  model(45, same("xAI"), "black", {
    baseUrl: "https://api.x.ai",
    alsoSpeaks: ["openai-responses"],
    presetModels: ["grok-4.3", "grok-4-fast-reasoning", "grok-3", "grok-3-mini"],
  }),
  model(35, same("Cohere"), "teal", {
    baseUrl: "https://api.cohere.ai/compatibility",
    presetModels: ["command-a-03-2025", "command-r-plus-08-2024", "command-r-08-2024", "embed-v4.0"],
  }),
  // Its address holds the account's id: https://api.cloudflare.com/client/v4/accounts/<id>/ai
  model(37, same("Cloudflare Workers AI"), "orange", {
    presetModels: ["@cf/meta/llama-3.3-70b-instruct-fp8-fast", "@cf/openai/gpt-oss-120b", "@cf/baai/bge-m3"],
  }),
  model(30, same("Ollama"), "grey", {
    baseUrl: "http://localhost:11434",
    presetModels: ["llama3.3", "qwen3", "gpt-oss:20b", "nomic-embed-text"],
  }),
];
