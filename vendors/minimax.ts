import { stepped } from "./catalogue/stepped";
import { defineVendor } from "./define-vendor";

const MINIMAX_2 = { context: 204_800, outputLimit: 131_072 } as const;
const MINIMAX_CACHE = { cacheWrite5m: 2.625, cacheWrite1h: 2.625 } as const;

export const minimax = defineVendor({
  type: 27,
  name: "MiniMax",
  color: "red",
  baseUrl: "https://api.minimaxi.com",
  models: ["MiniMax-M3", "MiniMax-M2.7", "MiniMax-M2.7-highspeed", "MiniMax-M2.5"],
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
        "MiniMax-M1": { price: { input: 1.2, output: 16 }, context: 1_000_192, outputLimit: 40_000 },
        "MiniMax-Text-01": { price: { input: 1, output: 8 }, context: 1_000_192, outputLimit: 40_000 },
      },
    },
  ],
});
