import { defineVendor } from "./define-vendor";

export const aiproxyLibrary = defineVendor({
  type: 21,
  name: "AI Proxy",
  category: "knowledge-base",
  color: "purple",
  baseUrl: "https://api.aiproxy.io",
  route: { protocol: "aiproxy-library" },
  other: { meaning: "knowledge-base-id" },
});
