import type { OpenaiHints } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord } from "../json/json-values";

/**
 * Reads the fields common to both of OpenAI's protocols, and the verbosity, whose field differs.
 * @returns undefined when the request has none of them.
 */
export const readOpenaiHints = (request: JsonRecord, verbosity: unknown): OpenaiHints | undefined => {
  const hints: OpenaiHints = {
    ...text("promptCacheKey", request.prompt_cache_key),
    ...text("promptCacheRetention", request.prompt_cache_retention),
    ...text("serviceTier", request.service_tier),
    ...text("verbosity", verbosity),
    ...(isRecord(request.metadata) ? { metadata: request.metadata } : {}),
    ...(request.store === false ? { isUnstored: true } : {}),
  };
  return Object.keys(hints).length === 0 ? undefined : hints;
};

const text = (field: keyof OpenaiHints, value: unknown): Partial<OpenaiHints> =>
  typeof value === "string" && value !== "" ? { [field]: value } : {};
