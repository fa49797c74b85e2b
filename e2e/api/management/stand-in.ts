import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a stand-in was sent. */
export interface SeenRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** What a stand-in answers: a status and JSON, or text as it is. */
export interface StandInAnswer {
  status?: number;
  body: unknown;
}

/** A small HTTP server in the place of another person's. */
export interface StandIn {
  url: string;
  /** Oldest first. */
  requests: SeenRequest[];
  close(): Promise<void>;
}

/** Starts a stand-in on a free loopback port. @param answer may change its mind from one request to the next. */
export const startStandIn = async (answer: (request: SeenRequest) => StandInAnswer): Promise<StandIn> => {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      const seen = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
      requests.push(seen);
      const { status = 200, body: answered } = answer(seen);
      const isText = typeof answered === "string";
      response.writeHead(status, { "content-type": isText ? "text/html" : "application/json" });
      response.end(isText ? answered : JSON.stringify(answered));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
