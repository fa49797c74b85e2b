import type { TierPrices, TokenPrices } from "@tollgate/contract/control/model-price";
import type { PriceSheet } from "./sheet";

const K32 = 32_000;
const K128 = 128_000;

/** Input, output and, where it is listed, what a cached token costs to read. */
type Step = readonly [input: number, output: number, cacheRead?: number];

const stepOf = ([input, output, cacheRead]: Step) => ({
  input,
  output,
  ...(cacheRead === undefined ? {} : { cacheRead }),
});

/** Prices by the length of the prompt: the first step, then each further one with the tokens above which it holds. */
const stepped = (
  first: Step,
  ...further: readonly (readonly [aboveTokens: number, step: Step])[]
): TokenPrices => ({
  ...stepOf(first),
  tiers: further.map(([aboveTokens, step]): TierPrices => ({ aboveTokens, ...stepOf(step) })),
});

/** By day and by night: the price of the peak hours stands, as no price here knows the hour. */
const DEEPSEEK_SHEET: PriceSheet = {
  owner: "deepseek",
  currency: "CNY",
  source: "https://api-docs.deepseek.com/zh-cn/quick_start/pricing",
  asOf: "2026-10-27",
  confidence: "vendor page",
  models: {
    "deepseek-flash": {
      price: { input: 2, output: 8, cacheRead: 0.04 },
      context: 1_048_576,
      outputLimit: 393_216,
      // Names of older models that this one answers now, at its price.
      aliases: ["deepseek-v4-flash", "deepseek-v4-flash-vision-exp", "deepseek-chat", "deepseek-reasoner"],
    },
    "deepseek-v4-pro": {
      price: { input: 9, output: 27, cacheRead: 0.3 },
      context: 1_048_576,
      outputLimit: 393_216,
    },
  },
};

const KIMI_2 = { context: 262_144, outputLimit: 262_144 } as const;

const MOONSHOT_SHEET: PriceSheet = {
  owner: "moonshot",
  currency: "CNY",
  source: "https://platform.kimi.com/docs/pricing/chat",
  asOf: "2026-07-31",
  confidence: "secondary",
  models: {
    "kimi-k3": {
      price: { input: 20, output: 100, cacheRead: 2 },
      context: 1_048_576,
      outputLimit: 131_072,
    },
    "kimi-k2.7-code": { price: { input: 6.5, output: 27, cacheRead: 1.3 }, ...KIMI_2 },
    "kimi-k2.6": { price: { input: 6.5, output: 27, cacheRead: 1.1 }, ...KIMI_2 },
    "kimi-k2.5": { price: { input: 4, output: 21, cacheRead: 0.7 }, ...KIMI_2 },
    "kimi-k2-thinking": { price: { input: 4, output: 16 }, ...KIMI_2 },
    "moonshot-v1-8k": {
      price: { input: 2, output: 10 },
      context: 8192,
      aliases: ["moonshot-v1-8k-vision-preview"],
    },
    "moonshot-v1-32k": {
      price: { input: 5, output: 20 },
      context: 32_768,
      aliases: ["moonshot-v1-32k-vision-preview"],
    },
    "moonshot-v1-128k": {
      price: { input: 10, output: 30 },
      context: 131_072,
      aliases: ["moonshot-v1-128k-vision-preview"],
    },
    // Charged by the context that an answer happens to need: no single price.
    "moonshot-v1-auto": { context: 131_072 },
    "kimi-latest": { context: 131_072 },
  },
};

const MINIMAX_2 = { context: 204_800, outputLimit: 131_072 } as const;
const MINIMAX_CACHE = { cacheWrite5m: 2.625, cacheWrite1h: 2.625 } as const;

