import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { describe, expect, it } from "vitest";
import { embeddings } from "./embeddings";

const translation = embeddings.translation!;
const input = (fields: Record<string, unknown>) => ({ fields, uploads: [] });
const TARGET = { other: "", accountId: "" };
const build = (fields: Record<string, unknown>) => translation.buildBody(input(fields), "models/e", TARGET);
const read = (body: unknown, fields: Record<string, unknown> = { input: ["a", "b"] }) =>
  translation.readBody(body, input(fields), "mine");

describe("a request", () => {
  it("asks for all texts at once, of the model in the address", () => {
    expect(embeddings.path("models/e")).toBe("/v1beta/models/e:batchEmbedContents");
    expect(build({ input: "a" })).toEqual({
      requests: [{ model: "models/e", content: { parts: [{ text: "a" }] } }],
    });
    expect(build({ input: ["a", "b"], dimensions: 256 })).toMatchObject({
      requests: [{ outputDimensionality: 256 }, { outputDimensionality: 256 }],
    });
  });

  it.each([
    { input: [1, 2] },
    { input: [[1]] },
    { input: "a", dimensions: 0 },
    { input: "a", dimensions: "x" },
  ])("of %o is refused", (fields) => {
    expect(() => build(fields)).toThrow(RequestInvalid);
  });
});

describe("an answer", () => {
  const body = { embeddings: [{ values: [0.5, 1] }, { values: [0.25, 2] }] };

  it("becomes OpenAI's list, as numbers or as base64", () => {
    expect(read(body)).toEqual({
      object: "list",
      model: "mine",
      data: [
        { object: "embedding", index: 0, embedding: [0.5, 1] },
        { object: "embedding", index: 1, embedding: [0.25, 2] },
      ],
    });
    const packed = read(body, { input: ["a", "b"], encoding_format: "base64" }) as {
      data: { embedding: string }[];
    };
    const bytes = Buffer.from(packed.data[1]!.embedding, "base64");
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([0.25, 2]);
  });

  it.each([
    ["an error", { error: { message: "no" } }],
    ["too few vectors", { embeddings: [{ values: [1] }] }],
    ["an empty vector", { embeddings: [{ values: [1] }, { values: [] }] }],
    ["no vectors", { embeddings: [{ values: [1] }, { values: ["x"] }] }],
    ["nothing", undefined],
  ])("that is %s stays unchanged", (_, body) => {
    expect(read(body)).toBe(body);
  });
});
