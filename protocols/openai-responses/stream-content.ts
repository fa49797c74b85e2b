import type { TokenLogprob } from "@tollgate/contract/relay/request";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { readOpenaiLogprobs } from "../shared/answer/logprobs";
import { type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { markSeal } from "../shared/messages/seal";
import { readReasoning, readTexts } from "./read-response";

interface Item {
  /** Canonical index; undefined while the item is empty. */
  index: number | undefined;
  isCall: boolean;
  hasText: boolean;
  /** The current part of a reasoning's summary. */
  summaryIndex: unknown;
}

/**
 * The output items of one stream as canonical parts. The upstream numbers every item, also those of built-in tools and
 * empty ones, so parts are numbered again.
 */
export class StreamContent {
  hasToolCalls = false;
  private readonly items = new Map<unknown, Item>();
  private nextIndex = 0;

  push(type: string, body: JsonRecord): StreamPart[] {
    const key = body.output_index;
    switch (type) {
      case "response.output_item.added":
        return this.add(key, readRecord(body.item));
      case "response.output_item.done":
        return this.complete(key, readRecord(body.item));
      case "response.output_text.delta":
        return this.textParts(
          "text",
          this.find(key),
          readString(body.delta),
          readOpenaiLogprobs(body.logprobs),
        );
      case "response.refusal.delta":
        // A refusal is separate from the text of the same message.
        return this.textParts("refusal", this.find(`refusal ${String(key)}`), readString(body.delta));
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.think(this.find(key), body);
      case "response.function_call_arguments.delta":
        return this.addArguments(this.find(key), readString(body.delta));
      default:
        return [];
    }
  }

  /**
   * The answer is complete: calls without arguments get an empty object.
   * @param output the finished items, for vendors that streamed none of them.
   */
  end(output: readonly unknown[]): StreamPart[] {
    if (this.items.size === 0) return output.flatMap((item, key) => this.complete(key, readRecord(item)));
    return [...this.items.values()].flatMap((item) =>
      item.isCall && !item.hasText ? this.addArguments(item, "{}") : [],
    );
  }

  private find(key: unknown): Item {
    const known = this.items.get(key);
    if (known) return known;
    const item: Item = { index: undefined, isCall: false, hasText: false, summaryIndex: undefined };
    this.items.set(key, item);
    return item;
  }

  private add(key: unknown, { type, call_id, id, name }: JsonRecord): StreamPart[] {
    const item = this.find(key);
    if (type !== "function_call" || item.isCall) return [];
    item.isCall = true;
    this.hasToolCalls = true;
    return [
      {
        kind: "tool-call",
        index: this.indexOf(item),
        id: readString(call_id) || readString(id),
        name: readString(name),
      },
    ];
  }

  /** Adds content of a finished item that the vendor did not stream, and the seal of a reasoning. */
  private complete(key: unknown, done: JsonRecord): StreamPart[] {
    const item = this.find(key);
    switch (done.type) {
      case "function_call": {
        const call = this.add(key, done);
        return item.hasText ? call : [...call, ...this.addArguments(item, readString(done.arguments))];
      }
      case "message":
        return item.hasText ? [] : this.textParts("text", item, readTexts(done.content, "text"));
      case "reasoning": {
        const seal = readString(done.encrypted_content);
        const words = item.hasText ? [] : this.textParts("reasoning", item, readReasoning(done));
        if (seal === "") return words;
        const signature = markSeal("openai", seal);
        return [...words, { kind: "reasoning-signature", index: this.indexOf(item), signature }];
      }
      default:
        return [];
    }
  }

  private think(item: Item, { delta, summary_index }: JsonRecord): StreamPart[] {
    const isNext = item.hasText && item.summaryIndex !== summary_index;
    item.summaryIndex = summary_index;
    return this.textParts("reasoning", item, (isNext ? "\n\n" : "") + readString(delta));
  }

  private textParts(
    kind: "text" | "refusal" | "reasoning",
    item: Item,
    text: string,
    logprobs?: TokenLogprob[],
  ): StreamPart[] {
    if (text === "") return [];
    item.hasText = true;
    const index = this.indexOf(item);
    return [kind === "text" && logprobs ? { kind, index, text, logprobs } : { kind, index, text }];
  }

  private addArguments(item: Item, text: string): StreamPart[] {
    if (text === "" || !item.isCall) return [];
    item.hasText = true;
    return [{ kind: "tool-arguments", index: this.indexOf(item), text }];
  }

  private indexOf(item: Item): number {
    if (item.index === undefined) {
      item.index = this.nextIndex;
      this.nextIndex += 1;
    }
    return item.index;
  }
}
