import type { ClientResponse, TextEncoding } from "@tollgate/relay/ports/client";

/** Wraps a client's response, and may change its output. */
export abstract class ResponseAround implements ClientResponse {
  constructor(protected readonly response: ClientResponse) {}

  get headersSent(): boolean {
    return this.response.headersSent;
  }

  get writableEnded(): boolean {
    return this.response.writableEnded;
  }

  get destroyed(): boolean {
    return this.response.destroyed;
  }

  get writableLength(): number {
    return this.response.writableLength;
  }

  abstract writeHead(status: number, headers: Record<string, string | number>): unknown;
  abstract write(chunk: Uint8Array | string): boolean;
  abstract end(chunk?: Uint8Array | string, encoding?: TextEncoding): unknown;

  destroy(): unknown {
    return this.response.destroy();
  }

  on(event: "close", listener: () => void): unknown {
    return this.response.on(event, listener);
  }

  once(event: "drain", listener: () => void): unknown {
    return this.response.once(event, listener);
  }
}