const MINIMAX_SHEET: PriceSheet = {
  owner: "minimax",
  currency: "CNY",
  source: "https://platform.minimaxi.com/docs/guides/pricing-paygo",
  asOf: "2026-09-23",
  confidence: "secondary",
  models: {
    // Listed in USD; 7 CNY to the dollar is what the vendor's two lists have for every model that stands in both.
    "MiniMax-M3": {
      price: stepped([2.1, 8.4, 0.42], [512_000, [4.2, 16.8, 0.84]]),
      context: 1_000_000,
      outputLimit: 131_072,
      confidence: "inferred",
    },
    "MiniMax-M2.7": { price: { input: 2.1, output: 8.4, cacheRead: 0.42, ...MINIMAX_CACHE }, ...MINIMAX_2 },
    "MiniMax-M2.7-highspeed": {
      price: { input: 4.2, output: 16.8, cacheRead: 0.42, ...MINIMAX_CACHE },
      ...MINIMAX_2,
    },
    "MiniMax-M2.5": {
      price: { input: 2.1, output: 8.4, cacheRead: 0.21, ...MINIMAX_CACHE },
      ...MINIMAX_2,
      aliases: ["MiniMax-M2.1", "MiniMax-M2"],
    },
    "MiniMax-M2.5-Lightning": {
      price: { input: 2.1, output: 16.8, cacheRead: 0.21, ...MINIMAX_CACHE },
      ...MINIMAX_2,
    },
    "MiniMax-M1": { price: { input: 1.2, output: 16 }, context: 1_000_192, outputLimit: 40_000 },
    "MiniMax-Text-01": { price: { input: 1, output: 8 }, context: 1_000_192, outputLimit: 40_000 },
  },
};

const GLM_5 = { context: 200_000, outputLimit: 131_072 } as const;
/** Short answers to short prompts cost less (2 and 8); which they are is known when they are written: the usual price stands. */
const GLM_4 = stepped([3, 14, 0.6], [K32, [4, 16, 0.8]]);

const ZHIPU_SHEET: PriceSheet = {
  owner: "zhipu",
  currency: "CNY",
  source: "https://docs.bigmodel.cn/cn/guide/start/pricing",
  asOf: "2026-09-09",
  confidence: "secondary",
  models: {
    "glm-5.3": {
      price: { input: 8, output: 28, cacheRead: 2 },
      context: 1_000_000,
      outputLimit: 131_072,
      confidence: "vendor page",
    },
    // The list price: half of it was asked until 9 September 2026.
    "glm-5.3-flash": {
      price: { input: 0.8, output: 2.8, cacheRead: 0.23 },
      context: 1_000_000,
      outputLimit: 131_072,
      confidence: "vendor page",
    },
    "glm-5.2": {
      price: { input: 8, output: 28, cacheRead: 2 },
      context: 1_000_000,
      outputLimit: 131_072,
    },
    "glm-5.1": { price: stepped([6, 24, 1.3], [K32, [8, 28, 2]]), ...GLM_5 },
    "glm-5-turbo": { price: stepped([5, 22, 1.2], [K32, [7, 26, 1.8]]), ...GLM_5, aliases: ["glm-5v-turbo"] },
    "glm-5": { price: stepped([4, 18, 1], [K32, [6, 22, 1.5]]), ...GLM_5 },
    "glm-4.7": { price: GLM_4, ...GLM_5, aliases: ["glm-4.6"] },
    "glm-4.7-flashx": { price: { input: 0.5, output: 3, cacheRead: 0.1 }, ...GLM_5 },
    "glm-4.7-flash": { price: { input: 0, output: 0 }, ...GLM_5 },
    "glm-4.6v": {
      price: stepped([1, 3, 0.2], [K32, [2, 6, 0.4]]),
      context: 131_072,
      outputLimit: 32_768,
    },
    "glm-4.6v-flash": { price: { input: 0, output: 0 }, context: 131_072, outputLimit: 32_768 },
    "glm-4.5": { price: GLM_4, context: 131_072, outputLimit: 98_304 },
    "glm-4.5v": {
      price: stepped([2, 6, 0.4], [K32, [4, 12, 0.8]]),
      context: 65_536,
      outputLimit: 16_384,
    },
    "glm-4-plus": { price: { input: 5, output: 5, cacheRead: 2.5 }, context: 128_000, outputLimit: 4096 },
    "glm-4-air": { price: { input: 0.5, output: 0.5, cacheRead: 0.25 }, context: 128_000, outputLimit: 4096 },
    "glm-4-airx": { price: { input: 10, output: 10 }, context: 8192, outputLimit: 4096 },
    "glm-4-long": { price: { input: 1, output: 1, cacheRead: 0.5 }, context: 1_000_000, outputLimit: 4096 },
    // No price of today could be found.
    "embedding-3": { writesNothing: true },
  },
};

