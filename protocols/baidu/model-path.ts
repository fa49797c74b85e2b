import { lookUp } from "../shared/json/json-values";

/** The end of each model's address: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Nlks5zkzu. */
const PATHS: Readonly<Record<string, string>> = {
  "ernie-bot": "completions",
  "ernie-3.5-8k": "completions",
  "ernie-bot-turbo": "eb-instant",
  "ernie-lite-8k-0922": "eb-instant",
  "ernie-bot-4": "completions_pro",
  "ernie-4.0": "completions_pro",
  "ernie-4.0-8k": "completions_pro",
  "ernie-4.0-8k-preview-0518": "completions_adv_pro",
  "ernie-bot-8k": "ernie_bot_8k",
  "ernie-speed": "ernie_speed",
  "ernie-speed-8k": "ernie_speed",
  "ernie-lite-8k-0308": "ernie-lite-8k",
  "ernie-function-8k": "ernie-func-8k",
  "ernie-character-8k": "ernie-char-8k",
  "ernie-speed-appbuilder": "ai_apaas",
  "bloomz-7b": "bloomz_7b1",
  "llama-2-7b-chat": "llama_2_7b",
  "llama-2-13b-chat": "llama_2_13b",
  "llama-2-70b-chat": "llama_2_70b",
};

/** The path of a model; for all others it is the name in lower case. */
export const modelPath = (model: string): string => {
  const name = model.toLowerCase();
  return `/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${lookUp(PATHS, name) ?? encodeURIComponent(name)}`;
};

/**
 * These models have no fields for instructions and functions: instructions become part of the conversation, functions
 * are refused.
 */
export const isPlainModel = (model: string): boolean => /^(?:bloomz|llama|chatglm|aquila)/i.test(model);
