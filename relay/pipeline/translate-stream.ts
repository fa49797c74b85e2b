import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { StreamDecoder, StreamEvent } from "@tollgate/contract/relay/protocol";
import type { TokenLogprob } from "@tollgate/contract/relay/request";
import type { StreamPart, StreamReader, StreamWriter, WriteJson } from "@tollgate/contract/relay/stream";
import { isDelivery } from "@tollgate/contract/relay/stream";
import { isComplete, mergeUsage, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { readServedModel } from "@tollgate/protocols/shared/answer/served-model";
import { JsonPlaceholders } from "@tollgate/protocols/shared/json/json-placeholders";
import { parseTextInSteps } from "@tollgate/protocols/shared/json/parse-in-steps";
import { writeArguments } from "@tollgate/protocols/shared/json/stringify-in-steps";
import type { StopCutter } from "@tollgate/protocols/shared/request/stop-sequences";
import { createSseDecoder } from "@tollgate/protocols/shared/stream/sse-decoder";
import { inSteps } from "../in-steps";
import {
  type AnswerStream,
  givenUp,
  MAX_EVENT_BYTES,
  MAX_STREAM_BYTES,
  MAX_TRANSLATED_EVENT_BYTES,
  type StreamWork,
  unreadable,
} from "./answer-stream";
import { DeliveredTally } from "./delivered-tally";
import type { Counts } from "./settle";

/** Maximum size of an answer: both sides keep the data they need to assemble its end. */
const MAX_CONTENT_LENGTH = 64 * 1024 * 1024;

/** The most parts (texts, calls) that an answer may have. */
const MAX_PARTS = 10_000;

/** From this length on, an event is read and written in steps. */
export const LARGE_EVENT_LENGTH = 256 * 1024;

/** From this length of its content on, output for an answer may be large, even when its events are not. */
const LARGE_CONTENT_LENGTH = 1024 * 1024;

/** So many events of one read, or parts of one event, are written in one step. */
export const COUNT_PER_STEP = 256;

const NEWLINE = 10;
/** From this size on, a read without a line end is part of something large, not just keep-alive data. */
const PART_BYTES = 1024;

/** About as much as a token and its alternatives take, written. */
const LOGPROB_LENGTH = 80;

const lengthOfLogprobs = (tokens: readonly TokenLogprob[]): number =>
  tokens.reduce((sum, { alternatives = [] }) => sum + LOGPROB_LENGTH * (1 + alternatives.length), 0);

/** The length that a part adds to the answer. */
const lengthOf = (part: StreamPart): number => {
  if (part.kind === "text" && part.logprobs) return part.text.length + lengthOfLogprobs(part.logprobs);
  if ("text" in part) return part.text.length;
  if ("signature" in part) return part.signature.length;
  if ("data" in part) return part.data.length;
  return "id" in part ? part.id.length + ("name" in part ? part.name : part.model).length : 0;
};

/** Whether a part is more than a sign of life. Arguments of a call are no first delivery, but they are content. */
const isNews = (part: StreamPart): boolean =>
  isDelivery(part) ||
  part.kind === "finish" ||
  ((part.kind === "tool-arguments" || part.kind === "reasoning-signature") && lengthOf(part) > 0);

/** The end of the parts that are written in one step: many small ones, or a large one. */
const endOfStep = (parts: readonly StreamPart[], from: number): number => {
  let length = 0;
  let to = from;
  while (to < parts.length && to - from < COUNT_PER_STEP && length < LARGE_EVENT_LENGTH) {
    length += lengthOf(parts[to] as StreamPart);
    to += 1;
  }
  return to;
};

/** A stream from an upstream of another protocol: every event is read and rewritten. */
export class TranslateStream implements AnswerStream {
  hasDelivered = false;
  isEnded = false;
  isQuiet = false;
  error: UpstreamError | undefined;
  isGivenUp = false;
  usage: Usage = NO_USAGE;

  work: StreamWork | undefined;

  /** Written, but not sent because nothing was delivered yet. */
  private held = "";
  private received = 0;
  private contentLength = 0;
  private readonly tally = new DeliveredTally();
  /** Placeholders for large values, which are filled in later. */
  private readonly placeholders = new JsonPlaceholders();
  private readonly writer: StreamWriter;

  /**
   * @param createWriter the writer must use the given function to write anything that may be large.
   * @param requestLength length of the request that may be repeated in the answer.
   * @param cutter cuts the answer at the client's stop sequences; content after them is counted but not sent.
   */
  constructor(
    private readonly reader: StreamReader,
    createWriter: (write: WriteJson) => StreamWriter,
    private readonly decoder: StreamDecoder = createSseDecoder(MAX_TRANSLATED_EVENT_BYTES),
    requestLength = 0,
    private readonly cutter?: StopCutter,
  ) {
    this.writer = createWriter((value) =>
      this.contentLength + requestLength > LARGE_CONTENT_LENGTH
        ? this.placeholders.write(value)
        : JSON.stringify(value),
    );
  }

  push(chunk: Buffer): string | undefined {
    if (this.error) return undefined;
    this.received += chunk.length;
    this.isQuiet = chunk.length < PART_BYTES || chunk.includes(NEWLINE);
    if (this.received > (this.hasDelivered ? MAX_STREAM_BYTES : MAX_EVENT_BYTES)) {
      this.giveUp(givenUp({ code: "answer-too-large" }));
      return undefined;
    }
    return this.read(() => this.decoder.push(chunk));
  }

  end(): string | undefined {
    if (this.error) return undefined;
    return this.read(() => this.decoder.end(), true);
  }

  get isWhole(): boolean {
    if (!this.hasDelivered || this.error) return false;
    return this.isEnded || (this.reader.hasStopped && isComplete(this.usage));
  }

  /** Both sides may keep the content to put the end of the answer together. */
  get heldBytes(): number {
    return this.tally.length + this.contentLength + this.held.length;
  }

  shed(): void {
    this.tally.shorten();
  }

  release(): string | undefined {
    this.hasDelivered = true;
    // If placeholders are left, the tail starts with this output.
    return this.placeholders.isEmpty ? this.deliver("") : undefined;
  }

  tail(counts: Counts): string | Promise<Uint8Array> {
    // The client must see the counts that are charged, including those counted here.
    const usage = { ...this.usage, inputTokens: counts.promptTokens, outputTokens: counts.completionTokens };
    const text = this.held + this.writer.push({ kind: "usage", usage }) + this.writer.end();
    if (this.placeholders.isEmpty) return text;
    const pieces: Uint8Array[] = [];
    return inSteps(this.placeholders.fill(text), (piece) => {
      if (piece) pieces.push(piece);
    }).then(() => Buffer.concat(pieces));
  }

  delivered(): DeliveredContent {
    return this.tally.content();
  }

  /** An event that was damaged on its way is the upstream's failure, like a connection that breaks off. */
  private breakOff(error: unknown): void {
    this.error = unreadable(error);
    this.isGivenUp = this.error.fault?.code !== "event-damaged";
  }

  private giveUp(error: UpstreamError): void {
    this.error = error;
    this.isGivenUp = true;
  }

  /** @param isLast the upstream sends no more. */
  private read(decode: () => StreamEvent[], isLast = false): string | undefined {
    let out = "";
    try {
      const events = decode();
      for (let at = 0; at < events.length; at += 1) {
        const { event, data } = events[at] as StreamEvent;
        if (data.length > LARGE_EVENT_LENGTH || at === COUNT_PER_STEP) {
          this.work = this.readInSteps(out, events.slice(at), isLast);
          return undefined;
        }
        out += this.takeEvent(event, data);
      }
      if (isLast) out += this.take(this.reader.end());
      this.boundContent();
    } catch (error) {
      this.breakOff(error);
    }
    if (!this.placeholders.isEmpty && this.hasDelivered) {
      this.work = this.sendInSteps(out);
      return undefined;
    }
    return this.deliver(out);
  }

  /** The same from the first event that is large, or one of many. @param before output of the events before it. */
  private *readInSteps(before: string, events: StreamEvent[], isLast: boolean): StreamWork {
    let out = before;
    let count = 0;
    try {
      for (const { event, data } of events) {
        if (this.error) break;
        if (data.length > LARGE_EVENT_LENGTH) {
          yield* this.send(out);
          out = "";
          yield* this.takeLargeEvent(event, data);
          continue;
        }
        out += this.takeEvent(event, data);
        count += 1;
        if (count % COUNT_PER_STEP > 0) continue;
        yield* this.send(out);
        out = "";
        yield;
      }
      if (isLast) out += this.take(this.reader.end());
      this.boundContent();
    } catch (error) {
      this.breakOff(error);
    }
    yield* this.sendInSteps(out);
  }

  private *takeLargeEvent(event: string, data: string): StreamWork {
    const { reader } = this;
    let parts: StreamPart[];
    if (reader.pushParsed && data.trim() !== "") {
      const body = yield* parseTextInSteps(data);
      if (body !== undefined) yield* writeArguments(body);
      parts = reader.pushParsed(event, body);
    } else parts = reader.push(event, data);
    if (parts.length === 0) this.contentLength += data.length;
    for (let from = 0; from < parts.length; ) {
      // Reading, writing and counting take separate steps.
      yield;
      const to = endOfStep(parts, from);
      yield* this.send(this.take(parts.slice(from, to)));
      from = to;
    }
  }

  /** Sends the output with its placeholders filled. */
  private *send(out: string): StreamWork {
    const text = this.held + out;
    this.held = this.hasDelivered ? "" : text;
    if (this.hasDelivered) yield* this.placeholders.fill(text);
  }

  private *sendInSteps(out: string): StreamWork {
    yield* this.send(out);
    this.work = undefined;
  }

  private takeEvent(event: string, data: string): string {
    const parts = this.reader.push(event, data);
    // An event without output yet may be held by the reader.
    if (parts.length === 0) this.contentLength += data.length;
    return this.take(parts);
  }

  private boundContent(): void {
    if (!this.error && this.contentLength > MAX_CONTENT_LENGTH)
      this.giveUp(givenUp({ code: "answer-too-large" }));
  }

  private take(parts: StreamPart[]): string {
    let out = "";
    for (const part of parts) {
      if (this.error) break;
      if (part.kind === "error") {
        // After a complete answer with its usage, an error has no effect.
        if (!(this.isEnded && this.hasDelivered && isComplete(this.usage))) this.error = part.error;
        break;
      }
      this.noteReport(part);
      this.tally.addPart(part);
      this.contentLength += lengthOf(part);
      if ("index" in part && part.index >= MAX_PARTS) {
        this.giveUp(givenUp({ code: "answer-too-large" }));
        break;
      }
      if (isDelivery(part)) this.hasDelivered = true;
      if (part.kind === "finish") this.isEnded = true;
      if (isNews(part)) this.isQuiet = false;
      for (const kept of this.cutter?.push(part) ?? [part]) out += this.writer.push(kept);
    }
    return out;
  }

  /** Keeps the upstream's report: usage, and the model of the answer. */
  private noteReport(part: StreamPart): void {
    if (part.kind === "usage") this.usage = mergeUsage(this.usage, part.usage);
    else if (part.kind === "start" && part.model !== "")
      this.usage = { ...this.usage, servedModel: readServedModel(part.model) };
  }

  private deliver(out: string): string | undefined {
    const text = this.held + out;
    if (!this.hasDelivered) {
      this.held = text;
      return undefined;
    }
    this.held = "";
    return text === "" ? undefined : text;
  }
}
