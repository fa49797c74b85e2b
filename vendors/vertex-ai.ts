import { defineVendor } from "./define-vendor";
import { GEMINI_IMAGE_MODELS, GEMINI_MODELS, SPEECH_MODELS } from "./gemini";

const REGIONAL = "https://{region}-aiplatform.googleapis.com";

/**
 * The global address has no region in its name, and those of continents have their own hosts
 * (https://cloud.google.com/vertex-ai/generative-ai/docs/learn/locations).
 */
const REGION_ADDRESSES = {
  global: "https://aiplatform.googleapis.com",
  us: "https://aiplatform.us.rep.googleapis.com",
  eu: "https://aiplatform.eu.rep.googleapis.com",
} as const;

/**
 * Gemini and Claude each in its own protocol, the open models in OpenAI's. A single key belongs to express mode, which
 * has only Gemini. https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest
 */
export const vertexAi = defineVendor({
  type: 42,
  name: "Google Vertex AI",
  providerName: "gcp.vertex_ai",
  color: "blue",
  baseUrl: REGIONAL,
  keyShape: /^\s*\{[\s\S]*service_account/,
  route: {
    protocol: "gemini-generate",
    regionAddresses: REGION_ADDRESSES,
    apiPath: "/v1/projects/{project}/locations/{region}/publishers/google",
    auth: "google-oauth",
    addressing: "vertex",
  },
  keyForms: {
    separator: "service-account",
    forms: [
      {
        parts: ["email", "secret", "project", "keyId"],
        text: '{"type":"service_account","project_id":…,"private_key":…,"client_email":…}',
      },
      { parts: ["key"], text: "API Key" },
    ],
  },
  other: { meaning: "region", default: "global" },
  alternatives: [
    {
      keyPart: "email",
      models: /^claude/,
      protocol: "anthropic-messages",
      baseUrl: REGIONAL,
      regionAddresses: REGION_ADDRESSES,
      apiPath: "/v1/projects/{project}/locations/{region}/publishers/anthropic",
      auth: "google-oauth",
      addressing: "vertex",
    },
    {
      keyPart: "email",
      models: /\//,
      protocol: "openai-chat",
      baseUrl: REGIONAL,
      regionAddresses: REGION_ADDRESSES,
      apiPath: "/v1beta1/projects/{project}/locations/{region}/endpoints/openapi",
      auth: "google-oauth",
    },
    {
      keyPart: "key",
      protocol: "gemini-generate",
      baseUrl: "https://aiplatform.googleapis.com",
      apiPath: "/v1/publishers/google",
      auth: "x-goog-api-key",
      addressing: "vertex",
    },
  ],
  models: [
    ...GEMINI_MODELS,
    ...GEMINI_IMAGE_MODELS,
    "claude-opus-5-5",
    "claude-sonnet-4-5@20250929",
    "claude-haiku-4-5@20251001",
    "gemini-embedding-001",
    ...SPEECH_MODELS,
  ],
});
