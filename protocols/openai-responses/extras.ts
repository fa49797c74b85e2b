import type { AskedTool, BodyPath, Extras } from "@tollgate/contract/relay/extras";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { extrasOf, readCallLimit, readSwitches } from "../shared/tools/asked-tools";
import { readTiers, SNAKE_TIERS } from "../shared/usage/asked-tiers";

/** Tools that the client runs, or that are billed only by their tokens. */
const OWN = new Set([
  "",
  "apply_patch",
  "computer",
  "computer_use_preview",
  "custom",
  "function",
  "local_shell",
  "mcp",
  "namespace",
  "tool_search",
]);

/** Tiers, and the tools that OpenAI and the vendors of its shape run: https://platform.openai.com/docs/guides/tools */
export const extras = (body: JsonRecord): Extras | undefined => {
  const tools: AskedTool[] = readSwitches(body);
  const most = readCallLimit(body.max_tool_calls);
  addTools(tools, body.tools, ["tools"], most);
  // Tools that clients hand in later.
  readArray(body.input).forEach((item, index) => {
    if (isRecord(item) && (item.type === "additional_tools" || item.type === "tool_search_output"))
      addTools(tools, item.tools, ["input", index, "tools"], most);
  });
  return extrasOf(readTiers(body, SNAKE_TIERS), tools);
};

const addTools = (tools: AskedTool[], value: unknown, place: BodyPath, most: number | undefined): void => {
  readArray(value).forEach((tool, index) => {
    if (!isRecord(tool)) return;
    const type = readString(tool.type).replace(/_\d{4}_\d{2}_\d{2}$/, "");
    if (OWN.has(type)) return;
    const container = readRecord(type === "shell" ? tool.environment : tool.container);
    const where = readString(container.type);
    if (type === "shell" && (where === "" || where === "local")) return;
    const size = readString(container.memory_limit);
    // A larger container has its own price.
    const name = size === "" || size === "1g" ? type : `${type}_${size}`;
    const counts = type === "web_search_preview" ? "web_search" : type;
    tools.push({ name, counts, most, isCounted: true, path: [...place, index] });
  });
};

/** Calls of the client's own tools, and of tools that cost only their tokens. */
const OWN_CALLS = new Set([
  "function_call",
  "custom_tool_call",
  "computer_call",
  "local_shell_call",
  "apply_patch_call",
  "mcp_call",
  "tool_search_call",
]);

/**
 * The calls of the vendor's tools in an answer's items. Failed calls, and pages that a search opens, are not billed:
 * https://platform.openai.com/docs/guides/tools-web-search
 * @param first number of the first item.
 */
export const callIds = (items: readonly unknown[], first = 0): string[] =>
  items.flatMap((item, index) => {
    if (!isRecord(item)) return [];
    const type = readString(item.type);
    if (!type.endsWith("_call") || OWN_CALLS.has(type)) return [];
    const action = readString(readRecord(item.action).type);
    if (type === "web_search_call" && action !== "" && action !== "search") return [];
    if (item.status === "failed") return [];
    return [`${type.slice(0, -"_call".length)} ${readString(item.id) || first + index}`];
  });
