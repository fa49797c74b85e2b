import type { Operation } from "@tollgate/contract/relay/operation";
import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { readCounter } from "@tollgate/contract/relay/usage";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, type JsonRecord, readArray, readRecord } from "../shared/json/json-values";
import { isReported, readInputUsage } from "./read-usage";
import { readTextInput, requireInput } from "./text-input";

/** Usage in the formats of Jina and Voyage, of SiliconFlow, and of Cohere in addition to its searches. */
const readUsage = (body: JsonRecord) => {
  const meta = readRecord(body.meta);
  const candidates = [body.usage, body.tokens, meta.tokens].map(readInputUsage);
  return candidates.find(isReported) ?? readInputUsage(undefined);
};

/** A search is a hundred documents, and one of more than 500 tokens counts as several: https://cohere.com/pricing */
const DOCUMENTS_PER_SEARCH = 100;
/** No text has more tokens than bytes, and the query may take half of the room. */
const BYTES_PER_DOCUMENT = 250;

/** The reported searches, limited by the number of documents. */
const readSearches = (body: JsonRecord, documents: unknown, { pieces }: PromptText): number => {
  const told = readCounter(readRecord(readRecord(body.meta).billed_units).search_units) ?? 0;
  const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  const most = (readArray(documents).length + bytes / BYTES_PER_DOCUMENT) / DOCUMENTS_PER_SEARCH;
  return Math.min(told, Math.ceil(most));
};

/** POST /v1/rerank: https://jina.ai/reranker, https://docs.cohere.com/reference/rerank */
export const rerank: Operation = {
  name: "rerank",
  writesText: false,
  input: "json",
  defaultModel: undefined,
  isBinary: false,

  summarizeRequest: ({ fields }) => {
    const query = requireInput(fields, "query");
    const documents = requireInput(fields, "documents");
    if (!Array.isArray(documents)) {
      throw new RequestInvalid({ code: "wrong-type", field: "documents", expected: "list" });
    }
    return {
      isStream: false,
      wantsUsageChunk: false,
      prompt: readTextInput(query, documents),
      // Vendors that bill by searches report them afterwards: the default hold covers one.
      maxOutputTokens: undefined,
      units: undefined,
    };
  },

  readAnswer: ({ body }, { fields }, { prompt }) => {
    if (!isRecord(body) || carriesError(body)) return undefined;
    if (readArray(body.results).length + readArray(body.data).length === 0) return undefined;
    const usage = readUsage(body);
    const searches = readSearches(body, fields.documents, prompt);
    const isBySearches = searches > 0;
    return { usage, text: "", units: isBySearches ? { kind: "searches", count: searches } : undefined };
  },

  events: undefined,
};
