import { defineVendor } from "./define-vendor";

export const azure = defineVendor({
  type: 3,
  name: "Azure OpenAI",
  providerName: "azure.ai.openai",
  color: "olive",
  baseUrl: "",
  baseUrlField: { label: "AZURE_OPENAI_ENDPOINT", example: "https://docs-test-001.openai.azure.com" },
  route: { auth: "api-key", addressing: "azure-deployments", hasOwnModelNames: true },
  other: { meaning: "api-version", default: "2023-06-01-preview" },
  completionLimitOrigins: /^https:\/\/[\w-]+\.openai\.azure\.com$/,
  // https://learn.microsoft.com/azure/ai-foundry/openai/quotas-limits: its quota is per minute.
  errorKinds: {
    "rate-limited": ["insufficient_quota", "RateLimitReached", "429"],
    "model-missing": ["DeploymentNotFound", "OperationNotSupported"],
    caller: ["content_filter", "ResponsibleAIPolicyViolation", "BadRequest"],
    "dead-key": ["AccountDisabled", "401", "Unauthorized", "PermissionDenied"],
  },
});
