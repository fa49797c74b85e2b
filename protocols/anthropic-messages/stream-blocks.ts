import type { StreamPart } from "@tollgate/contract/relay/stream";
import { ObjectEnd } from "../shared/json/object-end";
import type { EncodeEvent } from "./encode-event";

type ContentPart = Exclude<StreamPart, { kind: "start" | "usage" | "finish" | "error" }>;

interface Block {
  /** Content of `content_block_start`. */
  opening: Record<string, unknown>;
  /** Deltas that came before the block could be opened. */
  waiting: object[];
  /** Sees whether the arguments of a tool call are whole. */
  arguments: ObjectEnd;
  signature: string;
  isClosed: boolean;
}

/**
 * The content blocks of one stream. This shape has one block open at a time, but the parts of other protocols may
 * interleave: the open block's deltas are sent immediately, those of later blocks wait. A tool call stays open until
 * its arguments are complete; any other block ends where the next part starts.
 */
export class StreamBlocks {
  hasToolCalls = false;
  private readonly blocks = new Map<number, Block>();
  /** Blocks that are not closed yet, in the order of their appearance; only the first can be open. */
  private readonly queue: Block[] = [];
  private openBlock: Block | undefined;
  /** Number of the block on the wire. */
  private openIndex = -1;

  constructor(private readonly event: EncodeEvent) {}

  push(part: ContentPart): string {
    const block = this.blocks.get(part.index) ?? this.add(part);
    if (block.isClosed) return "";
    const delta = takeDelta(block, part);
    if (block !== this.openBlock) {
      if (delta) block.waiting.push(delta);
      return this.settle();
    }
    const text = delta ? this.encodeDelta(delta) : "";
    return this.queue.length > 1 ? text + this.settle() : text;
  }

  /**
   * Writes waiting blocks and closes everything. A stream without any block gets an empty one, because clients read the
   * first.
   */
  end(): string {
    let text = this.blocks.size === 0 ? this.push({ kind: "text", index: 0, text: "" }) : "";
    while (this.queue.length > 0) text += this.close() + this.open();
    return text;
  }

  private add(part: ContentPart): Block {
    const block: Block = {
      opening: openingOf(part),
      waiting: [],
      arguments: new ObjectEnd(),
      signature: "",
      isClosed: false,
    };
    this.blocks.set(part.index, block);
    this.queue.push(block);
    if (part.kind === "tool-call") this.hasToolCalls = true;
    return block;
  }

  /** Opens the first block if necessary, and continues with the next while the first can be closed. */
  private settle(): string {
    let text = this.open();
    while (this.queue.length > 1 && this.openBlock && isWhole(this.openBlock))
      text += this.close() + this.open();
    return text;
  }

  private open(): string {
    const block = this.queue[0];
    if (!block || block === this.openBlock) return "";
    this.openBlock = block;
    this.openIndex += 1;
    let text = this.event("content_block_start", { index: this.openIndex, content_block: block.opening });
    for (const delta of block.waiting) text += this.encodeDelta(delta);
    block.waiting = [];
    return text;
  }

  private close(): string {
    const block = this.queue.shift();
    if (!block) return "";
    block.isClosed = true;
    this.openBlock = undefined;
    // One signature, after all of the thinking.
    const { signature } = block;
    const seal = signature === "" ? "" : this.encodeDelta({ type: "signature_delta", signature });
    return seal + this.event("content_block_stop", { index: this.openIndex });
  }

  private encodeDelta(delta: object): string {
    return this.event("content_block_delta", { index: this.openIndex, delta });
  }
}

/** The effect of a part on its block: a delta to send, or state to keep. */
const takeDelta = (block: Block, part: ContentPart): object | undefined => {
  switch (part.kind) {
    case "text":
    case "refusal":
      return part.text === "" ? undefined : { type: "text_delta", text: part.text };
    case "reasoning":
      return part.text === "" ? undefined : { type: "thinking_delta", thinking: part.text };
    case "reasoning-signature":
      block.signature = part.signature;
      return undefined;
    case "tool-arguments":
      block.arguments.push(part.text);
      return part.text === "" ? undefined : { type: "input_json_delta", partial_json: part.text };
    default:
      return undefined;
  }
};

const openingOf = (part: ContentPart): Block["opening"] => {
  switch (part.kind) {
    case "text":
    case "refusal":
      return { type: "text", text: "" };
    case "reasoning":
    case "reasoning-signature":
      return { type: "thinking", thinking: "", signature: "" };
    case "redacted-reasoning":
      return { type: "redacted_thinking", data: part.data };
    case "tool-call":
      return { type: "tool_use", id: part.id, name: part.name, input: {} };
    case "tool-arguments":
      // Arguments without a call before them: a reader's mistake, but a stream must not break over it.
      return { type: "tool_use", id: `call_${part.index}`, name: "", input: {} };
  }
};

/** Whether a block is complete once another one has started. */
const isWhole = (block: Block): boolean => block.opening.type !== "tool_use" || block.arguments.isReached;
