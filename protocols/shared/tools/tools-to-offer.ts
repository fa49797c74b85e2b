import type { ChatRequest, Tool } from "@tollgate/contract/relay/request";

/**
 * The tools of a request for APIs that cannot forbid tools or force one: for "none" no tool is offered, and for a
 * forced one only that.
 */
export const toolsToOffer = ({ tools, toolChoice }: ChatRequest): readonly Tool[] => {
  if (toolChoice?.kind === "none") return [];
  if (toolChoice?.kind === "tool") return tools.filter(({ name }) => name === toolChoice.name);
  return tools;
};

/** JSON Schema of a tool's arguments; one without arguments has an empty object. */
export const toolParameters = ({ parameters }: Tool): Record<string, unknown> =>
  parameters ?? { type: "object", properties: {} };
