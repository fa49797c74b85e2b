import { ChunkedReader } from "./chunked-reader";
import { MalformedAnswer } from "./malformed-answer";
import { type AnswerHead, findHeadEnd, parseHead } from "./parse-head";

/** Maximum size of an answer's head, including all interim answers before it. */
const MAX_HEAD_BYTES = 64 * 1024;

/** How the body ends (https://www.rfc-editor.org/rfc/rfc9112#section-6.3). */
type Framing = "none" | "length" | "chunked" | "close";

const framingOf = (head: AnswerHead): Framing => {
  if (head.status === 204 || head.status === 304) return "none";
  if (head.isChunked) return "chunked";
  if (head.contentLength === 0) return "none";
  return head.contentLength > 0 ? "length" : "close";
};

/**
 * Parses answers from a connection's bytes, in chunks of any size. It has no socket, and of the given bytes it keeps
 * only the beginning of a head.
 */
export class AnswerReader {
  /** Undefined until the head is complete. */
  head: AnswerHead | undefined;
  /** A byte of the answer has come. */
  hasBegun = false;
  /** The answer is complete. */
  isDone = false;
  /** More came than the answer. */
  hasExtra = false;
  /** Offset of the payload in the bytes of the last `read`. */
  payloadFrom = 0;
  payloadTo = 0;

  private framing: Framing = "none";
  /** Remaining bytes of a body with a length. */
  private remaining = 0;
  private readonly chunks = new ChunkedReader();
  /** Size of interim heads, which are skipped. */
  private interimBytes = 0;
  /** The beginning of a head that did not come in one read. */
  private early: Buffer | undefined;
  private earlyBytes = 0;

  /** Makes it ready for the next answer. */
  reset(): void {
    this.head = undefined;
    this.hasBegun = false;
    this.isDone = false;
    this.hasExtra = false;
    this.interimBytes = 0;
    this.early = undefined;
    this.earlyBytes = 0;
  }

  /**
   * Parses the bytes of one socket read.
   * @param bytes may be changed.
   * @throws MalformedAnswer
   */
  read(bytes: Buffer, length: number): void {
    this.payloadFrom = 0;
    this.payloadTo = 0;
    this.hasBegun = true;
    const from = this.head === undefined ? this.readHead(bytes, length) : 0;
    if (this.head === undefined) return;
    const end = this.isDone ? from : this.readBody(bytes, from, length);
    if (end < length) this.hasExtra = true;
  }

  /** The upstream closed the connection in order. @returns whether that was the end of the answer. */
  close(): boolean {
    if (this.head !== undefined && this.framing === "close") this.isDone = true;
    return this.isDone;
  }

  /** @returns the offset of the body. */
  private readHead(bytes: Buffer, length: number): number {
    if (this.early !== undefined) return this.readHeadOnward(bytes, length);
    const end = this.readHeads(bytes, 0, 0, length);
    if (this.head === undefined) this.keepEarly(bytes, end, length);
    return end;
  }

  /** The same for a head that began in an earlier read. */
  private readHeadOnward(bytes: Buffer, length: number): number {
    const before = this.earlyBytes;
    const early = this.keepEarly(bytes, 0, length);
    const end = this.readHeads(early, 0, Math.max(0, before - 3), this.earlyBytes);
    if (this.head === undefined) {
      if (end > 0) {
        early.copyWithin(0, end, this.earlyBytes);
        this.earlyBytes -= end;
      }
      return length;
    }
    this.early = undefined;
    return end - before;
  }

  /**
   * Reads heads until one is more than "go on": 1xx come before the answer
   * (https://www.rfc-editor.org/rfc/rfc9110#section-15.2).
   * @returns the end of the last head that is whole.
   */
  private readHeads(bytes: Buffer, start: number, from: number, to: number): number {
    let at = start;
    let searchFrom = from;
    for (;;) {
      const end = findHeadEnd(bytes, at, searchFrom, to);
      const size = this.interimBytes + (end === -1 ? to : end) - at;
      if (size > MAX_HEAD_BYTES) throw new MalformedAnswer("head-too-large");
      if (end === -1) return at;
      const head = parseHead(bytes, at, end);
      if (head.status >= 200) {
        this.begin(head);
        return end;
      }
      if (head.status === 101) throw new MalformedAnswer("protocol-changed");
      this.interimBytes = size;
      at = end;
      searchFrom = end;
    }
  }

  private keepEarly(bytes: Buffer, from: number, to: number): Buffer {
    const size = this.earlyBytes + to - from;
    let early = this.early;
    if (early === undefined || early.length < size) {
      const larger = Buffer.allocUnsafe(Math.max(1024, size * 2));
      early?.copy(larger, 0, 0, this.earlyBytes);
      early = larger;
      this.early = larger;
    }
    bytes.copy(early, this.earlyBytes, from, to);
    this.earlyBytes = size;
    return early;
  }

  private begin(head: AnswerHead): void {
    this.head = head;
    this.framing = framingOf(head);
    if (this.framing === "none") this.isDone = true;
    else if (this.framing === "length") this.remaining = head.contentLength;
    else if (this.framing === "chunked") this.chunks.reset();
  }

  /** @returns the end offset: `to`, or the end of the answer. */
  private readBody(bytes: Buffer, from: number, to: number): number {
    if (this.framing === "chunked") {
      const end = this.chunks.read(bytes, from, to);
      this.payloadFrom = this.chunks.payloadFrom;
      this.payloadTo = this.chunks.payloadTo;
      this.isDone = this.chunks.isDone;
      return end;
    }
    const end = this.framing === "length" ? Math.min(to, from + this.remaining) : to;
    this.payloadFrom = from;
    this.payloadTo = end;
    if (this.framing === "length") {
      this.remaining -= end - from;
      this.isDone = this.remaining === 0;
    }
    return end;
  }
}
