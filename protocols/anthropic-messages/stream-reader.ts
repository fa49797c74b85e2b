import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { FinishReason } from "@tollgate/contract/relay/response";
import type { StreamPart, StreamReader } from "@tollgate/contract/relay/stream";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { parseJson } from "../shared/json/safe-json";
import { brokenStream } from "../shared/stream/broken-stream";
import { callIds } from "./extras";
import { readError } from "./read-error";
import {
  mergeRawUsage,
  NO_RAW_USAGE,
  type RawUsage,
  readRawUsage,
  readStartUsage,
  toUsage,
  withReportedExtras,
} from "./read-usage";
import { readStopReason } from "./stop-reason";
import { StreamContent } from "./stream-content";

/**
 * Reads a Messages stream (https://docs.anthropic.com/en/docs/build-with-claude/streaming). The latest usage takes
 * precedence: `message_start` reports the input, `message_delta` the total output. The finish is output at
 * `message_stop`.
 */
export const createStreamReader = (): StreamReader => new MessageReader();

class MessageReader implements StreamReader {
  private isOver = false;
  private usage = NO_RAW_USAGE;
  private reason: FinishReason | undefined;
  private readonly content = new StreamContent();

  push(event: string, data: string): StreamPart[] {
    if (this.isOver || data.trim() === "") return [];
    return this.pushParsed(event, parseJson(data));
  }

  pushParsed(event: string, body: unknown): StreamPart[] {
    if (this.isOver) return [];
    if (!isRecord(body)) {
      // Behind the stop reason the answer is whole: half a last event does not spoil it.
      return this.reason === undefined ? this.fail(brokenStream("unknown", "stream-no-json")) : [];
    }
    if (event === "error" || carriesError(body)) return this.fail(readError(200, {}, body));
    switch (readString(body.type) || event) {
      case "message_start":
        return this.readStart(readRecord(body.message));
      case "content_block_start":
        return this.startBlock(body);
      case "content_block_delta":
        return this.content.add(body.index, readRecord(body.delta));
      case "content_block_stop":
        return this.content.stop(body.index);
      case "message_delta":
        return this.readDelta(body);
      case "message_stop":
        return this.finish();
      default:
        // "ping", and events that did not exist when this was written.
        return [];
    }
  }

  end(): StreamPart[] {
    if (this.isOver) return [];
    // With its stop reason the answer is complete, even if the last event was lost.
    if (this.reason !== undefined) return this.finish();
    return this.fail(brokenStream("network", "stream-incomplete"));
  }

  get hasStopped(): boolean {
    return this.reason !== undefined;
  }

  private readStart(message: JsonRecord): StreamPart[] {
    const start: StreamPart = { kind: "start", id: readString(message.id), model: readString(message.model) };
    return [start, ...this.addUsage(message.usage, readStartUsage)];
  }

  private startBlock({ index, content_block: block }: JsonRecord): StreamPart[] {
    const parts = this.content.start(index, readRecord(block));
    const toolCallIds = callIds([block]);
    return toolCallIds.length === 0
      ? parts
      : [...parts, { kind: "usage", usage: { ...NO_USAGE, toolCallIds } }];
  }

  private readDelta(body: JsonRecord): StreamPart[] {
    const delta = readRecord(body.delta);
    const refusal = readString(readRecord(delta.stop_details).explanation);
    this.reason = readStopReason(delta.stop_reason) ?? this.reason;
    return [...this.content.refuse(refusal), ...this.addUsage(body.usage, readRawUsage)];
  }

  private addUsage(value: unknown, read: (value: unknown) => RawUsage): StreamPart[] {
    if (!isRecord(value)) return [];
    this.usage = mergeRawUsage(this.usage, read(value));
    return [{ kind: "usage", usage: withReportedExtras(toUsage(this.usage), value) }];
  }

  private finish(): StreamPart[] {
    this.isOver = true;
    const reason = this.reason ?? (this.content.hasToolCalls ? "tool-calls" : "stop");
    return [...this.content.stopAll(), { kind: "finish", reason }];
  }

  private fail(error: UpstreamError): StreamPart[] {
    this.isOver = true;
    return [{ kind: "error", error }];
  }
}
