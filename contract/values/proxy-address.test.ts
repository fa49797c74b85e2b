import { expect, it } from "vitest";
import { isProxyAddress } from "./proxy-address";

it.each([
  "http://p.example:3128",
  "https://u:p@p.example",
  "socks5://p.example",
  "SOCKS5H://u:p%20w@[::1]:1080",
  `socks5://u:${"ä".repeat(127)}@p.example`,
])("takes %j for the address of a proxy", (text) => {
  expect(isProxyAddress(new URL(text))).toBe(true);
});

it.each([
  "socks4://p.example",
  "socks5:p.example",
  "socks5://",
  "socks5://a%zz",
  "socks5://%ff",
  "socks5://:password@p.example",
  "socks5://u%zz:p@p.example",
  `socks5://u:${"p".repeat(256)}@p.example`,
  `socks5://u:${"ä".repeat(128)}@p.example`,
  "file:///etc/passwd",
])("takes %j for none", (text) => {
  expect(isProxyAddress(new URL(text))).toBe(false);
});
