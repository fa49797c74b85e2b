import type { AskedTier, AskedTool, Extras } from "@tollgate/contract/relay/extras";
import { isRecord, type JsonRecord } from "../json/json-values";

/**
 * Fields beside the tools that switch on what is billed apart: searches (OpenAI's Chat Completions, Qwen, xAI), plugins and
 * other models in place of the one that has a price (OpenRouter, Anthropic).
 */
const SWITCHES: ReadonlySet<string> = new Set([
  "web_search_options",
  "enable_search",
  "search_parameters",
  "plugins",
  "models",
  "fallbacks",
]);

/** The switches that are on, each named in `ToolPrice` as its field is. No answer tells how often they worked. */
export const readSwitches = (body: JsonRecord): AskedTool[] => {
  const found = switchesIn(body, []);
  return isRecord(body.extra_body) ? [...found, ...switchesIn(body.extra_body, ["extra_body"])] : found;
};

const switchesIn = (fields: JsonRecord, place: readonly string[]): AskedTool[] => {
  const found: AskedTool[] = [];
  // By the few names that a body has, not by all that it might have.
  for (const name of Object.keys(fields)) {
    if (!SWITCHES.has(name)) continue;
    const value = fields[name];
    if (value === undefined || value === null || value === false) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    found.push({ name, counts: name, most: 1, isCounted: false, path: [...place, name] });
  }
  return found;
};

/** A limit on calls as a request says it; undefined for anything else. */
export const readMost = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;

/** @returns undefined where nothing of the kind is asked for. */
export const extrasOf = (tiers: readonly AskedTier[], tools: readonly AskedTool[]): Extras | undefined =>
  tiers.length === 0 && tools.length === 0 ? undefined : { tiers, tools };
