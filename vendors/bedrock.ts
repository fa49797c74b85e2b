import { defineVendor } from "./define-vendor";

export const bedrock = defineVendor({
  type: 33,
  name: "AWS Bedrock",
  providerName: "aws.bedrock",
  color: "orange",
  baseUrl: "https://bedrock-runtime.{region}.amazonaws.com",
  keyShape: /^AKIA[0-9A-Z]{16}\|/,
  route: { protocol: "bedrock-converse", auth: "aws-sigv4" },
  // Temporary credentials have a token.
  keyForms: {
    separator: "|",
    forms: [
      { parts: ["keyId", "secret", "region"], text: "AccessKeyId|SecretAccessKey|Region", isHint: true },
      {
        parts: ["keyId", "secret", "region", "sessionToken"],
        text: "AccessKeyId|SecretAccessKey|Region|SessionToken",
      },
    ],
  },
  // https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html
  errorKinds: {
    "dead-key": [
      "UnrecognizedClientException",
      "ExpiredTokenException",
      "IncompleteSignature",
      "IncompleteSignatureException",
      "MissingAuthenticationToken",
      "MissingAuthenticationTokenException",
    ],
    "rate-limited": ["ThrottlingException", "ServiceQuotaExceededException"],
    overloaded: [
      "ModelNotReadyException",
      "ServiceUnavailableException",
      "InternalServerException",
      "ModelTimeoutException",
      "ModelErrorException",
      "ModelStreamErrorException",
    ],
    "model-missing": ["ResourceNotFoundException"],
  },
  models: [
    "global.anthropic.claude-opus-5-5",
    "global.anthropic.claude-sonnet-5",
    "global.anthropic.claude-haiku-4-5-20251001-v1:0",
    "amazon.nova-pro-v1:0",
    "amazon.nova-lite-v1:0",
  ],
  prices: [
    // Bedrock's own models, in the regions of the list price; Claude's names there mean Anthropic's models.
    {
      owner: { id: "amazon", name: "Amazon" },
      currency: "USD",
      source: "https://aws.amazon.com/bedrock/pricing/",
      asOf: "2026-09-23",
      confidence: "secondary",
      models: {
        "amazon.nova-premier-v1:0": {
          price: { input: 2.5, output: 12.5, cacheRead: 0.625 },
          context: 1_000_000,
        },
        "amazon.nova-pro-v1:0": {
          price: { input: 0.8, output: 3.2, cacheRead: 0.2 },
          context: 300_000,
          outputLimit: 10_000,
        },
        "amazon.nova-lite-v1:0": {
          price: { input: 0.06, output: 0.24, cacheRead: 0.015 },
          context: 300_000,
          outputLimit: 10_000,
        },
        "amazon.nova-micro-v1:0": {
          price: { input: 0.035, output: 0.14, cacheRead: 0.00875 },
          context: 128_000,
          outputLimit: 10_000,
        },
        "global.amazon.nova-2-lite-v1:0": {
          price: { input: 0.3, output: 2.5, cacheRead: 0.075 },
          context: 1_000_000,
        },
        "openai.gpt-oss-120b-1:0": {
          price: { input: 0.15, output: 0.6 },
          context: 128_000,
          outputLimit: 16_384,
        },
      },
    },
  ],
});
