import { byRatio, contractSheet, wordlessByRatio } from "./catalogue/contract-sheet";
import { stepped } from "./catalogue/stepped";
import { defineVendor } from "./define-vendor";

const K32 = 32_000;

const ERNIE_5 = stepped([6, 24], [K32, [10, 40]]);
const ERNIE = { context: 131_072, outputLimit: 65_536 } as const;
const ERNIE_TURBO = { input: 0.8, output: 3.2, cacheRead: 0.2 } as const;
const ERNIE_VL = { input: 3, output: 9, cacheRead: 0.75 } as const;

const BAIDU = { id: "baidu", name: "Baidu" };

export const baidu = defineVendor({
  type: 15,
  name: "Baidu Qianfan",
  color: "blue",
  baseUrl: "https://aip.baidubce.com",
  route: { protocol: "baidu", auth: "baidu-oauth" },
  // A single key is one of Qianfan 2.
  keyForms: {
    separator: "|",
    forms: [
      { parts: ["keyId", "secret"], text: "APIKey|SecretKey", isHint: true },
      { parts: ["key"], text: "bce-v3/ALTAK-…" },
    ],
  },
  alternatives: [
    {
      keyPart: "key",
      protocol: "openai-chat",
      baseUrl: "https://qianfan.baidubce.com",
      apiPath: "/v2",
      auth: "bearer",
    },
  ],
  // Numbers of the Wenxin workshop (https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh), words of Qianfan 2.
  errorKinds: {
    "dead-key": [
      13,
      14,
      17,
      19,
      100,
      110,
      111,
      "invalid_client",
      "invalid_iam_token",
      "access_denied",
      "insufficient_quota",
    ],
    "rate-limited": [4, 18, 336501, 336502, "rpm_rate_limit_exceeded", "tpm_rate_limit_exceeded"],
    overloaded: [1, 2, 15, 336000, 336100, "internal_error", "server_overloaded"],
    "model-missing": [6, "invalid_model", "no_parameter_permission"],
    caller: [
      3,
      336001,
      336002,
      336003,
      336007,
      336008,
      336101,
      336103,
      336104,
      336105,
      "malformed_json",
      "invalid_messages",
      "invalid_argument",
      "characters_too_long",
      "tokens_too_long",
    ],
  },
  models: [
    "ernie-5.1",
    "ernie-5.0",
    "ernie-4.5-turbo-128k",
    "ernie-4.5-turbo-32k",
    "ernie-4.5-turbo-vl",
    "Embedding-V1",
  ],
  prices: [
    {
      owner: BAIDU,
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
    },
    contractSheet(BAIDU, {
      "ERNIE-Bot": byRatio(0.8572),
      "ERNIE-Bot-turbo": byRatio(0.5715),
      "ERNIE-Bot-4": byRatio(8.572),
      "Embedding-V1": wordlessByRatio(0.1429),
    }),
  ],
});
