import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type {
  AssistantPart,
  ReasoningPart,
  TextPart,
  ToolResultPart,
  Turn,
  UserPart,
} from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { forModel } from "../shared/messages/for-model";
import { decodeSeal } from "../shared/messages/seal";
import { addResults, addSystem } from "../shared/messages/system-turns";
import { requireRecord, requireString, requireText } from "../shared/request/request-fields";
import { freeformArguments } from "../shared/tools/freeform-tool";
import { createToolCallCheck, type ToolCallCheck } from "../shared/tools/tool-call-check";
import { BUILT_IN_FUNCTIONS, type BuiltInKind } from "./built-in-functions";
import { describeHostedCall } from "./hosted-calls";
import { parseContent, parseTextContent } from "./parse-content";
import { describeShellOutput, namesOfFoundTools } from "./result-texts";
import type { ToolIdentity, ToolTable } from "./tool-table";

/** A conversation taken apart: instructions on one side, turns on the other. */
export interface ParsedInput {
  system: TextPart[];
  turns: Turn[];
}

/**
 * Parses `input`. Consecutive reasoning, text and calls of the model become one turn, as do the outputs of its calls.
 * Calls and outputs of every kind become those of functions.
 * @param table the names of the tools.
 * @throws RequestInvalid with the path of the wrong field.
 */
export const parseInput = (input: string | readonly unknown[], table: ToolTable): ParsedInput => {
  if (typeof input === "string") {
    return { system: [], turns: [{ role: "user", parts: [{ kind: "text", text: input }] }] };
  }
  const parser = new InputParser(table);
  input.forEach((value, index) => {
    const param = `input[${index}]`;
    parser.push(requireRecord(value, param), param);
  });
  return parser.end();
};

/** Replaces history that only its vendor can read. */
const COMPACTED = forModel`[An earlier part of this conversation was compacted by another vendor, which alone can read it. Ask for what is missing.]`;

class InputParser {
  private readonly system: TextPart[] = [];
  private readonly turns: Turn[] = [];
  private readonly check: ToolCallCheck = createToolCallCheck();
  /** Calls of the local shell by the id of their item, which their outputs refer to. */
  private readonly localShellCalls = new Map<string, string>();

  constructor(private readonly table: ToolTable) {}

  /** Adds an item: a table with one short case for each kind, which no smaller function would make easier to read. */
  push(item: JsonRecord, param: string): void {
    // The type of a message may be left out.
    switch (item.type ?? "message") {
      case "message":
        this.addMessage(item, param);
        return;
      case "agent_message":
        this.addUser(agentWords(item));
        return;
      case "reasoning":
        this.addAssistant(...parseReasoning(item));
        return;
      case "function_call":
        this.addCall(item, param, named("function", item, param), readArguments(item, param));
        return;
      case "custom_tool_call": {
        const input = requireString(item.input ?? "", `${param}.input`);
        this.addCall(item, param, named("custom", item, param), freeformArguments(input));
        return;
      }
      case "tool_search_call":
        // A search that the vendor ran itself has no readable output.
        if (readString(item.call_id) !== "") this.addBuiltInCall("tool_search", item, param);
        return;
      case "local_shell_call":
        this.localShellCalls.set(readString(item.id), readString(item.call_id));
        this.addBuiltInCall("local_shell", item, param);
        return;
      case "shell_call":
        this.addBuiltInCall("shell", item, param);
        return;
      case "apply_patch_call":
        this.addBuiltInCall("apply_patch", item, param);
        return;
      case "function_call_output":
      case "custom_tool_call_output":
        this.addResult(item.call_id, param, parseOutput(item, param));
        return;
      case "tool_search_output":
        if (readString(item.call_id) !== "")
          this.addResult(item.call_id, param, textOf(namesOfFoundTools(item, this.table)));
        return;
      case "local_shell_call_output": {
        const callId = item.call_id ?? this.localShellCalls.get(readString(item.id)) ?? item.id;
        this.addResult(callId, param, textOf(readString(item.output)));
        return;
      }
      case "shell_call_output":
        this.addResult(item.call_id, param, textOf(describeShellOutput(item.output)));
        return;
      case "apply_patch_call_output":
        this.addResult(
          item.call_id,
          param,
          textOf(readString(item.output) || readString(item.status)),
          item.status === "failed",
        );
        return;
      case "code_interpreter_call":
      case "file_search_call":
      case "mcp_call":
        this.addAssistant({ kind: "text", text: describeHostedCall(item) });
        return;
      case "image_generation_call":
        this.addImage(readString(item.result));
        return;
      case "compaction":
      case "compaction_summary":
      case "context_compaction":
        this.addUser([{ kind: "text", text: COMPACTED }]);
        return;
      case "additional_tools": // declared with the others
      case "web_search_call": // its result is in the text after it
      case "mcp_list_tools":
      case "mcp_approval_request":
      case "mcp_approval_response":
      case "configuration_update":
      case "ghost_snapshot":
        return;
      case "item_reference":
        throw new RequestInvalid({ code: "items-not-stored" }, `${param}.type`);
      case "compaction_trigger":
        throw new RequestInvalid({ code: "compaction-unsupported" }, `${param}.type`);
      default:
        throw new RequestInvalid({
          code: "unsupported-value",
          field: `${param}.type`,
          value: shownValue(item.type),
        });
    }
  }

