/** Models by channel type, apart from the vendors' rows: a list of channels does not need them. */
const PRESET_MODELS: Readonly<Record<number, readonly string[]>> = {
  11: ["PaLM-2"],
  14: ["claude-instant-1", "claude-2", "claude-2.0", "claude-2.1"],
  15: ["ERNIE-Bot", "ERNIE-Bot-turbo", "ERNIE-Bot-4", "Embedding-V1"],
  16: ["chatglm_turbo", "chatglm_pro", "chatglm_std", "chatglm_lite"],
  17: ["qwen-turbo", "qwen-plus", "text-embedding-v1"],
  18: ["SparkDesk"],
  19: ["360GPT_S2_V9", "embedding-bert-512-v1", "embedding_s1_v1", "semantic_similarity_s1_v1"],
  23: ["hunyuan"],
  24: ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-3.5-flash"],
  25: ["kimi-latest", "kimi-k2.6", "moonshot-v1-8k", "moonshot-v1-32k", "moonshot-v1-128k"],
  27: ["MiniMax-M3", "MiniMax-M2.5", "MiniMax-Text-01"],
  28: ["mistral-large-latest", "mistral-medium-latest", "mistral-small-latest", "codestral-latest"],
  29: ["llama-3.3-70b-versatile", "openai/gpt-oss-120b", "openai/gpt-oss-20b", "qwen/qwen3-32b"],
  30: ["llama3.3", "qwen3", "gpt-oss:20b", "nomic-embed-text"],
  32: ["step-1-8k", "step-1-32k", "step-2-16k"],
  35: ["command-a-03-2025", "command-r-plus-08-2024", "command-r-08-2024", "embed-v4.0", "rerank-v3.5"],
  36: ["deepseek-chat", "deepseek-reasoner", "deepseek-v4-pro", "deepseek-v4-flash"],
  37: ["@cf/meta/llama-3.3-70b-instruct-fp8-fast", "@cf/openai/gpt-oss-120b", "@cf/baai/bge-m3"],
  40: ["doubao-seed-2-0-pro-260215", "doubao-seed-1-8-251228"],
  42: [
    "gemini-2.5-pro",
    "gemini-2.5-flash",
    "gemini-3.5-flash",
    "claude-opus-4-5@20251101",
    "claude-sonnet-4-5@20250929",
    "claude-haiku-4-5@20251001",
    "gemini-embedding-001",
  ],
  44: ["deepseek-ai/DeepSeek-V3.2", "deepseek-ai/DeepSeek-R1", "Qwen/Qwen3-32B", "BAAI/bge-m3"],
  45: ["grok-4.3", "grok-4-fast-reasoning", "grok-3", "grok-3-mini"],
};

/** The models that the channel form fills in when this type is chosen and none are selected yet. */
export const presetModelsOf = (type: number): readonly string[] => PRESET_MODELS[type] ?? [];
