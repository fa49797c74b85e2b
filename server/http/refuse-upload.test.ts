import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refuseUpload } from "./refuse-upload";

const PIECE = Buffer.alloc(256 * 1024, 65);
const PIECES = 40;

let server: Server;
let port: number;

beforeEach(async () => {
  server = createServer((request, response) =>
    refuseUpload(request, response, 401, { "x-request-id": "r" }, '{"error":"no"}'),
  );
  port = Number(new URL(await listenOnLoopback(server)).port);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Sends a body that continues after the answer. @returns the answer, and the error of sending, if any. */
const upload = async (connection: string): Promise<{ text: string; failure: string }> => {
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
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Length: ${PIECE.length * PIECES}\r\n\r\n`,
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
  it.each(["close", "keep-alive"])(
    "is seen by its sender, and breaks nothing off (Connection: %s)",
    async (connection) => {
      const { text, failure } = await upload(connection);
      expect(failure).toBe("");
      expect(text).toContain("HTTP/1.1 401");
      expect(text.endsWith('{"error":"no"}')).toBe(true);
    },
  );

  it("ends at once where all has come", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.end("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString();
    });
    await once(socket, "close");
    expect(text.endsWith('{"error":"no"}')).toBe(true);
  });
});
