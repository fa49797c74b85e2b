import type { AskedTool, Extras } from "@tollgate/contract/relay/extras";
import { isRecord, type JsonRecord, readArray, readRecord } from "../shared/json/json-values";
import { extrasOf } from "../shared/tools/asked-tools";
import { GOOGLE_TIERS, readTiers } from "../shared/usage/asked-tiers";

/**
 * Tools that the client runs, or that are billed only by their tokens: https://ai.google.dev/gemini-api/docs/pricing
 */
const OWN = new Set([
  "function_declarations",
  "code_execution",
  "computer_use",
  "file_search",
  "mcp_servers",
  "url_context",
]);

/** Tools whose calls an answer reports; the calls of all others are not reported. */
const SEARCHES = new Set(["google_search", "google_search_retrieval", "enterprise_web_search"]);

/** Until Gemini 2.5 a prompt is billed that was searched for; since then every search. */
const BY_PROMPT = /gemini-[12](?:\.|-|$)/;

const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Tiers, and the tools that Google runs. @param model the requested one. */
export const extras = (body: JsonRecord, model: string): Extras | undefined => {
  const tools: AskedTool[] = [];
  const list = isRecord(body.tools) ? undefined : readArray(body.tools);
  (list ?? [body.tools]).forEach((tool, index) => {
    if (!isRecord(tool)) return;
    for (const key of Object.keys(tool)) {
      const kind = toSnake(key);
      if (OWN.has(kind)) continue;
      const isCounted = SEARCHES.has(kind);
      const name = isCounted ? (BY_PROMPT.test(model) ? "google_search_prompt" : "google_search") : kind;
      const most = name === "google_search" ? undefined : 1;
      const path = list ? ["tools", index, key] : ["tools", key];
      tools.push({ name, counts: name, most, isCounted, path });
    }
  });
  return extrasOf(readTiers(body, GOOGLE_TIERS), tools);
};

/**
 * The searches behind an answer (https://ai.google.dev/gemini-api/docs/google-search); undefined when it reports none.
 */
export const readSearches = (body: JsonRecord): Record<string, number> | undefined => {
  let queries = 0;
  for (const candidate of readArray(body.candidates)) {
    const grounding = readRecord(readRecord(candidate).groundingMetadata);
    queries += readArray(grounding.webSearchQueries).length;
  }
  return queries === 0 ? undefined : { google_search: queries, google_search_prompt: 1 };
};
