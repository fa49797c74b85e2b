import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { TokenLogprob } from "@tollgate/contract/relay/request";
import type { FinishReason } from "@tollgate/contract/relay/response";
import type { StreamPart, StreamReader } from "@tollgate/contract/relay/stream";
import { readOpenaiLogprobs } from "../shared/answer/logprobs";
import { carriesError } from "../shared/errors/error-details";
import { readOpenaiError } from "../shared/errors/read-openai-error";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { parseJson } from "../shared/json/safe-json";
import { boundedParts } from "../shared/stream/bounded-parts";
import { brokenStream } from "../shared/stream/broken-stream";
import { readFinishReason } from "./finish-reason";
import { readContent } from "./read-content";
import { findChunkUsage } from "./read-usage";
import { StreamCalls } from "./stream-calls";

/**
 * Reads a Chat Completions stream (https://platform.openai.com/docs/api-reference/chat/streaming), OpenAI's own and
 * those of the many vendors of its shape: missing ids, indexes or "[DONE]", usage in every chunk or in the finish,
 * whole messages in place of deltas. The finish is output when the usage is known too, at "[DONE]" or at the end of the
 * connection. Of several choices only the first is read.
 */
export const createStreamReader = (): StreamReader => new ChunkReader();

class ChunkReader implements StreamReader {
  private answerId = "";
  private hasStarted = false;
  /** After the end mark or an error everything is ignored. */
  private isOver = false;
  /** The finish was given out; only usage may still follow. */
  private isFinished = false;
  private reason: FinishReason | undefined;
  private indexes = 0;
  private readonly calls = new StreamCalls(() => this.nextIndex());
  /** The part that plain deltas continue. */
  private current: "text" | "reasoning" | "refusal" | "tool" | undefined;

  push(event: string, data: string): StreamPart[] {
    if (this.isOver) return [];
    const text = data.trim();
    if (text === "[DONE]") return this.finishAtMark();
    if (text === "") return [];
    return this.pushParsed(event, parseJson(text));
  }

  pushParsed(_event: string, chunk: unknown): StreamPart[] {
    if (this.isOver) return [];
    if (!isRecord(chunk)) {
      // Behind the finish reason the answer is whole: half an end mark does not spoil it.
      return this.reason === undefined ? this.fail(brokenStream("unknown", "stream-no-json")) : [];
    }
    if (carriesError(chunk)) return this.isFinished ? [] : this.fail(readOpenaiError(200, {}, chunk));
    return this.readChunk(chunk);
  }

  end(): StreamPart[] {
    if (this.isOver || this.isFinished) return [];
    // A finish reason means that the answer is complete; not every vendor sends "[DONE]" after it.
    if (this.reason !== undefined) return this.finish([]);
    return this.fail(brokenStream("network", "stream-incomplete"));
  }

  get hasStopped(): boolean {
    return this.reason !== undefined;
  }

  private readChunk(chunk: JsonRecord): StreamPart[] {
    const parts: StreamPart[] = [];
    const choice = readArray(chunk.choices).find(
      (one) => isRecord(one) && (one.index === undefined || one.index === 0),
    );
    // Azure's first chunk has no choices and no id: the next one names the answer.
    if (isRecord(choice) && !this.hasStarted) {
      this.hasStarted = true;
      this.answerId = readString(chunk.id);
      parts.push({ kind: "start", id: this.answerId, model: readString(chunk.model) });
    }
    if (isRecord(choice) && !this.isFinished) this.readChoice(choice, parts);
    const usage = findChunkUsage(chunk);
    if (usage) parts.push({ kind: "usage", usage });
    return usage && this.reason !== undefined ? this.finish(parts) : parts;
  }

  private readChoice(choice: JsonRecord, parts: StreamPart[]): void {
    const delta = isRecord(choice.delta)
      ? choice.delta
      : isRecord(choice.message)
        ? choice.message
        : undefined;
    if (delta) {
      const { text, reasoning } = readContent(delta);
      this.add("reasoning", reasoning, parts);
      this.add("text", text, parts, readOpenaiLogprobs(readRecord(choice.logprobs).content));
      this.add("refusal", readString(delta.refusal), parts);
      boundedParts(readArray(delta.tool_calls)).forEach((call, place) => {
        if (isRecord(call)) this.addCall(call, place, parts);
      });
      if (isRecord(delta.function_call)) this.addCall({ index: -1, function: delta.function_call }, 0, parts);
    }
    this.reason ??= readFinishReason(choice.finish_reason, this.calls.hasCalls);
  }

  private add(
    kind: "text" | "reasoning" | "refusal",
    text: string,
    parts: StreamPart[],
    logprobs?: TokenLogprob[],
  ): void {
    if (text === "") return;
    if (this.current !== kind) {
      this.current = kind;
      this.indexes += 1;
    }
    const index = this.indexes - 1;
    parts.push(kind === "text" && logprobs ? { kind, index, text, logprobs } : { kind, index, text });
  }

  private addCall(call: JsonRecord, place: number, parts: StreamPart[]): void {
    this.current = "tool";
    this.calls.push(call, place, this.answerId, parts);
  }

  private nextIndex(): number {
    this.indexes += 1;
    return this.indexes - 1;
  }

  private finishAtMark(): StreamPart[] {
    if (this.reason !== undefined) {
      const parts = this.finish([]);
      this.isOver = true;
      return parts;
    }
    // An end mark without a finish reason: content makes it an answer anyway.
    if (this.indexes > 0 || this.calls.hasCalls) {
      this.reason = this.calls.hasCalls ? "tool-calls" : "stop";
      return this.finish([]);
    }
    return this.fail(brokenStream("empty", "stream-without-answer"));
  }

  private finish(parts: StreamPart[]): StreamPart[] {
    if (this.isFinished || this.reason === undefined) return parts;
    this.isFinished = true;
    this.calls.flush(this.answerId, parts);
    parts.push({ kind: "finish", reason: this.reason });
    return parts;
  }

  private fail(error: UpstreamError): StreamPart[] {
    this.isOver = true;
    return [{ kind: "error", error }];
  }
}
