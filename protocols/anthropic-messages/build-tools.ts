import type { ChatRequest, Tool } from "@tollgate/contract/relay/request";

/** Builds `tools`; undefined when there are none. `input_schema` must say that it is an object. */
export const buildTools = (tools: readonly Tool[]): unknown =>
  tools.length === 0
    ? undefined
    : tools.map(({ name, description, parameters, isStrict }) => ({
        name,
        description,
        input_schema: parameters ? { ...parameters, type: "object" } : { type: "object", properties: {} },
        strict: isStrict === true ? true : undefined,
      }));

/** Whether the request forces a tool call, which excludes thinking and which some models refuse. */
export const isToolForced = ({ tools, toolChoice }: ChatRequest): boolean =>
  tools.length > 0 && (toolChoice?.kind === "required" || toolChoice?.kind === "tool");

/**
 * Builds `tool_choice` (https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use); undefined
 * where the default says the same or there are no tools.
 * @param canForce false turns a forced call into a free one.
 */
export const buildToolChoice = (request: ChatRequest, canForce: boolean): unknown => {
  if (request.tools.length === 0) return undefined;
  const disable_parallel_tool_use = request.isParallelToolCallsAllowed === false ? true : undefined;
  switch (request.toolChoice?.kind) {
    case "none":
      return { type: "none" };
    case "required":
      return { type: canForce ? "any" : "auto", disable_parallel_tool_use };
    case "tool":
      return canForce
        ? { type: "tool", name: request.toolChoice.name, disable_parallel_tool_use }
        : { type: "auto", disable_parallel_tool_use };
    default:
      return request.toolChoice || disable_parallel_tool_use
        ? { type: "auto", disable_parallel_tool_use }
        : undefined;
  }
};

/** What stands in the instructions in place of a forced call. */
export const forcedToolHint = ({ toolChoice }: ChatRequest): string =>
  toolChoice?.kind === "tool"
    ? `Answer by calling the tool "${toolChoice.name}".`
    : "Answer by calling one of the tools.";
