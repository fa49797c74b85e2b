import { defineVendor } from "./define-vendor";

export const api2gpt = defineVendor({
  type: 12,
  name: "API2GPT",
  category: "relay",
  color: "blue",
  baseUrl: "https://api.api2gpt.com",
  balance: { method: "credit-grants", field: "total_remaining", unit: "cny" },
});
