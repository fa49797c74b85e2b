import { defineVendor } from "./define-vendor";

export const api2d = defineVendor({
  type: 2,
  name: "API2D",
  category: "relay",
  color: "blue",
  baseUrl: "https://oa.api2d.net",
});
