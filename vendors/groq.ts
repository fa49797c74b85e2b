import { defineVendor } from "./define-vendor";

export const groq = defineVendor({
  type: 29,
  name: "Groq",
  color: "red",
  baseUrl: "https://api.groq.com/openai",
  keyShape: /^gsk_/,
  // https://console.groq.com/docs/api-reference
  completionLimitOrigins: /^https:\/\/api\.groq\.com$/,
  models: [
    "openai/gpt-oss-120b",
    "openai/gpt-oss-20b",
    "llama-3.3-70b-versatile",
    "qwen/qwen3-32b",
    "whisper-large-v3",
  ],
  prices: [
    {
      owner: { id: "groq", name: "Groq" },
      currency: "USD",
      source: "https://console.groq.com/docs/models",
      asOf: "2026-09-23",
      confidence: "secondary",
      models: {
        "openai/gpt-oss-120b": {
          price: { input: 0.15, output: 0.6, cacheRead: 0.075 },
          context: 131_072,
          outputLimit: 65_536,
        },
        "openai/gpt-oss-20b": {
          price: { input: 0.075, output: 0.3, cacheRead: 0.0375 },
          context: 131_072,
          outputLimit: 65_536,
        },
        "llama-3.3-70b-versatile": {
          price: { input: 0.59, output: 0.79 },
          context: 131_072,
          outputLimit: 32_768,
        },
        "llama-3.1-8b-instant": {
          price: { input: 0.05, output: 0.08 },
          context: 131_072,
          outputLimit: 131_072,
        },
        "meta-llama/llama-4-maverick-17b-128e-instruct": {
          price: { input: 0.2, output: 0.6 },
          context: 131_072,
          outputLimit: 8192,
        },
        "meta-llama/llama-4-scout-17b-16e-instruct": {
          price: { input: 0.11, output: 0.34 },
          context: 131_072,
          outputLimit: 8192,
        },
        "qwen/qwen3-32b": { price: { input: 0.29, output: 0.59 }, context: 131_072, outputLimit: 40_960 },
        "moonshotai/kimi-k2-instruct": {
          price: { input: 1, output: 3, cacheRead: 0.5 },
          context: 131_072,
          outputLimit: 16_384,
          aliases: ["moonshotai/kimi-k2-instruct-0905"],
        },
        // 0.111 and 0.04 USD an hour.
        "whisper-large-v3": { price: { perMinute: 0.00185 }, writesNothing: true },
        "whisper-large-v3-turbo": { price: { perMinute: 0.000667 }, writesNothing: true },
      },
    },
  ],
});
