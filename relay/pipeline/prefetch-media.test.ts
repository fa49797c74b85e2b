import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, Turn, UserPart } from "@tollgate/contract/relay/request";
import { UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { UNBOUNDED_MEMORY } from "@tollgate/testkit/unbounded-memory";
import { describe, expect, it } from "vitest";
import type { FetchedMedia } from "../ports/relay-ports";
import { MediaUnavailable } from "../transport/fetch-media";
import { mediaAddresses, prefetchMedia, withMediaData } from "./prefetch-media";

const image = (url: string): UserPart => ({ kind: "image", url, detail: "low" });
const result: UserPart = {
  kind: "tool-result",
  toolCallId: "c",
  content: [
    { kind: "text", text: "see" },
    { kind: "image", url: "https://b.test/2.png" },
  ],
};
const requestOf = (...parts: UserPart[]): ChatRequest => ({
  model: "m",
  system: [],
  turns: [
    { role: "user", parts },
    { role: "assistant", parts: [{ kind: "text", text: "https://c.test/3.png" }] },
  ],
  tools: [],
  isStream: false,
  wantsUsageChunk: false,
});
const request = requestOf(image("https://a.test/1.png"), { kind: "image", data: "AA" }, result);
const ALL = { needsImageData: true, needsFileData: () => true };
const TARGET = { other: "", accountId: "" };
const ASKED: Turn = { role: "assistant", parts: [{ kind: "tool-call", id: "c", name: "f", arguments: "" }] };
const png = (data: string): FetchedMedia => ({ data, mediaType: "image/png" });

describe("mediaAddresses", () => {
  it("finds images of users and of results, each once", () => {
    expect(mediaAddresses(request, ALL)).toEqual(["https://a.test/1.png", "https://b.test/2.png"]);
    expect(
      mediaAddresses(requestOf(image("https://a.test/1.png"), image("https://a.test/1.png")), ALL),
    ).toHaveLength(1);
  });

  it("C13: finds PDFs by URL where the upstream fetches none", () => {
    const pdf: UserPart = { kind: "file", url: "https://a.test/a.pdf" };
    const inResult: UserPart = {
      kind: "tool-result",
      toolCallId: "c",
      content: [{ kind: "file", url: "https://b.test/b.pdf" }],
    };
    const both = requestOf(image("https://a.test/1.png"), pdf, inResult);
    expect(mediaAddresses(both, UPSTREAM_PROTOCOLS["openai-chat"])).toEqual([
      "https://a.test/a.pdf",
      "https://b.test/b.pdf",
    ]);
    expect(mediaAddresses(both, UPSTREAM_PROTOCOLS["gemini-generate"])).toHaveLength(3);
    expect(mediaAddresses(both, UPSTREAM_PROTOCOLS["anthropic-messages"])).toEqual([]);
    const video: UserPart = { kind: "file", url: "https://youtu.be/x" };
    expect(mediaAddresses(requestOf(video), UPSTREAM_PROTOCOLS["gemini-generate"])).toEqual([]);
    const found = new Map([
      ["https://a.test/a.pdf", { data: "JVBERi0=", mediaType: "application/pdf" }],
      ["https://b.test/b.pdf", { data: "JVBERi0=", mediaType: "application/pdf" }],
    ]);
    const { turns } = withMediaData(requestOf(pdf, inResult), found);
    const sent = JSON.stringify(
      UPSTREAM_PROTOCOLS["openai-chat"].buildRequest({ ...both, turns: [ASKED, ...turns] }, TARGET).body,
    );
    expect(sent.match(/data:application\/pdf;base64,JVBERi0=/g)).toHaveLength(2);
  });
});

describe("withMediaData", () => {
  it("puts data in place of every address", () => {
    const images = new Map([
      ["https://a.test/1.png", png("A1")],
      ["https://b.test/2.png", png("B2")],
    ]);
    expect(withMediaData(request, images).turns[0]?.parts).toEqual([
      { kind: "image", data: "A1", mediaType: "image/png", detail: "low" },
      { kind: "image", data: "AA" },
      {
        kind: "tool-result",
        toolCallId: "c",
        content: [
          { kind: "text", text: "see" },
          { kind: "image", data: "B2", mediaType: "image/png", detail: undefined },
        ],
      },
    ]);
  });
});

const never = new AbortController().signal;

describe("prefetchMedia", () => {
  it("gives each image the limit less the sizes of the ones before it", async () => {
    const limits: number[] = [];
    const images = await prefetchMedia(
      async (_, maxBytes) => {
        limits.push(maxBytes);
        return png(Buffer.alloc(1000).toString("base64"));
      },
      ["https://a.test/1", "https://b.test/2"],
      UNBOUNDED_MEMORY,
      never,
    );
    expect(images.size).toBe(2);
    expect(limits[0]! - limits[1]!).toBe(1000);
  });

  it("names the host and the reason, never the rest of the address", async () => {
    const failing = prefetchMedia(
      () => Promise.reject(new MediaUnavailable({ code: "media-refused", status: 410 })),
      ["https://a.test/1?key=secret"],
      UNBOUNDED_MEMORY,
      never,
    );
    await expect(failing).rejects.toThrow(RequestInvalid);
    await expect(failing).rejects.toMatchObject({
      fault: { code: "media-refused", host: "a.test", status: 410 },
      param: "messages",
    });
  });

  it("rejects more addresses than one request may contain", async () => {
    const many = Array.from({ length: 17 }, (_, index) => `https://a.test/${index}`);
    await expect(prefetchMedia(async () => png("AA"), many, UNBOUNDED_MEMORY, never)).rejects.toThrow(
      "too-many-media-addresses",
    );
  });
});
