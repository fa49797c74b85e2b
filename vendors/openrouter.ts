import { defineVendor } from "./define-vendor";

export const openrouter = defineVendor({
  type: 20,
  name: "OpenRouter",
  category: "relay",
  color: "black",
  baseUrl: "https://openrouter.ai/api",
  keyShape: /^sk-or-/,
  // https://openrouter.ai/docs/api-reference/credits/get-credits and …/api-keys/get-current-key
  balance: { method: "credits", unit: "usd" },
  route: { headers: { "x-title": "Tollgate" } },
  // https://openrouter.ai/docs/api-reference/parameters
  completionLimitOrigins: /^https:\/\/openrouter\.ai$/,
});
