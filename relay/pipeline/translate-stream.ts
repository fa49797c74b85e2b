import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { StreamDecoder, StreamEvent } from "@tollgate/contract/relay/protocol";
import type { StreamPart, StreamReader, StreamWriter } from "@tollgate/contract/relay/stream";
import { isDelivery } from "@tollgate/contract/relay/stream";
import { isComplete, mergeUsage, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { createSseDecoder } from "@tollgate/protocols/shared/sse-decoder";
import {
  type AnswerStream,
  MAX_EVENT_BYTES,
  MAX_STREAM_BYTES,
  MAX_TRANSLATED_EVENT_BYTES,
  tooLarge,
  unreadable,
} from "./answer-stream";
import { DeliveredTally } from "./delivered-tally";
import type { Counts } from "./settle";

/** The most that an answer may hold: both sides keep what they need to put its end together. */
const MAX_CONTENT_LENGTH = 64 * 1024 * 1024;

/** The most parts (texts, calls) that an answer may have. */
const MAX_PARTS = 10_000;

/** The length of what a part adds to the answer. */
const lengthOf = (part: StreamPart): number => {
  if ("text" in part) return part.text.length;
  if ("signature" in part) return part.signature.length;
  return "data" in part ? part.data.length : 0;
};

/** A stream whose upstream speaks another protocol than the client: every event is read and written anew. */
export class TranslateStream implements AnswerStream {
  hasDelivered = false;
  isEnded = false;
  error: UpstreamError | undefined;
  isGivenUp = false;
  usage: Usage = NO_USAGE;

  /** Written, but not sent because nothing was delivered yet. */
  private held = "";
  private received = 0;
  private contentLength = 0;
  private readonly tally = new DeliveredTally();

  constructor(
    private readonly reader: StreamReader,
    private readonly writer: StreamWriter,
    private readonly decoder: StreamDecoder = createSseDecoder(MAX_TRANSLATED_EVENT_BYTES),
  ) {}

  push(chunk: Buffer): string | undefined {
    if (this.error) return undefined;
    this.received += chunk.length;
    if (this.received > (this.hasDelivered ? MAX_STREAM_BYTES : MAX_EVENT_BYTES)) {
      this.giveUp(tooLarge("an answer"));
      return undefined;
    }
    return this.read(() => this.decoder.push(chunk));
  }

  end(): string | undefined {
    if (this.error) return undefined;
    return this.read(() => this.decoder.end(), true);
  }

  release(): string | undefined {
    this.hasDelivered = true;
    return this.deliver("");
  }

  tail(counts: Counts): string {
    // The numbers that are charged are the numbers that are told, also where they were counted here.
    const usage = { ...this.usage, inputTokens: counts.promptTokens, outputTokens: counts.completionTokens };
    return this.writer.push({ kind: "usage", usage }) + this.writer.end();
  }

  delivered(): DeliveredContent {
    return this.tally.content();
  }

  private giveUp(error: UpstreamError): void {
    this.error = error;
    this.isGivenUp = true;
  }

  /** @param isLast the upstream says no more. */
  private read(decode: () => StreamEvent[], isLast = false): string | undefined {
    let out = "";
    try {
      for (const { event, data } of decode()) {
        const parts = this.reader.push(event, data);
        // What gives nothing yet may be held by the reader.
        if (parts.length === 0) this.contentLength += data.length;
        out += this.take(parts);
      }
      if (isLast) out += this.take(this.reader.end());
      if (!this.error && this.contentLength > MAX_CONTENT_LENGTH) this.giveUp(tooLarge("an answer"));
    } catch (error) {
      this.giveUp(unreadable(error));
    }
    return this.deliver(out);
  }

  private take(parts: StreamPart[]): string {
    let out = "";
    for (const part of parts) {
      if (this.error) break;
      if (part.kind === "error") {
        // Behind an answer that is whole, its usage told, an error takes nothing back.
        if (!(this.isEnded && this.hasDelivered && isComplete(this.usage))) this.error = part.error;
        break;
      }
      if (part.kind === "usage") this.usage = mergeUsage(this.usage, part.usage);
      this.tally.addPart(part);
      this.contentLength += lengthOf(part);
      if ("index" in part && part.index >= MAX_PARTS) {
        this.giveUp(tooLarge("an answer"));
        break;
      }
      if (isDelivery(part)) this.hasDelivered = true;
      if (part.kind === "finish") this.isEnded = true;
      out += this.writer.push(part);
    }
    return out;
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
