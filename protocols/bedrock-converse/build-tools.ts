import type { ChatRequest, Tool, ToolChoice } from "@tollgate/contract/relay/request";
import { toolParameters } from "../shared/tools/tools-to-offer";

/** Builds `toolConfig`. A conversation with calls must declare their tools, even when none may be called any more. */
export const buildTools = (request: ChatRequest): unknown => {
  const isForbidden = request.toolChoice?.kind === "none";
  const tools = request.tools.length > 0 && !isForbidden ? request.tools : calledTools(request);
  if (tools.length === 0) return undefined;
  const choice = request.tools.length > 0 ? request.toolChoice : undefined;
  return { tools: tools.map(buildTool), toolChoice: choice && buildChoice(choice) };
};

const calledTools = (request: ChatRequest): Tool[] => {
  const names = request.turns.flatMap((turn) =>
    turn.role === "assistant"
      ? turn.parts.flatMap((part) => (part.kind === "tool-call" ? part.name : []))
      : [],
  );
  return [...new Set(names)].map((name) => request.tools.find((tool) => tool.name === name) ?? { name });
};

const buildTool = (tool: Tool): unknown => ({
  toolSpec: {
    name: tool.name,
    description: tool.description || undefined,
    inputSchema: { json: toolParameters(tool) },
  },
});

const buildChoice = (choice: ToolChoice): unknown => {
  switch (choice.kind) {
    case "auto":
      return { auto: {} };
    case "required":
      return { any: {} };
    case "tool":
      return { tool: { name: choice.name } };
    case "none":
      return undefined;
  }
};
