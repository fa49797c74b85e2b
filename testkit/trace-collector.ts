import { createServer } from "node:http";
import { listenOnLoopback } from "./loopback-server";

/** A span as a collector is sent it, with its attributes as an object. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  attributes: Readonly<Record<string, unknown>>;
}

/** A collector of traces over OTLP/HTTP with JSON. */
export interface TraceCollector {
  /** Base address, without a slash at the end. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** The received bodies, unchanged. */
  readonly bodies: readonly string[];
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  /** Attributes that identify the sending process. */
  readonly resource: Readonly<Record<string, unknown>>;
  /** The status of the next answers. */
  answer(status: number): void;
  close(): Promise<void>;
}

interface WireValue {
  stringValue?: string;
  intValue?: string;
  doubleValue?: number;
  boolValue?: boolean;
}

interface WireAttribute {
  key: string;
  value: WireValue;
}

interface WireTraces {
  resourceSpans: {
    resource: { attributes: WireAttribute[] };
    scopeSpans: { spans: (Omit<CollectedSpan, "attributes"> & { attributes: WireAttribute[] })[] }[];
  }[];
}

const readAttributes = (attributes: readonly WireAttribute[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.intValue === undefined
        ? (value.stringValue ?? value.doubleValue ?? value.boolValue)
        : Number(value.intValue),
    ]),
  );

/** Starts a collector on a free loopback port. */
export const startTraceCollector = async (): Promise<TraceCollector> => {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const headers: Readonly<Record<string, unknown>>[] = [];
  let resource: Record<string, unknown> = {};
  let status = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const isTraces = request.method === "POST" && request.url === "/v1/traces";
      if (!isTraces || status !== 200) {
        response.writeHead(isTraces ? status : 404).end();
        return;
      }
      const body = Buffer.concat(chunks).toString();
      bodies.push(body);
      headers.push(request.headers);
      for (const part of (JSON.parse(body) as WireTraces).resourceSpans) {
        resource = readAttributes(part.resource.attributes);
        for (const scope of part.scopeSpans)
          for (const span of scope.spans)
            spans.push({ ...span, attributes: readAttributes(span.attributes) });
      }
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    spans,
    bodies,
    headers,
    get resource() {
      return resource;
    },
    answer(next) {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
