import type { TierPrices, TokenPrices } from "@tollgate/contract/management/model-price";
import { ACTS, seeing, TALKS, THINKS, textOnly } from "./catalogue/abilities";
import { byRatio, contractSheet, wordlessByRatio } from "./catalogue/contract-sheet";
import { defineVendor } from "./define-vendor";

const LONG_CONTEXT = 272_000;

/** Past 272,000 tokens of input the whole request costs twice the input's prices and one and a half times the output's. */
const withLongContext = (
  prices: Required<Pick<TokenPrices, "input" | "output">> & TokenPrices,
): TokenPrices => {
  const tier: TierPrices = {
    aboveTokens: LONG_CONTEXT,
    input: prices.input * 2,
    output: prices.output * 1.5,
  };
  if (prices.cacheRead !== undefined) tier.cacheRead = prices.cacheRead * 2;
  if (prices.cacheWrite5m !== undefined) tier.cacheWrite5m = prices.cacheWrite5m * 2;
  if (prices.cacheWrite1h !== undefined) tier.cacheWrite1h = prices.cacheWrite1h * 2;
  return { ...prices, tiers: [tier] };
};

/** From GPT-5.6 on, a cached token costs a tenth of the input to read and 1.25 of it to write. */
const cached = (input: number, output: number): TokenPrices & { output: number } => ({
  input,
  output,
  cacheRead: Math.round(input * 1e5) / 1e6,
  cacheWrite5m: input * 1.25,
  cacheWrite1h: input * 1.25,
});

// https://platform.openai.com/docs/models; PDF files: https://platform.openai.com/docs/guides/pdf-files
const REASONING = seeing({ ...THINKS, files: true });
/** Without a word of its page on schemas. */
const AGENT = seeing({ ...ACTS, files: true });
const SPEAKING = seeing({ ...TALKS, files: true });

const MILLION = { context: 1_050_000, outputLimit: 128_000, abilities: REASONING } as const;
const GPT_5 = { context: 400_000, outputLimit: 128_000, abilities: REASONING } as const;
const CODEX = { ...GPT_5, abilities: AGENT } as const;
const CHAT = { context: 128_000, outputLimit: 16_384, abilities: SPEAKING } as const;
const CHAT_5 = { ...CHAT, abilities: seeing({}) } as const;
const SEARCH = { ...CHAT, abilities: textOnly({ structured: true, reasoning: false }) } as const;
const GPT_41 = { context: 1_047_576, outputLimit: 32_768, abilities: SPEAKING } as const;
const O_SERIES = { context: 200_000, outputLimit: 100_000, abilities: REASONING } as const;
const RESEARCH = { ...O_SERIES, abilities: seeing({ reasoning: true }) } as const;

const SOUND = {
  inputs: ["text", "audio"],
  outputs: ["text", "audio"],
  features: { tools: true, structured: false, reasoning: false },
} as const;
const PAINTER = { inputs: ["text", "image"], outputs: ["image"] } as const;
const LISTENER = { inputs: ["text", "audio"], outputs: ["text"] } as const;

const OPENAI = { id: "openai", name: "OpenAI" };

