import { createSseDecoder } from "@tollgate/protocols/shared/stream/sse-decoder";
import type { TextEncoding } from "@tollgate/relay/ports/client";
import { ResponseAround } from "./response-around";

/**
 * Converts a stream of server-sent events into one growing JSON array of their data, for Gemini clients that do not
 * request `alt=sse`. A complete answer (an error) passes unchanged.
 */
export class ArrayResponse extends ResponseAround {
  private readonly decoder = createSseDecoder();
  private isStream = false;
  private hasElements = false;

  override writeHead(status: number, headers: Record<string, string | number>): unknown {
    this.isStream = String(headers["content-type"]).startsWith("text/event-stream");
    return this.response.writeHead(
      status,
      this.isStream ? { ...headers, "content-type": "application/json; charset=utf-8" } : headers,
    );
  }

  override write(chunk: Uint8Array | string): boolean {
    return this.response.write(this.isStream ? this.translate(chunk) : chunk);
  }

  override end(chunk: Uint8Array | string = "", encoding: TextEncoding = "utf8"): unknown {
    if (!this.isStream) return this.response.end(chunk, encoding);
    const rest = this.translate(chunk);
    const last = this.decoder.end().map(({ data }) => this.element(data));
    return this.response.end(`${rest}${last.join("")}${this.hasElements ? "]" : "[]"}`);
  }

  private translate(chunk: Uint8Array | string): string {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    return this.decoder
      .push(bytes)
      .map(({ data }) => this.element(data))
      .join("");
  }

  private element(data: string): string {
    const mark = this.hasElements ? ",\r\n" : "[";
    this.hasElements = true;
    return mark + data;
  }
}
