import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, Tool, WebSearch } from "@tollgate/contract/relay/request";
import { type JsonRecord, readString } from "../shared/json/json-values";
import { readList, requireRecord, requireText } from "../shared/request/request-fields";
import { readMaxUses, readWebSearch } from "../shared/tools/web-search";

/** The tools that the model may or must call. */
type ParsedTools = Pick<ChatRequest, "tools" | "toolChoice" | "isParallelToolCallsAllowed" | "webSearch">;

const WEB_SEARCH = /^web_search_\d+$/;

/** Other APIs declare all tools from the beginning, so there is nothing to search for. */
const TOOL_SEARCH = /^tool_search_tool_/;

/**
 * Parses `tools` and `tool_choice`. Of the tools that Anthropic runs or defines itself the search of the web exists
 * elsewhere too; others (bash, computer …) are refused.
 * @throws RequestInvalid
 */
export const parseTools = (request: JsonRecord): ParsedTools => {
  const tools: Tool[] = [];
  let webSearch: WebSearch | undefined;
  readList(request.tools, "tools").forEach((value, index) => {
    const param = `tools[${index}]`;
    const tool = requireRecord(value, param);
    const type = readString(tool.type);
    if (WEB_SEARCH.test(type)) webSearch ??= { ...readWebSearch(tool), ...readMaxUses(tool, "max_uses") };
    else if (type === "" || type === "custom") tools.push(parseTool(tool, param));
    else if (!TOOL_SEARCH.test(type)) {
      throw new RequestInvalid({ code: "unsupported-tool", tool: type, instead: "custom" }, `${param}.type`);
    }
  });
  const { toolChoice, isParallelToolCallsAllowed } = parseToolChoice(request);
  // The search is named like any other tool.
  const isRequired =
    webSearch !== undefined && toolChoice?.kind === "tool" && toolChoice.name === "web_search";
  return {
    tools,
    toolChoice: isRequired ? undefined : toolChoice,
    isParallelToolCallsAllowed,
    webSearch: isRequired
      ? { ...webSearch, isRequired }
      : toolChoice?.kind === "none"
        ? undefined
        : webSearch,
  };
};

const parseTool = (tool: JsonRecord, param: string): Tool => ({
  name: requireText(tool.name, `${param}.name`),
  description: typeof tool.description === "string" ? tool.description : undefined,
  parameters: requireRecord(tool.input_schema, `${param}.input_schema`),
  isStrict: typeof tool.strict === "boolean" ? tool.strict : undefined,
});

/** Parses `tool_choice` with its `disable_parallel_tool_use`. @throws RequestInvalid */
const parseToolChoice = (
  request: JsonRecord,
): Pick<ChatRequest, "toolChoice" | "isParallelToolCallsAllowed"> => {
  if (request.tool_choice === undefined || request.tool_choice === null) return {};
  const choice = requireRecord(request.tool_choice, "tool_choice");
  const isParallelToolCallsAllowed = choice.disable_parallel_tool_use === true ? false : undefined;
  switch (choice.type) {
    case "auto":
    case "none":
      return { toolChoice: { kind: choice.type }, isParallelToolCallsAllowed };
    case "any":
      return { toolChoice: { kind: "required" }, isParallelToolCallsAllowed };
    case "tool":
      return {
        toolChoice: { kind: "tool", name: requireText(choice.name, "tool_choice.name") },
        isParallelToolCallsAllowed,
      };
    default:
      throw new RequestInvalid({
        code: "not-one-of",
        field: "tool_choice.type",
        allowed: ["auto", "any", "tool", "none"],
      });
  }
};
