import { UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { VENDORS } from "@tollgate/vendors/vendors";
import { describe, expect, it } from "vitest";
import type { UpstreamTarget } from "../ports/directory";
import type { UpstreamRequest } from "../ports/transport";
import { passClientHeaders } from "./pass-client-headers";

const REQUEST: UpstreamRequest = {
  origin: "https://upstream.test",
  path: "/v1/messages",
  headers: { "content-type": "application/json", authorization: "Bearer upstream" },
  body: "{}",
};

const entryOf = (protocol: keyof typeof UPSTREAM_PROTOCOLS, type: number): UpstreamTarget =>
  ({
    protocol: UPSTREAM_PROTOCOLS[protocol],
    vendor: VENDORS.find((vendor) => vendor.type === type),
  }) as UpstreamTarget;

const passed = (entry: UpstreamTarget, headers: Record<string, string | string[]>) =>
  passClientHeaders(REQUEST, entry, headers).headers;

/** What clients send of their own, credentials and traces included. */
const EVERYTHING = {
  authorization: "Bearer sk-user",
  "x-api-key": "sk-user",
  "x-goog-api-key": "sk-user",
  "api-key": "sk-user",
  cookie: "session=1",
  host: "gateway.test",
  "openai-organization": "org-user",
  "openai-project": "proj-user",
  "user-agent": "client",
  "x-forwarded-for": "10.0.0.1",
  "x-stainless-lang": "js",
  "content-length": "2",
  "transfer-encoding": "chunked",
  connection: "close",
  "anthropic-beta": "compact-2026-01-12",
  "openai-beta": "responses=experimental",
  "x-grok-conv-id": "c1",
  "x-dashscope-cachecontrol": "enable",
};

describe("a client's header", () => {
  it("that switches a vendor's feature on reaches that vendor alone", () => {
    expect(passed(entryOf("anthropic-messages", 14), EVERYTHING)).toEqual({
      ...REQUEST.headers,
      "anthropic-beta": "compact-2026-01-12",
    });
    expect(passed(entryOf("openai-responses", 1), EVERYTHING)).toEqual({
      ...REQUEST.headers,
      "openai-beta": "responses=experimental",
    });
    expect(passed(entryOf("openai-chat", 45), EVERYTHING)).toEqual({
      ...REQUEST.headers,
      "x-grok-conv-id": "c1",
    });
  });

  it("of any other name reaches no vendor, whatever its protocol", () => {
    const listed = new Set(["anthropic-beta", "openai-beta", "x-grok-conv-id", "x-dashscope-cachecontrol"]);
    for (const { type } of VENDORS) {
      for (const name of Object.keys(UPSTREAM_PROTOCOLS) as (keyof typeof UPSTREAM_PROTOCOLS)[]) {
        const { headers } = passClientHeaders(REQUEST, entryOf(name, type), EVERYTHING);
        const added = Object.keys(headers).filter((header) => !(header in REQUEST.headers));
        expect(added.filter((header) => !listed.has(header))).toEqual([]);
        expect(headers.authorization).toBe("Bearer upstream");
      }
    }
  });

  it("said several times is one list", () => {
    const headers = { "anthropic-beta": ["a-1", "b-2"] };
    expect(passed(entryOf("anthropic-messages", 14), headers)["anthropic-beta"]).toBe("a-1, b-2");
  });

  it("gives way to the channel's own header", () => {
    const own = { ...REQUEST, headers: { "anthropic-beta": "own" } };
    const { headers } = passClientHeaders(own, entryOf("anthropic-messages", 14), EVERYTHING);
    expect(headers).toEqual({ "anthropic-beta": "own" });
  });

  it.each([
    ["too long", "a".repeat(4097)],
    ["not printable", "a\u00e9"],
    ["two lines", "a\r\nx-evil: 1"],
    ["empty", ""],
  ])("that is %s is left out", (_, value) => {
    const entry = entryOf("anthropic-messages", 14);
    expect(passClientHeaders(REQUEST, entry, { "anthropic-beta": value })).toBe(REQUEST);
  });
});
