import type { AskedTool, Extras } from "@tollgate/contract/relay/extras";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { extrasOf, readSwitches } from "../shared/tools/asked-tools";
import { readTiers, SNAKE_TIERS } from "../shared/usage/asked-tiers";

/** Tools that the client runs itself. */
const OWN = new Set(["", "function", "custom"]);

/**
 * Tiers, and tools that vendors of this shape run themselves (Zhipu's `web_search`, Moonshot's `$web_search`). Answers
 * do not report the number of calls.
 */
export const extras = (body: JsonRecord): Extras | undefined => {
  const tools: AskedTool[] = readSwitches(body);
  readArray(body.tools).forEach((tool, index) => {
    if (!isRecord(tool)) return;
    const type = readString(tool.type);
    if (OWN.has(type)) return;
    const called = readString(readRecord(tool.function).name).replace(/^\$/, "");
    const name = type === "builtin_function" && called !== "" ? called : type;
    tools.push({ name, counts: name, most: 1, isCounted: false, path: ["tools", index] });
  });
  return extrasOf(readTiers(body, SNAKE_TIERS), tools);
};
