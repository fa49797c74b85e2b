import { defineVendor } from "./define-vendor";

/** Any upstream of OpenAI's shape. */
export const custom = defineVendor({
  type: 8,
  name: "Custom channel",
  category: "custom",
  color: "pink",
  baseUrl: "",
  baseUrlField: { example: "https://api.example.com" },
  // The base addresses of Perplexity and Novita have no version, and their paths have none either.
  versionedAddresses: /^https:\/\/api\.(?:perplexity\.ai|novita\.ai\/v3\/openai)$/,
  balance: { method: "dashboard", unit: "usd" },
});
