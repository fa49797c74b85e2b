import type { AskedTier, AskedTool, Extras } from "@tollgate/contract/relay/extras";
import { isRecord, type JsonRecord } from "../json/json-values";

/**
 * Fields outside of the tools that enable features with their own price: searches (OpenAI's Chat Completions, Qwen,
 * xAI, Qianfan, Baichuan, Hunyuan), plugins, and other models in place of the priced one (OpenRouter, Anthropic).
 */
const SWITCHES: ReadonlySet<string> = new Set([
  "web_search_options",
  "web_search",
  "enable_search",
  "search_parameters",
  "with_search_enhance",
  "enable_enhancement",
  "force_search_enhancement",
  "plugins",
  "models",
  "fallbacks",
]);

/** The enabled switches, each named in `ToolPrice` by its field. No answer reports their number of uses. */
export const readSwitches = (body: JsonRecord): AskedTool[] => {
  const found = switchesIn(body, []);
  return isRecord(body.extra_body) ? [...found, ...switchesIn(body.extra_body, ["extra_body"])] : found;
};

const switchesIn = (fields: JsonRecord, place: readonly string[]): AskedTool[] => {
  const found: AskedTool[] = [];
  // Iterates over the few names of the body, not over all possible switches.
  for (const name of Object.keys(fields)) {
    if (!SWITCHES.has(name)) continue;
    const value = fields[name];
    if (value === undefined || value === null || value === false) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    // https://cloud.baidu.com/doc/qianfan-docs/s/Wm8r4sw29
    if (name === "web_search" && isRecord(value) && value.enable === false) continue;
    found.push({ name, counts: name, most: 1, isCounted: false, path: [...place, name] });
  }
  return found;
};

/** A request's limit on calls; undefined for anything else. */
export const readCallLimit = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;

/** @returns undefined when nothing of this kind is requested. */
export const extrasOf = (tiers: readonly AskedTier[], tools: readonly AskedTool[]): Extras | undefined =>
  tiers.length === 0 && tools.length === 0 ? undefined : { tiers, tools };
