import type { ClientError, SentRefusal } from "@tollgate/contract/relay/error";

/* The client's side: its connection, and how a refusal is told. */

/** Why a request ends without an answer. */
export interface Refusal extends SentRefusal {
  /** Whole seconds after which a retry makes sense, if different from the default of this code. */
  retryAfterSeconds?: number;
  /** Additional headers of the answer, such as the client's standing with its limits. */
  headers?: Readonly<Record<string, string>>;
}

/** Puts a refusal into the status and the sentence that the client gets. */
export type Describe = (refusal: Refusal) => ClientError;

export type TextEncoding = "utf8" | "latin1";

/** The client's side of the connection: the part of node:http's ServerResponse that the engine uses. */
export interface ClientResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly destroyed: boolean;
  /** Bytes that were written and that the client has not taken. */
  readonly writableLength: number;
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  write(chunk: Uint8Array | string): boolean;
  end(chunk?: Uint8Array | string): unknown;
  /** @param encoding of a text; "latin1" for bytes in the shape of a text. */
  end(chunk: Uint8Array | string, encoding: TextEncoding): unknown;
  destroy(): unknown;
  /** The connection has closed. The event is emitted once, and registering with `once` would cost more. */
  on(event: "close", listener: () => void): unknown;
  once(event: "drain", listener: () => void): unknown;
}
