import { Readable } from "node:stream";
import { Agent, type Dispatcher, ProxyAgent } from "undici";
import type { Transport, UpstreamReceiver, UpstreamRequest } from "../ports";
import { isOriginBlocked } from "./blocked-origin";
import { guardedLookup } from "./outbound-guard";
import { readFailure } from "./read-failure";
import type { TransportSettings } from "./transport-settings";

/** The headers of an answer that anybody looks at; the rest is not even decoded. */
const WANTED = new Set(["content-type", "retry-after", "retry-after-ms", "date", "x-amzn-errortype"]);
const LONGEST = 16;

const readHeaders = (raw: Buffer[]): Record<string, string | string[] | undefined> => {
  const headers: Record<string, string | string[] | undefined> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const rawName = raw[i];
    if (rawName === undefined || rawName.length > LONGEST) continue;
    const name = rawName.toString("latin1").toLowerCase();
    if (WANTED.has(name)) headers[name] = raw[i + 1]?.toString("latin1");
  }
  return headers;
};

/**
 * Passes one answer on. An object with fixed fields and plain callbacks: it runs for every request. One read of a socket
 * often holds many HTTP chunks, an event of a stream in each: they are passed on together, so that each read costs the
 * receiver one call and the client one write.
 */
class Handler implements Dispatcher.DispatchHandler {
  private first: Buffer | undefined;
  private more: Buffer[] | undefined;
  private isGathering = false;
  private isPaused = false;
  private resume: (() => void) | undefined;

  constructor(private readonly receiver: UpstreamReceiver) {}

  onConnect(abort: (error?: Error) => void): void {
    this.receiver.onStart(() => abort());
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void): boolean {
    if (status < 200) return true;
    this.resume = resume;
    this.receiver.onHeaders(status, readHeaders(headers), () => this.continue());
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.first === undefined) this.first = chunk;
    else if (this.more === undefined) this.more = [this.first, chunk];
    else this.more.push(chunk);
    if (!this.isGathering) {
      this.isGathering = true;
      // After everything that this read brings.
      process.nextTick(flushGathered, this);
    }
    return !this.isPaused;
  }

  onComplete(): void {
    this.flush();
    this.guard(() => this.receiver.onEnd());
  }

  onError(error: Error): void {
    this.flush();
    this.receiver.onFailure(readFailure(error));
  }

  flush(): void {
    this.isGathering = false;
    const { first, more } = this;
    if (first === undefined) return;
    this.first = undefined;
    this.more = undefined;
    this.guard(() => {
      const isGoing = this.receiver.onData(more === undefined ? first : Buffer.concat(more));
      if (!isGoing) this.isPaused = true;
    });
  }

  /** Whatever an upstream sends, it ends at most its own request, never the process. */
  private guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.receiver.onFailure({ kind: "reset", detail });
    }
  }

  private continue(): void {
    this.isPaused = false;
    this.resume?.();
  }
}

const isInPieces = (body: UpstreamRequest["body"]): body is readonly Uint8Array[] => Array.isArray(body);

const bodyOf = (body: UpstreamRequest["body"]): string | Uint8Array | Readable =>
  isInPieces(body) ? Readable.from(body) : body;

const flushGathered = (handler: Handler): void => handler.flush();

/** Upstream connections over undici's dispatch: kept alive, one request at a time on each. */
export const createUndiciTransport = (settings: TransportSettings): Transport => {
  const common = {
    pipelining: 1,
    keepAliveTimeout: 30_000,
    headersTimeout: settings.firstByteTimeoutMs,
    bodyTimeout: settings.idleTimeoutMs,
  };
  const connect = { timeout: settings.connectTimeoutMs, lookup: guardedLookup };
  const agent = new Agent({ ...common, connect });
  const proxies = new Map<string, ProxyAgent>();
  /** Connections through a proxy are kept for each proxy; the guard looks at the proxy's own address. */
  const throughProxy = (uri: string): ProxyAgent => {
    let proxy = proxies.get(uri);
    if (proxy === undefined) {
      proxy = new ProxyAgent({ ...common, uri, proxyTls: connect });
      proxies.set(uri, proxy);
    }
    return proxy;
  };
  return {
    send(request: UpstreamRequest, receiver: UpstreamReceiver) {
      if (isOriginBlocked(request.origin)) {
        receiver.onFailure({ kind: "blocked", detail: `${request.origin} is a blocked address` });
        return;
      }
      (request.proxy === undefined ? agent : throughProxy(request.proxy)).dispatch(
        {
          origin: request.origin,
          path: request.path,
          method: "POST",
          headers: request.headers,
          body: bodyOf(request.body),
        },
        new Handler(receiver),
      );
    },
    async close() {
      await Promise.all([agent, ...proxies.values()].map((each) => each.destroy()));
    },
  };
};
