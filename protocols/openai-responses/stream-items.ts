import type { AssistantPart, TokenLogprob, ToolCallPart } from "@tollgate/contract/relay/request";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { encodeOpenaiLogprobs } from "../shared/answer/logprobs";
import { freeformInput } from "../shared/tools/freeform-tool";
import {
  encodeCall,
  encodeItem,
  itemId,
  messageItem,
  type OutputItem,
  refusalPart,
  textPart,
} from "./encode-item";
import type { ToolTable } from "./tool-table";

type ContentPart = Exclude<StreamPart, { kind: "start" | "usage" | "finish" | "error" }>;

interface Item {
  id: string;
  outputIndex: number;
  part: AssistantPart;
  isRefusal: boolean;
  isDone: boolean;
}

/**
 * The items of one stream. Text and reasoning end where the next part starts; calls stay open to the end, because their
 * arguments may interleave, which this shape allows.
 */
export class StreamItems {
  private readonly items = new Map<number, Item>();
  private readonly done: OutputItem[] = [];
  /** The words or the reasoning that came last. */
  private talking: Item | undefined;

  /**
   * @param tools the client's names of its tools.
   * @param event writes one event.
   */
  constructor(
    private readonly tools: ToolTable,
    private readonly answerId: () => string,
    private readonly event: (type: string, fields: object) => string,
  ) {}

  /** The finished items, in their order. */
  get finished(): OutputItem[] {
    return this.done;
  }

  push(part: ContentPart): string {
    const known = this.items.get(part.index);
    if (known) return known.isDone ? "" : this.extend(known, part);
    // Calls stay open to the end; of all other items only the last one can be open.
    const text = this.talking ? this.close(this.talking) : "";
    const begun = beginning(part);
    const item: Item = {
      id: itemId(begun, this.answerId(), this.items.size, this.tools),
      outputIndex: this.items.size,
      part: begun,
      isRefusal: part.kind === "refusal",
      isDone: false,
    };
    this.items.set(part.index, item);
    this.talking = item.part.kind === "tool-call" ? undefined : item;
    return text + this.open(item) + this.extend(item, part);
  }

  /** Closes all open items. */
  end(): string {
    let text = "";
    for (const item of this.items.values()) text += this.close(item);
    return text;
  }

  private open(item: Item): string {
    const { id, outputIndex: output_index, part } = item;
    const added = (fields: object): string =>
      this.event("response.output_item.added", { output_index, item: fields });
    switch (part.kind) {
      case "text": {
        const empty = { type: "message", id, status: "in_progress", role: "assistant", content: [] };
        return added(empty) + this.event("response.content_part.added", contentFields(item, ""));
      }
      case "reasoning":
        return added({ type: "reasoning", id, summary: [] });
      case "tool-call":
        return added(encodeCall(part, id, this.tools.identify(part.name), "in_progress"));
    }
  }

  private extend(item: Item, piece: ContentPart): string {
    const { id: item_id, outputIndex: output_index, part } = item;
    switch (piece.kind) {
      case "text":
      case "refusal":
        return part.kind === "text" ? this.extendText(item, part, piece) : "";
      case "reasoning": {
        if (part.kind !== "reasoning" || piece.text === "") return "";
        const position = { item_id, output_index, summary_index: 0 };
        const opening =
          part.text === ""
            ? this.event("response.reasoning_summary_part.added", {
                ...position,
                part: { type: "summary_text", text: "" },
              })
            : "";
        part.text += piece.text;
        return (
          opening + this.event("response.reasoning_summary_text.delta", { ...position, delta: piece.text })
        );
      }
      case "reasoning-signature":
        if (part.kind === "reasoning") part.signature = piece.signature;
        return "";
      case "tool-arguments":
        if (part.kind !== "tool-call" || piece.text === "") return "";
        part.arguments += piece.text;
        // Other calls contain no JSON: their content is decoded from the complete arguments.
        if (this.tools.identify(part.name).kind !== "function") return "";
        return this.event("response.function_call_arguments.delta", {
          item_id,
          output_index,
          delta: piece.text,
        });
      default:
        return "";
    }
  }

