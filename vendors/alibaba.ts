import { ACTS, textOnly } from "./catalogue/abilities";
import { cachedAt } from "./catalogue/cached-at";
import { contractSheet, wordlessByRatio } from "./catalogue/contract-sheet";
import type { ModelFacts } from "./catalogue/sheet";
import { stepped } from "./catalogue/stepped";
import { defineVendor } from "./define-vendor";

/**
 * A cached token costs a fifth of the input with the implicit cache; with the explicit cache a tenth, and 1.25 to
 * write.
 */
const implicit = cachedAt({ read: 0.2 });
const explicit = cachedAt({ read: 0.1, write: 1.25 });

const K32 = 32_000;
const K128 = 128_000;
const K256 = 256_000;

// https://help.aliyun.com/zh/model-studio/vision
const SEES = { inputs: ["text", "image", "video"], outputs: ["text"], features: ACTS } as const;

const picture = (perImage: number): ModelFacts => ({ price: { perImage }, writesNothing: true });

const ALIBABA = { id: "ali", name: "Alibaba Cloud" };

export const alibaba = defineVendor({
  type: 17,
  name: "Alibaba Qwen",
  color: "orange",
  baseUrl: "https://dashscope.aliyuncs.com",
  keyShape: /^sk-[0-9a-f]{32}$/,
  route: { apiPath: "/compatible-mode/v1", addressing: "model-studio" },
  // Its own API, for clients that use its address.
  alternatives: [
    {
      baseUrlEnd: /\/api\/v1$/,
      protocol: "dashscope",
      baseUrl: "https://dashscope.aliyuncs.com/api/v1",
      auth: "bearer",
    },
  ],
  // https://help.aliyun.com/zh/model-studio/qwen-api-reference
  clientHeaders: ["x-dashscope-cachecontrol", "x-dashscope-datainspection"],
  // For both of its APIs: https://help.aliyun.com/zh/model-studio/error-code
  errorKinds: {
    "dead-key": ["InvalidApiKey", "invalid_api_key", "Arrearage", "arrearage"],
    "rate-limited": ["Throttling", "Throttling.", "LimitRequests", "insufficient_quota", "limit_requests"],
    overloaded: [
      "RequestTimeOut",
      "InternalError",
      "InternalError.",
      "SystemError",
      "ModelServingError",
      "ModelUnavailable",
    ],
    // Only the message of a bare AccessDenied shows whether it means the model or the account.
    "model-missing": [
      "AccessDenied.",
      "AllocationQuota.",
      "Model.AccessDenied",
      "Workspace.AccessDenied",
      "ModelNotFound",
      "model_not_found",
    ],
    caller: [
      "InvalidParameter",
      "InvalidParameter.",
      "DataInspectionFailed",
      "data_inspection_failed",
      "InvalidURL",
    ],
  },
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
    "qwen-image-2.0-pro",
    "qwen-image-2.0",
    "qwen-image-plus",
    "qwen-image-edit-plus",
    "wan2.7-image-pro",
    "wan2.7-image",
    "wan2.6-t2i",
    "wan2.5-t2i-preview",
    "wan2.5-i2i-preview",
    "z-image-turbo",
    "qwen3-tts-flash",
    "qwen3-asr-flash",
  ],
  prices: [
    // CNY, region Beijing. For models whose answers cost more with thinking than without (qwen-plus, qwen-turbo, the
    // open models), the dearer price is listed: the gateway cannot tell such answers apart.
    {
      owner: ALIBABA,
      currency: "CNY",
      source: "https://help.aliyun.com/zh/model-studio/models",
      asOf: "2026-05-31",
      confidence: "secondary",
      models: {
        "qwen3.7-max": {
          price: { input: 12, output: 36 },
          context: 1_000_000,
          outputLimit: 65_536,
          abilities: textOnly(ACTS),
          asOf: "2026-07-31",
        },
        "qwen3.6-max-preview": {
          price: implicit(stepped([9, 54], [K128, [15, 90]])),
          context: 262_144,
          outputLimit: 65_536,
        },
        "qwen3.6-plus": {
          price: explicit(stepped([2, 12], [K256, [8, 48]])),
          context: 1_000_000,
          outputLimit: 65_536,
          abilities: SEES,
        },
        "qwen3.6-flash": {
          price: explicit(stepped([1.2, 7.2], [K256, [4.8, 28.8]])),
          context: 1_000_000,
          outputLimit: 65_536,
          abilities: SEES,
        },
        "qwen3.5-plus": {
          price: explicit(stepped([0.8, 4.8], [K128, [2, 12]], [K256, [4, 24]])),
          context: 1_000_000,
          outputLimit: 65_536,
        },
        "qwen3.5-flash": {
          price: implicit(stepped([0.2, 2], [K128, [0.8, 8]], [K256, [1.2, 12]])),
          context: 1_000_000,
          outputLimit: 65_536,
        },
        "qwen3-max": {
          price: implicit(stepped([2.5, 10], [K32, [4, 16]], [K128, [7, 28]])),
          context: 262_144,
          outputLimit: 65_536,
        },
        "qwen3-max-preview": {
          price: implicit(stepped([6, 24], [K32, [10, 40]], [K128, [15, 60]])),
          context: 262_144,
          outputLimit: 65_536,
        },
        "qwen-max": { price: { input: 2.4, output: 9.6 }, context: 32_768, outputLimit: 8192 },
        "qwen-plus": {
          price: implicit(stepped([0.8, 8], [K128, [2.4, 24]], [K256, [4.8, 64]])),
          context: 1_000_000,
          outputLimit: 32_768,
          aliases: ["qwen-plus-latest"],
        },
        "qwen-flash": {
          price: implicit(stepped([0.15, 1.5], [K128, [0.6, 6]], [K256, [1.2, 12]])),
          context: 1_000_000,
          outputLimit: 32_768,
        },
        "qwen-turbo": {
          price: implicit({ input: 0.3, output: 3 }),
          context: 1_000_000,
          outputLimit: 16_384,
          aliases: ["qwen-turbo-latest"],
        },
        "qwen-long": { price: { input: 0.5, output: 2 }, context: 10_000_000 },
        "qwen3-vl-plus": {
          price: implicit(stepped([1, 10], [K32, [1.5, 15]], [K128, [3, 30]])),
          context: 262_144,
          outputLimit: 32_768,
        },
        "qwen3-vl-flash": {
          price: implicit(stepped([0.15, 1.5], [K32, [0.3, 3]], [K128, [0.6, 6]])),
          context: 262_144,
          outputLimit: 32_768,
        },
        "qwen3.5-35b-a3b": {
          price: { input: 0.4, output: 3.2, tiers: [{ aboveTokens: K128, input: 1.6, output: 12.8 }] },
          context: 262_144,
          outputLimit: 65_536,
        },
        "qwen3-235b-a22b": { price: { input: 2, output: 20 }, context: 131_072, outputLimit: 8192 },
        "qwen3-235b-a22b-thinking-2507": {
          price: { input: 2, output: 20 },
          context: 131_072,
          outputLimit: 32_768,
        },
        "qwen3-235b-a22b-instruct-2507": {
          price: { input: 2, output: 8 },
          context: 131_072,
          outputLimit: 32_768,
        },
        "qwen3-next-80b-a3b-thinking": {
          price: { input: 1, output: 10 },
          context: 131_072,
          outputLimit: 32_768,
        },
        "qwen3-next-80b-a3b-instruct": {
          price: { input: 1, output: 4 },
          context: 131_072,
          outputLimit: 32_768,
        },
        "qwen3-32b": { price: { input: 2, output: 20 }, context: 131_072, outputLimit: 8192 },
        "qwen3-14b": { price: { input: 1, output: 10 }, context: 131_072, outputLimit: 8192 },
        "qwen3-8b": { price: { input: 0.5, output: 5 }, context: 131_072, outputLimit: 8192 },
        "qwq-plus": { price: { input: 1.6, output: 4 }, context: 131_072, outputLimit: 8192 },
        // https://help.aliyun.com/zh/model-studio/qwen-tts: 0.8 CNY per 10,000 characters; tokens at 50 a second of speech.
        "qwen3-tts-flash": {
          price: { perMillionCharacters: 80 },
          writesNothing: true,
          source: "https://help.aliyun.com/zh/model-studio/qwen-tts",
          asOf: "2026-11-29",
        },
        "qwen-tts": {
          price: { input: 1.6, output: 10 },
          context: 8192,
          outputLimit: 7680,
          aliases: ["qwen-tts-latest"],
          source: "https://help.aliyun.com/zh/model-studio/qwen-tts",
          asOf: "2026-11-29",
        },
        // 0.000032 USD a second in Beijing, by the page of the same family's newer model.
        "qwen3-asr-flash": {
          price: { perMinute: 0.0132 },
          writesNothing: true,
          source: "https://www.alibabacloud.com/help/en/model-studio/qwen-audio-3-0-asr-flash-filetrans",
          asOf: "2026-11-29",
          confidence: "inferred",
        },
        // No price of today could be found.
        "qwen3-tts-instruct-flash": { price: "unknown", writesNothing: true },
        "text-embedding-v4": { price: "unknown", writesNothing: true, context: 8192 },
        "text-embedding-v3": { price: "unknown", writesNothing: true, context: 8192 },
        "gte-rerank-v2": { price: "unknown", writesNothing: true },
      },
    },
    // By the delivered picture, CNY, region Beijing. A prompt that Z-Image rewrites costs twice as much.
    {
      owner: ALIBABA,
      currency: "CNY",
      source: "https://help.aliyun.com/zh/model-studio/models",
      asOf: "2026-04-30",
      confidence: "secondary",
      models: {
        "qwen-image-2.0-pro": picture(0.5),
        "qwen-image-2.0": picture(0.2),
        "qwen-image-max": picture(0.5),
        "qwen-image-plus": picture(0.2),
        "qwen-image": picture(0.25),
        "qwen-image-edit-max": picture(0.5),
        "qwen-image-edit-plus": picture(0.2),
        "qwen-image-edit": picture(0.3),
        "wan2.7-image-pro": picture(0.5),
        "wan2.7-image": picture(0.2),
        "wan2.6-image": picture(0.2),
        "wan2.6-t2i": picture(0.2),
        "wan2.5-i2i-preview": picture(0.2),
        "wan2.5-t2i-preview": picture(0.2),
        "wan2.2-t2i-plus": picture(0.2),
        "wan2.2-t2i-flash": picture(0.14),
        "wanx2.1-t2i-plus": picture(0.2),
        "wanx2.1-t2i-turbo": picture(0.14),
        "wanx2.0-t2i-turbo": picture(0.04),
        "z-image-turbo": picture(0.2),
      },
    },
    contractSheet(ALIBABA, {
      "text-embedding-v1": wordlessByRatio(0.05),
    }),
  ],
});
