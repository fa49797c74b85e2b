import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, ToolChoice } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readString } from "../shared/json/json-values";
import { readList, requireRecord, requireText } from "../shared/request/request-fields";
import { readMaxUses } from "../shared/tools/web-search";
import type { ToolIdentity, ToolTable } from "./tool-table";

/** The tools that the model may or must call. */
type ParsedTools = Pick<ChatRequest, "tools" | "toolChoice" | "webSearch">;

/** Parses `tool_choice`, which may also select some of the tools. @throws RequestInvalid */
export const parseTools = (request: JsonRecord, table: ToolTable): ParsedTools => {
  const { tools } = table;
  // Searches are the only calls of the bound's kind that another protocol makes.
  const webSearch = table.webSearch && { ...table.webSearch, ...readMaxUses(request, "max_tool_calls") };
  const value = request.tool_choice;
  if (value === undefined || value === null) return { tools, webSearch };
  if (value === "auto" || value === "none" || value === "required") {
    return { tools, toolChoice: { kind: value }, webSearch: value === "none" ? undefined : webSearch };
  }
  if (isRecord(value)) {
    if (value.type === "allowed_tools") return parseAllowed(value, table, webSearch);
    if (isSearch(value.type) && webSearch) return { tools, webSearch: { ...webSearch, isRequired: true } };
    const identity = identityOf(value, "tool_choice");
    if (identity) return { tools, toolChoice: { kind: "tool", name: table.flatName(identity) }, webSearch };
  }
  throw new RequestInvalid({ code: "wrong-type", field: "tool_choice", expected: "client-tool-choice" });
};

const isSearch = (type: unknown): boolean => readString(type).startsWith("web_search");

/** "shell" and the like are named by their type alone. */
const identityOf = (value: JsonRecord, param: string): ToolIdentity | undefined => {
  switch (value.type) {
    case "function":
    case "custom":
      return {
        kind: value.type,
        name: requireText(value.name, `${param}.name`),
        namespace: readString(value.namespace),
      };
    case "apply_patch":
    case "local_shell":
    case "shell":
    case "tool_search":
      return { kind: value.type, name: value.type, namespace: "" };
    default:
      return undefined;
  }
};

const parseAllowed = (value: JsonRecord, table: ToolTable, search: ParsedTools["webSearch"]): ParsedTools => {
  const names = new Set<string>();
  let webSearch: ChatRequest["webSearch"];
  readList(value.tools, "tool_choice.tools").forEach((each, index) => {
    const param = `tool_choice.tools[${index}]`;
    const tool = requireRecord(each, param);
    const identity = identityOf(tool, param);
    if (identity) names.add(table.flatName(identity));
    else if (isSearch(tool.type)) webSearch = search;
    else if (tool.type === "namespace") addNamespace(requireText(tool.name, `${param}.name`), table, names);
  });
  const kind: ToolChoice["kind"] = value.mode === "required" ? "required" : "auto";
  return { tools: table.tools.filter(({ name }) => names.has(name)), toolChoice: { kind }, webSearch };
};

const addNamespace = (namespace: string, table: ToolTable, names: Set<string>): void => {
  for (const { name } of table.tools) if (table.identify(name).namespace === namespace) names.add(name);
};
