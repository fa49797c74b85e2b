import { readCounter } from "@tollgate/contract/relay/usage";
import type { JsonRecord } from "@tollgate/protocols/shared/json/json-values";

/** Use of a prompt's cache in a line of new-api's log, from its field `other`. */
export interface CachedUse {
  /** Tokens read from the cache; undefined where the line does not tell. */
  read: number | undefined;
  /** Tokens written to it, of both lifetimes. */
  written: number;
  /** Of these, the ones kept for an hour; undefined where the line does not tell. */
  written1h: number | undefined;
  /** Tokens that the line's prompt leaves out: Anthropic's own count excludes those read and written. */
  besidePrompt: number;
}

/** Reads the use of a prompt's cache from the field `other` of a line. */
export const readCachedUse = (other: JsonRecord): CachedUse => {
  const read = readCounter(other.cache_tokens);
  const written5m = readCounter(other.cache_creation_tokens_5m) ?? 0;
  const written1h = readCounter(other.cache_creation_tokens_1h);
  const written = Math.max(readCounter(other.cache_creation_tokens) ?? 0, written5m + (written1h ?? 0));
  const isAnthropic = other.claude === true || other.usage_semantic === "anthropic";
  return { read, written, written1h, besidePrompt: isAnthropic ? (read ?? 0) + written : 0 };
};
