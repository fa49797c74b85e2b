import type { TokenPrices } from "@tollgate/contract/management/model-price";
import { TALKS, THINKS } from "./catalogue/abilities";
import type { ModelFacts } from "./catalogue/sheet";
import { defineVendor } from "./define-vendor";

/** Shared with Vertex AI, which sells these models under the same names. */
export const GOOGLE = { id: "google", name: "Google" };

export const GEMINI_MODELS = [
  "gemini-3.8-flash",
  "gemini-3.5-flash",
  "gemini-3.5-flash-lite",
  "gemini-3.1-pro-preview",
  "gemini-2.5-pro",
  "gemini-2.5-flash",
  "gemini-2.5-flash-lite",
] as const;

/** Models of pictures: https://ai.google.dev/gemini-api/docs/image-generation. Imagen's are withdrawn there. */
export const GEMINI_IMAGE_MODELS = [
  "gemini-3-pro-image-preview",
  "gemini-3.1-flash-image-preview",
  "gemini-2.5-flash-image",
] as const;

/** Imagen is priced by the picture: https://cloud.google.com/vertex-ai/generative-ai/pricing */
const imagen = (perImage: number): ModelFacts => ({ price: { perImage }, writesNothing: true });

/** Models that read texts aloud. */
export const SPEECH_MODELS = ["gemini-3.8-flash-tts", "gemini-3.8-flash-lite-tts"] as const;

/** Everything that they write is sound. Their prices double with the year 2027, too. */
const speechUntil2027 = (output: number): readonly TokenPrices[] => [
  { input: 0.5, output },
  { from: "2027-01-01", input: 1, output: 2 * output },
];

/** They read 8,192 tokens. */
const SPEECH = {
  context: 24_576,
  outputLimit: 16_384,
  abilities: { inputs: ["text"], outputs: ["audio"] },
  asOf: "2026-11-29",
} as const;

/** The Pro models cost more for prompts of over 200,000 tokens: twice the input, one and a half times the output. */
const pro = (input: number, output: number, cacheRead: number): TokenPrices => ({
  input,
  output,
  cacheRead,
  tiers: [{ aboveTokens: 200_000, input: input * 2, output: output * 1.5, cacheRead: cacheRead * 2 }],
});

/** The price that is announced to double with the year 2027. */
const UNTIL_2027: readonly TokenPrices[] = [
  { input: 0.75, output: 3.75, cacheRead: 0.075 },
  { from: "2027-01-01", input: 1.5, output: 7.5, cacheRead: 0.15 },
];

// https://ai.google.dev/gemini-api/docs/models
const HEARS_ALL = { inputs: ["text", "image", "audio", "video"], outputs: ["text"] } as const;
const GEMINI = { ...HEARS_ALL, features: { ...THINKS, files: true } } as const;
const GEMINI_2 = { ...HEARS_ALL, features: { ...TALKS, files: true } } as const;
const PAINTER = { inputs: ["text", "image"], outputs: ["text", "image"] } as const;

const MILLION = { context: 1_048_576, outputLimit: 65_536, abilities: GEMINI } as const;

