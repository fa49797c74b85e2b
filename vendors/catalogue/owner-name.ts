import { VENDORS } from "../vendors";

/**
 * Makers of models, by the names that `owned_by` of /v1/models has for them, where they call themselves otherwise than their
 * vendor's file does.
 */
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

/** @returns what people read of the maker of a model: the name of the first vendor with such a price sheet, if no other is listed. */
export const ownerName = (owner: string): string => {
  const listed = Object.hasOwn(NAMES, owner) ? NAMES[owner] : undefined;
  const vendor = VENDORS.find(({ prices = [] }) => prices.some((sheet) => sheet.owner === owner));
  return listed ?? vendor?.name.en ?? owner;
};