  end(): ParsedInput {
    this.check.close();
    return { system: this.system, turns: this.turns };
  }

  private addMessage(item: JsonRecord, param: string): void {
    const place = `${param}.content`;
    switch (item.role) {
      case "system":
      case "developer":
        addSystem(this.system, this.turns, parseTextContent(item.content, place));
        return;
      case "user":
        this.addUser(parseContent(item.content, place));
        return;
      case "assistant":
        this.addAssistant(...parseTextContent(item.content, place));
        return;
      default:
        throw new RequestInvalid({
          code: "unknown-value",
          field: `${param}.role`,
          value: shownValue(item.role),
          allowed: ["system", "developer", "user", "assistant"],
        });
    }
  }

  private addUser(parts: readonly UserPart[]): void {
    this.check.close();
    const last = this.turns.at(-1);
    if (last?.role === "user") last.parts.push(...parts);
    else this.turns.push({ role: "user", parts: [...parts] });
  }

  /** No model's turn can hold a picture elsewhere: it is shown by the user. */
  private addImage(data: string): void {
    if (data === "") return;
    this.addUser([
      { kind: "text", text: forModel`[The image that you generated:]` },
      { kind: "image", data },
    ]);
  }

  /** After outputs a new model turn starts: all of its calls must be answered by then. */
  private addAssistant(...parts: AssistantPart[]): void {
    if (parts.length === 0) return;
    let last = this.turns.at(-1);
    // Instructions among the calls of one turn do not divide it.
    if (last?.role === "system" && this.check.hasOpenCalls()) last = this.turns.at(-2);
    if (last?.role === "assistant") {
      last.parts.push(...parts);
      return;
    }
    this.check.close();
    this.turns.push({ role: "assistant", parts });
  }

  private addCall(item: JsonRecord, param: string, identity: ToolIdentity, text: string): void {
    const id = requireText(item.call_id, `${param}.call_id`);
    this.addAssistant({ kind: "tool-call", id, name: this.table.flatName(identity), arguments: text });
    this.check.addCall(id, `${param}.call_id`);
  }

  private addBuiltInCall(kind: BuiltInKind, item: JsonRecord, param: string): void {
    const text = JSON.stringify(BUILT_IN_FUNCTIONS[kind].readCall(item));
    this.addCall(item, param, { kind, name: kind, namespace: "" }, text);
  }

  private addResult(
    callId: unknown,
    param: string,
    content: ToolResultPart["content"],
    isFailed = false,
  ): void {
    const toolCallId = requireText(callId, `${param}.call_id`);
    this.check.addResult(toolCallId, `${param}.call_id`);
    const result: ToolResultPart = { kind: "tool-result", toolCallId, content };
    addResults(this.turns, [isFailed ? { ...result, isError: true } : result]);
  }
}

const named = (kind: "function" | "custom", item: JsonRecord, param: string): ToolIdentity => ({
  kind,
  name: requireText(item.name, `${param}.name`),
  namespace: readString(item.namespace),
});

const readArguments = (item: JsonRecord, param: string): string =>
  requireString(item.arguments ?? "", `${param}.arguments`);

const textOf = (text: string): TextPart[] => [{ kind: "text", text }];

/** A message from one of the client's agents to another; only its vendor can read sealed parts of it. */
const agentWords = (item: JsonRecord): TextPart[] => {
  const words = joinTexts(item.content, "\n");
  const author = readString(item.author);
  return words === "" ? [] : textOf(author === "" ? words : `[${author}]\n${words}`);
};

/** Reasoning without text and without a seal is dropped. */
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
    .map((part) => (isRecord(part) ? readString(readRecord(part).text) : ""))
    .filter((text) => text !== "")
    .join(separator);

const parseOutput = (item: JsonRecord, param: string): ToolResultPart["content"] =>
  parseContent(item.output ?? "", `${param}.output`).map((part, index) => {
    if (part.kind !== "audio") return part;
    throw new RequestInvalid({ code: "tool-result-parts" }, `${param}.output[${index}].type`);
  });
