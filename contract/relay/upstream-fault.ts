/** Deviation of an answer's bytes from HTTP/1.1 (https://www.rfc-editor.org/rfc/rfc9112). Shown as written here. */
export type AnswerFlaw =
  | "head-too-large"
  | "head-line-without-cr"
  | "head-control-character"
  | "head-cr-within-line"
  | "head-line-no-header"
  | "head-line-folded"
  | "status-line-missing"
  | "status-below-100"
  | "protocol-changed"
  | "length-beside-chunks"
  | "length-no-number"
  | "length-twice"
  | "transfer-coding-unknown"
  | "transfer-coding-beside-tab"
  | "chunk-size-missing"
  | "chunk-size-no-number"
  | "chunk-size-too-large"
  | "chunk-too-long"
  | "chunk-extension-unreadable"
  | "chunks-too-far-apart"
  | "chunks-cr-alone"
  | "trailer-no-header"
  | "trailer-control-character";

/**
 * The gateway's finding about an upstream, its answer or the connection, where no other service gave a reason. Its
 * sentence is in the server's catalogue (`upstream-faults.json` in the folder of each language).
 */
export type UpstreamFault =
  /** No connection, or one that ended. */
  | { code: "connect-timeout" }
  | { code: "answer-timeout" }
  | { code: "idle-timeout" }
  | { code: "only-keep-alives" }
  | { code: "headers-late"; seconds: number }
  | { code: "answer-late"; seconds: number }
  | { code: "first-token-late"; seconds: number }
  | { code: "token-late"; seconds: number }
  | { code: "handshake-timeout" }
  | { code: "message-timeout"; ms: number }
  | { code: "connection-closed" }
  | { code: "unsolicited-bytes" }
  | { code: "stopping" }
  /** Addresses to which the gateway does not go. */
  | { code: "origin-blocked"; origin: string }
  | { code: "name-blocked"; host: string }
  | { code: "proxy-blocked" }
  | { code: "socket-through-proxy" }
  /** A SOCKS5 proxy that refuses, with the number of its reply, or does not speak SOCKS5. */
  | { code: "socks-sign-in-refused" }
  | { code: "socks-refused"; reply: number }
  | { code: "socks-malformed" }
  /** Requests that cannot be sent, without the value that is to blame. */
  | { code: "path-unsendable" }
  | { code: "header-unsendable"; name: string }
  | { code: "header-not-allowed"; name: string }
  /** Answers that cannot be read. */
  | { code: "answer-malformed"; flaw: AnswerFlaw }
  | { code: "answer-packed"; encoding: string }
  | { code: "answer-unpackable"; reason: string }
  | { code: "answer-too-large" }
  | { code: "web-page" }
  /** Pictures of an answer that the client asked for as data. */
  | { code: "picture-unfetched"; host: string }
  | { code: "picture-without-memory" }
  | { code: "event-too-large"; maxBytes: number }
  | { code: "event-unreadable" }
  | { code: "event-damaged" }
  | { code: "too-many-calls" }
  | { code: "stream-no-json" }
  | { code: "stream-incomplete" }
  | { code: "stream-without-answer" }
  | { code: "stream-unreadable" };

export type UpstreamFaultCode = UpstreamFault["code"];

/** An answer that cannot be trusted any further. */
export class AnswerUnreadable extends Error {
  override readonly name = "AnswerUnreadable";
  constructor(readonly fault: UpstreamFault) {
    super(fault.code);
  }
}