const DOUBAO = { context: 256_000, outputLimit: 128_000 } as const;
const DOUBAO_1 = { context: 256_000, outputLimit: 32_000 } as const;

/** The names of the API carry the day of the version; without it they are the vendor's own short names. */
const DOUBAO_SHEET: PriceSheet = {
  owner: "volcengine",
  currency: "CNY",
  source: "https://www.volcengine.com/docs/82379/1544106",
  asOf: "2026-09-21",
  confidence: "secondary",
  models: {
    "doubao-seed-2-1-pro-260628": { price: { input: 6, output: 30 }, ...DOUBAO },
    "doubao-seed-2-0-pro-260215": {
      price: stepped([3.2, 16, 0.64], [K32, [4.8, 24, 0.64]], [K128, [9.6, 48, 0.64]]),
      ...DOUBAO,
      aliases: ["doubao-seed-2-0-code-preview-260215"],
    },
    "doubao-seed-2-0-lite-260215": {
      price: stepped([0.6, 3.6, 0.12], [K32, [0.9, 5.4, 0.12]], [K128, [1.8, 10.8, 0.12]]),
      ...DOUBAO,
    },
    "doubao-seed-2-0-mini-260215": {
      price: stepped([0.2, 2, 0.04], [K32, [0.4, 4, 0.04]], [K128, [0.8, 8, 0.04]]),
      ...DOUBAO,
    },
    "doubao-seed-1-8-251228": {
      price: stepped([0.8, 8, 0.16], [K32, [1.2, 16, 0.16]], [K128, [2.4, 24, 0.16]]),
      context: 256_000,
      outputLimit: 64_000,
    },
    "doubao-seed-code-preview-251028": {
      price: stepped([1.2, 8, 0.24], [K32, [1.4, 12, 0.24]], [K128, [2.8, 16, 0.24]]),
      ...DOUBAO_1,
    },
    "doubao-seed-1-6-251015": {
      price: stepped([0.8, 8, 0.16], [K32, [1.2, 16, 0.16]], [K128, [2.4, 24, 0.16]]),
      ...DOUBAO_1,
      aliases: ["doubao-seed-1-6-thinking-250715"],
    },
    "doubao-seed-1-6-flash-250828": {
      price: stepped([0.15, 1.5, 0.03], [K32, [0.3, 3, 0.03]], [K128, [0.6, 6, 0.03]]),
      ...DOUBAO_1,
    },
    "doubao-1-5-pro-32k-250115": {
      price: { input: 0.8, output: 2 },
      context: 128_000,
      outputLimit: 16_384,
    },
    "doubao-1-5-lite-32k-250115": {
      price: { input: 0.3, output: 0.6 },
      context: 32_768,
      outputLimit: 12_288,
    },
    // No price could be found.
    "doubao-seed-2-1-turbo-260628": { ...DOUBAO },
    "doubao-embedding-vision-250615": { writesNothing: true },
  },
};

const TENCENT_SHEET: PriceSheet = {
  owner: "tencent",
  currency: "CNY",
  source: "https://cloud.tencent.com/document/product/1729/97731",
  asOf: "2026-05-31",
  confidence: "secondary",
  models: {
    "hy3-preview": {
      price: stepped([1.2, 4, 0.4], [16_000, [1.6, 6.4, 0.6]], [K32, [2, 8, 0.8]]),
      context: 256_000,
      outputLimit: 128_000,
    },
    "hunyuan-2.0-thinking-20251109": {
      price: stepped([3.975, 15.9], [K32, [5.3, 21.2]]),
      context: 128_000,
      outputLimit: 64_000,
    },
    "hunyuan-2.0-instruct-20251111": {
      price: stepped([3.18, 7.95], [K32, [4.505, 11.13]]),
      context: 128_000,
      outputLimit: 32_000,
    },
    "hunyuan-role-latest": {
      price: { input: 2.4, output: 9.6 },
      context: 128_000,
      outputLimit: 32_000,
    },
  },
};

