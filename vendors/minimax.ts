import { ACTS, seeing, textOnly } from "./catalogue/abilities";
import { stepped } from "./catalogue/stepped";
import { defineVendor } from "./define-vendor";

const MINIMAX_2 = { context: 204_800, outputLimit: 131_072, abilities: textOnly(ACTS) } as const;
const MINIMAX_CACHE = { cacheWrite5m: 2.625, cacheWrite1h: 2.625 } as const;

export const minimax = defineVendor({
  type: 27,
  name: "MiniMax",
  color: "red",
  baseUrl: "https://api.minimaxi.com",
  route: { addressing: "minimax" },
  // Codes inside successes: https://platform.minimaxi.com/docs/api-reference/errorcode
  errorKinds: {
    "dead-key": [1004, 1008, 2049],
    "rate-limited": [1002, 1039, 1041, 2045, 2056],
    overloaded: [1000, 1001, 1024, 1033],
    caller: [1026, 1027, 1042, 2013, 20132, 2042],
  },
  models: [
    "MiniMax-M3",
    "MiniMax-M2.7",
    "MiniMax-M2.7-highspeed",
    "MiniMax-M2.5",
    "speech-2.8-hd",
    "speech-2.8-turbo",
    "asr-1.0",
  ],
  prices: [
    {
      owner: { id: "minimax", name: "MiniMax" },
      currency: "CNY",
      source: "https://platform.minimaxi.com/docs/guides/pricing-paygo",
      asOf: "2026-09-23",
      confidence: "secondary",
      models: {
        // Listed in USD; the vendor's two lists use 7 CNY per dollar for every model in both.
        "MiniMax-M3": {
          price: stepped([2.1, 8.4, 0.42], [512_000, [4.2, 16.8, 0.84]]),
          context: 1_000_000,
          outputLimit: 131_072,
          abilities: seeing(ACTS),
          confidence: "inferred",
        },
        "MiniMax-M2.7": {
          price: { input: 2.1, output: 8.4, cacheRead: 0.42, ...MINIMAX_CACHE },
          ...MINIMAX_2,
        },
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
        // 3.5 and 2 CNY per 10,000 characters, by Alibaba's list of the same models.
        "speech-2.8-hd": {
          price: { perMillionCharacters: 350 },
          writesNothing: true,
          aliases: ["speech-2.6-hd", "speech-02-hd"],
          source: "https://help.aliyun.com/zh/model-studio/minimax-synchronous-speech-synthesis-api",
          asOf: "2026-11-29",
        },
        "speech-2.8-turbo": {
          price: { perMillionCharacters: 200 },
          writesNothing: true,
          aliases: ["speech-2.6-turbo", "speech-02-turbo"],
          source: "https://help.aliyun.com/zh/model-studio/minimax-synchronous-speech-synthesis-api",
          asOf: "2026-11-29",
        },
        // No price of today could be found.
        "asr-1.0": { price: "unknown", writesNothing: true },
        "MiniMax-M1": { price: { input: 1.2, output: 16 }, context: 1_000_192, outputLimit: 40_000 },
        "MiniMax-Text-01": { price: { input: 1, output: 8 }, context: 1_000_192, outputLimit: 40_000 },
      },
    },
  ],
});
