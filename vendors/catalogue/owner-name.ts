/** What makers of models call themselves, by the names that `owned_by` of /v1/models has for them. */
const NAMES: Readonly<Record<string, string>> = {
  "360": "360",
  ali: "Alibaba Cloud",
  amazon: "Amazon",
  anthropic: "Anthropic",
  baidu: "Baidu",
  cloudflare: "Cloudflare",
  cohere: "Cohere",
  deepseek: "DeepSeek",
  google: "Google",
  groq: "Groq",
  minimax: "MiniMax",
  mistral: "Mistral AI",
  moonshot: "Moonshot AI",
  ollama: "Ollama",
  openai: "OpenAI",
  siliconflow: "SiliconFlow",
  stepfun: "StepFun",
  tencent: "Tencent",
  volcengine: "Volcengine",
  xai: "xAI",
  xunfei: "iFLYTEK",
  zhipu: "Zhipu AI",
};

/** What people read of the maker of a model. @param owner of its price sheet. */
export const ownerName = (owner: string): string =>
  Object.hasOwn(NAMES, owner) ? (NAMES[owner] ?? owner) : owner;
