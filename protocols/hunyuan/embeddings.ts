import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { readCounter } from "@tollgate/contract/relay/usage";
import { encodeEmbeddings, readTexts, vectorsInOrder } from "../shared/answer/embeddings";
import { readRecord } from "../shared/json/json-values";
import { actionHeaders } from "./action-headers";

/** Action `GetEmbedding`: https://cloud.tencent.com/document/product/1729/102832. There is no choice of a model. */
export const embeddings: UpstreamOperation = {
  path: () => "/",
  headers: () => actionHeaders("GetEmbedding"),
  translation: {
    buildBody: ({ fields }) => ({ InputList: readTexts(fields.input) }),
    readBody: (body, { fields }, model) => {
      const { Data, Usage } = readRecord(readRecord(body).Response);
      const tokens = readCounter(readRecord(Usage).PromptTokens);
      return encodeEmbeddings(vectorsInOrder(Data, "Embedding", "Index"), fields, model, tokens) ?? body;
    },
  },
};
