import type { ProtocolName } from "@tollgate/contract/relay/protocol";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { describe, expect, it } from "vitest";
import { UPSTREAM_OPERATIONS } from "./protocols";
import { TEST_FIELDS } from "./shared/testing/request-parts";

/*
 * Embeddings of the vendors whose requests and answers have no shape in common with others: the request, and OpenAI's
 * list made of the answer.
 */

interface Case {
  protocol: ProtocolName;
  model: string;
  path: string;
  body: unknown;
  /** To two texts, the second one first; seven tokens. */
  answer: Record<string, unknown>;
}

const CASES: readonly Case[] = [
  {
    protocol: "baidu",
    model: "Embedding-V1",
    path: "/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/embedding-v1",
    body: { input: ["a", "b"] },
    answer: {
      object: "embedding_list",
      data: [
        { object: "embedding", embedding: [2, 0.25], index: 1 },
        { object: "embedding", embedding: [1, 0.5], index: 0 },
      ],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    },
  },
  {
    protocol: "dashscope",
    model: "text-embedding-v4",
    path: "/services/embeddings/text-embedding/text-embedding",
    body: { model: "text-embedding-v4", input: { texts: ["a", "b"] }, parameters: { dimension: 2 } },
    answer: {
      output: {
        embeddings: [
          { text_index: 1, embedding: [2, 0.25] },
          { text_index: 0, embedding: [1, 0.5] },
        ],
      },
      usage: { total_tokens: 7 },
    },
  },
  {
    protocol: "hunyuan",
    model: "hunyuan-embedding",
    path: "/",
    body: { InputList: ["a", "b"] },
    answer: {
      Response: {
        Data: [
          { Embedding: [2, 0.25], Index: 1, Object: "embedding" },
          { Embedding: [1, 0.5], Index: 0, Object: "embedding" },
        ],
        Usage: { PromptTokens: 7, TotalTokens: 7 },
      },
    },
  },
];

describe.each(CASES)("embeddings of $protocol", ({ protocol, model, path, body, answer }) => {
  const operation = UPSTREAM_OPERATIONS[protocol]?.embeddings;
  const translation = operation?.translation;
  const inputOf = (input: unknown) => ({ fields: { input, dimensions: 2 }, uploads: [] });
  const input = inputOf(["a", "b"]);

  it("are asked for", () => {
    expect(operation?.path(model)).toBe(path);
    expect(translation?.buildBody(input, model, TEST_FIELDS)).toEqual(body);
    const numbers = inputOf([[1, 2]]);
    expect(() => translation?.buildBody(numbers, model, TEST_FIELDS)).toThrow(RequestInvalid);
  });

  it("become OpenAI's list in the order of the texts", () => {
    expect(translation?.readBody(answer, input, "mine")).toEqual({
      object: "list",
      model: "mine",
      data: [
        { object: "embedding", index: 0, embedding: [1, 0.5] },
        { object: "embedding", index: 1, embedding: [2, 0.25] },
      ],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    });
  });

  it.each([
    [{ error_code: 336003, error_msg: "no" }],
    [{ code: "InvalidParameter", message: "no" }],
    [undefined],
  ])("that are none stay unchanged: %j", (other) => {
    expect(translation?.readBody(other, input, "mine")).toBe(other);
  });

  it("are none where a vector lacks", () => {
    const three = inputOf(["a", "b", "c"]);
    expect(translation?.readBody(answer, three, "mine")).toBe(answer);
  });
});

describe("Baidu's address of a model", () => {
  it.each([
    ["bge-large-zh", "bge_large_zh"],
    ["tao-8k", "tao_8k"],
    ["Embedding-V1", "embedding-v1"],
  ])("of %s is %s", (model, place) => {
    expect(UPSTREAM_OPERATIONS.baidu?.embeddings?.path(model)).toBe(
      `/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/${place}`,
    );
  });
});
