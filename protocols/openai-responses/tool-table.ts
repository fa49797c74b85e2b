import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { Tool, WebSearch } from "@tollgate/contract/relay/request";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { readList, requireRecord, requireText } from "../shared/request/request-fields";
import { freeformAsFunction } from "../shared/tools/freeform-tool";
import { COMMON_TOOL_NAMES, nameWithHash } from "../shared/tools/tool-names";
import { readWebSearch } from "../shared/tools/web-search";
import { BUILT_IN_FUNCTIONS, type BuiltInKind } from "./built-in-functions";

/** The kind of a tool for the client, which expects its calls as items of that kind. */
export type ToolKind = "function" | "custom" | BuiltInKind;

/** The client's name of a tool that other APIs know by one flat name. */
export interface ToolIdentity {
  kind: ToolKind;
  name: string;
  /** The namespace of the tool; "" for none. */
  namespace: string;
}

/**
 * The tools of one request: converted to functions with flat names, which is all that other protocols support, and
 * back. A name depends only on the tool itself, so that a repeated conversation stays the same; if two tools would
 * share a name, the later one gets another.
 */
export class ToolTable {
  readonly tools: Tool[] = [];
  webSearch: WebSearch | undefined;
  private readonly identities = new Map<string, ToolIdentity>();

  /** The client's name of a tool, by its flat name. */
  identify(flatName: string): ToolIdentity {
    return this.identities.get(flatName) ?? { kind: "function", name: flatName, namespace: "" };
  }

  /** The flat name of a tool, whether it is declared or not. */
  flatName(identity: ToolIdentity): string {
    const flat = flatten(identity);
    const owner = this.identities.get(flat);
    return owner === undefined || isSame(owner, identity) ? flat : withHash(flat, identity);
  }

  /** @param make the function, by its flat name. Of two declarations of the same tool the first counts. */
  add(identity: ToolIdentity, make: (flatName: string) => Tool): void {
    const flat = this.flatName(identity);
    if (this.identities.has(flat)) return;
    this.identities.set(flat, identity);
    this.tools.push(make(flat));
  }
}

const isSame = (one: ToolIdentity, other: ToolIdentity): boolean =>
  one.kind === other.kind && one.name === other.name && one.namespace === other.namespace;

const flatten = (identity: ToolIdentity): string => {
  const { name, namespace } = identity;
  const joined = namespace === "" ? name : `${stripEnd(namespace, "_")}__${name}`;
  return COMMON_TOOL_NAMES.test(joined) ? joined : withHash(joined, identity);
};

const withHash = (flat: string, { kind, name, namespace }: ToolIdentity): string =>
  nameWithHash(flat, `${kind}\n${namespace}\n${name}`);

/**
 * Reads all tools that the model may call: those of `tools`, those that clients hand in later (`additional_tools`), and
 * those that a search of the client's found (`tool_search_output`).
 * @throws RequestInvalid
 */
export const readToolTable = (request: Readonly<Record<string, unknown>>): ToolTable => {
  const table = new ToolTable();
  addTools(request.tools, "tools", table);
  readArray(request.input).forEach((item, index) => {
    if (isRecord(item) && (item.type === "additional_tools" || item.type === "tool_search_output")) {
      addTools(item.tools, `input[${index}].tools`, table);
    }
  });
  return table;
};

/**
 * The same for an answer, whose request may have passed unread: tools that cannot be translated are omitted, because no
 * answer calls them. Never throws.
 */
export const readKnownTools = (request: Readonly<Record<string, unknown>>): ToolTable => {
  const table = new ToolTable();
  const handedIn = readArray(request.input).flatMap((item) => (isRecord(item) ? readArray(item.tools) : []));
  for (const tool of [...readArray(request.tools), ...handedIn]) {
    try {
      addTool(requireRecord(tool, "tools"), "tools", table);
    } catch (error) {
      if (!(error instanceof RequestInvalid)) throw error;
    }
  }
  return table;
};

const addTools = (value: unknown, param: string, table: ToolTable): void => {
  readList(value, param).forEach((each, index) => {
    addTool(requireRecord(each, `${param}[${index}]`), `${param}[${index}]`, table);
  });
};

const addNamespace = (tool: JsonRecord, param: string, table: ToolTable): void => {
  const namespace = requireText(tool.name, `${param}.name`);
  readList(tool.tools, `${param}.tools`).forEach((value, index) => {
    const place = `${param}.tools[${index}]`;
    // The description of the namespace is written once.
    const preface = index === 0 ? readString(tool.description) : "";
    addOwnTool(requireRecord(value, place), namespace, preface, place, table);
  });
};

/** Environments of a shell that the client runs itself. */
const LOCAL: ReadonlySet<string> = new Set(["", "local"]);

const addTool = (tool: JsonRecord, param: string, table: ToolTable): void => {
  const type = readString(tool.type);
  switch (type) {
    case "function":
    case "custom":
      addOwnTool(tool, "", "", param, table);
      return;
    case "namespace":
      addNamespace(tool, param, table);
      return;
    case "web_search":
    case "web_search_2025_08_26":
    case "web_search_preview":
    case "web_search_preview_2025_03_11":
      // A search of OpenAI's own cache, without the live web, has no counterpart: Codex offers it in every request.
      if (tool.external_web_access !== false) table.webSearch ??= readWebSearch(tool);
      return;
    case "tool_search":
      // Tools that the vendor's own search would find are declared from the beginning.
      if (tool.execution === "client") addBuiltIn("tool_search", tool, table);
      return;
    case "shell":
      if (!LOCAL.has(readString(readRecord(tool.environment).type))) throw notSupported(type, param);
      addBuiltIn("shell", tool, table);
      return;
    case "local_shell":
    case "apply_patch":
      addBuiltIn(type, tool, table);
      return;
    case "image_generation":
      // An offer to the model that reads no data of the client: agents send it in every request.
      return;
    default:
      throw notSupported(type, param);
  }
};

const notSupported = (type: string, param: string): RequestInvalid =>
  new RequestInvalid({ code: "unsupported-tool", tool: type, instead: "function" }, `${param}.type`);

const addOwnTool = (
  tool: JsonRecord,
  namespace: string,
  preface: string,
  param: string,
  table: ToolTable,
): void => {
  const { type, description, parameters, strict } = tool;
  const name = requireText(tool.name, `${param}.name`);
  if (type !== "function" && type !== "custom") throw notSupported(String(type), param);
  const schema =
    parameters === undefined || parameters === null
      ? undefined
      : requireRecord(parameters, `${param}.parameters`);
  table.add({ kind: type, name, namespace }, (flat) => {
    const made: Tool =
      type === "custom"
        ? freeformAsFunction(flat, tool)
        : {
            name: flat,
            description: typeof description === "string" ? description : undefined,
            parameters: schema,
            isStrict: typeof strict === "boolean" ? strict : undefined,
          };
    return preface === "" ? made : { ...made, description: withPreface(preface, made.description) };
  });
};

const withPreface = (preface: string, description = ""): string =>
  description === "" ? preface : `${preface}\n\n${description}`;

const addBuiltIn = (kind: BuiltInKind, tool: JsonRecord, table: ToolTable): void => {
  const { description, parameters } = BUILT_IN_FUNCTIONS[kind];
  table.add({ kind, name: kind, namespace: "" }, (name) => ({
    name,
    description: readString(tool.description) || description,
    parameters: isRecord(tool.parameters) ? tool.parameters : parameters,
  }));
};
