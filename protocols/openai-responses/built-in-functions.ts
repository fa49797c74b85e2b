import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { parseToolArguments } from "../shared/tools/tool-arguments";

/**
 * Built-in tools that the client runs itself, so that they work with every model once they are declared as functions.
 */
export type BuiltInKind = "apply_patch" | "local_shell" | "shell" | "tool_search";

/** Declaration, call and result of such a tool. */
interface BuiltInFunction {
  description: string;
  parameters: JsonRecord;
  /** Type and prefix of the id of the item that calls it. */
  call: string;
  idPrefix: string;
  /** The item's own fields for the arguments that a model wrote. */
  encodeCall(argumentsText: string): JsonRecord;
  /** The arguments for an item that was made so. */
  readCall(item: JsonRecord): JsonRecord;
}

const TEXT = { type: "string" } as const;
const NUMBER = { type: "integer" } as const;

const schema = (properties: JsonRecord, required: readonly string[]): JsonRecord => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const texts = (value: unknown): string[] =>
  typeof value === "string" ? [value] : readArray(value).map(shownValue);

const numberOrNull = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** https://platform.openai.com/docs/guides/tools-shell, tools-local-shell, tools-apply-patch and tools-tool-search */
export const BUILT_IN_FUNCTIONS: Readonly<Record<BuiltInKind, BuiltInFunction>> = {
  apply_patch: {
    description: "Creates, changes or deletes one file. A diff is given in the V4A format, without a header.",
    parameters: schema(
      {
        operation: schema(
          {
            type: { type: "string", enum: ["create_file", "update_file", "delete_file"] },
            path: TEXT,
            diff: { type: "string", description: "Left out when the file is deleted." },
          },
          ["type", "path"],
        ),
      },
      ["operation"],
    ),
    call: "apply_patch_call",
    idPrefix: "apc",
    encodeCall: (text) => {
      const value = parseToolArguments(text);
      const { type, path, diff } = isRecord(value.operation) ? value.operation : value;
      const isDeleted = type === "delete_file";
      const kind = type === "create_file" || isDeleted ? type : "update_file";
      const operation = { type: kind, path: readString(path) };
      return { operation: isDeleted ? operation : { ...operation, diff: readString(diff) } };
    },
    readCall: ({ operation }) => ({ operation }),
  },
  local_shell: {
    description: "Runs a command on the user's machine and returns its output.",
    parameters: schema(
      {
        command: { type: "array", items: TEXT },
        working_directory: TEXT,
        env: { type: "object", additionalProperties: TEXT },
        timeout_ms: NUMBER,
      },
      ["command"],
    ),
    call: "local_shell_call",
    idPrefix: "lsh",
    encodeCall: (text) => {
      const value = parseToolArguments(text);
      const directory = readString(value.working_directory);
      return {
        action: {
          type: "exec",
          command: texts(value.command),
          env: readRecord(value.env),
          timeout_ms: numberOrNull(value.timeout_ms),
          working_directory: directory === "" ? null : directory,
        },
      };
    },
    readCall: ({ action }) => {
      const { type: _exec, ...rest } = readRecord(action);
      return rest;
    },
  },
  shell: {
    description: "Runs shell commands on the user's machine and returns their outputs.",
    parameters: schema(
      { commands: { type: "array", items: TEXT }, timeout_ms: NUMBER, max_output_length: NUMBER },
      ["commands"],
    ),
    call: "shell_call",
    idPrefix: "sh",
    encodeCall: (text) => {
      const value = parseToolArguments(text);
      return {
        action: {
          commands: texts(value.commands),
          timeout_ms: numberOrNull(value.timeout_ms),
          max_output_length: numberOrNull(value.max_output_length),
        },
        environment: null,
      };
    },
    readCall: ({ action }) => readRecord(action),
  },
  tool_search: {
    description:
      "Searches for tools that are not declared yet; those that are found can be called afterwards.",
    parameters: schema({ query: TEXT }, ["query"]),
    call: "tool_search_call",
    idPrefix: "tsc",
    encodeCall: (text) => ({ arguments: parseToolArguments(text), execution: "client" }),
    readCall: ({ arguments: value }) =>
      typeof value === "string" ? parseToolArguments(value) : readRecord(value),
  },
};
