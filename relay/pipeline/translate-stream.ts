import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { StreamDecoder } from "@tollgate/contract/relay/protocol";
import type { StreamPart, StreamReader, StreamWriter } from "@tollgate/contract/relay/stream";
import { isDelivery } from "@tollgate/contract/relay/stream";
import { mergeUsage, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { createSseDecoder } from "@tollgate/protocols/shared/sse-decoder";
import { type AnswerStream, MAX_EVENT_BYTES } from "./answer-stream";
import type { Counts } from "./settle";

/** A stream whose upstream speaks another protocol than the client: every event is read and written anew. */
export class TranslateStream implements AnswerStream {
  hasDelivered = false;
  isEnded = false;
  error: UpstreamError | undefined;
  usage: Usage = NO_USAGE;

  /** Written, but not sent because nothing was delivered yet. */
  private held = "";
  private text = "";

  constructor(
    private readonly reader: StreamReader,
    private readonly writer: StreamWriter,
    private readonly decoder: StreamDecoder = createSseDecoder(MAX_EVENT_BYTES),
  ) {}

  push(chunk: Buffer): string | undefined {
    if (this.error) return undefined;
    let out = "";
    try {
      for (const { event, data } of this.decoder.push(chunk)) out += this.take(this.reader.push(event, data));
    } catch (error) {
      this.error = {
        kind: "unknown",
        status: 200,
        message: error instanceof Error ? error.message : "the upstream's stream could not be read",
        code: "",
      };
    }
    return this.deliver(out);
  }

  end(): string | undefined {
    if (this.error) return undefined;
    let out = "";
    for (const { event, data } of this.decoder.end()) out += this.take(this.reader.push(event, data));
    out += this.take(this.reader.end());
    return this.deliver(out);
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

  deliveredText(): string {
    return this.text;
  }

  private take(parts: StreamPart[]): string {
    let out = "";
    for (const part of parts) {
      if (this.error) break;
      if (part.kind === "error") {
        this.error = part.error;
        break;
      }
      if (part.kind === "usage") this.usage = mergeUsage(this.usage, part.usage);
      else if (part.kind === "tool-call") this.text += part.name;
      else if ("text" in part) this.text += part.text;
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
