import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { encodeEmbeddings, readDimensions, readTexts } from "../shared/embeddings";
import { isRecord, readArray, readRecord } from "../shared/json-values";
import { modelPath } from "./call-path";

/**
 * Embeddings as Vertex AI computes them:
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api
 */
export const vertexEmbeddings: UpstreamOperation = {
  path: (model) => `${modelPath(model)}:predict`,
  translation: {
    buildBody: ({ fields }) => {
      const outputDimensionality = readDimensions(fields.dimensions);
      return {
        instances: readTexts(fields.input).map((content) => ({ content })),
        ...(outputDimensionality === undefined ? {} : { parameters: { outputDimensionality } }),
      };
    },
    readBody: (body, { fields }, model) => {
      const found = readArray(readRecord(body).predictions).map((each) =>
        readRecord(readRecord(each).embeddings),
      );
      const vectors = found.map(({ values }) => readArray(values));
      const list = encodeEmbeddings(vectors, fields, model);
      if (!isRecord(list)) return body;
      const counts = found.map(({ statistics }) => readRecord(statistics).token_count);
      if (!counts.every((count) => typeof count === "number")) return list;
      const tokens = counts.reduce((sum, count) => sum + count, 0);
      return { ...list, usage: { prompt_tokens: tokens, total_tokens: tokens } };
    },
  },
};
