import { isIP } from "node:net";
import { Agent, type Dispatcher } from "undici";
import type { Transport, TransportFailure, UpstreamReceiver, UpstreamRequest } from "../ports";
import { guardedLookup, isAddressAllowed } from "./outbound-guard";

export interface TransportSettings {
  connectTimeoutMs: number;
  /** How long an upstream may take until its answer begins. */
  firstByteTimeoutMs: number;
  /** How long an upstream may be silent in the middle of its answer. */
  idleTimeoutMs: number;
}

const TIMEOUTS = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"]);
const CONNECT_ERRORS = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

const readFailure = (error: Error & { code?: string }): TransportFailure => {
  const code = error.code ?? "";
  const detail = `${code === "" ? error.name : code}: ${error.message}`;
  if (code === "ADDRESS_BLOCKED") return { kind: "blocked", detail };
  if (TIMEOUTS.has(code)) return { kind: "timeout", detail };
  return { kind: CONNECT_ERRORS.has(code) ? "connect" : "reset", detail };
};

const readHeaders = (raw: Buffer[]): Record<string, string | string[] | undefined> => {
  const headers: Record<string, string | string[] | undefined> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]?.toString("latin1").toLowerCase() ?? "";
    headers[name] = raw[i + 1]?.toString("latin1");
  }
  return headers;
};

/** Passes one answer on. An object with fixed fields and plain callbacks: it runs for every request. */
class Handler implements Dispatcher.DispatchHandler {
  constructor(private readonly receiver: UpstreamReceiver) {}

  onConnect(abort: (error?: Error) => void): void {
    this.receiver.onStart(() => abort());
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void): boolean {
    if (status >= 200) this.receiver.onHeaders(status, readHeaders(headers), resume);
    return true;
  }

  onData(chunk: Buffer): boolean {
    return this.receiver.onData(chunk);
  }

  onComplete(): void {
    this.receiver.onEnd();
  }

  onError(error: Error): void {
    this.receiver.onFailure(readFailure(error));
  }
}

/** Upstream connections over undici's dispatch: kept alive, one request at a time on each. */
export const createUndiciTransport = (settings: TransportSettings): Transport => {
  const agent = new Agent({
    pipelining: 1,
    keepAliveTimeout: 30_000,
    headersTimeout: settings.firstByteTimeoutMs,
    bodyTimeout: settings.idleTimeoutMs,
    connect: { timeout: settings.connectTimeoutMs, lookup: guardedLookup },
  });
  return {
    send(request: UpstreamRequest, receiver: UpstreamReceiver) {
      const host = new URL(request.origin).hostname.replace(/^\[|\]$/g, "");
      // Literal addresses are never looked up, so the guard has to see them here.
      if (isIP(host) !== 0 && !isAddressAllowed(host)) {
        receiver.onFailure({ kind: "blocked", detail: `${host} is a blocked address` });
        return;
      }
      agent.dispatch(
        {
          origin: request.origin,
          path: request.path,
          method: "POST",
          headers: request.headers,
          body: request.body,
        },
        new Handler(receiver),
      );
    },
    async close() {
      await agent.destroy();
    },
  };
};
