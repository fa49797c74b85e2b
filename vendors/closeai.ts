import { defineVendor } from "./define-vendor";

export const closeai = defineVendor({
  type: 4,
  name: "CloseAI",
  category: "relay",
  color: "teal",
  baseUrl: "https://api.closeai-proxy.xyz",
  balance: { method: "credit-grants", field: "total_available", unit: "cny" },
});
