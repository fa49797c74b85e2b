import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type {
  AssistantPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
  UserPart,
} from "@tollgate/contract/relay/request";
import type { JsonRecord } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { argumentsText } from "../shared/json/stringify-in-steps";
import { addSystem, addUserTurn } from "../shared/messages/system-turns";
import { requireRecord, requireString, requireText } from "../shared/request/request-fields";
import { createToolCallCheck, type ToolCallCheck } from "../shared/tools/tool-call-check";
import { listBlocks, parsePlainBlock, parseTextBlocks } from "./parse-blocks";
import { describeServerBlock } from "./server-blocks";

/** A conversation, and the instructions inside it. */
export interface ParsedMessages {
  /** From messages of the role `system` before the conversation. */
  system: TextPart[];
  turns: Turn[];
}

/** Parses `messages` (https://docs.anthropic.com/en/api/messages). @throws RequestInvalid with the path of the field. */
export const parseMessages = (messages: readonly unknown[]): ParsedMessages => {
  const system: TextPart[] = [];
  const turns: Turn[] = [];
  const check = createToolCallCheck();
  messages.forEach((value, index) => {
    const param = `messages[${index}]`;
    const message = requireRecord(value, param);
    switch (message.role) {
      case "user":
        addUserTurn(turns, parseUser(message.content, `${param}.content`, check));
        return;
      case "assistant":
        check.close();
        turns.push({ role: "assistant", parts: parseAssistant(message.content, `${param}.content`, check) });
        return;
      case "system":
        addSystem(system, turns, parseTextBlocks(message.content, `${param}.content`));
        return;
      default:
        throw new RequestInvalid({
          code: "unknown-value",
          field: `${param}.role`,
          value: shownValue(message.role),
          allowed: ["user", "assistant"],
        });
    }
  });
  check.close();
  return { system, turns };
};

const parseUser = (content: unknown, param: string, check: ToolCallCheck): UserPart[] => {
  // Calls may be answered over several user messages in a row, so they are not checked off here.
  return listBlocks(content, param).flatMap((block, index): UserPart[] => {
    const place = `${param}[${index}]`;
    return block.type === "tool_result" ? [parseResult(block, place, check)] : parsePlainBlock(block, place);
  });
};

const parseResult = (block: JsonRecord, param: string, check: ToolCallCheck): ToolResultPart => {
  const toolCallId = requireText(block.tool_use_id, `${param}.tool_use_id`);
  check.addResult(toolCallId, `${param}.tool_use_id`);
  return {
    kind: "tool-result",
    toolCallId,
    content: parseResultContent(block.content, `${param}.content`),
    ...(block.is_error === true ? { isError: true } : {}),
  };
};

const parseResultContent = (content: unknown, param: string): ToolResultPart["content"] => {
  if (content === undefined || content === null) return [];
  return listBlocks(content, param).flatMap((block, index) => parsePlainBlock(block, `${param}[${index}]`));
};

const parseAssistant = (content: unknown, param: string, check: ToolCallCheck): AssistantPart[] =>
  listBlocks(content, param).flatMap((block, index) => {
    const words = describeServerBlock(block);
    if (words === undefined) return [parseAssistantBlock(block, `${param}[${index}]`, check)];
    return words === "" ? [] : [{ kind: "text", text: words }];
  });

const parseAssistantBlock = (block: JsonRecord, param: string, check: ToolCallCheck): AssistantPart => {
  switch (block.type) {
    case "text":
      return { kind: "text", text: requireString(block.text, `${param}.text`) };
    case "thinking":
      return {
        kind: "reasoning",
        text: requireString(block.thinking, `${param}.thinking`),
        // Gateways write an empty signature for a model without seals.
        ...(typeof block.signature === "string" && block.signature !== ""
          ? { signature: block.signature }
          : {}),
      };
    case "redacted_thinking":
      return { kind: "reasoning", text: "", redactedData: requireText(block.data, `${param}.data`) };
    case "tool_use":
      return parseToolUse(block, param, check);
    default:
      throw new RequestInvalid({
        code: "unsupported-value",
        field: `${param}.type`,
        value: shownValue(block.type),
      });
  }
};

const parseToolUse = (block: JsonRecord, param: string, check: ToolCallCheck): ToolCallPart => {
  const id = requireText(block.id, `${param}.id`);
  check.addCall(id, `${param}.id`);
  const input = block.input === undefined ? {} : requireRecord(block.input, `${param}.input`);
  return {
    kind: "tool-call",
    id,
    name: requireText(block.name, `${param}.name`),
    arguments: argumentsText(input),
  };
};
