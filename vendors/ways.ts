import type { AlternativeRoute, KeyForms, VendorRoute } from "./vendor";
import { VENDORS } from "./vendors";

/**
 * What only the gateway needs of a vendor: the console, which loads the vendors' names, is spared it. Without any word it
 * speaks Chat Completions and takes its key as a bearer.
 */
export interface Ways extends Partial<Omit<VendorRoute, "baseUrl">> {
  /** Which keys are accepted when a channel is saved; any where this is left out. */
  keyForms?: KeyForms;
  /** In place of the vendor's main way; the first that fits is taken. */
  alternatives?: readonly AlternativeRoute[];
}

const VERTEX = "https://{region}-aiplatform.googleapis.com";

/** By channel type. */
const WAYS: Readonly<Record<number, Ways>> = {
  /** Google has switched PaLM off: only its own names lead there. */
  11: {
    protocol: "gemini-generate",
    auth: "x-goog-api-key",
    alternatives: [
      {
        models: /^palm|bison/i,
        protocol: "palm",
        baseUrl: "https://generativelanguage.googleapis.com",
        auth: "x-goog-api-key",
      },
    ],
  },
  /** A single key is one of Qianfan 2. */
  15: {
    protocol: "baidu",
    auth: "baidu-oauth",
    keyForms: {
      separator: "|",
      forms: [
        { parts: 2, text: "APIKey|SecretKey" },
        { parts: 1, text: "bce-v3/ALTAK-…" },
      ],
    },
    alternatives: [
      {
        keyParts: [1],
        protocol: "openai-chat",
        baseUrl: "https://qianfan.baidubce.com",
        apiPath: "/v2",
        auth: "bearer",
      },
    ],
  },
  /** The third API, which the oldest models alone still speak. */
  16: {
    apiPath: "/api/paas/v4",
    keyForms: {
      separator: ".",
      forms: [
        { parts: 2, text: "id.secret" },
        { parts: 1, text: "API Key" },
      ],
    },
    alternatives: [
      {
        keyParts: [2],
        models: /^chatglm_/,
        protocol: "zhipu",
        baseUrl: "https://open.bigmodel.cn",
        auth: "zhipu-jwt",
      },
    ],
  },
  /** Its own API, for who asks for it by its address. */
  17: {
    apiPath: "/compatible-mode/v1",
    alternatives: [
      {
        baseUrlEnd: /\/api\/v1$/,
        protocol: "dashscope",
        baseUrl: "https://dashscope.aliyuncs.com/api/v1",
        auth: "bearer",
      },
    ],
  },
  /** A single key (APIPassword) is one of the HTTP API. */
  18: {
    protocol: "spark",
    auth: "spark-url",
    isSocket: true,
    keyForms: {
      separator: "|",
      forms: [
        { parts: 3, text: "APPID|APISecret|APIKey" },
        { parts: 1, text: "APIPassword" },
      ],
    },
    alternatives: [
      {
        keyParts: [1],
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
  },
  /** A single key is one of TokenHub; the first API is spoken by its first model alone. */
  23: {
    protocol: "hunyuan",
    auth: "tencent-tc3",
    keyForms: {
      separator: "|",
      forms: [
        { parts: 3, text: "AppId|SecretId|SecretKey" },
        { parts: 2, text: "SecretId|SecretKey" },
        { parts: 1, text: "sk-…" },
      ],
    },
    alternatives: [
      {
        keyParts: [1],
        protocol: "openai-chat",
        baseUrl: "https://tokenhub.tencentmaas.com",
        apiPath: "/v1",
        auth: "bearer",
      },
      {
        keyParts: [3],
        models: /^hunyuan$/,
        protocol: "hunyuan-legacy",
        baseUrl: "https://hunyuan.cloud.tencent.com",
        auth: "tencent-legacy",
      },
    ],
  },
  /** The fourth part is the token of temporary credentials. */
  33: {
    protocol: "bedrock-converse",
    auth: "aws-sigv4",
    keyForms: {
      separator: "|",
      forms: [
        { parts: 3, text: "AccessKeyId|SecretAccessKey|Region" },
        { parts: 4, text: "AccessKeyId|SecretAccessKey|Region|SessionToken" },
      ],
    },
  },
  /**
   * Gemini and Claude each in its own protocol, the open models in OpenAI's. A single key is one of express mode, which
   * has Gemini alone. https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest
   */
  42: {
    protocol: "gemini-generate",
    auth: "google-oauth",
    addressing: "vertex",
    apiPath: "/v1/projects/{project}/locations/{region}/publishers/google",
    keyForms: {
      separator: "service-account",
      forms: [
        { parts: 4, text: '{"type":"service_account","project_id":…,"private_key":…,"client_email":…}' },
        { parts: 1, text: "API Key" },
      ],
    },
    alternatives: [
      {
        keyParts: [4],
        models: /^claude/,
        protocol: "anthropic-messages",
        baseUrl: VERTEX,
        apiPath: "/v1/projects/{project}/locations/{region}/publishers/anthropic",
        auth: "google-oauth",
        addressing: "vertex",
      },
      {
        keyParts: [4],
        models: /\//,
        protocol: "openai-chat",
        baseUrl: VERTEX,
        apiPath: "/v1beta1/projects/{project}/locations/{region}/endpoints/openapi",
        auth: "google-oauth",
      },
      {
        keyParts: [1],
        protocol: "gemini-generate",
        baseUrl: "https://aiplatform.googleapis.com",
        apiPath: "/v1/publishers/google",
        auth: "x-goog-api-key",
        addressing: "vertex",
      },
    ],
  },
  /** Rerank is not below the address of the compatible API. */
  35: { addressing: "cohere" },
  3: {
    auth: "api-key",
    addressing: "azure-deployments",
  },
  14: {
    protocol: "anthropic-messages",
    auth: "x-api-key",
    headers: { "anthropic-version": "2023-06-01" },
  },
  20: {
    headers: { "x-title": "Tollgate" },
  },
  21: {
    protocol: "aiproxy-library",
  },
  22: {
    reportsUsage: false,
  },
  24: {
    protocol: "gemini-generate",
    auth: "x-goog-api-key",
  },
};

const ONE_WAY: Ways = {};

/** How else a type is reached, and with which keys. */
export const findWays = (type: number): Ways => WAYS[type] ?? ONE_WAY;

const MAIN_ROUTES: ReadonlyMap<number, VendorRoute> = new Map(
  VENDORS.map(({ type, baseUrl }) => {
    const { keyForms: _forms, alternatives: _others, ...way } = findWays(type);
    return [type, { protocol: "openai-chat", auth: "bearer", ...way, baseUrl }];
  }),
);

/** The vendor's main way; undefined for a type that there is not. */
export const mainRouteOf = (type: number): VendorRoute | undefined => MAIN_ROUTES.get(type);
