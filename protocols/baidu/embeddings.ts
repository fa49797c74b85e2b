import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { readCounter } from "@tollgate/contract/relay/usage";
import { encodeEmbeddings, readTexts, vectorsInOrder } from "../shared/answer/embeddings";
import { readRecord } from "../shared/json/json-values";

/** Embeddings of the Wenxin workshop: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/mllz05nzk. The address names the model. */
export const embeddings: UpstreamOperation = {
  path: (model) => {
    const name = model.toLowerCase();
    // The address writes the models of others with "_".
    const place = /^(?:bge|tao)-/.test(name) ? name.replaceAll("-", "_") : name;
    return `/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/${encodeURIComponent(place)}`;
  },
  translation: {
    buildBody: ({ fields }) => ({ input: readTexts(fields.input) }),
    readBody: (body, { fields }, model) => {
      const { data, usage } = readRecord(body);
      const tokens = readCounter(readRecord(usage).prompt_tokens);
      return encodeEmbeddings(vectorsInOrder(data, "embedding", "index"), fields, model, tokens) ?? body;
    },
  },
};
