import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { readCounter } from "@tollgate/contract/relay/usage";
import { encodeEmbeddings, readDimensions, readTexts } from "../shared/answer/embeddings";
import { readArray, readRecord } from "../shared/json/json-values";
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
      const counts = found.map(({ statistics }) => readCounter(readRecord(statistics).token_count));
      const isReported = counts.every((count) => count !== undefined);
      const tokens = isReported ? counts.reduce((sum, count) => sum + count, 0) : undefined;
      return encodeEmbeddings(vectors, fields, model, tokens) ?? body;
    },
  },
};
