import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endAfterUpload, refuseUpload } from "./refuse-upload";

const PIECE = Buffer.alloc(256 * 1024, 65);
const PIECES = 40;

const NO = '{"error":"no"}';

/** Both ways to refuse, by the path that asks for each. */
const REFUSALS: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  "/whole": (request, response) => refuseUpload(request, response, 401, { "x-request-id": "r" }, NO),
  "/stream": (request, response) => {
    response.writeHead(401, { "content-length": NO.length });
    endAfterUpload(request, NO).pipe(response);
  },
};

let server: Server;
let port: number;

beforeEach(async () => {
  server = createServer((request, response) => REFUSALS[request.url ?? ""]?.(request, response));
  port = Number(new URL(await listenOnLoopback(server)).port);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Sends a body that continues after the answer. @returns the answer, and the error of sending, if any. */
const upload = async (path: string, connection: string): Promise<{ text: string; failure: string }> => {
  const socket: Socket = connect(port, "127.0.0.1");
  let text = "";
  let failure = "";
  socket.on("data", (bytes) => {
    text += bytes.toString();
  });
  socket.on("error", (error: NodeJS.ErrnoException) => {
    failure = error.code ?? error.message;
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Length: ${PIECE.length * PIECES}\r\n\r\n`,
  );
  await once(socket, "data");
  for (let sent = 0; sent < PIECES && !socket.destroyed; sent += 1) {
    if (!socket.write(PIECE)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (connection === "close" && !socket.destroyed) await once(socket, "close");
  socket.destroy();
  return { text, failure };
};

describe("a refusal of an upload in progress", () => {
  it.each([
    ["/whole", "close"],
    ["/whole", "keep-alive"],
    ["/stream", "close"],
    ["/stream", "keep-alive"],
  ])("is seen by its sender, and breaks nothing off (%s, Connection: %s)", async (path, connection) => {
    const { text, failure } = await upload(path, connection);
    expect(failure).toBe("");
    expect(text).toContain("HTTP/1.1 401");
    expect(text.endsWith(NO)).toBe(true);
  });

  it.each(["/whole", "/stream"])("ends when all has come (%s)", async (path) => {
    const socket = connect(port, "127.0.0.1");
    socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString();
    });
    await once(socket, "close");
    expect(text.endsWith(NO)).toBe(true);
  });
});