export const openai = defineVendor({
  type: 1,
  name: "OpenAI",
  color: "green",
  baseUrl: "https://api.openai.com",
  keyShape: /^sk-(?:proj|svcacct|admin)-|^sk-\w{20}T3BlbkFJ/,
  clientHeaders: ["openai-beta"],
  extraProtocols: ["openai-responses"],
  // Its model pages (https://platform.openai.com/docs/models) name no other endpoint for these models.
  modelProtocols: [
    { match: /-codex|^o\d.*-pro|^gpt-.*-pro|-deep-research|^computer-use/, protocol: "openai-responses" },
  ],
  // https://platform.openai.com/docs/api-reference/chat/create
  completionLimitOrigins: /^https:\/\/api\.openai\.com$/,
  balance: { method: "dashboard", unit: "usd" },
  // https://developers.openai.com/api/docs/pricing
  toolPrices: {
    web_search: 10,
    // The older tool with models that do not reason.
    web_search_preview: 25,
    // Chat Completions with models that search, at most.
    web_search_options: 25,
    file_search: 2.5,
  },
  prices: [
    {
      owner: OPENAI,
      currency: "USD",
      source: "https://developers.openai.com/api/docs/pricing",
      asOf: "2026-09-23",
      confidence: "secondary",
      resoldAs: [/^openai\//],
      models: {
        "gpt-6-astra": { price: withLongContext(cached(10, 50)), ...MILLION },
        "gpt-6-sol": { price: withLongContext(cached(2, 10)), ...MILLION },
        "gpt-6.1-sol": {
          price: withLongContext({ ...cached(2, 10), cacheRead: 0.1 }),
          ...MILLION,
          source: "https://developers.openai.com/api/docs/models/gpt-6.1-sol",
          asOf: "2026-10-01",
        },
        "gpt-6-luna": { price: withLongContext(cached(0.1, 0.5)), ...MILLION },
        "gpt-5.6-sol": { price: withLongContext(cached(4, 20)), ...MILLION, aliases: ["gpt-5.6"] },
        "gpt-5.6-terra": { price: withLongContext(cached(2, 12)), ...MILLION },
        "gpt-5.6-luna": { price: withLongContext(cached(0.2, 1.2)), ...MILLION },
        "gpt-5.5": { price: withLongContext({ input: 5, output: 30, cacheRead: 0.5 }), ...MILLION },
        "gpt-5.5-pro": { price: withLongContext({ input: 30, output: 180 }), ...MILLION, abilities: AGENT },
        "gpt-5.4": { price: withLongContext({ input: 2.5, output: 15, cacheRead: 0.25 }), ...MILLION },
        "gpt-5.4-pro": { price: withLongContext({ input: 30, output: 180 }), ...MILLION, abilities: AGENT },
        "gpt-5.4-mini": { price: { input: 0.75, output: 4.5, cacheRead: 0.075 }, ...GPT_5 },
        "gpt-5.4-nano": { price: { input: 0.2, output: 1.25, cacheRead: 0.02 }, ...GPT_5 },
        "gpt-5.3-codex": { price: { input: 1.75, output: 14, cacheRead: 0.175 }, ...CODEX },
        "gpt-5.3-chat-latest": { price: { input: 1.75, output: 14, cacheRead: 0.175 }, ...CHAT_5 },
        "gpt-5.2": { price: { input: 1.75, output: 14, cacheRead: 0.175 }, ...GPT_5 },
        "gpt-5.2-codex": { price: { input: 1.75, output: 14, cacheRead: 0.175 }, ...CODEX },
        "gpt-5.2-chat-latest": { price: { input: 1.75, output: 14, cacheRead: 0.175 }, ...CHAT_5 },
        "gpt-5.2-pro": { price: { input: 21, output: 168 }, ...CODEX },
        "gpt-5.1": { price: { input: 1.25, output: 10, cacheRead: 0.125 }, ...GPT_5 },
        "gpt-5.1-codex": { price: { input: 1.25, output: 10, cacheRead: 0.125 }, ...CODEX },
        "gpt-5.1-codex-max": { price: { input: 1.25, output: 10, cacheRead: 0.125 }, ...CODEX },
        "gpt-5.1-codex-mini": { price: { input: 0.25, output: 2, cacheRead: 0.025 }, ...CODEX },
        "gpt-5.1-chat-latest": { price: { input: 1.25, output: 10, cacheRead: 0.125 }, ...CHAT_5 },
        "gpt-5": { price: { input: 1.25, output: 10, cacheRead: 0.125 }, ...GPT_5 },
        "gpt-5-codex": { price: { input: 1.25, output: 10, cacheRead: 0.125 }, ...CODEX },
        "gpt-5-chat-latest": { price: { input: 1.25, output: 10, cacheRead: 0.125 }, ...CHAT_5 },
        "gpt-5-mini": { price: { input: 0.25, output: 2, cacheRead: 0.025 }, ...GPT_5 },
        "gpt-5-nano": { price: { input: 0.05, output: 0.4, cacheRead: 0.005 }, ...GPT_5 },
        "gpt-5-pro": { price: { input: 15, output: 120 }, ...GPT_5, outputLimit: 272_000 },
        "gpt-4.1": { price: { input: 2, output: 8, cacheRead: 0.5 }, ...GPT_41 },
        "gpt-4.1-mini": { price: { input: 0.4, output: 1.6, cacheRead: 0.1 }, ...GPT_41 },
        "gpt-4.1-nano": { price: { input: 0.1, output: 0.4, cacheRead: 0.025 }, ...GPT_41 },
        "gpt-4o": { price: { input: 2.5, output: 10, cacheRead: 1.25 }, ...CHAT },
        "gpt-4o-2024-05-13": {
          price: { input: 5, output: 15 },
          context: 128_000,
          outputLimit: 4096,
          abilities: seeing({ tools: true, structured: false, reasoning: false }),
        },
        "chatgpt-4o-latest": { price: { input: 5, output: 15 }, ...CHAT_5 },
        "gpt-4o-mini": { price: { input: 0.15, output: 0.6, cacheRead: 0.075 }, ...CHAT },
        "gpt-4o-search-preview": { price: { input: 2.5, output: 10 }, ...SEARCH },
        "gpt-4o-mini-search-preview": { price: { input: 0.15, output: 0.6, cacheRead: 0.075 }, ...SEARCH },
        "gpt-4-turbo": {
          price: { input: 10, output: 30 },
          context: 128_000,
          outputLimit: 4096,
          aliases: ["gpt-4-turbo-preview", "gpt-4-0125-preview"],
        },
        "gpt-3.5-turbo": {
          price: { input: 0.5, output: 1.5 },
          context: 16_385,
          outputLimit: 4096,
          abilities: textOnly({ tools: true, structured: false, reasoning: false }),
          aliases: ["gpt-3.5-turbo-0125", "gpt-35-turbo"],
        },
        "gpt-audio": {
          price: { input: 2.5, output: 10, audioInput: 32, audioOutput: 64 },
          ...CHAT,
          abilities: SOUND,
          aliases: ["gpt-audio-1.5"],
        },
        "gpt-audio-mini": {
          price: { input: 0.6, output: 2.4, audioInput: 10, audioOutput: 20 },
          ...CHAT,
          abilities: SOUND,
        },
        "gpt-image-2": { price: { input: 5, output: 30, cacheRead: 1.25 }, abilities: PAINTER },
        "gpt-image-1.5": {
          price: { input: 5, output: 32, cacheRead: 1.25 },
          abilities: PAINTER,
          aliases: ["chatgpt-image-latest"],
        },
        "gpt-image-1": { price: { input: 5, output: 40, cacheRead: 1.25 }, abilities: PAINTER },
        "gpt-image-1-mini": { price: { input: 2, output: 8, cacheRead: 0.2 }, abilities: PAINTER },
        "gpt-4o-transcribe": {
          price: { input: 2.5, output: 10, audioInput: 6 },
          context: 16_000,
          outputLimit: 2000,
          abilities: LISTENER,
          aliases: ["gpt-4o-transcribe-diarize"],
        },
        "gpt-4o-mini-transcribe": {
          price: { input: 1.25, output: 5, audioInput: 3 },
          context: 16_000,
          outputLimit: 2000,
          abilities: LISTENER,
        },
        // The price of the smallest picture: others cost more by their size (metering/image-ratio.ts).
        "dall-e-3": { price: { perImage: 0.04 }, writesNothing: true },
        "dall-e-2": { price: { perImage: 0.016 }, writesNothing: true },
        "tts-1": { price: { perMillionCharacters: 15 }, writesNothing: true, aliases: ["tts-1-1106"] },
        "tts-1-hd": { price: { perMillionCharacters: 30 }, writesNothing: true, aliases: ["tts-1-hd-1106"] },
        "whisper-1": { price: { perMinute: 0.006 }, writesNothing: true },
        "gpt-transcribe": { price: { perMinute: 0.0045 }, writesNothing: true },
        // Charged by audio tokens, which an answer does not report: no price by characters could be found.
        "gpt-4o-mini-tts": { price: "unknown", writesNothing: true },
        "text-embedding-3-large": { price: { input: 0.13 }, writesNothing: true, context: 8192 },
        "text-embedding-3-small": { price: { input: 0.02 }, writesNothing: true, context: 8192 },
        "omni-moderation-latest": { price: { input: 0 }, writesNothing: true },
        o1: { price: { input: 15, output: 60, cacheRead: 7.5 }, ...O_SERIES },
        "o1-pro": { price: { input: 150, output: 600 }, ...O_SERIES },
        o3: { price: { input: 2, output: 8, cacheRead: 0.5 }, ...O_SERIES },
        "o3-pro": { price: { input: 20, output: 80 }, ...O_SERIES },
        "o3-mini": {
          price: { input: 1.1, output: 4.4, cacheRead: 0.55 },
          ...O_SERIES,
          abilities: textOnly(THINKS),
        },
        "o3-deep-research": { price: { input: 10, output: 40, cacheRead: 2.5 }, ...RESEARCH },
        "o4-mini": { price: { input: 1.1, output: 4.4, cacheRead: 0.275 }, ...O_SERIES },
        "o4-mini-deep-research": { price: { input: 2, output: 8, cacheRead: 0.5 }, ...RESEARCH },
        "codex-mini-latest": {
          price: { input: 1.5, output: 6, cacheRead: 0.375 },
          ...O_SERIES,
          abilities: seeing(ACTS),
        },
      },
    },
    contractSheet(OPENAI, {
      "gpt-4": byRatio(15, 2),
      "gpt-4-0314": byRatio(15, 2),
      "gpt-4-0613": byRatio(15, 2),
      "gpt-4-32k": byRatio(30, 2),
      "gpt-4-32k-0314": byRatio(30, 2),
      "gpt-4-32k-0613": byRatio(30, 2),
      "gpt-4-1106-preview": byRatio(5, 3),
      "gpt-4-vision-preview": byRatio(5, 3),
      "gpt-3.5-turbo-0301": byRatio(0.75, 4 / 3),
      "gpt-3.5-turbo-0613": byRatio(0.75, 4 / 3),
      "gpt-3.5-turbo-16k": byRatio(1.5, 2),
      "gpt-3.5-turbo-16k-0613": byRatio(1.5, 4 / 3),
      "gpt-3.5-turbo-instruct": byRatio(0.75, 4 / 3),
      "gpt-3.5-turbo-1106": byRatio(0.5, 2),
      "text-ada-001": byRatio(0.2),
      "text-babbage-001": byRatio(0.25),
      "text-curie-001": byRatio(1),
      "text-davinci-002": byRatio(10),
      "text-davinci-003": byRatio(10),
      "text-davinci-edit-001": byRatio(10),
      "code-davinci-edit-001": byRatio(10),
      davinci: byRatio(10),
      curie: byRatio(10),
      babbage: byRatio(10),
      ada: byRatio(10),
      "text-embedding-ada-002": wordlessByRatio(0.05),
      "text-search-ada-doc-001": wordlessByRatio(10),
      "text-moderation-stable": wordlessByRatio(0.1),
      "text-moderation-latest": wordlessByRatio(0.1),
    }),
  ],
});
