import { defineVendor } from "./define-vendor";

export const aiproxy = defineVendor({
  type: 10,
  name: "AI Proxy",
  category: "relay",
  color: "purple",
  baseUrl: "https://api.aiproxy.io",
  balance: { method: "user-overview", address: "https://aiproxy.io", unit: "quota" },
});
