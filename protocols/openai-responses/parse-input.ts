import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type {
  AssistantPart,
  ReasoningPart,
  TextPart,
  ToolResultPart,
  Turn,
  UserPart,
} from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readArray, readString } from "../shared/json-values";
import { requireRecord, requireString, requireText } from "../shared/request-fields";
import { decodeSeal } from "../shared/seal";
import { createToolCallCheck, type ToolCallCheck } from "../shared/tool-call-check";
import { parseContent, parseTextContent } from "./parse-content";

/** A conversation taken apart: instructions on one side, turns on the other. */
export interface ParsedInput {
  system: TextPart[];
  turns: Turn[];
}

/**
 * Parses `input`. Reasoning, words and calls of the model stand one after the other and become one turn, as do the
 * outputs of its calls.
 * @throws RequestInvalid with the path of the wrong field.
 */
export const parseInput = (input: string | readonly unknown[]): ParsedInput => {
  if (typeof input === "string") {
    return { system: [], turns: [{ role: "user", parts: [{ kind: "text", text: input }] }] };
  }
  const system: TextPart[] = [];
  const turns: Turn[] = [];
  const check = createToolCallCheck();
  input.forEach((value, index) => {
    const param = `input[${index}]`;
    const item = requireRecord(value, param);
    // The type of a message may be left out.
    switch (item.type ?? "message") {
      case "message":
        addMessage(item, param, system, turns, check);
        return;
      case "reasoning":
        pushAssistant(turns, check, ...parseReasoning(item));
        return;
      case "function_call": {
        const id = requireText(item.call_id, `${param}.call_id`);
        pushAssistant(turns, check, {
          kind: "tool-call",
          id,
          name: requireText(item.name, `${param}.name`),
          arguments: requireString(item.arguments ?? "", `${param}.arguments`),
        });
        check.addCall(id, `${param}.call_id`);
        return;
      }
      case "function_call_output": {
        const id = requireText(item.call_id, `${param}.call_id`);
        check.addResult(id, `${param}.call_id`);
        pushUser(turns, [{ kind: "tool-result", toolCallId: id, content: parseOutput(item, param) }]);
        return;
      }
      case "item_reference":
        throw new RequestInvalid(
          "item_reference is not supported: items are not stored here, set store to false and send them whole",
          `${param}.type`,
        );
      default:
        throw new RequestInvalid(
          `${param}.type "${String(item.type)}" is not supported by the upstream of this model`,
          `${param}.type`,
        );
    }
  });
  check.close();
  return { system, turns };
};

const addMessage = (
  item: JsonRecord,
  param: string,
  system: TextPart[],
  turns: Turn[],
  check: ToolCallCheck,
): void => {
  const place = `${param}.content`;
  switch (item.role) {
    case "system":
    case "developer":
      system.push(...parseTextContent(item.content, place));
      return;
    case "user":
      check.close();
      pushUser(turns, parseContent(item.content, place));
      return;
    case "assistant":
      pushAssistant(turns, check, ...parseTextContent(item.content, place));
      return;
    default:
      throw new RequestInvalid(
        `${param}.role "${String(item.role)}" is not one of system, developer, user, assistant`,
        `${param}.role`,
      );
  }
};

/** Reasoning without words and without a seal says nothing. */
const parseReasoning = (item: JsonRecord): ReasoningPart[] => {
  const summary = joinTexts(item.summary, "\n\n");
  const text = summary === "" ? joinTexts(item.content, "") : summary;
  const slot = readString(item.encrypted_content);
  if (slot === "") return text === "" ? [] : [{ kind: "reasoning", text }];
  const sealed = decodeSeal("openai", slot);
  return [{ kind: "reasoning", text: "redactedData" in sealed ? "" : text, ...sealed }];
};

const joinTexts = (parts: unknown, separator: string): string =>
  readArray(parts)
    .map((part) => (isRecord(part) ? readString(part.text) : ""))
    .join(separator);

const parseOutput = (item: JsonRecord, param: string): ToolResultPart["content"] =>
  parseContent(item.output, `${param}.output`).map((part, index) => {
    if (part.kind === "text" || part.kind === "image") return part;
    throw new RequestInvalid(
      "the output of a call can only hold text and images",
      `${param}.output[${index}].type`,
    );
  });

const pushUser = (turns: Turn[], parts: UserPart[]): void => {
  const last = turns.at(-1);
  if (last?.role === "user") last.parts.push(...parts);
  else turns.push({ role: "user", parts });
};

/** Behind outputs a new turn of the model begins: all of its calls must be answered by then. */
const pushAssistant = (turns: Turn[], check: ToolCallCheck, ...parts: AssistantPart[]): void => {
  if (parts.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === "assistant") {
    last.parts.push(...parts);
    return;
  }
  check.close();
  turns.push({ role: "assistant", parts });
};
