import type { ClientResponse, TextEncoding } from "@tollgate/relay/ports/client";
import type { StoredBody } from "@tollgate/storage/bodies/stored-body";
import type { CappedBytes } from "./capped-bytes";
import { isTextType, mediaTypeOf } from "./media-type";
import { ResponseAround } from "./response-around";

/** Passes an answer on to the client, and keeps a copy. */
export class BodyRecorder extends ResponseAround {
  private status = 0;
  private contentType = "";
  private isText = false;
  private isOver = false;

  /** @param onEnd called once: when the answer is complete, or when the connection ends before. */
  constructor(
    response: ClientResponse,
    private readonly given: CappedBytes,
    private readonly onEnd: (answer: StoredBody["answer"]) => void,
  ) {
    super(response);
    response.on("close", () => this.finish());
  }

  override writeHead(status: number, headers: Record<string, string | number>): unknown {
    this.status = status;
    this.contentType = mediaTypeOf(String(headers["content-type"] ?? ""));
    this.isText = isTextType(this.contentType);
    return this.response.writeHead(status, headers);
  }

  override write(chunk: Uint8Array | string): boolean {
    this.keep(chunk);
    return this.response.write(chunk);
  }

  override end(chunk: Uint8Array | string = "", encoding: TextEncoding = "utf8"): unknown {
    if (chunk.length > 0) this.keep(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
    const result = this.response.end(chunk, encoding);
    this.finish();
    return result;
  }

  private keep(chunk: Uint8Array | string): void {
    if (this.isText) this.given.push(chunk);
    else this.given.skip(chunk);
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onEnd({
      status: this.status,
      contentType: this.contentType,
      sizeBytes: this.given.sizeBytes,
      bytes: this.isText ? this.given.bytes : undefined,
    });
  }
}
