import type { Operation } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { readCounter } from "@tollgate/contract/relay/usage";
import { carriesError } from "../shared/error-details";
import { isRecord, type JsonRecord, readArray, readRecord } from "../shared/json-values";
import { isTold, readInputUsage } from "./read-usage";
import { readTextInput, requireInput } from "./text-input";

/** Usage as Jina and Voyage tell it, as SiliconFlow does, and as Cohere does beside its searches. */
const readUsage = (body: JsonRecord) => {
  const meta = readRecord(body.meta);
  const candidates = [body.usage, body.tokens, meta.tokens].map(readInputUsage);
  return candidates.find(isTold) ?? readInputUsage(undefined);
};

/** POST /v1/rerank: https://jina.ai/reranker, https://docs.cohere.com/reference/rerank */
export const rerank: Operation = {
  name: "rerank",
  input: "json",
  defaultModel: undefined,
  isBinary: false,

  outline: ({ fields }) => {
    const query = requireInput(fields, "query");
    const documents = requireInput(fields, "documents");
    if (!Array.isArray(documents)) {
      throw new RequestInvalid("documents must be a list", "documents");
    }
    return {
      isStream: false,
      wantsUsageChunk: false,
      prompt: readTextInput(query, documents),
      // Vendors that bill by searches tell so afterwards: the default hold covers one.
      maxOutputTokens: undefined,
      units: undefined,
    };
  },

  readAnswer: ({ body }) => {
    if (!isRecord(body) || carriesError(body)) return undefined;
    if (readArray(body.results).length + readArray(body.data).length === 0) return undefined;
    const usage = readUsage(body);
    const searches = readCounter(readRecord(readRecord(body.meta).billed_units).search_units) ?? 0;
    const isBySearches = searches > 0;
    return { usage, text: "", units: isBySearches ? { kind: "searches", count: searches } : undefined };
  },

  events: undefined,
};
