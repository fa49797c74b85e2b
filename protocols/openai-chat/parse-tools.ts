import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { Tool, ToolChoice } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { readList, requireRecord, requireText } from "../shared/request/request-fields";
import { freeformAsFunction } from "../shared/tools/freeform-tool";
import { readCacheMark } from "./parse-content";

/** Parses `tools`, or the older `functions` if `tools` is absent. @throws RequestInvalid */
export const parseTools = (request: JsonRecord): Tool[] => {
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

/** Parses `tool_choice`, or the older `function_call` if it is absent. @throws RequestInvalid */
export const parseToolChoice = (request: JsonRecord): ToolChoice | undefined => {
  const choice = request.tool_choice ?? undefined;
  if (choice !== undefined) return parseChoice(choice, "tool_choice");
  const legacy = request.function_call ?? undefined;
  if (isRecord(legacy)) return { kind: "tool", name: requireText(legacy.name, "function_call.name") };
  return legacy === undefined ? undefined : parseChoice(legacy, "function_call");
};

const parseChoice = (choice: unknown, param: string): ToolChoice => {
  if (choice === "auto" || choice === "none" || choice === "required") return { kind: choice };
  if (isRecord(choice) && (choice.type === "function" || choice.type === "custom")) {
    const named = requireRecord(choice[choice.type], `${param}.${choice.type}`);
    return { kind: "tool", name: requireText(named.name, `${param}.${choice.type}.name`) };
  }
  throw new RequestInvalid({ code: "wrong-type", field: param, expected: "tool-choice" });
};