  private extendText(
    { id: item_id, outputIndex: output_index, isRefusal }: Item,
    part: Extract<Item["part"], { kind: "text" }>,
    piece: Extract<ContentPart, { kind: "text" | "refusal" }>,
  ): string {
    if (piece.text === "") return "";
    part.text += piece.text;
    const position = { item_id, output_index, content_index: 0, delta: piece.text };
    if (isRefusal || piece.kind === "refusal") return this.event("response.refusal.delta", position);
    if (piece.logprobs) part.logprobs = [...(part.logprobs ?? []), ...piece.logprobs];
    const logprobs = encodeOpenaiLogprobs(piece.logprobs);
    return this.event("response.output_text.delta", { ...position, logprobs });
  }

  private close(item: Item): string {
    if (item.isDone) return "";
    item.isDone = true;
    const { id: item_id, outputIndex: output_index, part } = item;
    const finished =
      item.isRefusal && part.kind === "text"
        ? messageItem(item_id, refusalPart(part.text))
        : encodeItem(part, item_id, this.tools);
    this.done[output_index] = finished;
    return this.ending(item) + this.event("response.output_item.done", { output_index, item: finished });
  }

  private ending(item: Item): string {
    const { id: item_id, outputIndex: output_index, part, isRefusal } = item;
    switch (part.kind) {
      case "text": {
        const position = { item_id, output_index, content_index: 0 };
        const words = isRefusal
          ? this.event("response.refusal.done", { ...position, refusal: part.text })
          : this.event("response.output_text.done", {
              ...position,
              text: part.text,
              logprobs: encodeOpenaiLogprobs(part.logprobs),
            });
        return (
          words + this.event("response.content_part.done", contentFields(item, part.text, part.logprobs))
        );
      }
      case "reasoning": {
        if (part.text === "") return "";
        const position = { item_id, output_index, summary_index: 0 };
        return (
          this.event("response.reasoning_summary_text.done", { ...position, text: part.text }) +
          this.event("response.reasoning_summary_part.done", {
            ...position,
            part: { type: "summary_text", text: part.text },
          })
        );
      }
      case "tool-call":
        return this.callEnding(item, part);
    }
  }

  private callEnding({ id: item_id, outputIndex: output_index }: Item, part: ToolCallPart): string {
    const { kind, name } = this.tools.identify(part.name);
    const position = { item_id, output_index };
    if (kind === "function") {
      const whole = part.arguments === "" ? "{}" : part.arguments;
      return this.event("response.function_call_arguments.done", { ...position, name, arguments: whole });
    }
    if (kind !== "custom") return "";
    const input = freeformInput(part.arguments);
    return (
      this.event("response.custom_tool_call_input.delta", { ...position, delta: input }) +
      this.event("response.custom_tool_call_input.done", { ...position, input })
    );
  }
}

const contentFields = (
  { id, outputIndex, isRefusal }: Item,
  text: string,
  logprobs?: readonly TokenLogprob[],
): object => ({
  item_id: id,
  output_index: outputIndex,
  content_index: 0,
  part: isRefusal ? refusalPart(text) : textPart(text, logprobs),
});

/** The part that an item gathers, before its first words. */
const beginning = (part: ContentPart): AssistantPart => {
  switch (part.kind) {
    case "text":
    case "refusal":
      return { kind: "text", text: "" };
    case "reasoning":
    case "reasoning-signature":
      return { kind: "reasoning", text: "" };
    case "redacted-reasoning":
      return { kind: "reasoning", text: "", redactedData: part.data };
    case "tool-call":
      return { kind: "tool-call", id: part.id, name: part.name, arguments: "" };
    case "tool-arguments":
      // Arguments without a call before them: a reader's mistake, but a stream must not break over it.
      return { kind: "tool-call", id: `call_${part.index}`, name: "", arguments: "" };
  }
};
