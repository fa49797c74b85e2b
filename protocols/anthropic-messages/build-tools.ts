import type { ChatRequest, Tool, WebSearch } from "@tollgate/contract/relay/request";
import { forModel } from "../shared/messages/for-model";
import { fitSchema } from "../shared/tools/anthropic-schema";
import { cacheControl } from "./build-blocks";
import type { ModelRule } from "./model-rules";

export const buildTools = (
  { tools, webSearch }: ChatRequest,
  rule: Pick<ModelRule, "hasOutputFormat">,
): unknown =>
  tools.length === 0 && webSearch === undefined
    ? undefined
    : [...tools.map((tool) => buildTool(tool, rule)), ...(webSearch ? [buildSearch(webSearch)] : [])];

/** `input_schema` must have the type "object". Models without structured outputs refuse `strict`. */
const buildTool = (
  { name, description, parameters, isStrict, cacheMark }: Tool,
  { hasOutputFormat }: Pick<ModelRule, "hasOutputFormat">,
): unknown => {
  const schema = parameters ? { ...parameters, type: "object" } : { type: "object", properties: {} };
  const strictSchema = isStrict === true && hasOutputFormat ? fitSchema(schema) : undefined;
  return {
    name,
    description,
    input_schema: strictSchema ?? schema,
    strict: strictSchema && true,
    ...cacheControl(cacheMark),
  };
};

const SEARCH = "web_search";

/** The search that every model knows: https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool */
const buildSearch = ({ allowedDomains, blockedDomains, userLocation, maxUses }: WebSearch): unknown => ({
  type: "web_search_20250305",
  name: SEARCH,
  max_uses: maxUses,
  // The API refuses both together.
  ...(allowedDomains ? { allowed_domains: allowedDomains } : { blocked_domains: blockedDomains }),
  user_location: userLocation && { type: "approximate", ...userLocation },
});

/** Whether the request forces a tool call, which excludes thinking and which some models refuse. */
export const isToolForced = ({ tools, toolChoice, webSearch }: ChatRequest): boolean =>
  webSearch?.isRequired === true ||
  (tools.length > 0 && (toolChoice?.kind === "required" || toolChoice?.kind === "tool"));

/**
 * Builds `tool_choice` (https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use); undefined
 * when it equals the default or there are no tools.
 * @param canForce false turns a forced call into an optional one.
 */
export const buildToolChoice = (request: ChatRequest, canForce: boolean): unknown => {
  if (request.webSearch?.isRequired)
    return { type: canForce ? "tool" : "auto", name: canForce ? SEARCH : undefined };
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

/** Instructions that replace a forced call. */
export const forcedToolHint = ({ toolChoice, webSearch }: ChatRequest): string =>
  webSearch?.isRequired
    ? forModel`Search the web before you answer.`
    : toolChoice?.kind === "tool"
      ? forModel`Answer by calling the tool "${toolChoice.name}".`
      : forModel`Answer by calling one of the tools.`;
