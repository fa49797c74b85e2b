import type { StreamPart } from "@tollgate/contract/relay/stream";
import { type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { argumentsText } from "../shared/json/stringify-in-steps";

interface Block {
  type: unknown;
  /** Canonical index; undefined while the block is empty. */
  index: number | undefined;
  /** Input that a tool call began with, for vendors that send it whole. */
  input: unknown;
  hasArguments: boolean;
}

/**
 * The content blocks of one stream as canonical parts. The upstream's own numbers have gaps where blocks of server
 * tools or empty blocks are left out, so parts are renumbered.
 */
export class StreamContent {
  hasToolCalls = false;
  private readonly blocks = new Map<unknown, Block>();
  private nextIndex = 0;

  start(key: unknown, content: JsonRecord): StreamPart[] {
    const block: Block = { type: content.type, index: undefined, input: content.input, hasArguments: false };
    this.blocks.set(key, block);
    switch (content.type) {
      case "text":
        return this.addText(block, "text", content.text);
      case "thinking":
        return this.addText(block, "reasoning", content.thinking);
      case "redacted_thinking":
        return [{ kind: "redacted-reasoning", index: this.indexOf(block), data: readString(content.data) }];
      case "tool_use":
        this.hasToolCalls = true;
        return [
          {
            kind: "tool-call",
            index: this.indexOf(block),
            id: readString(content.id),
            name: readString(content.name),
          },
        ];
      default:
        return [];
    }
  }

  add(key: unknown, delta: JsonRecord): StreamPart[] {
    const block = this.blocks.get(key);
    if (!block) return [];
    switch (delta.type) {
      case "text_delta":
        return this.addText(block, "text", delta.text);
      case "thinking_delta":
        return this.addText(block, "reasoning", delta.thinking);
      case "signature_delta": {
        const signature = readString(delta.signature);
        return signature === ""
          ? []
          : [{ kind: "reasoning-signature", index: this.indexOf(block), signature }];
      }
      case "input_json_delta":
        // Server tools stream their input in the same format; the client does not receive it.
        return block.type === "tool_use" ? this.addArguments(block, readString(delta.partial_json)) : [];
      default:
        return [];
    }
  }

  /** A tool call that got no arguments gets those of its start, or "{}". */
  stop(key: unknown): StreamPart[] {
    const block = this.blocks.get(key);
    this.blocks.delete(key);
    if (block?.type !== "tool_use" || block.hasArguments) return [];
    return this.addArguments(block, argumentsText(readRecord(block.input)));
  }

  /** Stops the blocks that the upstream left open. */
  stopAll(): StreamPart[] {
    return [...this.blocks.keys()].flatMap((key) => this.stop(key));
  }

  /** A refusal in the model's words, apart from the content. */
  refuse(text: string): StreamPart[] {
    if (text === "") return [];
    this.nextIndex += 1;
    return [{ kind: "refusal", index: this.nextIndex - 1, text }];
  }

  private addText(block: Block, kind: "text" | "reasoning", value: unknown): StreamPart[] {
    const text = readString(value);
    return text === "" ? [] : [{ kind, index: this.indexOf(block), text }];
  }

  private addArguments(block: Block, text: string): StreamPart[] {
    if (text === "") return [];
    block.hasArguments = true;
    return [{ kind: "tool-arguments", index: this.indexOf(block), text }];
  }

  private indexOf(block: Block): number {
    if (block.index === undefined) {
      block.index = this.nextIndex;
      this.nextIndex += 1;
    }
    return block.index;
  }
}
