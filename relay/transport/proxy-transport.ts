import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { UpstreamReceiver, UpstreamRequest } from "../ports/transport";
import { isOriginBlocked } from "./blocked-origin";
import { bodyLength } from "./http1/request-writer";
import { openProxyAgent } from "./proxy-agent";
import { readFailure } from "./read-failure";
import type { TransportSettings } from "./transport-settings";
import { WANTED_HEADERS } from "./wanted-headers";

const readHeaders = (raw: Buffer[]): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]?.toString("latin1").toLowerCase() ?? "";
    if (WANTED_HEADERS.includes(name)) headers[name] = raw[i + 1]?.toString("latin1") ?? "";
  }
  return headers;
};

/**
 * Passes one answer on. One socket read often contains many HTTP chunks with one event of a stream each: they are
 * passed on together, so that each read costs the receiver one call and the client one write.
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
      // Runs after all data of this read.
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

export interface ProxyTransport {
  /** @param proxy its address. */
  send(proxy: string, request: UpstreamRequest, receiver: UpstreamReceiver): void;
  close(): Promise<void>;
}

/** A body in several pieces is streamed, with its length sent in advance. */
const withBody = (
  headers: Record<string, string>,
  body: UpstreamRequest["body"],
): { headers: Record<string, string>; body: string | Uint8Array | Readable } => {
  const sent = { ...headers, "accept-encoding": "identity" };
  return typeof body === "string" || body instanceof Uint8Array
    ? { headers: sent, body }
    : { headers: { ...sent, "content-length": String(bodyLength(body)) }, body: Readable.from(body) };
};

const flushGathered = (handler: Handler): void => handler.flush();

/** Upstream connections through proxies, over undici's dispatch: kept alive, one request at a time on each. */
export const createProxyTransport = (settings: TransportSettings): ProxyTransport => {
  const proxies = new Map<string, Dispatcher>();
  let isClosed = false;
  /** Connections are kept per proxy. @throws Error once the transport is closed. */
  const open = async (address: string): Promise<Dispatcher> => {
    const opened = await openProxyAgent(address, settings.connectTimeoutMs, {
      pipelining: 1,
      keepAliveTimeout: 30_000,
      headersTimeout: settings.firstByteTimeoutMs,
      bodyTimeout: settings.idleTimeoutMs,
    });
    if (isClosed) throw new Error("the gateway is stopping");
    const proxy = proxies.get(address) ?? opened;
    proxies.set(address, proxy);
    return proxy;
  };
  return {
    send(proxy, { origin, path, method = "POST", headers, body, patience }, receiver) {
      if (isOriginBlocked(origin)) {
        receiver.onFailure({ kind: "blocked", detail: { code: "origin-blocked", origin } });
        return;
      }
      if (isOriginBlocked(proxy)) {
        receiver.onFailure({ kind: "blocked", detail: { code: "proxy-blocked" } });
        return;
      }
      const dispatch = (through: Dispatcher): void => {
        const timeouts = patience && {
          headersTimeout: Math.max(settings.firstByteTimeoutMs, patience.firstByteMs),
          bodyTimeout: Math.max(settings.idleTimeoutMs, patience.idleMs),
        };
        through.dispatch(
          { origin, path, method, ...withBody(headers, body), ...timeouts },
          new Handler(receiver),
        );
      };
      const opened = proxies.get(proxy);
      if (opened) dispatch(opened);
      else
        open(proxy)
          .then(dispatch)
          .catch((error: Error) =>
            receiver.onFailure({ kind: "reset", detail: isClosed ? { code: "stopping" } : error.message }),
          );
    },
    async close() {
      isClosed = true;
      await Promise.all([...proxies.values()].map((each) => each.destroy()));
    },
  };
};
