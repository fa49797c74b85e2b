import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { FinishReason } from "@tollgate/contract/relay/response";
import type { StreamPart, StreamWriter } from "@tollgate/contract/relay/stream";
import { mergeUsage, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { answerId } from "../shared/answer-id";
import { encodeUsage } from "./encode-usage";
import { encodeFinishReason } from "./finish-reason";

/**
 * Writes the chunks of a Chat Completions stream (https://platform.openai.com/docs/api-reference/chat/streaming): the
 * role first, the finish reason once, then the usage when the client asked for it, then "[DONE]". Everything from the
 * finish on is written by `end()`.
 */
export const createStreamWriter = (stamp: AnswerStamp, wantsUsageChunk: boolean): StreamWriter =>
  new ChunkWriter(stamp, wantsUsageChunk);

class ChunkWriter implements StreamWriter {
  private id = "";
  /** Everything before the delta, and after it, is the same in each chunk. */
  private head = "";
  private readonly tail: string;
  /** Each tool call by its canonical index: its position among the tool calls. */
  private readonly calls = new Map<number, { position: number; hasArguments: boolean }>();
  private reason: FinishReason | undefined;
  private usage: Usage = NO_USAGE;

  constructor(
    private readonly stamp: AnswerStamp,
    private readonly wantsUsageChunk: boolean,
  ) {
    // Once asked for, the field stands in every chunk, null until the last.
    this.tail = wantsUsageChunk ? ',"usage":null}\n\n' : "}\n\n";
  }

  push(part: StreamPart): string {
    switch (part.kind) {
      case "start":
        return this.start(part.id);
      case "text":
        return part.text === "" ? "" : this.chunk({ content: part.text });
      case "refusal":
        return part.text === "" ? "" : this.chunk({ refusal: part.text });
      case "reasoning":
        return part.text === "" ? "" : this.chunk({ reasoning_content: part.text });
      case "tool-call": {
        const position = this.calls.size;
        this.calls.set(part.index, { position, hasArguments: false });
        const called = { name: part.name, arguments: "" };
        return this.chunk({
          tool_calls: [{ index: position, id: part.id, type: "function", function: called }],
        });
      }
      case "tool-arguments": {
        const call = this.calls.get(part.index);
        if (call === undefined || part.text === "") return "";
        call.hasArguments = true;
        return this.argumentsChunk(call.position, part.text);
      }
      case "usage":
        this.usage = mergeUsage(this.usage, part.usage);
        return "";
      case "finish":
        this.reason ??= part.reason;
        return "";
      default:
        // Sealed reasoning has no place in this shape; errors are encoded elsewhere.
        return "";
    }
  }

  end(): string {
    let text = "";
    // Clients parse the joined arguments: none at all must read as an empty object.
    for (const call of this.calls.values()) {
      if (!call.hasArguments) text += this.argumentsChunk(call.position, "{}");
    }
    text += this.chunk({}, encodeFinishReason(this.reason ?? (this.calls.size > 0 ? "tool-calls" : "stop")));
    return `${text}${this.usageChunk()}data: [DONE]\n\n`;
  }

  private argumentsChunk(position: number, text: string): string {
    return this.chunk({ tool_calls: [{ index: position, function: { arguments: text } }] });
  }

  private start(upstreamId: string): string {
    if (this.head !== "") return "";
    this.id = answerId(upstreamId, this.stamp.id, "chatcmpl-");
    this.head = `${this.opening()},"choices":[{"index":0,"delta":`;
    return this.chunk({ role: "assistant", content: "" });
  }

  private opening(): string {
    const { createdAt, model } = this.stamp;
    const fields = { id: this.id, object: "chat.completion.chunk", created: createdAt, model };
    return `data: ${JSON.stringify(fields).slice(0, -1)}`;
  }

  private chunk(delta: object, reason?: string): string {
    // An answer that never announced itself still starts with the role.
    const start = this.head === "" ? this.start("") : "";
    const finish = reason === undefined ? "null" : `"${reason}"`;
    return `${start}${this.head}${JSON.stringify(delta)},"logprobs":null,"finish_reason":${finish}}]${this.tail}`;
  }

  private usageChunk(): string {
    if (!this.wantsUsageChunk) return "";
    return `${this.opening()},"choices":[],"usage":${JSON.stringify(encodeUsage(this.usage) ?? null)}}\n\n`;
  }
}
