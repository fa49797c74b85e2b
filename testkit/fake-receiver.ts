import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "./loopback-server";

/** A notice as received. */
export interface ReceivedNotice {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Its answer: a status and body, or a failure. */
export type ReceiverAnswer =
  | { status?: number; body: string; headers?: Record<string, string> }
  /** Sends nothing until the client disconnects. */
  | "silent"
  /** Cuts the connection. */
  | "drops"
  /** Never ends its answer. */
  | "endless";

/** A fake notification service: chats, push servers, webhooks. */
export interface FakeReceiver {
  url: string;
  received: ReceivedNotice[];
  /** The answer to everything from now on. */
  answer(next: ReceiverAnswer): void;
  close(): Promise<void>;
}

const PIECE = "x".repeat(16 * 1024);

const answerWith = (response: ServerResponse, answer: ReceiverAnswer): void => {
  if (answer === "silent") return;
  if (answer === "drops") {
    response.destroy();
    return;
  }
  if (answer === "endless") {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write(PIECE));
      response.once("drain", write);
    };
    write();
    return;
  }
  response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
  response.end(answer.body);
};

export const startFakeReceiver = async (): Promise<FakeReceiver> => {
  const received: ReceivedNotice[] = [];
  let next: ReceiverAnswer = { body: "{}" };
  const server = createServer((request: IncomingMessage, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      received.push({
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(pieces).toString("utf8"),
      });
      answerWith(response, next);
    });
  });
  const url = await listenOnLoopback(server);
  return {
    url,
    received,
    answer(answer) {
      next = answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
