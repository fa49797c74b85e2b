import { defineVendor } from "./define-vendor";

export const fastgpt = defineVendor({
  type: 22,
  name: "FastGPT",
  category: "knowledge-base",
  color: "blue",
  baseUrl: "https://fastgpt.run/api/openapi",
  route: { reportsUsage: false },
  keyForms: { forms: [{ parts: ["key"], text: "APIKey-AppId", isHint: true }] },
  other: { meaning: "private-address" },
  // https://doc.fastgpt.io/docs/introduction/development/openapi/chat
  errorKinds: {
    "dead-key": [514, "unAuthApiKey", "unAuthorization", "insufficientQuota", "teamPointNotEnough"],
    "model-missing": ["appUnExist", "unExist"],
  },
});