const ERNIE_5 = stepped([6, 24], [K32, [10, 40]]);
const ERNIE = { context: 131_072, outputLimit: 65_536 } as const;
const ERNIE_TURBO = { input: 0.8, output: 3.2, cacheRead: 0.2 } as const;
const ERNIE_VL = { input: 3, output: 9, cacheRead: 0.75 } as const;

const BAIDU_SHEET: PriceSheet = {
  owner: "baidu",
  currency: "CNY",
  source: "https://cloud.baidu.com/doc/qianfan/s/rmh4stp0j",
  asOf: "2026-05-31",
  confidence: "secondary",
  models: {
    "ernie-5.1": { price: stepped([4, 18], [K32, [6, 22]]), ...ERNIE },
    "ernie-5.0": {
      price: ERNIE_5,
      ...ERNIE,
      aliases: ["ernie-5.0-thinking-latest", "ernie-5.0-thinking-preview"],
    },
    "ernie-4.5-turbo-128k": {
      price: ERNIE_TURBO,
      context: 131_072,
      outputLimit: 12_288,
      aliases: ["ernie-4.5-turbo-latest", "ernie-4.5-turbo-20260402"],
    },
    "ernie-4.5-turbo-32k": { price: ERNIE_TURBO, context: 32_768, outputLimit: 12_288 },
    "ernie-4.5-turbo-vl": {
      price: ERNIE_VL,
      context: 131_072,
      outputLimit: 16_384,
      aliases: ["ernie-4.5-turbo-vl-latest"],
    },
    "ernie-4.5-turbo-vl-32k": { price: ERNIE_VL, context: 32_768, outputLimit: 12_288 },
    "ernie-4.5-8k-preview": { price: { input: 4, output: 16 }, context: 8192, outputLimit: 2048 },
  },
};

const STEPFUN_SHEET: PriceSheet = {
  owner: "stepfun",
  currency: "CNY",
  source: "https://platform.stepfun.com/docs/pricing/details",
  asOf: "2026-05-31",
  confidence: "secondary",
  models: {
    "step-3.5-flash": {
      price: { input: 0.7, output: 2.1, cacheRead: 0.14 },
      context: 256_000,
      outputLimit: 256_000,
      aliases: ["step-3.5-flash-2603"],
    },
    "step-3": { price: stepped([1.5, 4, 0.3], [4000, [4, 8, 0.8]]), context: 64_000 },
    "step-r1-v-mini": { price: { input: 2.5, output: 8, cacheRead: 0.5 }, context: 100_000 },
    "step-2-mini": { price: { input: 1, output: 2, cacheRead: 0.2 }, context: 8000 },
    "step-2-16k": { price: { input: 38, output: 120, cacheRead: 7.6 }, context: 16_000 },
    "step-1-8k": { price: { input: 5, output: 20, cacheRead: 1 }, context: 8000 },
    "step-1-32k": { price: { input: 15, output: 70, cacheRead: 3 }, context: 32_000 },
    "step-1-256k": { price: { input: 95, output: 300, cacheRead: 19 }, context: 256_000 },
    // Listed in USD only (0.2 and 1.15).
    "step-3.7-flash": { context: 256_000, outputLimit: 256_000 },
  },
};

/** The models of today are sold in packages or by contract: no price by tokens could be found but that of "lite". */
const IFLYTEK_SHEET: PriceSheet = {
  owner: "xunfei",
  currency: "CNY",
  source: "https://www.xfyun.cn/doc/spark/HTTP调用文档.html",
  asOf: "2026-05-31",
  confidence: "vendor page",
  models: {
    "4.0Ultra": { context: 32_768, outputLimit: 32_768 },
    "generalv3.5": { context: 8192, outputLimit: 8192 },
    generalv3: { context: 8192, outputLimit: 8192 },
  },
};

/** The vendors whose list is in CNY, but for Alibaba. */
export const MAINLAND_SHEETS: readonly PriceSheet[] = [
  DEEPSEEK_SHEET,
  MOONSHOT_SHEET,
  MINIMAX_SHEET,
  ZHIPU_SHEET,
  DOUBAO_SHEET,
  TENCENT_SHEET,
  BAIDU_SHEET,
  STEPFUN_SHEET,
  IFLYTEK_SHEET,
];
