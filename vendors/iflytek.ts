import { byRatio, contractSheet } from "./catalogue/contract-sheet";
import { defineVendor } from "./define-vendor";

const IFLYTEK = { id: "xunfei", name: "iFLYTEK" };

export const iflytek = defineVendor({
  type: 18,
  name: "iFlytek Spark",
  color: "blue",
  baseUrl: "https://spark-api.xf-yun.com",
  route: { protocol: "spark", auth: "spark-url", isSocket: true },
  other: { meaning: "model-version", default: "v2.1" },
  // A single key (APIPassword) is one of the HTTP API.
  keyForms: {
    separator: "|",
    forms: [
      { parts: ["accountId", "secret", "keyId"], text: "APPID|APISecret|APIKey", isHint: true },
      { parts: ["key"], text: "APIPassword" },
    ],
  },
  alternatives: [
    {
      keyPart: "key",
      protocol: "openai-chat",
      baseUrl: "https://spark-api-open.xf-yun.com",
      apiPath: "/v1",
      auth: "bearer",
      modelNames: {
        SparkDesk: "generalv3.5",
        "SparkDesk-v1.1": "lite",
        "SparkDesk-v3.1": "generalv3",
        "SparkDesk-v3.1-128K": "pro-128k",
        "SparkDesk-v3.5": "generalv3.5",
        "SparkDesk-v3.5-32K": "max-32k",
        "SparkDesk-v4.0": "4.0Ultra",
        "Spark-Lite": "lite",
        "Spark-Pro": "generalv3",
        "Spark-Pro-128K": "pro-128k",
        "Spark-Max": "generalv3.5",
        "Spark-Max-32K": "max-32k",
        "Spark-4.0-Ultra": "4.0Ultra",
      },
    },
  ],
  // Socket and HTTP: https://www.xfyun.cn/doc/spark/Web.html
  errorKinds: {
    "dead-key": [10015, 10016, 11200],
    "rate-limited": [10007, 11201, 11202, 11203],
    overloaded: [10000, 10001, 10002, 10006, 10008, 10009, 10010, 10011, 10012, 10110, 10222],
    "model-missing": [10404],
    caller: [10003, 10004, 10005, 10013, 10014, 10017, 10019, 10163, 10907],
  },
  models: ["SparkDesk", "4.0Ultra", "generalv3.5", "generalv3"],
  prices: [
    // The models of today are sold in packages or by contract: no price by tokens could be found but that of "lite".
    {
      owner: IFLYTEK,
      currency: "CNY",
      source: "https://www.xfyun.cn/doc/spark/HTTP调用文档.html",
      asOf: "2026-05-31",
      confidence: "vendor page",
      models: {
        "4.0Ultra": { price: "unknown", context: 32_768, outputLimit: 32_768 },
        "generalv3.5": { price: "unknown", context: 8192, outputLimit: 8192 },
        generalv3: { price: "unknown", context: 8192, outputLimit: 8192 },
      },
    },
    contractSheet(IFLYTEK, {
      SparkDesk: byRatio(1.2858),
    }),
  ],
});
