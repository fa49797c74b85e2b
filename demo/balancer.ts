import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";

/** A load balancer in front of several nodes: sends each request to the next of them in turn, from any client. */
export interface Balancer {
  /** Base address, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Interval and timeout of the readiness check of each node. */
const ASK_EVERY_MS = 250;
const ANSWER_MS = 1000;

/** Headers that hold for one connection alone (https://www.rfc-editor.org/rfc/rfc9110#name-connection). */
const OF_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "proxy-connection",
]);

const passedOn = (headers: IncomingMessage["headers"]): IncomingMessage["headers"] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)));

const refuse = (response: ServerResponse): void => {
  response
    .writeHead(502, { "content-type": "text/plain", "retry-after": "1" })
    .end("No node takes requests.\n");
};

/**
 * Starts a load balancer on this machine, for the demo and for tests. It requests `/readyz` of each node; where none is
 * ready, all are tried. A request goes to another node only when no connection was made: a node that accepted it may
 * have executed it.
 * @param nodes their base addresses.
 * @param port 0 for any free one.
 */
export const startBalancer = async (nodes: readonly string[], port = 0): Promise<Balancer> => {
  const ready = new Set(nodes);
  const check = async (node: string): Promise<void> => {
    try {
      const answer = await fetch(`${node}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
      await answer.arrayBuffer();
      if (answer.ok) ready.add(node);
      else ready.delete(node);
    } catch {
      ready.delete(node);
    }
  };
  const checking = setInterval(() => {
    for (const node of nodes) check(node);
  }, ASK_EVERY_MS);

  let turn = 0;
  /** All nodes to try, the next in turn first. */
  const candidates = (): string[] => {
    const open = nodes.filter((node) => ready.has(node));
    const all = open.length > 0 ? open : nodes;
    turn += 1;
    return all.map((_, index) => all[(turn + index) % all.length] as string);
  };

  const pass = (request: IncomingMessage, response: ServerResponse, [node, ...others]: string[]): void => {
    if (node === undefined) {
      refuse(response);
      return;
    }
    const outgoing = sendRequest(`${node}${request.url ?? "/"}`, {
      method: request.method,
      headers: {
        ...passedOn(request.headers),
        "x-forwarded-for": request.socket.remoteAddress,
        "x-forwarded-proto": "http",
      },
      agent: false,
    });
    let isConnected = false;
    const leave = (): void => {
      if (!response.writableFinished) outgoing.destroy();
    };
    outgoing.on("socket", (socket) =>
      socket.once("connect", () => {
        isConnected = true;
        request.pipe(outgoing);
      }),
    );
    outgoing.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, passedOn(answer.headers));
      response.flushHeaders();
      answer.on("error", () => response.destroy());
      answer.pipe(response);
    });
    outgoing.on("error", () => {
      response.off("close", leave);
      if (response.destroyed) return;
      if (!isConnected) {
        ready.delete(node);
        pass(request, response, others);
      } else if (response.headersSent) response.destroy();
      else refuse(response);
    });
    response.on("close", leave);
  };

  const server = createServer((request, response) => pass(request, response, candidates()));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      clearInterval(checking);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
