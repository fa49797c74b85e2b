import type { ModelFacts } from "./catalogue/sheet";
import { stepped } from "./catalogue/stepped";
import { defineVendor } from "./define-vendor";

const K32 = 32_000;
const K128 = 128_000;

const DOUBAO = { context: 256_000, outputLimit: 128_000 } as const;
const DOUBAO_1 = { context: 256_000, outputLimit: 32_000 } as const;

const picture = (perImage: number): ModelFacts => ({
  price: { perImage },
  writesNothing: true,
  asOf: "2026-04-30",
});

export const volcengine = defineVendor({
  type: 40,
  name: "Volcengine Ark",
  color: "blue",
  baseUrl: "https://ark.cn-beijing.volces.com/api/v3",
  keyShape: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  // https://www.volcengine.com/docs/82379
  extraProtocols: ["openai-responses"],
  route: { addressing: "ark" },
  // https://www.volcengine.com/docs/82379/1299023
  errorKinds: {
    caller: [
      "InputTextSensitiveContentDetected",
      "InputTextSensitiveContentDetected.",
      "InputImageSensitiveContentDetected",
      "InputImageSensitiveContentDetected.",
      "OutputImageSensitiveContentDetected",
      "OutputImageSensitiveContentDetected.",
      "SensitiveContentDetected",
      "SensitiveContentDetected.",
    ],
  },
  models: [
    "doubao-seed-2-1-pro-260628",
    "doubao-seed-2-0-pro-260215",
    "doubao-seed-2-0-lite-260215",
    "doubao-seed-2-0-mini-260215",
    "doubao-seed-1-8-251228",
    "doubao-seed-1-6-flash-250828",
    "doubao-seedream-5-0-260128",
    "doubao-seedream-4-5-251128",
    "doubao-seedream-4-0-250828",
  ],
  prices: [
    // The names of the API carry the day of the version; without it they are the vendor's own short names.
    {
      owner: { id: "volcengine", name: "Volcengine" },
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
        // By the delivered picture, whatever its size.
        "doubao-seedream-5-0-260128": picture(0.22),
        "doubao-seedream-4-5-251128": picture(0.25),
        "doubao-seedream-4-0-250828": picture(0.2),
        "doubao-seedream-3-0-t2i-250415": picture(0.259),
        "doubao-seededit-3-0-i2i-250628": picture(0.259),
        // No price could be found.
        "doubao-seed-2-1-turbo-260628": { price: "unknown", ...DOUBAO },
        "doubao-embedding-vision-250615": { price: "unknown", writesNothing: true },
      },
    },
  ],
});
