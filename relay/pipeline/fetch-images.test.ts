import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, UserPart } from "@tollgate/contract/relay/request";
import { describe, expect, it } from "vitest";
import type { FetchedImage } from "../ports";
import { fetchImages, imageAddresses, withImageData } from "./fetch-images";

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
const png = (data: string): FetchedImage => ({ data, mediaType: "image/png" });

describe("imageAddresses", () => {
  it("finds images of users and of results, each once", () => {
    expect(imageAddresses(request)).toEqual(["https://a.test/1.png", "https://b.test/2.png"]);
    expect(
      imageAddresses(requestOf(image("https://a.test/1.png"), image("https://a.test/1.png"))),
    ).toHaveLength(1);
  });
});

describe("withImageData", () => {
  it("puts data in place of every address", () => {
    const images = new Map([
      ["https://a.test/1.png", png("A1")],
      ["https://b.test/2.png", png("B2")],
    ]);
    expect(withImageData(request, images).turns[0]?.parts).toEqual([
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

describe("fetchImages", () => {
  it("gives each image what the ones before it left of the limit", async () => {
    const limits: number[] = [];
    const images = await fetchImages(
      async (_, maxBytes) => {
        limits.push(maxBytes);
        return png(Buffer.alloc(1000).toString("base64"));
      },
      ["https://a.test/1", "https://b.test/2"],
    );
    expect(images.size).toBe(2);
    expect(limits[0]! - limits[1]!).toBe(1000);
  });

  it("names the host and the reason, never the rest of the address", async () => {
    const failing = fetchImages(
      () => Promise.reject(new Error("it is gone")),
      ["https://a.test/1?key=secret"],
    );
    await expect(failing).rejects.toThrow(RequestInvalid);
    await expect(failing).rejects.toThrow("the image at a.test cannot be used: it is gone");
    await expect(failing).rejects.not.toThrow("secret");
  });

  it("does not fetch more than anybody shows at once", async () => {
    const many = Array.from({ length: 17 }, (_, index) => `https://a.test/${index}`);
    await expect(fetchImages(async () => png("AA"), many)).rejects.toThrow("at most 16");
  });
});
