import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { describe, expect, it } from "vitest";
import { TEST_FIELDS } from "../shared/testing/request-parts";
import { cohereRerank } from "./cohere-rerank";

const translation = cohereRerank.translation!;
const inputOf = (fields: Record<string, unknown>) => ({ fields, uploads: [] });
const build = (fields: Record<string, unknown>): unknown =>
  JSON.parse(JSON.stringify(translation.buildBody(inputOf(fields), "rerank-v3.5", TEST_FIELDS)));

const REQUEST = { model: "mine", query: "q", documents: ["a", { text: "b", id: 7 }] };
const ANSWER = {
  id: "1",
  results: [
    { index: 1, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.1 },
  ],
  meta: { billed_units: { search_units: 1 } },
};

describe("Cohere's rerank", () => {
  it("gets only the fields that it knows, and documents as texts", () => {
    const more = { top_n: 1, return_documents: true, max_chunks_per_doc: 3, max_tokens_per_doc: 100 };
    expect(build({ ...REQUEST, ...more })).toEqual({
      model: "rerank-v3.5",
      query: "q",
      documents: ["a", "b"],
      top_n: 1,
      max_tokens_per_doc: 100,
    });
    expect(build({ ...REQUEST, top_n: null })).toEqual({
      model: "rerank-v3.5",
      query: "q",
      documents: ["a", "b"],
    });
  });

  it("ranks nothing but text", () => {
    expect(() => build({ ...REQUEST, documents: [{ image: "x" }] })).toThrow(RequestInvalid);
  });

  it("gives the documents back only to who wants them", () => {
    expect(translation.readBody(ANSWER, inputOf(REQUEST), "mine")).toBe(ANSWER);
    expect(translation.readBody(ANSWER, inputOf({ ...REQUEST, return_documents: true }), "mine")).toEqual({
      ...ANSWER,
      results: [
        { index: 1, relevance_score: 0.9, document: { text: "b" } },
        { index: 0, relevance_score: 0.1, document: { text: "a" } },
      ],
    });
  });

  it.each([[{ message: "no" }], [undefined], [{ results: "none" }]])(
    "that answers %j says just that",
    (body) => {
      expect(translation.readBody(body, inputOf({ ...REQUEST, return_documents: true }), "mine")).toBe(body);
    },
  );
});
