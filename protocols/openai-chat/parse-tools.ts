import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, Tool, ToolChoice } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { readList, requireRecord, requireText } from "../shared/request/request-fields";
import { freeformAsFunction } from "../shared/tools/freeform-tool";
import { readCacheMark } from "./parse-content";

/** The tools that the model may or must call. */
type OfferedTools = Pick<ChatRequest, "tools" | "toolChoice">;

/**
 * Parses the tools and `tool_choice`, which may also select some of them, or the older `functions` and `function_call`
 * in place of either. @throws RequestInvalid
 */
export const parseOfferedTools = (request: JsonRecord): OfferedTools => {
  const tools = parseTools(request);
  const { tool_choice: choice } = request;
  return isRecord(choice) && choice.type === "allowed_tools"
    ? selectAllowed(tools, choice)
    : { tools, toolChoice: parseToolChoice(request) };
};

const selectAllowed = (tools: readonly Tool[], choice: JsonRecord): OfferedTools => {
  const param = "tool_choice.allowed_tools";
  const allowed = requireRecord(choice.allowed_tools, param);
  const names = new Set(
    readList(allowed.tools, `${param}.tools`).map((tool, index) =>
      parseNamed(tool, `${param}.tools[${index}]`),
    ),
  );
  return {
    tools: tools.filter(({ name }) => names.has(name)),
    toolChoice: { kind: allowed.mode === "required" ? "required" : "auto" },
  };
};

const parseTools = (request: JsonRecord): Tool[] => {
  const tools = readList(request.tools, "tools").map((value, index) => {
    const param = `tools[${index}]`;
    const tool = requireRecord(value, param);
    const cacheMark = readCacheMark(tool);
    const parsed = parseTool(tool, param);
    return cacheMark ? { ...parsed, cacheMark } : parsed;
  });
  if (tools.length > 0) return tools;
  return readList(request.functions, "functions").map((value, index) =>
    parseFunction(value, `functions[${index}]`),
  );
};

const parseTool = (tool: JsonRecord, param: string): Tool => {
  switch (tool.type) {
    case "function":
      return parseFunction(tool.function, `${param}.function`);
    case "custom": {
      const custom = requireRecord(tool.custom, `${param}.custom`);
      return freeformAsFunction(requireText(custom.name, `${param}.custom.name`), custom);
    }
    default:
      throw new RequestInvalid({
        code: "unsupported-value-instead",
        field: `${param}.type`,
        value: shownValue(tool.type),
        instead: ["function"],
      });
  }
};

/**
 * Whether a request uses the older `functions` in place of `tools`: its client reads calls in the older form alone,
 * which holds one call.
 */
export const usesFunctions = (request: Readonly<Record<string, unknown>>): boolean =>
  readArray(request.tools).length === 0 && readArray(request.functions).length > 0;

/** The tools that take free text, by name: their calls go out as they came in. */
export const customNames = (request: Readonly<Record<string, unknown>>): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const tool of readArray(request.tools)) {
    if (isRecord(tool) && tool.type === "custom") names.add(readString(readRecord(tool.custom).name));
  }
  return names;
};

const parseFunction = (value: unknown, param: string): Tool => {
  const declared = requireRecord(value, param);
  const { description, parameters, strict } = declared;
  return {
    name: requireText(declared.name, `${param}.name`),
    description: typeof description === "string" ? description : undefined,
    parameters:
      parameters === undefined || parameters === null
        ? undefined
        : requireRecord(parameters, `${param}.parameters`),
    isStrict: typeof strict === "boolean" ? strict : undefined,
  };
};

const parseToolChoice = (request: JsonRecord): ToolChoice | undefined => {
  const choice = request.tool_choice ?? undefined;
  if (choice !== undefined) return parseChoice(choice, "tool_choice");
  const legacy = request.function_call ?? undefined;
  if (isRecord(legacy)) return { kind: "tool", name: requireText(legacy.name, "function_call.name") };
  return legacy === undefined ? undefined : parseChoice(legacy, "function_call");
};

const parseChoice = (choice: unknown, param: string): ToolChoice => {
  if (choice === "auto" || choice === "none" || choice === "required") return { kind: choice };
  return { kind: "tool", name: parseNamed(choice, param) };
};

/** The name of one tool. */
const parseNamed = (tool: unknown, param: string): string => {
  if (isRecord(tool) && (tool.type === "function" || tool.type === "custom")) {
    const named = requireRecord(tool[tool.type], `${param}.${tool.type}`);
    return requireText(named.name, `${param}.${tool.type}.name`);
  }
  throw new RequestInvalid({ code: "wrong-type", field: param, expected: "tool-choice" });
};
