import { describe, expect, it } from "vitest";
import { VENDORS } from "../vendors";
import { VENDOR_CARDS } from "./cards";
import { VENDOR_FORMS } from "./forms";
import type { VendorForm } from "./vendor-card";

const formOf = (name: string): VendorForm | undefined => {
  const vendor = VENDORS.find((each) => each.name === name);
  return vendor && VENDOR_FORMS[vendor.type];
};

describe("the console's view of the vendors", () => {
  it("is JSON, as which the console's build writes it down", () => {
    expect(JSON.parse(JSON.stringify([VENDOR_CARDS, VENDOR_FORMS]))).toEqual([VENDOR_CARDS, VENDOR_FORMS]);
  });

  it("has a card and a form for every vendor, in the order of the list", () => {
    expect(VENDOR_CARDS.map(({ type }) => type)).toEqual(VENDORS.map(({ type }) => type));
    expect(Object.keys(VENDOR_FORMS)).toHaveLength(VENDORS.length);
  });

  it("shows the fields that the server requires: an address where the vendor has none, the form of a key", () => {
    expect(formOf("Cloudflare Workers AI")?.baseUrl).toBe("");
    expect(formOf("Baidu Qianfan")?.keyFormat).toBe("APIKey|SecretKey");
    expect(formOf("Google Vertex AI")?.keyDocument).toBe("service-account");
  });
});
