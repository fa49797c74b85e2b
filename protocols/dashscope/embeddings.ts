import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { readCounter } from "@tollgate/contract/relay/usage";
import { encodeEmbeddings, readDimensions, readTexts, vectorsInOrder } from "../shared/answer/embeddings";
import { readRecord } from "../shared/json/json-values";

/** Embeddings of DashScope's own API: https://help.aliyun.com/zh/model-studio/text-embedding-synchronous-api */
export const embeddings: UpstreamOperation = {
  path: () => "/services/embeddings/text-embedding/text-embedding",
  translation: {
    buildBody: ({ fields }, model) => {
      const dimension = readDimensions(fields.dimensions);
      return {
        model,
        input: { texts: readTexts(fields.input) },
        ...(dimension === undefined ? {} : { parameters: { dimension } }),
      };
    },
    readBody: (body, { fields }, model) => {
      const { output, usage } = readRecord(body);
      const vectors = vectorsInOrder(readRecord(output).embeddings, "embedding", "text_index");
      return encodeEmbeddings(vectors, fields, model, readCounter(readRecord(usage).total_tokens)) ?? body;
    },
  },
};
