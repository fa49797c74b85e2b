import { byRatio, contractSheet } from "./catalogue/contract-sheet";
import { defineVendor } from "./define-vendor";
import { GOOGLE } from "./gemini";

/** Google has switched PaLM off: only its own names lead there, all others to Gemini. */
export const palm = defineVendor({
  type: 11,
  name: "Google PaLM2",
  color: "orange",
  baseUrl: "https://generativelanguage.googleapis.com",
  route: { protocol: "gemini-generate", auth: "x-goog-api-key" },
  alternatives: [
    {
      models: /^palm|bison/i,
      protocol: "palm",
      baseUrl: "https://generativelanguage.googleapis.com",
      auth: "x-goog-api-key",
    },
  ],
  models: ["PaLM-2"],
  prices: [
    contractSheet(GOOGLE, {
      "PaLM-2": byRatio(1),
    }),
  ],
});
