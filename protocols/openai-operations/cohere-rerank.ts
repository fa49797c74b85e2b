import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { isRecord, readArray } from "../shared/json/json-values";

const readDocument = (document: unknown): string => {
  if (typeof document === "string") return document;
  if (isRecord(document) && typeof document.text === "string") return document.text;
  throw new RequestInvalid({ code: "texts-only", field: "documents" });
};

/**
 * Cohere's second rerank API (https://docs.cohere.com/reference/rerank), which has fewer fields than the first and
 * Jina's: documents are texts, and are not returned.
 */
export const cohereRerank: UpstreamOperation = {
  path: () => "/v2/rerank",
  translation: {
    buildBody: ({ fields }, model) => ({
      model,
      query: fields.query,
      documents: readArray(fields.documents).map(readDocument),
      top_n: fields.top_n ?? undefined,
      max_tokens_per_doc: fields.max_tokens_per_doc ?? undefined,
    }),
    readBody: (body, { fields }) => {
      if (fields.return_documents !== true || !isRecord(body) || !Array.isArray(body.results)) return body;
      const documents = readArray(fields.documents);
      const results = body.results.map((result: unknown) => {
        const document = isRecord(result) ? documents[Number(result.index)] : undefined;
        return document === undefined || !isRecord(result)
          ? result
          : { ...result, document: { text: readDocument(document) } };
      });
      return { ...body, results };
    },
  },
};
