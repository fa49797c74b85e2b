import type {
  Asked,
  ClientApi,
  Endpoint,
  ListedModel,
  PathParts,
  TokenCount,
} from "@tollgate/contract/relay/client-api";
import { NOT_IMPLEMENTED, notOffered } from "../shared/errors/not-offered";
import { isRecord } from "../shared/json/json-values";
import { decodeSegment } from "../shared/request/decode-segment";
import { client } from "./client";

/** https://ai.google.dev/api/models#Model; no other fields, which Google's library for Python may refuse. */
const describe = ({ id, facts }: ListedModel) => ({
  name: `models/${id}`,
  version: "",
  displayName: id,
  description: "",
  ...(facts?.context === undefined ? {} : { inputTokenLimit: facts.context }),
  ...(facts?.outputLimit === undefined ? {} : { outputTokenLimit: facts.outputLimit }),
  supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
});

const count: TokenCount = {
  // The request to count may be wrapped (https://ai.google.dev/api/tokens#method:-models.counttokens).
  chatOf: (body) => {
    const { generateContentRequest: inner } = body;
    return isRecord(inner) ? inner : body;
  },
  encode: (tokens) => ({ totalTokens: tokens }),
};

/** A model's name may contain colons and slashes itself; the method follows the last colon. */
const CALL = /^(.+):(\w+)$/;

const OTHER_CALL =
  /^[^/]+:(?:embedContent|batchEmbedContents|asyncBatchEmbedContent|batchGenerateContent|predict|predictLongRunning)$/;

const askedCall = ({ "*": rest = "" }: PathParts, query: string): Asked | undefined => {
  const [, name = "", method] = CALL.exec(rest) ?? [];
  switch (method) {
    case "generateContent":
      return { kind: "chat", address: { model: decodeSegment(name), isStream: false } };
    case "streamGenerateContent":
      return {
        kind: "chat",
        address: { model: decodeSegment(name), isStream: true },
        isArray: new URLSearchParams(query).get("alt") !== "sse",
      };
    case "countTokens":
      return { kind: "count", count, address: { model: decodeSegment(name), isStream: false } };
    default:
      return undefined;
  }
};

const askedOther = ({ "*": rest = "" }: PathParts): Asked | undefined =>
  OTHER_CALL.test(rest) ? NOT_IMPLEMENTED : undefined;

const TUNING = /^[^/]+:(?:cancel|transferOwnership)$/;

const askedTuning = ({ "*": rest = "" }: PathParts): Asked | undefined =>
  TUNING.test(rest) ? NOT_IMPLEMENTED : undefined;

/** Endpoints of the vendor's SDKs that are not offered. */
const NOT_OFFERED = [
  "auth_tokens",
  "batches",
  "cachedContents",
  "corpora",
  "fileSearchStores",
  "interactions",
  "operations",
  "upload",
];

const askedModel = ({ "*": id = "" }: PathParts): Asked | undefined =>
  id === "" ? undefined : { kind: "model", id: decodeSegment(id) };

const endpoints: readonly Endpoint[] = [
  { method: "GET", path: "/v1beta/models", asked: { kind: "models" } },
  { method: "GET", path: "/v1beta/models/*", asked: askedModel },
  ...["/v1beta", "/v1"].flatMap((base): Endpoint[] => [
    {
      method: "POST",
      path: `${base}/models/*`,
      asked: (parts, query) => askedCall(parts, query) ?? askedOther(parts),
    },
    // Changes of models.
    { method: "any", path: `${base}/models/*`, asked: NOT_IMPLEMENTED },
    {
      method: "POST",
      path: `${base}/tunedModels/*`,
      asked: (parts, query) => askedCall(parts, query) ?? askedTuning(parts),
    },
    { method: "any", path: `${base}/tunedModels/*`, asked: NOT_IMPLEMENTED },
    { method: "any", path: `${base}/tunedModels`, asked: NOT_IMPLEMENTED },
  ]),
  { method: "any", path: "/v1beta/files*", asked: NOT_IMPLEMENTED },
  ...notOffered("/v1beta", NOT_OFFERED),
  ...notOffered("/upload", ["v1beta"]),
];

/** Google's Gemini API. */
export const api: ClientApi = {
  protocol: client,
  bases: ["/v1/", "/v1beta/", "/upload/"],
  aliases: { v1beta: ["/v1beta"], v1alpha: ["/v1beta"] },
  endpoints,
  recognizedBy: { header: "x-goog-api-key", path: "/v1beta/" },
  keyHeader: "x-goog-api-key",
  keyParameter: "key",
  models: { describe, encode: (models) => ({ models: models.map(describe) }) },
};
