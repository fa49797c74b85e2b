import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { describe, expect, it } from "vitest";
import { TEST_FIELDS } from "../shared/testing/request-parts";
import { vertexEmbeddings } from "./vertex-embeddings";

const translation = vertexEmbeddings.translation!;
const input = (fields: Record<string, unknown>) => ({ fields, uploads: [] });
const build = (fields: Record<string, unknown>) => translation.buildBody(input(fields), "e", TEST_FIELDS);
const read = (body: unknown) => translation.readBody(body, input({ input: ["a", "b"] }), "mine");

const prediction = (values: unknown[], statistics?: object) => ({ embeddings: { values, statistics } });

describe("embeddings on Vertex AI", () => {
  it("are asked for as instances", () => {
    expect(vertexEmbeddings.path("gemini-embedding-001")).toBe("/v1beta/models/gemini-embedding-001:predict");
    expect(build({ input: "a" })).toEqual({ instances: [{ content: "a" }] });
    expect(build({ input: ["a", "b"], dimensions: 256 })).toEqual({
      instances: [{ content: "a" }, { content: "b" }],
      parameters: { outputDimensionality: 256 },
    });
  });

  it.each([{ input: [1, 2] }, { input: "a", dimensions: 0 }])("are refused for %o", (fields) => {
    expect(() => build(fields)).toThrow(RequestInvalid);
  });

  it("become OpenAI's list with the sum of their tokens", () => {
    const predictions = [prediction([0.5], { token_count: 3 }), prediction([1], { token_count: 4 })];
    expect(read({ predictions })).toEqual({
      object: "list",
      model: "mine",
      data: [
        { object: "embedding", index: 0, embedding: [0.5] },
        { object: "embedding", index: 1, embedding: [1] },
      ],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    });
  });

  it("have no usage where one of them tells none", () => {
    const predictions = [prediction([0.5], { token_count: 3 }), prediction([1])];
    expect(read({ predictions })).not.toHaveProperty("usage");
  });

  it.each([
    ["an error", { error: { message: "no" } }],
    ["too few vectors", { predictions: [prediction([1])] }],
    ["nothing", undefined],
  ])("that are %s stay unchanged", (_, body) => {
    expect(read(body)).toBe(body);
  });
});
