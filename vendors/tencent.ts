import { byRatio, contractSheet } from "./catalogue/contract-sheet";
import { stepped } from "./catalogue/stepped";
import { defineVendor } from "./define-vendor";

const K32 = 32_000;

const TENCENT = { id: "tencent", name: "Tencent" };

export const tencent = defineVendor({
  type: 23,
  name: "Tencent Hunyuan",
  color: "teal",
  baseUrl: "https://hunyuan.tencentcloudapi.com",
  route: { protocol: "hunyuan", auth: "tencent-tc3" },
  keyForms: {
    separator: "|",
    forms: [
      { parts: ["accountId", "keyId", "secret"], text: "AppId|SecretId|SecretKey", isHint: true },
      { parts: ["keyId", "secret"], text: "SecretId|SecretKey" },
      { parts: ["key"], text: "sk-…" },
    ],
  },
  alternatives: [
    // A single key is one of TokenHub.
    {
      keyPart: "key",
      protocol: "openai-chat",
      baseUrl: "https://tokenhub.tencentmaas.com",
      apiPath: "/v1",
      auth: "bearer",
    },
    // Only its first model uses the first API.
    {
      keyPart: "accountId",
      models: /^hunyuan$/,
      protocol: "hunyuan-legacy",
      baseUrl: "https://hunyuan.cloud.tencent.com",
      auth: "tencent-legacy",
    },
  ],
  // API 3.0: https://cloud.tencent.com/document/product/1729/101838
  errorKinds: {
    overloaded: [
      "AuthFailure.SignatureExpire",
      "FailedOperation.EngineRequestTimeout",
      "FailedOperation.EngineServerError",
      "FailedOperation.EngineServerLimitExceeded",
      "FailedOperation.ConsoleServerError",
      "InternalError",
      "InternalError.",
    ],
    "dead-key": [
      "AuthFailure",
      "AuthFailure.",
      "FailedOperation.",
      "ResourceUnavailable.InArrears",
      "ResourceUnavailable.LowBalance",
      "ResourceUnavailable.StopUsing",
      "ResourceInsufficient.",
      2001,
      2002,
      2003,
    ],
    "model-missing": ["ResourceUnavailable.NotExist", "InvalidParameterValue.Model", "UnsupportedOperation"],
    "rate-limited": ["RequestLimitExceeded", "RequestLimitExceeded.", "LimitExceeded", "LimitExceeded."],
    caller: [
      4000,
      "InvalidParameter",
      "InvalidParameter.",
      "InvalidParameterValue",
      "InvalidParameterValue.",
      "MissingParameter",
      "UnknownParameter",
      "OperationDenied.",
    ],
  },
  models: ["hunyuan-2.0-thinking-20251109", "hunyuan-2.0-instruct-20251111", "hy3-preview"],
  prices: [
    {
      owner: TENCENT,
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
    },
    contractSheet(TENCENT, {
      hunyuan: byRatio(7.143),
    }),
  ],
});
