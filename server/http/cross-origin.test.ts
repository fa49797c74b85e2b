import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { readAllowedOrigins } from "./allowed-origins";
import { cookieReach } from "./cookie-reach";
import { isOriginAllowed } from "./same-origin";

const CONSOLE = "https://console.example.com";
const allowed = readAllowedOrigins(`${CONSOLE}, http://localhost:5173/`);

const request = (method: string, headers: Record<string, string>) =>
  ({ method, headers: { host: "api.example.org", ...headers } }) as unknown as IncomingMessage;

describe("ALLOWED_ORIGINS", () => {
  it("names origins, with or without a slash at the end", () => {
    expect([...allowed]).toEqual([CONSOLE, "http://localhost:5173"]);
    expect(readAllowedOrigins("").size).toBe(0);
  });

  it.each(["console.example.com", "*", "https://a.example/path", "ftp://a.example"])(
    "refuses %s by its name",
    (entry) => expect(() => readAllowedOrigins(`${CONSOLE},${entry}`)).toThrow(`ALLOWED_ORIGINS: "${entry}"`),
  );
});

describe("a page's call", () => {
  it.each([
    ["POST", { origin: CONSOLE }, true],
    ["POST", { origin: "https://evil.example" }, false],
    ["POST", { origin: "null" }, false],
    ["POST", { origin: "https://api.example.org" }, true],
    // A Host changed by a proxy.
    ["POST", { origin: "http://api.example.org:8080" }, true],
    ["POST", { origin: "http://api.example.org:8080", host: "api.example.org:8080" }, true],
    ["POST", { origin: "http://api.example.org:8080", host: "api.example.org:3000" }, false],
    ["POST", { origin: "http://api.example.org:8080", host: "127.0.0.1:3000" }, false],
    ["POST", { origin: "http://[::1]:8080", host: "[::1]" }, true],
    ["POST", { origin: "http://api.example.org.evil.example:8080" }, false],
    ["POST", { origin: "http://x:8080", host: "" }, false],
    ["POST", { origin: CONSOLE, host: "127.0.0.1:3000", "sec-fetch-site": "same-origin" }, true],
    ["POST", { origin: "https://evil.example", "sec-fetch-site": "same-site" }, false],
    ["POST", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, false],
    ["GET", { origin: CONSOLE, "sec-fetch-site": "cross-site" }, true],
    ["GET", { "sec-fetch-site": "cross-site" }, false],
    ["GET", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, false],
    // S17: browsers that do not say where a page comes from. A link, a picture, another site's script; then this site's
    // scripts as axios and fetch send them, and programs.
    ["GET", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }, false],
    ["GET", { accept: "text/html", referer: "http://api.example.org/a" }, false],
    ["GET", { accept: "image/avif,image/webp,*/*" }, false],
    ["GET", { accept: "*/*", referer: "https://evil.example/" }, false],
    ["GET", { accept: "*/*", origin: "https://evil.example" }, false],
    ["GET", { accept: "*/*", referer: "nonsense" }, false],
    ["GET", { accept: "application/json, text/plain, */*", referer: "http://api.example.org/setting" }, true],
    ["GET", { accept: "*/*", referer: `${CONSOLE}/setting` }, true],
    ["GET", { accept: "*/*" }, true],
    ["GET", {}, true],
    // Where they do say it: this site's scripts, but no picture in a text of this site and no link from elsewhere.
    ["GET", { accept: "*/*", "sec-fetch-site": "same-origin" }, true],
    ["GET", { accept: "*/*", "sec-fetch-site": "same-origin", "sec-fetch-dest": "empty" }, true],
    ["GET", { accept: "text/html", "sec-fetch-site": "none" }, false],
    ["GET", { accept: "*/*", "sec-fetch-site": "none", "sec-fetch-dest": "document" }, false],
    ["GET", { accept: "image/avif,*/*", "sec-fetch-site": "same-origin", "sec-fetch-dest": "image" }, false],
    ["GET", { accept: "*/*", "sec-fetch-site": "same-origin", "sec-fetch-dest": "iframe" }, false],
  ])("that changes something by %s with %j may act for the person: %s", (method, headers, isAllowed) => {
    expect(isOriginAllowed(request(method, headers), true, allowed)).toBe(isAllowed);
  });
});

describe("a cookie", () => {
  const LOCAL = { sameSite: "lax", secure: true, partitioned: false };
  it.each([
    [
      { origin: CONSOLE, "sec-fetch-site": "cross-site" },
      { sameSite: "none", secure: true, partitioned: true },
    ],
    [{ origin: CONSOLE, "sec-fetch-site": "same-site" }, LOCAL],
    [{ origin: "https://evil.example", "sec-fetch-site": "cross-site" }, LOCAL],
    [{}, LOCAL],
  ])("for a caller with %j reaches %j", (headers, reach) => {
    expect(cookieReach(request("POST", headers), allowed, true)).toEqual(reach);
  });
});
