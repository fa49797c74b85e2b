import { defineVendor } from "./define-vendor";

export const aiLs = defineVendor({
  type: 9,
  name: "AI.LS",
  category: "relay",
  color: "green",
  baseUrl: "https://api.caipacity.com",
});
