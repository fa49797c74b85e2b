import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type {
  AssistantPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from "@tollgate/contract/relay/request";
import type { JsonRecord } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { decodeSeal } from "../shared/messages/seal";
import { addResults, addSystem } from "../shared/messages/system-turns";
import { readList, requireRecord, requireString, requireText } from "../shared/request/request-fields";
import { freeformArguments } from "../shared/tools/freeform-tool";
import { createToolCallCheck, type ToolCallCheck } from "../shared/tools/tool-call-check";
import { readCallSeal } from "./call-seal";
import { parseContent, parseTextContent, readCacheMark } from "./parse-content";

/** A conversation taken apart: instructions on one side, turns on the other. */
export interface ParsedMessages {
  system: TextPart[];
  turns: Turn[];
}

/** A call of the old `function_call` form, whose result has the function's name but no id. */
interface LegacyCall {
  id: string;
  name: string;
}

/**
 * Parses `messages`. The old `function_call` and role `function` become tool calls and results; their ids are derived
 * from their position, so that repeating a conversation gives the same ids.
 * @throws RequestInvalid with the path of the wrong field.
 */
export const parseMessages = (messages: readonly unknown[]): ParsedMessages => {
  const system: TextPart[] = [];
  const turns: Turn[] = [];
  const check = createToolCallCheck();
  let legacyCall: LegacyCall | undefined;
  messages.forEach((value, index) => {
    const param = `messages[${index}]`;
    const message = requireRecord(value, param);
    switch (message.role) {
      case "system":
      case "developer":
        addSystem(system, turns, parseTextContent(message.content, `${param}.content`));
        return;
      case "user":
        check.close();
        turns.push({ role: "user", parts: parseContent(message.content, `${param}.content`) });
        return;
      case "assistant": {
        check.close();
        const parts = parseAssistant(message, index, check);
        const lifted = parts.at(-1);
        legacyCall = message.function_call && lifted?.kind === "tool-call" ? lifted : undefined;
        turns.push({ role: "assistant", parts });
        return;
      }
      case "tool": {
        const id = requireText(message.tool_call_id, `${param}.tool_call_id`);
        check.addResult(id, `${param}.tool_call_id`);
        const cacheMark = readCacheMark(message);
        const result: ToolResultPart = {
          kind: "tool-result",
          toolCallId: id,
          content: parseResult(message, param),
        };
        addResults(turns, [cacheMark ? { ...result, cacheMark } : result]);
        return;
      }
      case "function": {
        if (legacyCall === undefined || legacyCall.name !== message.name) {
          throw new RequestInvalid({ code: "function-message-without-call" }, `${param}.name`);
        }
        check.addResult(legacyCall.id, `${param}.name`);
        addResults(turns, [
          { kind: "tool-result", toolCallId: legacyCall.id, content: parseResult(message, param) },
        ]);
        return;
      }
      default:
        throw new RequestInvalid({
          code: "unknown-value",
          field: `${param}.role`,
          value: shownValue(message.role),
          allowed: ["system", "developer", "user", "assistant", "tool", "function"],
        });
    }
  });
  check.close();
  return { system, turns };
};

const parseAssistant = (message: JsonRecord, index: number, check: ToolCallCheck): AssistantPart[] => {
  const param = `messages[${index}]`;
  const parts: AssistantPart[] = [];
  const reasoning = message.reasoning_content ?? message.reasoning;
  if (typeof reasoning === "string" && reasoning !== "") parts.push({ kind: "reasoning", text: reasoning });
  if (message.content !== undefined && message.content !== null) {
    parts.push(...parseTextContent(message.content, `${param}.content`));
  }
  if (typeof message.refusal === "string" && message.refusal !== "") {
    parts.push({ kind: "text", text: message.refusal });
  }
  readList(message.tool_calls, `${param}.tool_calls`).forEach((value, position) => {
    parts.push(...parseToolCall(value, `${param}.tool_calls[${position}]`, check));
  });
  if (message.function_call !== undefined && message.function_call !== null) {
    const called = requireRecord(message.function_call, `${param}.function_call`);
    parts.push(parseFunction(called, `call_${index}`, `${param}.function_call`));
    check.addCall(`call_${index}`, `${param}.function_call`);
  }
  // Clients store an empty answer as null; a message without the field at all is a mistake.
  if (parts.length === 0 && message.content === undefined) {
    throw new RequestInvalid({ code: "missing-without", field: `${param}.content`, other: "tool_calls" });
  }
  return parts;
};

/** The seal in a call becomes a thought without words before it. */
const parseToolCall = (value: unknown, param: string, check: ToolCallCheck): AssistantPart[] => {
  const call = requireRecord(value, param);
  const id = requireText(call.id, `${param}.id`);
  check.addCall(id, `${param}.id`);
  const slot = readCallSeal(call);
  const sealed: AssistantPart[] =
    slot === "" ? [] : [{ kind: "reasoning", text: "", ...decodeSeal("gemini", slot) }];
  return [...sealed, parseCalled(call, id, param)];
};

const parseCalled = (call: JsonRecord, id: string, param: string): ToolCallPart => {
  switch (call.type ?? "function") {
    case "function":
      return parseFunction(requireRecord(call.function, `${param}.function`), id, `${param}.function`);
    case "custom": {
      const { name, input } = requireRecord(call.custom, `${param}.custom`);
      return {
        kind: "tool-call",
        id,
        name: requireText(name, `${param}.custom.name`),
        arguments: freeformArguments(requireString(input ?? "", `${param}.custom.input`)),
      };
    }
    default:
      throw new RequestInvalid({
        code: "unsupported-value-instead",
        field: `${param}.type`,
        value: shownValue(call.type),
        instead: ["function", "custom"],
      });
  }
};

const parseFunction = (called: JsonRecord, id: string, param: string): ToolCallPart => ({
  kind: "tool-call",
  id,
  name: requireText(called.name, `${param}.name`),
  arguments: called.arguments === undefined ? "" : requireString(called.arguments, `${param}.arguments`),
});

const parseResult = (message: JsonRecord, param: string): ToolResultPart["content"] => {
  if (message.content === null) return [];
  return parseContent(message.content, `${param}.content`).map((part, index) => {
    if (part.kind !== "audio") return part;
    throw new RequestInvalid({ code: "tool-result-parts" }, `${param}.content[${index}].type`);
  });
};
