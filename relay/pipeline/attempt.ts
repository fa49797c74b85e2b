import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { ChannelEntry, TransportFailure, UpstreamReceiver } from "../ports";
import type { AnswerStream } from "./answer-stream";
import { PassStream } from "./pass-stream";

/** The largest answer in one piece that is read: far above any model's output, but a bound on memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** How much of an upstream's error is read. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Who runs an attempt and decides what follows from it. Of the last three exactly one is called, once. */
export interface AttemptOwner {
  /** The upstream begins to answer. */
  onHead(status: number): void;
  /** A success begins. @returns undefined when it is to be read as a whole. */
  createStream(channel: ChannelEntry, contentType: string): AnswerStream | undefined;
  /** Bytes for the client. @returns false when it reads slower than the upstream writes. */
  onBytes(bytes: Uint8Array | string): boolean;
  /** @param rest what the last read brought, not yet given to `onBytes`. */
  onStreamEnd(stream: AnswerStream, rest: Uint8Array | string | undefined): void;
  /** A success in one piece. `body` is its JSON, undefined when it is none. */
  onWholeAnswer(attempt: Attempt, bytes: Buffer, body: unknown): void;
  /** @param detail for the operator's log. */
  onError(attempt: Attempt, error: UpstreamError, detail: string): void;
}

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
};

/** An error that the gateway itself finds in an answer. */
export const answerError = (kind: "empty" | "unknown", status: number, message = ""): UpstreamError => ({
  kind,
  status,
  message,
  code: "",
});

/**
 * One upstream try. An object of its own for each, so that late events of a connection that was given up cannot be
 * taken for the next one's.
 */
export class Attempt implements UpstreamReceiver {
  stream: AnswerStream | undefined;
  status = 0;
  private isOver = false;
  private abortUpstream: (() => void) | undefined;
  private resumeUpstream: (() => void) | undefined;
  private headers: Record<string, string | string[] | undefined> = {};
  private pieces: Buffer[] = [];
  private size = 0;

  constructor(
    readonly channel: ChannelEntry,
    private readonly owner: AttemptOwner,
  ) {}

  /** Whether the client was given something. */
  get hasDelivered(): boolean {
    return this.stream?.hasDelivered ?? false;
  }

  /** What the upstream calls its answer, "" when it does not say. */
  get contentType(): string {
    return String(this.headers["content-type"] ?? "");
  }

  /** Gives the attempt up; the owner hears no more of it. */
  abort(): void {
    this.isOver = true;
    this.abortUpstream?.();
  }

  /** The client can take more. */
  resume(): void {
    this.resumeUpstream?.();
  }

  onStart(abort: () => void): void {
    this.abortUpstream = abort;
    if (this.isOver) abort();
  }

  onHeaders(
    status: number,
    headers: Record<string, string | string[] | undefined>,
    resume: () => void,
  ): void {
    this.status = status;
    this.headers = headers;
    this.resumeUpstream = resume;
    if (!this.isOver) this.owner.onHead(status);
    if (status < 300 && !this.isOver) this.stream = this.owner.createStream(this.channel, this.contentType);
  }

  onData(chunk: Buffer): boolean {
    if (this.isOver) return true;
    if (this.stream) return this.onStreamData(this.stream, chunk);
    this.size += chunk.length;
    if (this.size > (this.status < 300 ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES)) {
      this.abort();
      this.fail(answerError("unknown", this.status, "the answer is too large"));
      return true;
    }
    this.pieces.push(chunk);
    return true;
  }

  onEnd(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.stream) {
      const rest = this.stream.end();
      if (this.stream.error) this.breakOff(this.stream.error, rest);
      else this.endStream(this.stream, rest);
      return;
    }
    const bytes = this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces);
    const body = parseJson(bytes);
    if (this.status < 300) this.owner.onWholeAnswer(this, bytes, body);
    else this.fail(this.readError(bytes, body));
  }

  onFailure(failure: TransportFailure): void {
    if (this.isOver) return;
    this.isOver = true;
    const code = failure.kind === "timeout" ? "timeout" : "";
    this.owner.onError(this, { kind: "network", status: 0, message: "", code }, failure.detail);
  }

  /** Reads the upstream's own words out of an answer that is none. */
  readError(bytes: Buffer, body: unknown): UpstreamError {
    return this.channel.protocol.readError(this.status, this.headers, body ?? bytes.toString("utf8"));
  }

  private onStreamData(stream: AnswerStream, chunk: Buffer): boolean {
    const bytes = stream.push(chunk);
    if (stream.error) {
      this.abort();
      this.breakOff(stream.error, bytes);
      return true;
    }
    if (stream.isEnded && stream instanceof PassStream) {
      // The end mark is there: do not wait for the upstream to close.
      this.isOver = true;
      this.endStream(stream, bytes);
      return true;
    }
    return bytes === undefined || this.owner.onBytes(bytes);
  }

  private endStream(stream: AnswerStream, rest: Uint8Array | string | undefined): void {
    if (stream.hasDelivered) this.owner.onStreamEnd(stream, rest);
    // An answer without content counts when the model demonstrably worked for it.
    else if ((stream.usage.outputTokens ?? 0) > 0) this.owner.onStreamEnd(stream, stream.release());
    else this.fail(answerError("empty", this.status));
  }

  private breakOff(error: UpstreamError, rest: Uint8Array | string | undefined): void {
    if (rest !== undefined) this.owner.onBytes(rest);
    this.fail(error);
  }

  private fail(error: UpstreamError): void {
    this.owner.onError(this, error, `${error.status} ${error.code} ${error.message}`.trim());
  }
}
