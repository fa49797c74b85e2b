import { describe, expect, it } from "vitest";
import { readStatus } from "./status";

const STATUS = {
  email_verification: true,
  turnstile_check: true,
  turnstile_site_key: "site",
  github_oauth: true,
  github_client_id: "client",
  wechat_login: true,
  wechat_qrcode: "/qr.png",
  system_name: "Gate",
  logo: "/own.png",
  footer_html: "<b>foot</b>",
  quota_per_unit: 1000,
  display_in_currency: true,
  body_log: true,
  plans: true,
  chat_link: "https://chat.example.com",
  version: "v0.5.9-alpha",
  server_address: "https://gate.example.com",
  top_up_link: "https://shop.example.com",
};

describe("the status object", () => {
  it.each(Object.entries(STATUS))("has %s", (name, value) => {
    expect(readStatus(STATUS)).toHaveProperty(name, value);
  });

  it("gives neutral values for fields that a server leaves out, and the default unit for none or zero", () => {
    const neutral = readStatus({ version: "v1", quota_per_unit: 0 });
    expect(neutral).toMatchObject({
      version: "v1",
      system_name: "",
      github_oauth: false,
      quota_per_unit: 500_000,
    });
    expect(readStatus(undefined)).toMatchObject({ version: "", chat_link: "" });
  });
});
