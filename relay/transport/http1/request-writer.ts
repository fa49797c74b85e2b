import type { Writable } from "node:stream";
import type { UpstreamRequest } from "../../ports/transport";

type Body = UpstreamRequest["body"];

/** Up to this size, head and body are copied together: one write costs less than two. */
const MAX_JOINED_BYTES = 64 * 1024;

const isInPieces = (body: Body): body is readonly Uint8Array[] => Array.isArray(body);

export const bodyLength = (body: Body): number => {
  if (typeof body === "string") return Buffer.byteLength(body);
  if (!isInPieces(body)) return body.length;
  let bytes = 0;
  for (const piece of body) bytes += piece.length;
  return bytes;
};

const join = (head: string, body: Body, bodyBytes: number): Buffer => {
  const joined = Buffer.allocUnsafe(head.length + bodyBytes);
  let at = joined.write(head, "latin1");
  if (typeof body === "string") joined.write(body, at);
  else if (!isInPieces(body)) joined.set(body, at);
  else {
    for (const piece of body) {
      joined.set(piece, at);
      at += piece.length;
    }
  }
  return joined;
};

/** Writes requests to a socket, with its back-pressure and without copying large bodies. */
export class RequestWriter {
  /** The unwritten rest of the body, from `next` on. */
  private pieces: readonly Uint8Array[] = [];
  private next = 0;
  /**
   * The last write was flushed: over TLS the callback comes some time after the bytes are gone, maybe after the answer.
   */
  private isTaken = true;
  /** Shared by all requests of the connection. */
  private readonly onTaken = (error?: Error | null): void => {
    if (error) return;
    this.isTaken = true;
    this.onDone();
  };

  /** @param onDone called each time that a request has been taken by the operating system whole. */
  constructor(
    private readonly socket: Writable,
    private readonly onDone: () => void = () => {},
  ) {}

  /** The whole request was passed to the socket, which may not have sent it yet. */
  get isGiven(): boolean {
    return this.next === this.pieces.length;
  }

  /** The operating system has accepted all bytes. */
  get isDone(): boolean {
    return this.isGiven && this.isTaken;
  }

  /** @param head in which each character is one byte. */
  write(head: string, body: Body, bodyBytes: number): void {
    this.isTaken = false;
    if (head.length + bodyBytes <= MAX_JOINED_BYTES) {
      this.socket.write(join(head, body, bodyBytes), this.onTaken);
      return;
    }
    this.pieces = typeof body === "string" ? [Buffer.from(body)] : isInPieces(body) ? body : [body];
    this.next = 0;
    this.socket.cork();
    this.socket.write(head, "latin1");
    this.proceed();
    this.socket.uncork();
  }

  /** The socket takes more. */
  proceed(): void {
    while (this.next < this.pieces.length) {
      const piece = this.pieces[this.next] as Uint8Array;
      this.next += 1;
      const isLast = this.next === this.pieces.length;
      // Writes are flushed in their order, so the last callback covers all.
      if (!this.socket.write(piece, isLast ? this.onTaken : undefined)) return;
    }
  }

  /** Lets go of the request. */
  clear(): void {
    this.pieces = [];
    this.next = 0;
  }
}
