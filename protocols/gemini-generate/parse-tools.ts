import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { Tool, ToolChoice, WebSearch } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readRecord } from "../shared/json/json-values";
import { readList, requireRecord, requireText } from "../shared/request/request-fields";
import { readField } from "./read-field";
import { readTexts } from "./read-texts";
import { toJsonSchema } from "./to-json-schema";

/** Earlier names of the search tool. */
const SEARCHES: readonly string[] = [
  "googleSearch",
  "google_search",
  "googleSearchRetrieval",
  "google_search_retrieval",
];

/** The search, which every vendor with a search supports in its own format. @throws RequestInvalid */
export const parseSearch = ({ tools }: JsonRecord): WebSearch | undefined => {
  for (const tool of isRecord(tools) ? [tools] : readList(tools, "tools")) {
    const name = isRecord(tool) ? SEARCHES.find((each) => isRecord(tool[each])) : undefined;
    if (name === undefined || !isRecord(tool)) continue;
    const excluded = readField(readRecord(tool[name]), "excludeDomains");
    const blockedDomains = readTexts(excluded, `tools.${name}.excludeDomains`);
    return blockedDomains ? { blockedDomains } : {};
  }
  return undefined;
};

/**
 * Parses the functions of `tools` (https://ai.google.dev/api/caching#Tool). Of the tools that Google runs itself only
 * its search exists elsewhere.
 * @throws RequestInvalid
 */
export const parseTools = (request: JsonRecord): Tool[] => {
  const { tools } = request;
  return (isRecord(tools) ? [tools] : readList(tools, "tools")).flatMap((value, index) => {
    const param = `tools[${index}]`;
    const tool = requireRecord(value, param);
    for (const name of Object.keys(tool)) {
      if (name === "functionDeclarations" || name === "function_declarations" || SEARCHES.includes(name))
        continue;
      throw new RequestInvalid(
        { code: "unsupported-tool", tool: name, instead: "functionDeclarations" },
        `${param}.${name}`,
      );
    }
    const declarations = `${param}.functionDeclarations`;
    return readList(readField(tool, "functionDeclarations"), declarations).map((declared, position) =>
      parseFunction(requireRecord(declared, `${declarations}[${position}]`), `${declarations}[${position}]`),
    );
  });
};

const parseFunction = (declared: JsonRecord, param: string): Tool => {
  const { description, parameters } = declared;
  const plain = readField(declared, "parametersJsonSchema");
  return {
    name: requireText(declared.name, `${param}.name`),
    description: typeof description === "string" ? description : undefined,
    parameters: isRecord(plain) ? plain : isRecord(parameters) ? toJsonSchema(parameters) : undefined,
  };
};

/** The content of `toolConfig`. */
interface ParsedToolConfig {
  choice: ToolChoice | undefined;
  /** The only functions that may be called, if several are named. */
  allowed: string[] | undefined;
}

/** Parses `toolConfig.functionCallingConfig` (https://ai.google.dev/api/caching#FunctionCallingConfig). @throws RequestInvalid */
export const parseToolConfig = (request: JsonRecord): ParsedToolConfig => {
  const param = "toolConfig.functionCallingConfig";
  const none: ParsedToolConfig = { choice: undefined, allowed: undefined };
  const toolConfig = readField(request, "toolConfig");
  const config = readField(
    toolConfig === undefined ? {} : requireRecord(toolConfig, "toolConfig"),
    "functionCallingConfig",
  );
  if (config === undefined) return none;
  const { mode, ...rest } = requireRecord(config, param);
  const names = readTexts(readField(rest, "allowedFunctionNames"), `${param}.allowedFunctionNames`);
  switch (typeof mode === "string" ? mode.toUpperCase() : "MODE_UNSPECIFIED") {
    case "MODE_UNSPECIFIED":
      return none;
    // "Validated" calls are optional ones whose arguments follow the schema.
    case "VALIDATED":
      return { choice: { kind: "auto" }, allowed: names };
    case "AUTO":
      return { choice: { kind: "auto" }, allowed: undefined };
    case "NONE":
      return { choice: { kind: "none" }, allowed: undefined };
    case "ANY":
      return names?.length === 1 && names[0] !== undefined
        ? { choice: { kind: "tool", name: names[0] }, allowed: undefined }
        : { choice: { kind: "required" }, allowed: names };
    default:
      throw new RequestInvalid({
        code: "not-one-of",
        field: `${param}.mode`,
        allowed: ["AUTO", "ANY", "VALIDATED", "NONE"],
      });
  }
};
