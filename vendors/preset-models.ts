const CLAUDE = [
  "claude-fable-5-1",
  "claude-opus-5-5",
  "claude-sonnet-5-5",
  "claude-haiku-5-5",
  "claude-opus-5",
  "claude-sonnet-5",
  "claude-opus-4-5",
  "claude-sonnet-4-5",
  "claude-haiku-4-5",
] as const;

const GEMINI = [
  "gemini-3.8-flash",
  "gemini-3.5-flash",
  "gemini-3.5-flash-lite",
  "gemini-3.1-pro-preview",
  "gemini-2.5-pro",
  "gemini-2.5-flash",
  "gemini-2.5-flash-lite",
] as const;

/**
 * Models by channel type, apart from the vendors' rows: a list of channels does not need them. Names only: what they cost
 * and how much they write says the catalogue, which is too heavy for a page; a test holds the two together. OpenAI, Azure
 * and the relays have none (specification section 5): their models are found in the form's list, which is the catalogue.
 */
const PRESET_MODELS: Readonly<Record<number, readonly string[]>> = {
  11: ["PaLM-2"],
  14: CLAUDE,
  15: [
    "ernie-5.1",
    "ernie-5.0",
    "ernie-4.5-turbo-128k",
    "ernie-4.5-turbo-32k",
    "ernie-4.5-turbo-vl",
    "Embedding-V1",
  ],
  16: [
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
  17: [
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
  18: ["SparkDesk", "4.0Ultra", "generalv3.5", "generalv3"],
  19: ["360GPT_S2_V9", "embedding-bert-512-v1", "embedding_s1_v1", "semantic_similarity_s1_v1"],
  23: ["hunyuan-2.0-thinking-20251109", "hunyuan-2.0-instruct-20251111", "hy3-preview"],
  24: [...GEMINI, "gemini-embedding-001"],
  25: [
    "kimi-k3",
    "kimi-k2.7-code",
    "kimi-k2.6",
    "kimi-k2.5",
    "moonshot-v1-8k",
    "moonshot-v1-32k",
    "moonshot-v1-128k",
  ],
  27: ["MiniMax-M3", "MiniMax-M2.7", "MiniMax-M2.7-highspeed", "MiniMax-M2.5"],
  28: [
    "mistral-large-latest",
    "mistral-medium-latest",
    "mistral-small-latest",
    "codestral-latest",
    "mistral-embed",
  ],
  29: [
    "openai/gpt-oss-120b",
    "openai/gpt-oss-20b",
    "llama-3.3-70b-versatile",
    "qwen/qwen3-32b",
    "whisper-large-v3",
  ],
  30: ["gpt-oss:20b", "qwen3:8b", "llama3.3:70b", "nomic-embed-text:latest"],
  32: ["step-3.5-flash", "step-3", "step-2-16k", "step-1-32k", "step-1-8k"],
  33: [
    "global.anthropic.claude-opus-5-5",
    "global.anthropic.claude-sonnet-5",
    "global.anthropic.claude-haiku-4-5-20251001-v1:0",
    "amazon.nova-pro-v1:0",
    "amazon.nova-lite-v1:0",
  ],
  35: ["command-a-03-2025", "command-r-plus-08-2024", "command-r-08-2024", "embed-v4.0", "rerank-v3.5"],
  36: ["deepseek-flash", "deepseek-v4-pro", "deepseek-chat", "deepseek-reasoner"],
  37: ["@cf/meta/llama-3.3-70b-instruct-fp8-fast", "@cf/openai/gpt-oss-120b", "@cf/baai/bge-m3"],
  40: [
    "doubao-seed-2-1-pro-260628",
    "doubao-seed-2-0-pro-260215",
    "doubao-seed-2-0-lite-260215",
    "doubao-seed-2-0-mini-260215",
    "doubao-seed-1-8-251228",
    "doubao-seed-1-6-flash-250828",
  ],
  42: [
    ...GEMINI,
    "claude-opus-5-5",
    "claude-sonnet-4-5@20250929",
    "claude-haiku-4-5@20251001",
    "gemini-embedding-001",
  ],
  44: [
    "deepseek-ai/DeepSeek-V4-Flash",
    "deepseek-ai/DeepSeek-V3.2",
    "Qwen/Qwen3.6-27B",
    "Qwen/Qwen3-32B",
    "Pro/zai-org/GLM-5.1",
    "BAAI/bge-m3",
  ],
  45: ["grok-4.7", "grok-4.6", "grok-4.3", "grok-4-1-fast-reasoning", "grok-code-fast-1"],
};

/** The models that the channel form fills in when this type is chosen and none are selected yet. */
export const presetModelsOf = (type: number): readonly string[] => PRESET_MODELS[type] ?? [];
