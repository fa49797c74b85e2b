import { defineVendor } from "./define-vendor";

export const aigc2d = defineVendor({
  type: 13,
  name: "AIGC2D",
  category: "relay",
  color: "purple",
  baseUrl: "https://api.aigc2d.com",
  balance: { method: "credit-grants", field: "total_available", unit: "quota" },
});
