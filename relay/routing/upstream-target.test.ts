import { describe, expect, it } from "vitest";
import type { UpstreamTarget } from "../ports/directory";
import { entryOf } from "../testing/entry-of";
import { upstreamPath } from "./addressing";
import { resolveTarget, upstreamModelOf } from "./upstream-target";

const channelOf = (type: number, baseUrl = ""): UpstreamTarget => entryOf({ type, baseUrl });

describe("a channel's credential", () => {
  it.each([
    [1, { authorization: "Bearer upstream-key" }],
    [14, { "x-api-key": "upstream-key", "anthropic-version": "2023-06-01" }],
    [24, { "x-goog-api-key": "upstream-key" }],
  ])("of type %i travels in its own header", (type, headers) => {
    expect(channelOf(type).headers).toEqual(headers);
  });
});

describe("a path", () => {
  it.each([
    [24, "", "/v1beta/models/m:generateContent", "/v1beta/models/m:generateContent"],
    [24, "https://g.test/v1", "/v1beta/models/m:generateContent", "/v1/models/m:generateContent"],
    [24, "https://g.test/base/", "/v1beta/models/m:generateContent", "/base/v1beta/models/m:generateContent"],
    [8, "https://o.test/v1", "/v1/responses", "/v1/responses"],
    [40, "", "/v1/chat/completions", "/api/v3/chat/completions"],
    [29, "", "/v1/chat/completions", "/openai/v1/chat/completions"],
    [35, "", "/v1/chat/completions", "/compatibility/v1/chat/completions"],
    [35, "", "/v2/rerank", "/v2/rerank"],
    [35, "https://g.test/base/compatibility/v1", "/v2/rerank", "/base/v2/rerank"],
    [35, "https://g.test/base", "/v2/rerank", "/base/v2/rerank"],
  ])("of type %i at %j: %s becomes %s", (type, baseUrl, path, expected) => {
    expect(upstreamPath(channelOf(type, baseUrl), path)).toBe(expected);
  });
});

describe("the protocol of a channel", () => {
  it.each([
    // The client's own, if the vendor supports it.
    [1, "openai-responses", "gpt-4o", "openai-responses"],
    [45, "openai-responses", "grok-3", "openai-responses"],
    // The vendor's main one for all other clients.
    [1, "openai-chat", "gpt-4o", "openai-chat"],
    [1, "anthropic-messages", "gpt-4o", "openai-chat"],
    [5, "openai-responses", "gpt-4o", "openai-chat"],
    [14, "openai-responses", "claude-3", "anthropic-messages"],
    [24, "openai-chat", "gemini-2.5-pro", "gemini-generate"],
    // The only one that offers the model.
    [1, "openai-chat", "gpt-5-codex", "openai-responses"],
    [1, "gemini-generate", "o1-pro", "openai-responses"],
    [1, "openai-chat", "o4-mini-deep-research", "openai-responses"],
    [5, "openai-chat", "gpt-5-codex", "openai-chat"],
  ] as const)("of type %i for %s and %s is %s", (type, client, model, expected) => {
    const entry = channelOf(type);
    const asked = resolveTarget(entry, client, model);
    expect(asked.protocol.name).toBe(expected);
    expect(asked.id).toBe(entry.id);
  });
});

describe("a channel's name of a model", () => {
  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "is its own: %s is no mapping",
    (model) => {
      expect(upstreamModelOf({ modelMapping: { "gpt-4": "mine" } }, model)).toBe(model);
      expect(upstreamModelOf({ modelMapping: { "gpt-4": "mine" } }, "gpt-4")).toBe("mine");
    },
  );
});
