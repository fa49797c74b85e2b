import { EventEmitter } from "node:events";
import type { ClientResponse } from "../ports/client";

/** A client's connection that records the bytes sent to it, and rejects writes that no connection accepts. */
export class RecordingResponse extends EventEmitter implements ClientResponse {
  status = 0;
  headers: Record<string, string | number> = {};
  headersSent = false;
  writableEnded = false;
  destroyed = false;
  /** Bytes its client has not read. */
  writableLength = 0;
  /** The result of `write`. */
  isReading = true;
  /** Called as the answer ends, before the listeners. */
  onEnding: () => void = () => {};
  /** Number of bytes sent. */
  byteCount = 0;
  private readonly chunks: Uint8Array[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  get text(): string {
    return this.bytes.toString("utf8");
  }

  writeHead(status: number, headers: Record<string, string | number>): void {
    if (this.headersSent) throw new Error("the head was written twice");
    this.status = status;
    this.headers = headers;
    this.headersSent = true;
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.writableEnded) throw new Error("written after the end");
    const bytes = Buffer.from(chunk as Uint8Array);
    this.chunks.push(bytes);
    this.byteCount += bytes.length;
    return this.isReading;
  }

  end(chunk?: Uint8Array | string, encoding?: BufferEncoding): void {
    if (this.writableEnded) throw new Error("ended twice");
    if (chunk !== undefined) this.write(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
    this.writableEnded = true;
    this.onEnding();
    this.emit("close");
  }

  destroy(): void {
    if (this.destroyed || this.writableEnded) return;
    this.destroyed = true;
    this.emit("close");
  }
}
