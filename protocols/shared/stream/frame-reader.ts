import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { FinishReason } from "@tollgate/contract/relay/response";
import type { StreamPart, StreamReader } from "@tollgate/contract/relay/stream";
import type { Usage } from "@tollgate/contract/relay/usage";
import { isRecord, type JsonRecord } from "../json/json-values";
import { parseJson } from "../json/safe-json";
import { makeCallId } from "../tools/call-id";
import { brokenStream } from "./broken-stream";

/** Receives the content of a vendor's frames, in order. */
export interface FrameSink {
  /** Names the answer; every call but the first is ignored. */
  start(id: string, model?: string): void;
  /** A piece of text or reasoning; "" is ignored. */
  text(kind: "text" | "reasoning", text: string): void;
  /**
   * A piece of a tool call.
   * @param key identifies the call within the answer. A new one starts a call, whose name must come with it.
   * @param id "" when the vendor sends none: one is generated.
   */
  call(key: string | number, id: string, name: string, argumentsText: string): void;
  usage(usage: Usage): void;
  /** The vendor's seal on the reasoning that came before. */
  sign(signature: string): void;
  /** Reasoning that only the vendor can read. */
  redact(data: string): void;
  /**
   * The answer is complete. With tool calls in it, "stop" becomes "tool-calls".
   * @param isLast false when an event with the usage should follow, which may be missing.
   */
  finish(reason: FinishReason, isLast?: boolean): void;
  /** The event expected after the finish has arrived. */
  close(): void;
  /** The upstream reported a failure. */
  fail(error: UpstreamError): void;
}

/** Reads one event of a vendor's stream. */
export type ReadFrame = (frame: JsonRecord, sink: FrameSink, event: string) => void;

/**
 * A stream reader for vendors whose every event is a separate JSON object.
 * @param parse parses an event's data; by default as JSON, ignoring blanks and "[DONE]".
 */
export const createFrameReader = (
  readFrame: ReadFrame,
  parse?: (data: string, event: string) => unknown,
): StreamReader => new FrameReader(readFrame, parse);

class FrameReader implements StreamReader, FrameSink {
  private parts: StreamPart[] = [];
  private hasStarted = false;
  private isOver = false;
  private answerId = "";
  private indexes = 0;
  private current: "text" | "reasoning" | "call" | undefined;
  private readonly calls = new Map<string | number, number>();
  private reason: FinishReason | undefined;
  private isClosed = false;

  constructor(
    private readonly readFrame: ReadFrame,
    private readonly parse: ((data: string, event: string) => unknown) | undefined,
  ) {}

  push(event: string, data: string): StreamPart[] {
    if (this.isOver) return [];
    if (this.parse) return this.pushFrame(event, this.parse(data, event));
    const text = data.trim();
    return text === "" || text === "[DONE]" ? [] : this.pushFrame(event, parseJson(data));
  }

  /** Absent when data is not JSON. */
  get pushParsed(): StreamReader["pushParsed"] {
    return this.parse ? undefined : this.pushFrame;
  }

  private pushFrame(event: string, frame: unknown): StreamPart[] {
    if (this.isOver) return [];
    this.parts = [];
    if (isRecord(frame)) this.readFrame(frame, this, event);
    else this.fail(brokenStream("unknown", "stream-no-json"));
    if (this.reason !== undefined && this.isClosed && !this.isOver) {
      this.isOver = true;
      this.parts.push({ kind: "finish", reason: this.reason });
    }
    return this.parts;
  }

  end(): StreamPart[] {
    if (this.isOver) return [];
    this.isOver = true;
    if (this.reason !== undefined) return [{ kind: "finish", reason: this.reason }];
    const error = brokenStream("network", "stream-incomplete");
    return [{ kind: "error", error }];
  }

  get hasStopped(): boolean {
    return this.reason !== undefined;
  }

  start(id: string, model = ""): void {
    if (this.hasStarted) return;
    this.hasStarted = true;
    this.answerId = id;
    this.parts.push({ kind: "start", id, model });
  }

  text(kind: "text" | "reasoning", text: string): void {
    if (text === "") return;
    if (this.current !== kind) {
      this.current = kind;
      this.indexes += 1;
    }
    this.parts.push({ kind, index: this.indexes - 1, text });
  }

  call(key: string | number, id: string, name: string, argumentsText: string): void {
    let index = this.calls.get(key);
    if (index === undefined) {
      index = this.indexes;
      this.indexes += 1;
      this.calls.set(key, index);
      this.current = "call";
      this.parts.push({ kind: "tool-call", index, id: id || makeCallId(this.answerId, index, name), name });
    }
    if (argumentsText !== "") this.parts.push({ kind: "tool-arguments", index, text: argumentsText });
  }

  usage(usage: Usage): void {
    this.parts.push({ kind: "usage", usage });
  }

  sign(signature: string): void {
    if (signature === "") return;
    if (this.current !== "reasoning") this.indexes += 1;
    this.current = "reasoning";
    this.parts.push({ kind: "reasoning-signature", index: this.indexes - 1, signature });
  }

  redact(data: string): void {
    if (data === "") return;
    this.indexes += 1;
    this.current = undefined;
    this.parts.push({ kind: "redacted-reasoning", index: this.indexes - 1, data });
  }

  finish(reason: FinishReason, isLast = true): void {
    this.isClosed ||= isLast;
    this.reason = reason === "stop" && this.calls.size > 0 ? "tool-calls" : reason;
  }

  close(): void {
    this.isClosed = true;
  }

  fail(error: UpstreamError): void {
    this.isOver = true;
    this.parts.push({ kind: "error", error });
  }
}
