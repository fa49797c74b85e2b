import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { createSocketTransport } from "./socket-transport";

const SETTINGS = { connectTimeoutMs: 1000, firstByteTimeoutMs: 1000, idleTimeoutMs: 1000 };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a server; each socket's first message is answered by `answer`. */
const startServer = async (
  answer: (socket: WebSocket, message: string) => void,
  verify?: () => boolean,
): Promise<string> => {
  const server: Server = createServer();
  const sockets = new WebSocketServer({ server, ...(verify ? { verifyClient: verify } : {}) });
  sockets.on("connection", (socket) => socket.once("message", (data) => answer(socket, data.toString())));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

interface Told {
  status: number;
  type: string;
  text: string;
  end: string;
}

const ask = (
  origin: string,
  accept: string,
  settings = SETTINGS,
  isLastMessage?: (data: string) => boolean,
): Promise<Told> =>
  new Promise((resolve) => {
    const told: Told = { status: 0, type: "", text: "", end: "" };
    const finish = (end: string) => resolve({ ...told, end });
    const transport = createSocketTransport(settings);
    const headers = { accept, "content-type": "application/json" };
    transport.send(
      { origin, path: "/chat?a=b", headers, body: '{"q":1}', isLastMessage },
      {
        onStart() {},
        onHeaders(status, received) {
          told.status = status;
          told.type = String(received["content-type"]);
        },
        onData(chunk) {
          told.text += chunk.toString();
          return true;
        },
        onEnd: () => finish("end"),
        onFailure: ({ kind }) => finish(kind),
      },
    );
  });

const isLast = (data: string): boolean => data.includes("last");

describe("the socket transport", () => {
  it("hands messages on as events, and closes after the last one", async () => {
    const seen: string[] = [];
    let isClosed = false;
    const origin = await startServer((socket, message) => {
      seen.push(message);
      socket.on("close", () => {
        isClosed = true;
      });
      socket.send('{"a":1}');
      socket.send('{\n"b":"last"}');
    });
    expect(await ask(origin, "text/event-stream", SETTINGS, isLast)).toEqual({
      status: 200,
      type: "text/event-stream",
      text: 'data: {"a":1}\n\ndata: {\ndata: "b":"last"}\n\n',
      end: "end",
    });
    expect(seen).toEqual(['{"q":1}']);
    await expect.poll(() => isClosed).toBe(true);
  });

  it("hands messages on as one list for who asked for JSON", async () => {
    const origin = await startServer((socket) => {
      socket.send('{"a":1}');
      socket.send('{"b":2}');
      socket.close();
    });
    const told = await ask(origin, "application/json");
    expect(told).toEqual({ status: 200, type: "application/json", text: '[{"a":1},{"b":2}]', end: "end" });
  });

  it("ends with nothing when nothing was said", async () => {
    const origin = await startServer((socket) => socket.close());
    expect(await ask(origin, "application/json")).toMatchObject({ text: "", end: "end" });
  });

  it("hands a refused upgrade on like any other answer", async () => {
    const origin = await startServer(
      () => {},
      () => false,
    );
    expect(await ask(origin, "text/event-stream")).toMatchObject({ status: 401, end: "end" });
  });

  it("reports timeouts, refused connections and forbidden addresses", async () => {
    const origin = await startServer(() => {});
    const hasty = { ...SETTINGS, firstByteTimeoutMs: 50 };
    expect((await ask(origin, "text/event-stream", hasty)).end).toBe("timeout");
    const stalling = await startServer((socket) => socket.send("{}"));
    const told = await ask(stalling, "text/event-stream", { ...SETTINGS, idleTimeoutMs: 50 });
    expect(told).toMatchObject({ text: "data: {}\n\n", end: "timeout" });
    expect((await ask("ws://127.0.0.1:9", "text/event-stream")).end).toBe("connect");
    expect((await ask("ws://169.254.169.254", "text/event-stream")).end).toBe("blocked");
  });

  it("tells a connection that was reset", async () => {
    const origin = await startServer((socket) => socket.terminate());
    expect((await ask(origin, "text/event-stream")).end).not.toBe("");
  });

  it("leaves when the receiver gives up", async () => {
    let isClosed = false;
    const origin = await startServer((socket) => {
      socket.on("close", () => {
        isClosed = true;
      });
      socket.send("{}");
    });
    const transport = createSocketTransport(SETTINGS);
    let abort = (): void => {};
    const told: string[] = [];
    transport.send(
      { origin, path: "/", headers: {}, body: "{}" },
      {
        onStart: (give) => {
          abort = give;
        },
        onHeaders() {},
        onData() {
          abort();
          return true;
        },
        onEnd: () => told.push("end"),
        onFailure: () => told.push("failure"),
      },
    );
    await expect.poll(() => isClosed).toBe(true);
    expect(told).toEqual([]);
  });
});
