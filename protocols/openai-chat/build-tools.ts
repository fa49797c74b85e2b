import type { ChatRequest, Tool, ToolChoice } from "@tollgate/contract/relay/request";
import { isStrictSchema } from "../shared/tools/strict-schema";

/** Builds `tools` and the fields that depend on them; empty when there are no tools. */
export const buildTools = (request: ChatRequest): Record<string, unknown> => {
  if (request.tools.length === 0) return {};
  return {
    tools: request.tools.map(buildTool),
    tool_choice: request.toolChoice && buildChoice(request.toolChoice),
    // True is the default; vendors that do not know the field are spared it.
    parallel_tool_calls: request.isParallelToolCallsAllowed === false ? false : undefined,
  };
};

const buildTool = ({ name, description, parameters, isStrict }: Tool): unknown => ({
  type: "function",
  function: {
    name,
    description,
    parameters: parameters ?? { type: "object", properties: {} },
    strict: isStrict && isStrictSchema(parameters),
  },
});

const buildChoice = (choice: ToolChoice): unknown =>
  choice.kind === "tool" ? { type: "function", function: { name: choice.name } } : choice.kind;
