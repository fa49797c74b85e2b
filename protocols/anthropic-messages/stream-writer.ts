import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { FinishReason } from "@tollgate/contract/relay/response";
import type { StreamPart, StreamWriter, WriteJson } from "@tollgate/contract/relay/stream";
import { mergeUsage, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { answerId } from "../shared/answer/answer-id";
import { createEncodeEvent, type EncodeEvent } from "./encode-event";
import { encodeUsage } from "./encode-usage";
import { encodeStop } from "./stop-reason";
import { StreamBlocks } from "./stream-blocks";

/**
 * Writes a Messages stream (https://docs.anthropic.com/en/docs/build-with-claude/streaming). `end()` writes the stop
 * reason and the usage, which this shape carries in one event, when both are known.
 */
export const createStreamWriter = (
  stamp: AnswerStamp,
  _wantsUsageChunk: boolean,
  write: WriteJson = JSON.stringify,
): StreamWriter => new MessageWriter(stamp, createEncodeEvent(write));

class MessageWriter implements StreamWriter {
  private hasStarted = false;
  private upstreamId = "";
  private hasRefusal = false;
  private readonly blocks: StreamBlocks;
  private reason: FinishReason | undefined;
  private stopSequence: string | undefined;
  private usage: Usage = NO_USAGE;

  constructor(
    private readonly stamp: AnswerStamp,
    private readonly event: EncodeEvent,
  ) {
    this.blocks = new StreamBlocks(event);
  }

  push(part: StreamPart): string {
    switch (part.kind) {
      case "start":
        // Usage may follow before the first block; no output is sent before that anyway.
        this.upstreamId = part.id;
        return "";
      case "usage":
        this.usage = mergeUsage(this.usage, part.usage);
        return "";
      case "finish":
        this.reason ??= part.reason;
        this.stopSequence = part.stopSequence;
        return "";
      case "error":
        return "";
      case "refusal":
        this.hasRefusal = true;
        return this.start() + this.blocks.push(part);
      default:
        return this.start() + this.blocks.push(part);
    }
  }

  end(): string {
    const reason = this.reason ?? (this.blocks.hasToolCalls ? "tool-calls" : "stop");
    const delta = encodeStop(reason, this.stopSequence, this.hasRefusal);
    return (
      this.start() +
      this.blocks.end() +
      this.event("message_delta", { delta, usage: encodeUsage(this.usage) }) +
      this.event("message_stop", {})
    );
  }

  /** Usage that is known by now is written here, else the estimate; the last event corrects it. */
  private start(): string {
    if (this.hasStarted) return "";
    this.hasStarted = true;
    const message = {
      id: answerId(this.upstreamId, this.stamp.id, "msg_"),
      type: "message",
      role: "assistant",
      model: this.stamp.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: encodeUsage({ ...this.usage, inputTokens: this.usage.inputTokens ?? this.stamp.promptTokens }),
    };
    return this.event("message_start", { message }) + this.event("ping", {});
  }
}
