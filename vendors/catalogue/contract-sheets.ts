import type { ModelFacts, PriceSheet } from "./sheet";

/*
 * The models of the one-api contract's own table (section 3.6) that no list of today names. Most are gone; sites that
 * still offer them charge what they always charged. 1 is 2 USD per million tokens, or what other units count as.
 */

const USD_PER_RATIO = 2;

/** @param completionRatio what a token of the answer costs beside one of the prompt (contract section 3.5). */
const text = (ratio: number, completionRatio = 1): ModelFacts => {
  const input = ratio * USD_PER_RATIO;
  return { price: { input, output: input * completionRatio } };
};

const wordless = (ratio: number): ModelFacts => ({
  price: { input: ratio * USD_PER_RATIO },
  writesNothing: true,
});

const contractSheet = (owner: string, models: PriceSheet["models"]): PriceSheet => ({
  owner,
  currency: "USD",
  source: "https://github.com/songquanpeng/one-api",
  asOf: "2023-12-31",
  confidence: "secondary",
  models,
});

export const CONTRACT_SHEETS: readonly PriceSheet[] = [
  contractSheet("openai", {
    "gpt-4": text(15, 2),
    "gpt-4-0314": text(15, 2),
    "gpt-4-0613": text(15, 2),
    "gpt-4-32k": text(30, 2),
    "gpt-4-32k-0314": text(30, 2),
    "gpt-4-32k-0613": text(30, 2),
    "gpt-4-1106-preview": text(5, 3),
    "gpt-4-vision-preview": text(5, 3),
    "gpt-3.5-turbo-0301": text(0.75, 4 / 3),
    "gpt-3.5-turbo-0613": text(0.75, 4 / 3),
    "gpt-3.5-turbo-16k": text(1.5, 2),
    "gpt-3.5-turbo-16k-0613": text(1.5, 4 / 3),
    "gpt-3.5-turbo-instruct": text(0.75, 4 / 3),
    "gpt-3.5-turbo-1106": text(0.5, 2),
    "text-ada-001": text(0.2),
    "text-babbage-001": text(0.25),
    "text-curie-001": text(1),
    "text-davinci-002": text(10),
    "text-davinci-003": text(10),
    "text-davinci-edit-001": text(10),
    "code-davinci-edit-001": text(10),
    davinci: text(10),
    curie: text(10),
    babbage: text(10),
    ada: text(10),
    "text-embedding-ada-002": wordless(0.05),
    "text-search-ada-doc-001": wordless(10),
    "text-moderation-stable": wordless(0.1),
    "text-moderation-latest": wordless(0.1),
  }),
  contractSheet("anthropic", {
    "claude-instant-1": text(0.815, 3.38),
    "claude-2": text(5.51, 2.965517),
    "claude-2.0": text(5.51, 2.965517),
    "claude-2.1": text(5.51, 2.965517),
  }),
  contractSheet("baidu", {
    "ERNIE-Bot": text(0.8572),
    "ERNIE-Bot-turbo": text(0.5715),
    "ERNIE-Bot-4": text(8.572),
    "Embedding-V1": wordless(0.1429),
  }),
  contractSheet("google", {
    "PaLM-2": text(1),
  }),
  contractSheet("zhipu", {
    chatglm_turbo: text(0.3572),
    chatglm_pro: text(0.7143),
    chatglm_std: text(0.3572),
    chatglm_lite: text(0.1429),
  }),
  contractSheet("ali", {
    "text-embedding-v1": wordless(0.05),
  }),
  contractSheet("xunfei", {
    SparkDesk: text(1.2858),
  }),
  contractSheet("360", {
    "360GPT_S2_V9": text(0.8572),
    "embedding-bert-512-v1": wordless(0.0715),
    embedding_s1_v1: wordless(0.0715),
    semantic_similarity_s1_v1: wordless(0.0715),
  }),
  contractSheet("tencent", {
    hunyuan: text(7.143),
  }),
];
