import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, Tool } from "@tollgate/contract/relay/request";
import type { JsonRecord } from "../shared/json-values";
import { readList, requireRecord, requireText } from "../shared/request-fields";

/**
 * Parses `tools`. Tools that Anthropic runs or defines itself (web search, bash, computer …) exist nowhere else.
 * @throws RequestInvalid
 */
export const parseTools = (request: JsonRecord): Tool[] =>
  readList(request.tools, "tools").map((value, index) => {
    const param = `tools[${index}]`;
    const tool = requireRecord(value, param);
    if (tool.type !== undefined && tool.type !== null && tool.type !== "custom") {
      throw new RequestInvalid(
        `the server tool "${String(tool.type)}" is not supported by the upstream of this model`,
        `${param}.type`,
      );
    }
    return {
      name: requireText(tool.name, `${param}.name`),
      description: typeof tool.description === "string" ? tool.description : undefined,
      parameters: requireRecord(tool.input_schema, `${param}.input_schema`),
      isStrict: typeof tool.strict === "boolean" ? tool.strict : undefined,
    };
  });

/** Parses `tool_choice` with its `disable_parallel_tool_use`. @throws RequestInvalid */
export const parseToolChoice = (
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
      throw new RequestInvalid(
        'tool_choice.type must be "auto", "any", "tool" or "none"',
        "tool_choice.type",
      );
  }
};
