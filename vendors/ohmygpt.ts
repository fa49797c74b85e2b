import { defineVendor } from "./define-vendor";

export const ohmygpt = defineVendor({
  type: 7,
  name: "OhMyGPT",
  category: "relay",
  color: "purple",
  baseUrl: "https://api.ohmygpt.com",
});
