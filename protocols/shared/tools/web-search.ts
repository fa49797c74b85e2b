import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, WebSearch } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readArray, readRecord } from "../json/json-values";
import { readInteger } from "../request/request-fields";

/** For upstreams that cannot search: an optional search is left out. @throws RequestInvalid for a required one. */
export const refuseRequiredSearch = ({ webSearch }: ChatRequest): void => {
  if (webSearch?.isRequired !== true) return;
  throw new RequestInvalid({ code: "search-unsupported" }, "tool_choice");
};

/**
 * Reads the search options from the object of OpenAI or Anthropic: their field names are the same except for the
 * domains' path.
 */
export const readWebSearch = (tool: JsonRecord): WebSearch => {
  const { search_context_size: size, user_location: location } = tool;
  const filters = readRecord(tool.filters);
  return {
    ...(typeof size === "string" ? { contextSize: size } : {}),
    ...domains("allowedDomains", filters.allowed_domains ?? tool.allowed_domains),
    ...domains("blockedDomains", filters.blocked_domains ?? tool.blocked_domains),
    ...(isRecord(location) ? { userLocation: readLocation(location) } : {}),
  };
};

/** Limit on searches. Neither vendor accepts one below 1. @throws RequestInvalid */
export const readMaxUses = (holder: JsonRecord, field: string): Pick<WebSearch, "maxUses"> => {
  const maxUses = readInteger(holder, field, 1, Number.MAX_SAFE_INTEGER);
  return maxUses === undefined ? {} : { maxUses };
};

const domains = (field: "allowedDomains" | "blockedDomains", value: unknown): Partial<WebSearch> => {
  const names = readArray(value).filter((name) => typeof name === "string");
  return names.length === 0 ? {} : { [field]: names };
};

/** Only Chat Completions wraps the location in `approximate`. */
const readLocation = (location: JsonRecord): Record<string, string> => {
  const place = isRecord(location.approximate) ? location.approximate : location;
  const named = ["country", "region", "city", "timezone"].flatMap((field) => {
    const value = place[field];
    return typeof value === "string" && value !== "" ? [[field, value] as const] : [];
  });
  return Object.fromEntries(named);
};
