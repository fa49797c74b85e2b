import type { Vendor } from "./vendor";

/** Type, name, colour, address and what else differs from a vendor of OpenAI's shape. */
type Row = [type: number, name: string, color: Vendor["color"], baseUrl: string, more?: Partial<Vendor>];

const ROWS: readonly Row[] = [
  [24, "Google Gemini", "orange", "https://generativelanguage.googleapis.com"],
  [
    42,
    "Google Vertex AI",
    "blue",
    "https://{region}-aiplatform.googleapis.com",
    { keyDocument: "service-account", other: { meaning: "region", default: "global" } },
  ],
  [36, "DeepSeek", "blue", "https://api.deepseek.com"],
  [25, "Moonshot Kimi", "black", "https://api.moonshot.cn"],
  [27, "MiniMax", "red", "https://api.minimaxi.com"],
  [40, "Volcengine Ark 火山方舟", "blue", "https://ark.cn-beijing.volces.com/api/v3"],
  [44, "SiliconFlow", "violet", "https://api.siliconflow.cn"],
  [28, "Mistral", "orange", "https://api.mistral.ai"],
  [29, "Groq", "red", "https://api.groq.com/openai"],
  [45, "xAI", "black", "https://api.x.ai"],
  [35, "Cohere", "teal", "https://api.cohere.ai/compatibility"],
  // https://api.cloudflare.com/client/v4/accounts/<account's id>/ai
  [37, "Cloudflare Workers AI", "orange", ""],
  [30, "Ollama", "grey", "http://localhost:11434"],
  [32, "StepFun 阶跃星辰", "blue", "https://api.stepfun.com"],
  [
    33,
    "AWS Bedrock",
    "orange",
    "https://bedrock-runtime.{region}.amazonaws.com",
    {
      keyFormat: "AccessKeyId|SecretAccessKey|Region",
    },
  ],
];

/**
 * Vendors beyond the specification's list. Their type numbers are those of one-api, so that its channels can be taken
 * over; addresses are from each vendor's own API reference. Their models stand in preset-models.ts.
 */
export const MODERN_VENDORS: readonly Vendor[] = ROWS.map(([type, name, color, baseUrl, more]) => ({
  type,
  name: { zh: name, en: name },
  category: "model",
  color,
  baseUrl,
  ...more,
}));
