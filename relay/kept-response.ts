import { EventEmitter } from "node:events";
import type { ClientResponse } from "./ports/client";

/** What is kept of an answer. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Keeps an answer instead of sending it. */
export class KeptResponse extends EventEmitter implements ClientResponse {
  headersSent = false;
  writableEnded = false;
  destroyed = false;
  readonly writableLength = 0;
  byteCount = 0;
  private readonly chunks: Buffer[] = [];

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }

  writeHead(): void {
    this.headersSent = true;
  }

  write(chunk: Uint8Array | string, encoding?: BufferEncoding): boolean {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : Buffer.from(chunk);
    if (this.byteCount < MAX_ANSWER_BYTES) this.chunks.push(bytes);
    this.byteCount += bytes.length;
    return true;
  }

  end(chunk?: Uint8Array | string, encoding?: BufferEncoding): void {
    if (chunk !== undefined) this.write(chunk, encoding);
    this.writableEnded = true;
    this.emit("close");
  }

  destroy(): void {
    if (this.destroyed || this.writableEnded) return;
    this.destroyed = true;
    this.emit("close");
  }
}
