import type { IncomingMessage } from "node:http";
import { type RawData, WebSocket } from "ws";
import { bodyBytes } from "../auth/body-bytes";
import type { Transport, UpstreamReceiver, UpstreamRequest } from "../ports/transport";
import { isOriginBlocked } from "./blocked-origin";
import { guardedLookup } from "./outbound-guard";
import { readFailure } from "./read-failure";
import type { TransportSettings } from "./transport-settings";

/** Maximum message size: far above any vendor's messages. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/**
 * One request over its own WebSocket, presented as HTTP: each message as a server-sent event or, for a caller that
 * requested JSON, all of them as one list.
 */
class SocketCall {
  private readonly socket: WebSocket;
  private readonly isList: boolean;
  private hasMessages = false;
  private isOver = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly request: UpstreamRequest,
    private readonly receiver: UpstreamReceiver,
    private readonly settings: TransportSettings,
    private readonly onOver: (call: SocketCall) => void,
  ) {
    const { "content-type": _, accept = "", ...headers } = request.headers;
    this.isList = accept.startsWith("application/json");
    this.socket = new WebSocket(request.origin + request.path, {
      headers,
      lookup: guardedLookup,
      handshakeTimeout: settings.connectTimeoutMs,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    this.socket.on("open", () => this.onOpen());
    this.socket.on("message", (data) => this.guard(() => this.onMessage(data)));
    this.socket.on("unexpected-response", (_request, response) => this.onRefusal(response));
    this.socket.on("error", (error) => this.fail(error));
    this.socket.on("close", () => this.guard(() => this.end()));
    receiver.onStart(() => this.abort());
  }

  /** Ends it without a word to the receiver. */
  abort(): void {
    this.finish();
    this.socket.terminate();
  }

  private onOpen(): void {
    if (this.isOver) return;
    this.waitAtMost(Math.max(this.settings.firstByteTimeoutMs, this.request.patience?.firstByteMs ?? 0));
    const type = this.isList ? "application/json" : "text/event-stream";
    this.receiver.onHeaders(200, { "content-type": type }, () => this.socket.resume());
    this.socket.send(bodyBytes(this.request.body), { binary: false });
  }

  private onMessage(raw: RawData): void {
    if (this.isOver) return;
    this.waitAtMost(Math.max(this.settings.idleTimeoutMs, this.request.patience?.idleMs ?? 0));
    const text = raw.toString();
    const opening = this.hasMessages ? "," : "[";
    this.hasMessages = true;
    const chunk = this.isList ? opening + text : `data: ${text.replaceAll("\n", "\ndata: ")}\n\n`;
    if (!this.receiver.onData(Buffer.from(chunk))) this.socket.pause();
    if (this.request.isLastMessage?.(text)) this.end();
  }

  /** The upgrade was refused: its HTTP answer is treated like any other. */
  private onRefusal(response: IncomingMessage): void {
    if (this.isOver) return;
    this.finish();
    this.receiver.onHeaders(response.statusCode ?? 502, response.headers, () => response.resume());
    response.on("data", (chunk: Buffer) => this.receiver.onData(chunk));
    response.on("error", (error) => this.receiver.onFailure(readFailure(error)));
    response.on("end", () => {
      this.receiver.onEnd();
      this.socket.terminate();
    });
  }

  private end(): void {
    if (this.isOver) return;
    this.finish();
    if (this.isList && this.hasMessages) this.receiver.onData(Buffer.from("]"));
    this.receiver.onEnd();
    // An unanswered closing handshake holds no resources: ws times out by itself.
    this.socket.close();
  }

  private fail(error: Error & { code?: string }): void {
    if (this.isOver) return;
    this.finish();
    const isLate = error.message.includes("handshake has timed out");
    this.receiver.onFailure(
      isLate ? { kind: "timeout", detail: { code: "handshake-timeout" } } : readFailure(error),
    );
  }

  private waitAtMost(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.isOver) return;
      this.abort();
      this.receiver.onFailure({ kind: "timeout", detail: { code: "message-timeout", ms } });
    }, ms);
  }

  private finish(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.onOver(this);
  }

  /** Whatever an upstream sends, it ends at most its own request, never the process. */
  private guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.abort();
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.receiver.onFailure({ kind: "reset", detail });
    }
  }
}

/** Upstream connections over WebSockets (https://www.rfc-editor.org/rfc/rfc6455), one for each request. */
export const createSocketTransport = (settings: TransportSettings): Transport => {
  const calls = new Set<SocketCall>();
  return {
    send(request, receiver) {
      if (isOriginBlocked(request.origin)) {
        receiver.onFailure({ kind: "blocked", detail: { code: "origin-blocked", origin: request.origin } });
        return;
      }
      if (request.proxy !== undefined) {
        // A direct connection would reveal the address that the proxy must hide.
        receiver.onFailure({ kind: "connect", detail: { code: "socket-through-proxy" } });
        return;
      }
      calls.add(new SocketCall(request, receiver, settings, (call) => calls.delete(call)));
    },
    async close() {
      for (const call of calls) call.abort();
    },
  };
};
