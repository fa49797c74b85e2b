import { json, listOf, type OperationBody, VECTOR } from "./openai-operations";

/* Answers to embedding requests of vendors with their own format. Each text has four tokens. */

type Fields = Readonly<Record<string, unknown>>;
export type EncodeEmbeddings = (body: Fields) => OperationBody;

const TOKENS = 4;

/** The last text first, as nothing promises an order. */
const backwards = (texts: unknown, encode: (index: number) => object): object[] =>
  listOf(texts)
    .map((_, index) => encode(index))
    .reverse();

const inputOf = (body: unknown): Fields => (typeof body === "object" && body !== null ? { ...body } : {});

/** https://ai.google.dev/api/embeddings */
export const geminiEmbeddings: EncodeEmbeddings = (body) =>
  json({ embeddings: listOf(body.requests).map(() => ({ values: VECTOR })) });

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export const vertexEmbeddings: EncodeEmbeddings = (body) =>
  json({
    predictions: listOf(body.instances).map(() => ({
      embeddings: { values: VECTOR, statistics: { truncated: false, token_count: TOKENS } },
    })),
  });

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/mllz05nzk */
export const baiduEmbeddings: EncodeEmbeddings = (body) => {
  const tokens = TOKENS * listOf(body.input).length;
  return json({
    id: "as-fake",
    object: "embedding_list",
    created: 1_700_000_000,
    data: backwards(body.input, (index) => ({ object: "embedding", embedding: VECTOR, index })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
};

/** https://help.aliyun.com/zh/model-studio/text-embedding-synchronous-api */
export const dashscopeEmbeddings: EncodeEmbeddings = (body) => {
  const { texts } = inputOf(body.input);
  return json({
    output: { embeddings: backwards(texts, (text_index) => ({ text_index, embedding: VECTOR })) },
    usage: { total_tokens: TOKENS * listOf(texts).length },
    request_id: "fake",
  });
};

/** https://cloud.tencent.com/document/product/1729/102832 */
export const hunyuanEmbeddings: EncodeEmbeddings = (body) => {
  const tokens = TOKENS * listOf(body.InputList).length;
  return json({
    Response: {
      Data: backwards(body.InputList, (Index) => ({ Embedding: VECTOR, Index, Object: "embedding" })),
      Usage: { PromptTokens: tokens, TotalTokens: tokens },
      RequestId: "fake",
    },
  });
};
