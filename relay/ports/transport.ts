import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";

/* The upstream's side: requests, answers, failures and signatures. */

/**
 * Details of a failure for the operator's log: words of the upstream or of the system, or the gateway's finding, with
 * the answer's HTTP status if there was one.
 */
export type FailureDetail = string | (UpstreamFault & { readonly status?: number });

/** A failure below HTTP. */
export interface TransportFailure {
  kind: "connect" | "timeout" | "reset" | "blocked" | "invalid";
  /** May hold addresses, so it never goes to a client. */
  detail: FailureDetail;
}

/** Receives one upstream answer. All calls come in this order; `onEnd` or `onFailure` is the last. */
export interface UpstreamReceiver {
  onStart(abort: () => void): void;
  onHeaders(status: number, headers: Record<string, string | string[] | undefined>, resume: () => void): void;
  /** @returns false to be sent no more until `resume` is called. */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  onFailure(failure: TransportFailure): void;
}

export interface UpstreamRequest {
  /** Address of a proxy to go through, over HTTP or SOCKS5. */
  proxy?: string;
  /**
   * The scheme selects the transport: one request (http, https), or a WebSocket whose first message is the body (ws, wss).
   */
  origin: string;
  path: string;
  /** POST when left out. */
  method?: "GET";
  headers: Record<string, string>;
  /** Several pieces are sent one after another, so that a large body need not be copied to change a part of it. */
  body: Uint8Array | string | readonly Uint8Array[];
  /**
   * Milliseconds for which the connection waits for the first byte, and for each next one, where that is longer than the
   * process-wide time-outs.
   */
  patience?: { readonly firstByteMs: number; readonly idleMs: number };
  /** Only over a WebSocket: returns whether a message is the last one. */
  isLastMessage?: ((data: string) => boolean) | undefined;
  /** Names of the channel's overrides that changed it. */
  applied?: readonly string[];
  /** Fields of the client's request that are left out, because the upstream's protocol cannot express them. */
  ignored?: readonly string[];
}

export interface Transport {
  send(request: UpstreamRequest, receiver: UpstreamReceiver): void;
  close(): Promise<void>;
}

/** Dependencies of signing: time, randomness, and a connection to the issuer of tokens. */
export interface AuthTools {
  transport: Transport;
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
}

/** Outcome of authorizing a request. */
export type Authorization =
  | { request: UpstreamRequest }
  /** The issuer of tokens could not be reached. */
  | { failure: TransportFailure }
  /** The issuer of tokens refused: its answer, to be read like one of the upstream's own. */
  | { refusal: { status: number; body: Buffer } };

/** Adds a channel's credential to its requests when fixed headers are not enough: signs them, or fetches tokens. */
export interface Authorizer {
  /** @param done called once, maybe synchronously. */
  authorize(request: UpstreamRequest, tools: AuthTools, done: (authorization: Authorization) => void): void;
  /**
   * Discards the remembered credential after the upstream refused it.
   * @returns whether a retry could succeed, because a credential had been remembered.
   */
  renew?(): boolean;
}
