import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { Tool, ToolChoice } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord } from "../shared/json-values";
import { readList, requireRecord, requireText } from "../shared/request-fields";

/** Parses `tools`. Tools that OpenAI runs itself (web search, file search …) exist nowhere else. @throws RequestInvalid */
export const parseTools = (request: JsonRecord): Tool[] =>
  readList(request.tools, "tools").map((value, index) => {
    const param = `tools[${index}]`;
    const { type, name, description, parameters, strict } = requireRecord(value, param);
    if (type !== "function") {
      throw new RequestInvalid(
        `the built-in tool "${String(type)}" is not supported by the upstream of this model, use "function"`,
        `${param}.type`,
      );
    }
    return {
      name: requireText(name, `${param}.name`),
      description: typeof description === "string" ? description : undefined,
      parameters:
        parameters === undefined || parameters === null
          ? undefined
          : requireRecord(parameters, `${param}.parameters`),
      isStrict: typeof strict === "boolean" ? strict : undefined,
    };
  });

/** Parses `tool_choice`, which may also leave only some of the tools. @throws RequestInvalid */
export const parseToolChoice = (
  request: JsonRecord,
  tools: Tool[],
): { tools: Tool[]; choice: ToolChoice | undefined } => {
  const value = request.tool_choice;
  if (value === undefined || value === null) return { tools, choice: undefined };
  if (value === "auto" || value === "none" || value === "required") return { tools, choice: { kind: value } };
  if (isRecord(value) && value.type === "function") {
    return { tools, choice: { kind: "tool", name: requireText(value.name, "tool_choice.name") } };
  }
  if (isRecord(value) && value.type === "allowed_tools") {
    const names = readList(value.tools, "tool_choice.tools").map((one, index) =>
      requireText(requireRecord(one, `tool_choice.tools[${index}]`).name, `tool_choice.tools[${index}].name`),
    );
    return {
      tools: tools.filter(({ name }) => names.includes(name)),
      choice: { kind: value.mode === "required" ? "required" : "auto" },
    };
  }
  throw new RequestInvalid(
    'tool_choice must be "auto", "none", "required" or name functions, built-in tools are not supported',
    "tool_choice",
  );
};