export const gemini = defineVendor({
  type: 24,
  name: "Google Gemini",
  providerName: "gcp.gemini",
  color: "orange",
  baseUrl: "https://generativelanguage.googleapis.com",
  keyShape: /^AIza[\w-]{35}$/,
  route: { protocol: "gemini-generate", auth: "x-goog-api-key" },
  // Its addresses of OpenAI's shape.
  versionedAddresses: /\/v1beta\/openai$/,
  models: [...GEMINI_MODELS, ...GEMINI_IMAGE_MODELS, "gemini-embedding-001", ...SPEECH_MODELS],
  // https://ai.google.dev/gemini-api/docs/pricing: a search of Gemini 3, a prompt with searches of older ones, at most.
  toolPrices: { google_search: 14, google_search_prompt: 35, google_maps: 25 },
  prices: [
    {
      owner: GOOGLE,
      currency: "USD",
      source: "https://ai.google.dev/gemini-api/docs/pricing",
      asOf: "2026-10-07",
      confidence: "secondary",
      // The first is the resource's name in Gemini's own API.
      resoldAs: [/^models\//, /^google\//],
      models: {
        "gemini-3.8-flash": { price: UNTIL_2027, ...MILLION, aliases: ["gemini-flash-latest"] },
        "gemini-3.7-flash": { price: UNTIL_2027, ...MILLION },
        "gemini-3.6-flash": { price: UNTIL_2027, ...MILLION },
        "gemini-3.5-flash": { price: { input: 1.5, output: 9, cacheRead: 0.15 }, ...MILLION },
        "gemini-3.5-flash-lite": {
          price: { input: 0.3, output: 2.5, cacheRead: 0.03 },
          ...MILLION,
          aliases: ["gemini-flash-lite-latest"],
        },
        "gemini-3.1-pro-preview": {
          price: pro(2, 12, 0.2),
          ...MILLION,
          aliases: ["gemini-3.1-pro-preview-customtools"],
        },
        "gemini-3-pro-preview": { price: pro(2, 12, 0.2), ...MILLION },
        "gemini-3-flash-preview": {
          price: { input: 0.5, output: 3, cacheRead: 0.05, audioInput: 1 },
          ...MILLION,
        },
        "gemini-3.1-flash-lite": {
          price: { input: 0.25, output: 1.5, cacheRead: 0.025, audioInput: 0.5 },
          ...MILLION,
          aliases: ["gemini-3.1-flash-lite-preview"],
        },
        "gemini-2.5-pro": { price: pro(1.25, 10, 0.125), ...MILLION },
        "gemini-2.5-flash": {
          price: { input: 0.3, output: 2.5, cacheRead: 0.03, audioInput: 1 },
          ...MILLION,
        },
        "gemini-2.5-flash-lite": {
          price: { input: 0.1, output: 0.4, cacheRead: 0.01, audioInput: 0.3 },
          ...MILLION,
        },
        "gemini-2.0-flash": {
          price: { input: 0.1, output: 0.4, cacheRead: 0.025, audioInput: 0.7 },
          context: 1_048_576,
          outputLimit: 8192,
          abilities: GEMINI_2,
          aliases: ["gemini-2.0-flash-001"],
        },
        "gemini-2.0-flash-lite": {
          price: { input: 0.075, output: 0.3 },
          context: 1_048_576,
          outputLimit: 8192,
          abilities: GEMINI_2,
          aliases: ["gemini-2.0-flash-lite-001"],
        },
        // These models write pictures, whose tokens cost more than text: the price of picture tokens applies to all.
        "gemini-2.5-flash-image": {
          price: { input: 0.3, output: 30 },
          context: 32_768,
          outputLimit: 32_768,
          abilities: PAINTER,
        },
        "gemini-3-pro-image-preview": {
          price: { input: 2, output: 120 },
          context: 131_072,
          outputLimit: 32_768,
          abilities: PAINTER,
          aliases: ["gemini-3-pro-image"],
        },
        "gemini-3.1-flash-image-preview": {
          price: { input: 0.5, output: 60 },
          context: 65_536,
          outputLimit: 65_536,
          abilities: PAINTER,
          aliases: ["gemini-3.1-flash-image"],
        },
        "imagen-4.0-generate-001": imagen(0.04),
        "imagen-4.0-fast-generate-001": imagen(0.02),
        "imagen-4.0-ultra-generate-001": imagen(0.06),
        "imagen-3.0-generate-002": imagen(0.04),
        "imagen-3.0-capability-001": imagen(0.04),
        "gemini-3.8-flash-tts": { price: speechUntil2027(9), ...SPEECH },
        "gemini-3.8-flash-lite-tts": { price: speechUntil2027(6), ...SPEECH },
        // The aliases are Vertex AI's names.
        "gemini-2.5-flash-preview-tts": {
          price: { input: 0.5, output: 10 },
          ...SPEECH,
          aliases: ["gemini-2.5-flash-tts"],
        },
        "gemini-2.5-pro-preview-tts": {
          price: { input: 1, output: 20 },
          ...SPEECH,
          aliases: ["gemini-2.5-pro-tts"],
        },
        "gemini-embedding-001": { price: { input: 0.15 }, writesNothing: true, context: 2048 },
        "gemini-embedding-2": { price: { input: 0.2, audioInput: 6.5 }, writesNothing: true, context: 8192 },
      },
    },
  ],
});
