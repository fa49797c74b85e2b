import { defineVendor } from "./define-vendor";

export const openaiSb = defineVendor({
  type: 5,
  name: "OpenAI-SB",
  category: "relay",
  color: "brown",
  baseUrl: "https://api.openai-sb.com",
  balance: { method: "user-status", unit: "cny-per-10000" },
});
