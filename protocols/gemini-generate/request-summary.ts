import { type RequestAddress, RequestInvalid, type RequestSummary } from "@tollgate/contract/relay/protocol";
import { isRecord, type JsonRecord } from "../shared/json/json-values";
import { readInteger, readTokenLimit, requireBody } from "../shared/request/request-fields";
import { readOutputBounds } from "../shared/usage/output-bounds";
import { pickField, readField } from "./read-field";

/** https://ai.google.dev/api/generate-content#generationconfig */
const MAX_CANDIDATES = 8;

/**
 * Reads the fields of a generateContent request that admission needs (https://ai.google.dev/api/generate-content). Runs
 * for every request, so it only reads the fields it names. Usage is always part of the stream.
 * @throws RequestInvalid
 */
export const summarizeRequest = (body: unknown, address?: RequestAddress): RequestSummary => {
  const request = requireBody(body);
  if (address === undefined || address.model === "") {
    throw new RequestInvalid({
      code: "model-not-in-address",
      address: "/v1beta/models/{model}:generateContent",
    });
  }
  requireContents(request);
  const config = readConfig(request);
  const maxOutputTokens = readTokenLimit(pickField(config, "maxOutputTokens"), "maxOutputTokens");
  return {
    model: address.model,
    isStream: address.isStream,
    maxOutputTokens,
    bounds: readOutputBounds(request, maxOutputTokens !== undefined),
    choices: readInteger(pickField(config, "candidateCount"), "candidateCount", 1, MAX_CANDIDATES) ?? 1,
    wantsUsageChunk: false,
  };
};

/** `contents` as a list; a single content may stand without one. @throws RequestInvalid when it is empty. */
export const requireContents = (request: JsonRecord): readonly unknown[] => {
  const contents = readField(request, "contents");
  if (isRecord(contents)) return [contents];
  if (Array.isArray(contents) && contents.length > 0) return contents;
  throw new RequestInvalid({ code: "list-missing", field: "contents" });
};

/** `generationConfig`, empty by default. @throws RequestInvalid */
export const readConfig = (request: JsonRecord): JsonRecord => {
  const config = readField(request, "generationConfig");
  if (config === undefined) return {};
  if (!isRecord(config))
    throw new RequestInvalid({ code: "wrong-type", field: "generationConfig", expected: "object" });
  return config;
};
