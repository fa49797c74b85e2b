import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { forModel } from "../shared/messages/for-model";
import type { ToolTable } from "./tool-table";

/** The output of a shell as text: each command's output, and how it ended. */
export const describeShellOutput = (output: unknown): string => {
  if (typeof output === "string") return output;
  return readArray(output)
    .filter(isRecord)
    .map(({ stdout, stderr, outcome }) => {
      const { type, exit_code } = readRecord(outcome);
      const end = type === "timeout" ? "timed out" : `exit code ${String(exit_code ?? 0)}`;
      return [readString(stdout), readString(stderr), `[${end}]`].filter((text) => text !== "").join("\n");
    })
    .join("\n");
};

/** The tools found by a search, by their currently declared names. */
export const namesOfFoundTools = (item: JsonRecord, table: ToolTable): string => {
  const names = readArray(item.tools)
    .filter(isRecord)
    .flatMap((tool) => namesOf(tool, table));
  return names.length === 0
    ? forModel`No tools were found.`
    : forModel`These tools can be called now: ${names.join(", ")}`;
};

const namesOf = (tool: JsonRecord, table: ToolTable, namespace = ""): string[] => {
  const name = readString(tool.name);
  if (tool.type === "namespace") {
    return readArray(tool.tools)
      .filter(isRecord)
      .flatMap((inner) => namesOf(inner, table, name));
  }
  if (tool.type !== "function" && tool.type !== "custom") return [];
  return [table.flatName({ kind: tool.type, name, namespace })];
};
