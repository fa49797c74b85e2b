import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { isRecord, readArray } from "../json/json-values";

/**
 * The texts of an OpenAI `input`, for upstreams that accept only texts.
 * @throws RequestInvalid for token numbers and everything else that is not text.
 */
export const readTexts = (input: unknown): string[] => {
  const list: unknown[] = Array.isArray(input) ? input : [input];
  return list.map((item) => {
    if (typeof item === "string") return item;
    throw new RequestInvalid({ code: "texts-only", field: "input" });
  });
};

/** Reads the requested length of the vectors. @throws RequestInvalid */
export const readDimensions = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
  throw new RequestInvalid({ code: "wrong-type", field: "dimensions", expected: "number-above-0" });
};

/** 32-bit floats, as OpenAI packs them. */
const packVector = (vector: readonly number[]): string =>
  Buffer.from(Float32Array.from(vector).buffer).toString("base64");

/**
 * An OpenAI list of embeddings.
 * @param vectors in the order of the input.
 * @param fields of the request.
 * @param promptTokens the upstream's count; undefined when it is missing.
 * @returns undefined when one of them is not a vector, or their number differs from the texts'.
 */
export const encodeEmbeddings = (
  vectors: readonly (readonly unknown[])[],
  fields: Readonly<Record<string, unknown>>,
  model: string,
  promptTokens?: number,
): unknown => {
  const isVector = (vector: readonly unknown[]): vector is readonly number[] =>
    vector.length > 0 && vector.every((value) => typeof value === "number");
  if (vectors.length !== readTexts(fields.input).length || !vectors.every(isVector)) return undefined;
  return {
    object: "list",
    data: vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: fields.encoding_format === "base64" ? packVector(vector) : vector,
    })),
    model,
    ...(promptTokens === undefined
      ? {}
      : { usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } }),
  };
};

/** Sorts the vectors of items that each contain the index of their text. */
export const vectorsInOrder = (
  items: unknown,
  vectorField: string,
  indexField: string,
): (readonly unknown[])[] =>
  readArray(items)
    .filter(isRecord)
    .toSorted((one, other) => Number(one[indexField]) - Number(other[indexField]))
    .map((item) => readArray(item[vectorField]));
