import type { VendorForm } from "./vendor-card";

/** Written from the vendors' files: UPDATE_DOCS=1 npx vitest run vendors */
export const VENDOR_FORMS: Readonly<Record<number, VendorForm>> = {
  1: {
    category: "model",
    baseUrl: "https://api.openai.com",
  },
  2: {
    category: "relay",
    baseUrl: "https://oa.api2d.net",
  },
  3: {
    category: "model",
    baseUrl: "",
    baseUrlField: {
      label: "AZURE_OPENAI_ENDPOINT",
      example: "https://docs-test-001.openai.azure.com",
    },
    other: {
      meaning: "api-version",
      default: "2023-06-01-preview",
    },
  },
  4: {
    category: "relay",
    baseUrl: "https://api.closeai-proxy.xyz",
  },
  5: {
    category: "relay",
    baseUrl: "https://api.openai-sb.com",
  },
  6: {
    category: "relay",
    baseUrl: "https://api.openaimax.com",
  },
  7: {
    category: "relay",
    baseUrl: "https://api.ohmygpt.com",
  },
  8: {
    category: "custom",
    baseUrl: "",
    baseUrlField: {
      example: "https://api.example.com",
    },
  },
  9: {
    category: "relay",
    baseUrl: "https://api.caipacity.com",
  },
  10: {
    category: "relay",
    baseUrl: "https://api.aiproxy.io",
  },
  11: {
    category: "model",
    baseUrl: "https://generativelanguage.googleapis.com",
    models: ["PaLM-2"],
  },
  12: {
    category: "relay",
    baseUrl: "https://api.api2gpt.com",
  },
  13: {
    category: "relay",
    baseUrl: "https://api.aigc2d.com",
  },
  14: {
    category: "model",
    baseUrl: "https://api.anthropic.com",
    models: [
      "claude-fable-5-1",
      "claude-opus-5-5",
      "claude-sonnet-5-5",
      "claude-haiku-5-5",
      "claude-opus-5",
      "claude-sonnet-5",
      "claude-opus-4-5",
      "claude-sonnet-4-5",
      "claude-haiku-4-5",
    ],
  },
  15: {
    category: "model",
    baseUrl: "https://aip.baidubce.com",
    keyFormat: "APIKey|SecretKey",
    models: [
      "ernie-5.1",
      "ernie-5.0",
      "ernie-4.5-turbo-128k",
      "ernie-4.5-turbo-32k",
      "ernie-4.5-turbo-vl",
      "Embedding-V1",
    ],
  },
  16: {
    category: "model",
    baseUrl: "https://open.bigmodel.cn",
    models: [
      "glm-5.3",
      "glm-5.3-flash",
      "glm-5.2",
      "glm-5.1",
      "glm-5-turbo",
      "glm-5",
      "glm-4.7",
      "glm-4.7-flash",
      "glm-4.6v",
      "glm-4-plus",
      "embedding-3",
    ],
  },
  17: {
    category: "model",
    baseUrl: "https://dashscope.aliyuncs.com",
    models: [
      "qwen3.7-max",
      "qwen3.6-plus",
      "qwen3.6-flash",
      "qwen3.5-plus",
      "qwen3.5-flash",
      "qwen3-max",
      "qwen3-vl-plus",
      "qwen-plus",
      "qwen-flash",
      "qwen-turbo",
      "qwen-long",
      "text-embedding-v4",
    ],
  },
  18: {
    category: "model",
    baseUrl: "https://spark-api.xf-yun.com",
    keyFormat: "APPID|APISecret|APIKey",
    other: {
      meaning: "model-version",
      default: "v2.1",
    },
    models: ["SparkDesk", "4.0Ultra", "generalv3.5", "generalv3"],
  },
  19: {
    category: "model",
    baseUrl: "https://ai.360.cn",
    models: ["360GPT_S2_V9", "embedding-bert-512-v1", "embedding_s1_v1", "semantic_similarity_s1_v1"],
  },
  20: {
    category: "relay",
    baseUrl: "https://openrouter.ai/api",
  },
  21: {
    category: "knowledge-base",
    baseUrl: "https://api.aiproxy.io",
    other: {
      meaning: "knowledge-base-id",
    },
  },
  22: {
    category: "knowledge-base",
    baseUrl: "https://fastgpt.run/api/openapi",
    keyFormat: "APIKey-AppId",
    other: {
      meaning: "private-address",
    },
  },
  23: {
    category: "model",
    baseUrl: "https://hunyuan.tencentcloudapi.com",
    keyFormat: "AppId|SecretId|SecretKey",
    models: ["hunyuan-2.0-thinking-20251109", "hunyuan-2.0-instruct-20251111", "hy3-preview"],
  },
  24: {
    category: "model",
    baseUrl: "https://generativelanguage.googleapis.com",
    models: [
      "gemini-3.8-flash",
      "gemini-3.5-flash",
      "gemini-3.5-flash-lite",
      "gemini-3.1-pro-preview",
      "gemini-2.5-pro",
      "gemini-2.5-flash",
      "gemini-2.5-flash-lite",
      "gemini-embedding-001",
    ],
  },
  25: {
    category: "model",
    baseUrl: "https://api.moonshot.cn",
    models: [
      "kimi-k3",
      "kimi-k2.7-code",
      "kimi-k2.6",
      "kimi-k2.5",
      "moonshot-v1-8k",
      "moonshot-v1-32k",
      "moonshot-v1-128k",
    ],
  },
  27: {
    category: "model",
    baseUrl: "https://api.minimaxi.com",
    models: ["MiniMax-M3", "MiniMax-M2.7", "MiniMax-M2.7-highspeed", "MiniMax-M2.5"],
  },
  28: {
    category: "model",
    baseUrl: "https://api.mistral.ai",
    models: [
      "mistral-large-latest",
      "mistral-medium-latest",
      "mistral-small-latest",
      "codestral-latest",
      "mistral-embed",
    ],
  },
  29: {
    category: "model",
    baseUrl: "https://api.groq.com/openai",
    models: [
      "openai/gpt-oss-120b",
      "openai/gpt-oss-20b",
      "llama-3.3-70b-versatile",
      "qwen/qwen3-32b",
      "whisper-large-v3",
    ],
  },
  30: {
    category: "model",
    baseUrl: "http://localhost:11434",
    models: ["gpt-oss:20b", "qwen3:8b", "llama3.3:70b", "nomic-embed-text:latest"],
  },
  32: {
    category: "model",
    baseUrl: "https://api.stepfun.com",
    models: ["step-3.5-flash", "step-3", "step-2-16k", "step-1-32k", "step-1-8k"],
  },
  33: {
    category: "model",
    baseUrl: "https://bedrock-runtime.{region}.amazonaws.com",
    keyFormat: "AccessKeyId|SecretAccessKey|Region",
    models: [
      "global.anthropic.claude-opus-5-5",
      "global.anthropic.claude-sonnet-5",
      "global.anthropic.claude-haiku-4-5-20251001-v1:0",
      "amazon.nova-pro-v1:0",
      "amazon.nova-lite-v1:0",
    ],
  },
  35: {
    category: "model",
    baseUrl: "https://api.cohere.ai/compatibility",
    models: ["command-a-03-2025", "command-r-plus-08-2024", "command-r-08-2024", "embed-v4.0", "rerank-v3.5"],
  },
  36: {
    category: "model",
    baseUrl: "https://api.deepseek.com",
    models: ["deepseek-flash", "deepseek-v4-pro", "deepseek-chat", "deepseek-reasoner"],
  },
  37: {
    category: "model",
    baseUrl: "",
    baseUrlField: {
      example: "https://api.cloudflare.com/client/v4/accounts/ACCOUNT_ID/ai",
    },
    models: ["@cf/meta/llama-3.3-70b-instruct-fp8-fast", "@cf/openai/gpt-oss-120b", "@cf/baai/bge-m3"],
  },
  40: {
    category: "model",
    baseUrl: "https://ark.cn-beijing.volces.com/api/v3",
    models: [
      "doubao-seed-2-1-pro-260628",
      "doubao-seed-2-0-pro-260215",
      "doubao-seed-2-0-lite-260215",
      "doubao-seed-2-0-mini-260215",
      "doubao-seed-1-8-251228",
      "doubao-seed-1-6-flash-250828",
    ],
  },
  42: {
    category: "model",
    baseUrl: "https://{region}-aiplatform.googleapis.com",
    keyDocument: "service-account",
    other: {
      meaning: "region",
      default: "global",
    },
    models: [
      "gemini-3.8-flash",
      "gemini-3.5-flash",
      "gemini-3.5-flash-lite",
      "gemini-3.1-pro-preview",
      "gemini-2.5-pro",
      "gemini-2.5-flash",
      "gemini-2.5-flash-lite",
      "claude-opus-5-5",
      "claude-sonnet-4-5@20250929",
      "claude-haiku-4-5@20251001",
      "gemini-embedding-001",
    ],
  },
  44: {
    category: "model",
    baseUrl: "https://api.siliconflow.cn",
    models: [
      "deepseek-ai/DeepSeek-V4-Flash",
      "deepseek-ai/DeepSeek-V3.2",
      "Qwen/Qwen3.6-27B",
      "Qwen/Qwen3-32B",
      "Pro/zai-org/GLM-5.1",
      "BAAI/bge-m3",
    ],
  },
  45: {
    category: "model",
    baseUrl: "https://api.x.ai",
    models: ["grok-4.7", "grok-4.6", "grok-4.3", "grok-4-1-fast-reasoning", "grok-code-fast-1"],
  },
};
