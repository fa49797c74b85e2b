import type { AskedTool, Extras } from "@tollgate/contract/relay/extras";
import { isRecord, type JsonRecord, readArray, readString } from "../shared/json/json-values";
import { extrasOf, readCallLimit, readSwitches } from "../shared/tools/asked-tools";
import { readTiers, SNAKE_TIERS } from "../shared/usage/asked-tiers";

const DATED = /^(.+)_(\d{8})$/;

/**
 * Tools that the client runs, or that are billed only by their tokens:
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/overview
 */
const OWN = /^(?:|custom|bash|text_editor|computer|memory|mcp_toolset|web_fetch|tool_search_tool\w*)$/;

/** From this version on, a search or a fetch includes code execution. */
const WITH_CODE = 20_260_209;

/** Tiers, and the tools that Anthropic runs. */
export const extras = (body: JsonRecord): Extras | undefined => {
  const tools: AskedTool[] = readSwitches(body);
  let isCodeFree = false;
  readArray(body.tools).forEach((tool, index) => {
    if (!isRecord(tool)) return;
    const type = readString(tool.type);
    const [, name = type, date = "0"] = DATED.exec(type) ?? [];
    isCodeFree ||= (name === "web_search" || name === "web_fetch") && Number(date) >= WITH_CODE;
    if (OWN.test(name)) return;
    tools.push({
      name,
      counts: name,
      most: readCallLimit(tool.max_uses),
      isCounted: true,
      path: ["tools", index],
    });
  });
  const billed = isCodeFree ? tools.filter(({ name }) => name !== "code_execution") : tools;
  return extrasOf(readTiers(body, SNAKE_TIERS), billed);
};

const RESULT = /^(.+)_tool_result$/;

/** The calls of Anthropic's tools in an answer's blocks, found by their results. Failed ones are not billed. */
export const callIds = (blocks: readonly unknown[]): string[] =>
  blocks.flatMap((block) => {
    if (!isRecord(block)) return [];
    const tool = RESULT.exec(readString(block.type))?.[1];
    if (tool === undefined || tool === "mcp") return [];
    const content = isRecord(block.content) ? readString(block.content.type) : "";
    if (content.endsWith("_error")) return [];
    const name = tool.endsWith("code_execution") ? "code_execution" : tool;
    return [`${name} ${readString(block.tool_use_id)}`];
  });
