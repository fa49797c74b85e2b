import { defineVendor } from "./define-vendor";

export const openaiMax = defineVendor({
  type: 6,
  name: "OpenAI Max",
  category: "relay",
  color: "violet",
  baseUrl: "https://api.openaimax.com",
});
