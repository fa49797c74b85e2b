import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { encodeEmbeddings, readDimensions, readTexts } from "../shared/answer/embeddings";
import { isRecord, readArray } from "../shared/json/json-values";
import { modelPath } from "./call-path";

/**
 * Google's embeddings: https://ai.google.dev/api/embeddings#method:-models.batchembedcontents. The answer contains no
 * usage.
 */
export const embeddings: UpstreamOperation = {
  path: (model) => `${modelPath(model)}:batchEmbedContents`,
  translation: {
    buildBody: ({ fields }, model) => {
      const outputDimensionality = readDimensions(fields.dimensions);
      return {
        requests: readTexts(fields.input).map((text) => ({
          model: `models/${model.replace(/^models\//, "")}`,
          content: { parts: [{ text }] },
          ...(outputDimensionality === undefined ? {} : { outputDimensionality }),
        })),
      };
    },
    readBody: (body, { fields }, model) => {
      const vectors = isRecord(body)
        ? readArray(body.embeddings).map((each) => readArray(isRecord(each) ? each.values : undefined))
        : [];
      return encodeEmbeddings(vectors, fields, model) ?? body;
    },
  },
};
