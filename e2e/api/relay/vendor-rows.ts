import { LIBRARY_REFERENCES } from "@tollgate/testkit/answer-shapes/aiproxy-library";
import { FAKE_KEYS } from "@tollgate/testkit/fake-upstream/credentials";
import { serviceAccountFile } from "@tollgate/testkit/fake-upstream/service-account";

/** What a vendor's way can do, by the columns of docs/reference/upstreams.md. */
export const OPERATIONS = ["chat", "stream", "messages", "messages stream", "tools", "image"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** One way to reach a vendor: a channel's fields, and what is to be expected of it. */
export interface VendorRow {
  type: number;
  /** What the reader of the table is told. */
  name: string;
  protocol: string;
  keyFormat: string;
  key: string;
  /** What follows the fake upstream's address; in the field of the type's `other` when that is one. */
  basePath?: string;
  isBaseInOther?: true;
  other?: string;
  /** The model that the upstream is asked for. */
  model: string;
  /** The upstream is asked here. */
  path: string;
  /** Its usage is not told or means nothing: it is counted here. */
  isCounted?: true;
  /** Its streams cannot be asked for their usage. */
  isStreamCounted?: true;
  /** What the gateway adds to the text. */
  suffix?: string;
  /** What it cannot do; the gateway says so to the client. */
  lacks?: readonly Operation[];
}

const { plain } = FAKE_KEYS;
const PLAIN = "API Key";
const SERVICE_ACCOUNT = "service account's JSON";
const CHAT = "/v1/chat/completions";
const TEXT_ONLY = ["tools", "image"] as const;

const compatible = (type: number, name: string): VendorRow => ({
  type,
  name,
  protocol: "openai-chat",
  keyFormat: PLAIN,
  key: plain,
  model: "some-model",
  path: CHAT,
});

const WENXIN = "/rpc/2.0/ai_custom/v1/wenxinworkshop/chat";

export const VENDOR_ROWS: readonly VendorRow[] = [
  compatible(1, "OpenAI"),
  compatible(2, "API2D"),
  {
    ...compatible(3, "Azure OpenAI"),
    key: FAKE_KEYS.azure,
    basePath: "/azure",
    model: "some-deployment",
    isStreamCounted: true,
    path: "/azure/openai/deployments/some-deployment/chat/completions?api-version=2023-06-01-preview",
  },
  {
    ...compatible(3, "Azure OpenAI, v1 (`other`: v1)"),
    key: FAKE_KEYS.azure,
    basePath: "/azure",
    other: "v1",
    path: "/azure/openai/v1/chat/completions",
  },
  compatible(4, "CloseAI"),
  compatible(5, "OpenAI-SB"),
  compatible(6, "OpenAI Max"),
  compatible(7, "OhMyGPT"),
  compatible(8, "Custom"),
  compatible(9, "AI.LS"),
  compatible(10, "AI Proxy"),
  {
    ...compatible(11, "Google PaLM 2 (`PaLM-2`, `*bison*`)"),
    protocol: "palm",
    model: "PaLM-2",
    path: "/v1beta2/models/chat-bison-001:generateMessage",
    isCounted: true,
    lacks: TEXT_ONLY,
  },
  {
    ...compatible(11, "Google Gemini (other models)"),
    protocol: "gemini-generate",
    model: "gemini-2.5-flash",
    path: "/v1beta/models/gemini-2.5-flash:",
  },
  compatible(12, "API2GPT"),
  compatible(13, "AIGC2D"),
  { ...compatible(14, "Anthropic Claude"), protocol: "anthropic-messages", path: "/v1/messages" },
  {
    ...compatible(15, "Baidu, Wenxin workshop"),
    protocol: "baidu",
    keyFormat: "APIKey\\|SecretKey",
    key: FAKE_KEYS.baidu,
    model: "ERNIE-Bot",
    path: `${WENXIN}/completions?access_token=`,
    lacks: ["image"],
  },
  {
    ...compatible(15, "Baidu, Qianfan v2"),
    keyFormat: "bce-v3/…",
    model: "ernie-5.0",
    path: "/v2/chat/completions",
  },
  {
    ...compatible(16, "Zhipu, v3 (`chatglm_*`)"),
    protocol: "zhipu",
    keyFormat: "id.secret",
    key: FAKE_KEYS.zhipu,
    model: "chatglm_turbo",
    path: "/api/paas/v3/model-api/chatglm_turbo/",
    lacks: TEXT_ONLY,
  },
  {
    ...compatible(16, "Zhipu, v4 (other models)"),
    keyFormat: "id.secret",
    key: FAKE_KEYS.zhipu,
    model: "glm-5",
    path: "/api/paas/v4/chat/completions",
  },
  {
    ...compatible(17, "DashScope, compatible mode"),
    model: "qwen-turbo",
    path: "/compatible-mode/v1/chat/completions",
  },
  {
    ...compatible(17, "DashScope's own (base address ends in /api/v1)"),
    protocol: "dashscope",
    basePath: "/api/v1",
    model: "qwen-turbo",
    path: "/api/v1/services/aigc/",
  },
  {
    ...compatible(18, "iFlytek Spark, WebSocket, v2.1"),
    protocol: "spark",
    keyFormat: "APPID\\|APISecret\\|APIKey",
    key: FAKE_KEYS.spark,
    model: "SparkDesk",
    path: "/v2.1/chat?authorization=",
    lacks: TEXT_ONLY,
  },
  {
    ...compatible(18, "iFlytek Spark, WebSocket, from v3.1 on"),
    protocol: "spark",
    keyFormat: "APPID\\|APISecret\\|APIKey",
    key: FAKE_KEYS.spark,
    other: "v3.5",
    model: "SparkDesk",
    path: "/v3.5/chat?authorization=",
    lacks: ["image"],
  },
  {
    ...compatible(18, "iFlytek Spark, HTTP"),
    keyFormat: "APIPassword",
    model: "SparkDesk-v3.5",
    path: CHAT,
  },
  compatible(19, "360 Zhinao"),
  compatible(20, "OpenRouter"),
  {
    ...compatible(21, "AI Proxy, knowledge base (`other`: its id)"),
    protocol: "aiproxy-library",
    other: "library-1",
    path: "/api/library/ask",
    isCounted: true,
    suffix: LIBRARY_REFERENCES,
    lacks: TEXT_ONLY,
  },
  {
    ...compatible(22, "FastGPT, knowledge base (`other`: its address)"),
    keyFormat: "APIKey-AppId",
    key: "fake-key-app",
    basePath: "/fastgpt/api",
    isBaseInOther: true,
    path: "/fastgpt/api/v1/chat/completions",
    isCounted: true,
  },
  {
    ...compatible(23, "Tencent Hunyuan, API 3.0"),
    protocol: "hunyuan",
    keyFormat: "AppId\\|SecretId\\|SecretKey or SecretId\\|SecretKey",
    key: FAKE_KEYS.hunyuan,
    model: "hunyuan-pro",
    path: "/",
  },
  {
    ...compatible(23, "Tencent Hunyuan, first API (`hunyuan`)"),
    protocol: "hunyuan-legacy",
    keyFormat: "AppId\\|SecretId\\|SecretKey",
    key: FAKE_KEYS.hunyuan,
    model: "hunyuan",
    path: "/hyllm/v1/chat/completions",
    lacks: TEXT_ONLY,
  },
  {
    ...compatible(23, "Tencent TokenHub"),
    keyFormat: "sk-…",
    model: "hy3",
    path: CHAT,
  },
  {
    ...compatible(24, "Google Gemini"),
    protocol: "gemini-generate",
    model: "gemini-2.5-flash",
    path: "/v1beta/models/gemini-2.5-flash:",
  },
  compatible(25, "Moonshot Kimi"),
  compatible(27, "MiniMax"),
  // It may not be asked for usage, and the fake upstream tells it only to who asks.
  { ...compatible(28, "Mistral"), isStreamCounted: true },
  compatible(29, "Groq"),
  compatible(30, "Ollama"),
  compatible(32, "StepFun"),
  {
    ...compatible(33, "AWS Bedrock"),
    protocol: "bedrock-converse",
    keyFormat: "AccessKeyId\\|SecretAccessKey\\|Region",
    key: FAKE_KEYS.bedrock,
    model: "anthropic.claude-haiku-4-5-20251001-v1:0",
    path: "/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/converse",
  },
  compatible(35, "Cohere"),
  compatible(36, "DeepSeek"),
  compatible(37, "Cloudflare Workers AI"),
  compatible(40, "Volcengine Ark"),
  {
    ...compatible(42, "Vertex AI, Gemini"),
    protocol: "gemini-generate",
    keyFormat: SERVICE_ACCOUNT,
    key: serviceAccountFile(),
    basePath: "/vertex",
    model: "gemini-2.5-flash",
    path: "/vertex/v1/projects/fake-project/locations/global/publishers/google/models/gemini-2.5-flash:",
  },
  {
    ...compatible(42, "Vertex AI, Claude (`claude*`; `other`: the region)"),
    protocol: "anthropic-messages",
    keyFormat: SERVICE_ACCOUNT,
    key: JSON.stringify(JSON.parse(serviceAccountFile())),
    basePath: "/vertex",
    other: "europe-west1",
    model: "claude-sonnet-4-5-20250929",
    path: "/vertex/v1/projects/fake-project/locations/europe-west1/publishers/anthropic/models/claude-sonnet-4-5@20250929:",
  },
  {
    ...compatible(42, "Vertex AI, open models (`*/*`)"),
    keyFormat: SERVICE_ACCOUNT,
    key: serviceAccountFile(),
    basePath: "/vertex",
    model: "meta/llama-4-maverick-17b-128e-instruct-maas",
    path: "/vertex/v1beta1/projects/fake-project/locations/global/endpoints/openapi/chat/completions",
  },
  {
    ...compatible(42, "Vertex AI, express mode"),
    protocol: "gemini-generate",
    basePath: "/vertex",
    model: "gemini-2.5-flash",
    path: "/vertex/v1/publishers/google/models/gemini-2.5-flash:",
  },
  compatible(44, "SiliconFlow"),
  compatible(45, "xAI"),
];
