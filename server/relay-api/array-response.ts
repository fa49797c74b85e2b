import { createSseDecoder } from "@tollgate/protocols/shared/sse-decoder";
import type { ClientResponse, TextEncoding } from "@tollgate/relay/ports";

/**
 * Turns a stream of server-sent events, on its way out, into one growing JSON array of their data: what Gemini clients
 * get that do not ask for `alt=sse`. An answer in one piece (an error) goes out as it is.
 */
export class ArrayResponse implements ClientResponse {
  private readonly decoder = createSseDecoder();
  private isStream = false;
  private hasElements = false;

  constructor(private readonly response: ClientResponse) {}

  get headersSent(): boolean {
    return this.response.headersSent;
  }

  get writableEnded(): boolean {
    return this.response.writableEnded;
  }

  get destroyed(): boolean {
    return this.response.destroyed;
  }

  writeHead(status: number, headers: Record<string, string | number>): unknown {
    this.isStream = String(headers["content-type"]).startsWith("text/event-stream");
    return this.response.writeHead(
      status,
      this.isStream ? { ...headers, "content-type": "application/json; charset=utf-8" } : headers,
    );
  }

  write(chunk: Uint8Array | string): boolean {
    return this.response.write(this.isStream ? this.translate(chunk) : chunk);
  }

  end(chunk: Uint8Array | string = "", encoding: TextEncoding = "utf8"): unknown {
    if (!this.isStream) return this.response.end(chunk, encoding);
    const rest = this.translate(chunk);
    const last = this.decoder.end().map(({ data }) => this.element(data));
    return this.response.end(`${rest}${last.join("")}${this.hasElements ? "]" : "[]"}`);
  }

  destroy(): unknown {
    return this.response.destroy();
  }

  on(event: "close", listener: () => void): unknown {
    return this.response.on(event, listener);
  }

  once(event: "drain", listener: () => void): unknown {
    return this.response.once(event, listener);
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
