import { ACTS, seeing, textOnly } from "./catalogue/abilities";
import { byRatio, contractSheet } from "./catalogue/contract-sheet";
import { stepped } from "./catalogue/stepped";
import { defineVendor } from "./define-vendor";

const K32 = 32_000;

const GLM_5 = { context: 200_000, outputLimit: 131_072, abilities: textOnly(ACTS) } as const;

/**
 * Short answers to short prompts cost less (2 and 8), but the length is known only after the answer: the usual price is
 * listed.
 */
const GLM_4 = stepped([3, 14, 0.6], [K32, [4, 16, 0.8]]);

const ZHIPU = { id: "zhipu", name: "Zhipu AI" };

export const zhipu = defineVendor({
  type: 16,
  name: "Zhipu ChatGLM",
  color: "violet",
  baseUrl: "https://open.bigmodel.cn",
  keyShape: /^[0-9a-f]{32}\.\w{16}$/,
  route: { apiPath: "/api/paas/v4" },
  keyForms: {
    separator: ".",
    forms: [
      { parts: ["keyId", "secret"], text: "id.secret" },
      { parts: ["key"], text: "API Key" },
    ],
  },
  // The third API, which only the oldest models still use.
  alternatives: [
    {
      keyPart: "keyId",
      models: /^chatglm_/,
      protocol: "zhipu",
      baseUrl: "https://open.bigmodel.cn",
      auth: "zhipu-jwt",
    },
  ],
  // For both of its APIs: https://docs.bigmodel.cn/cn/api/api-code
  errorKinds: {
    "dead-key": [1000, 1001, 1002, 1003, 1004, 1110, 1111, 1112, 1113, 1121, 1309],
    "rate-limited": [1302, 1303, 1304, 1308, 1310, 1313],
    overloaded: [1120, 1200, 1230, 1234, 1305, 1312],
    "model-missing": [1211, 1212, 1220, 1221, 1222, 1311],
    caller: [1210, 1213, 1214, 1215, 1231, 1261, 1300, 1301],
  },
  models: [
    "glm-5.3",
    "glm-5.3-flash",
    "glm-5.2",
    "glm-5.1",
    "glm-5-turbo",
    "glm-5",
    "glm-4.7",
    "glm-4.7-flash",
    "glm-4.6v",
    "glm-4-plus",
    "embedding-3",
  ],
  prices: [
    {
      owner: ZHIPU,
      currency: "CNY",
      source: "https://docs.bigmodel.cn/cn/guide/start/pricing",
      asOf: "2026-09-09",
      confidence: "secondary",
      models: {
        "glm-5.3": {
          price: { input: 8, output: 28, cacheRead: 2 },
          context: 1_000_000,
          outputLimit: 131_072,
          abilities: textOnly(ACTS),
          confidence: "vendor page",
        },
        // The list price: it was half as high until 9 September 2026.
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
          abilities: textOnly(ACTS),
        },
        "glm-5.1": { price: stepped([6, 24, 1.3], [K32, [8, 28, 2]]), ...GLM_5 },
        "glm-5-turbo": {
          price: stepped([5, 22, 1.2], [K32, [7, 26, 1.8]]),
          ...GLM_5,
          // The other name sees.
          abilities: { outputs: ["text"], features: ACTS },
          aliases: ["glm-5v-turbo"],
        },
        "glm-5": { price: stepped([4, 18, 1], [K32, [6, 22, 1.5]]), ...GLM_5 },
        "glm-4.7": { price: GLM_4, ...GLM_5, aliases: ["glm-4.6"] },
        "glm-4.7-flashx": { price: { input: 0.5, output: 3, cacheRead: 0.1 }, ...GLM_5 },
        "glm-4.7-flash": { price: { input: 0, output: 0 }, ...GLM_5 },
        "glm-4.6v": {
          price: stepped([1, 3, 0.2], [K32, [2, 6, 0.4]]),
          context: 131_072,
          outputLimit: 32_768,
          abilities: seeing(ACTS),
        },
        "glm-4.6v-flash": { price: { input: 0, output: 0 }, context: 131_072, outputLimit: 32_768 },
        "glm-4.5": { price: GLM_4, context: 131_072, outputLimit: 98_304 },
        "glm-4.5v": {
          price: stepped([2, 6, 0.4], [K32, [4, 12, 0.8]]),
          context: 65_536,
          outputLimit: 16_384,
        },
        "glm-4-plus": { price: { input: 5, output: 5, cacheRead: 2.5 }, context: 128_000, outputLimit: 4096 },
        "glm-4-air": {
          price: { input: 0.5, output: 0.5, cacheRead: 0.25 },
          context: 128_000,
          outputLimit: 4096,
        },
        "glm-4-airx": { price: { input: 10, output: 10 }, context: 8192, outputLimit: 4096 },
        "glm-4-long": {
          price: { input: 1, output: 1, cacheRead: 0.5 },
          context: 1_000_000,
          outputLimit: 4096,
        },
        // No price of today could be found.
        "embedding-3": { price: "unknown", writesNothing: true },
      },
    },
    contractSheet(ZHIPU, {
      chatglm_turbo: byRatio(0.3572),
      chatglm_pro: byRatio(0.7143),
      chatglm_std: byRatio(0.3572),
      chatglm_lite: byRatio(0.1429),
    }),
  ],
});
