import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { giveUpOnStalled } from "./give-up-on-stalled";

const TIMEOUT_MS = 100;
const LARGE = Buffer.alloc(32 * 1024 * 1024, "x");

let server: Server | undefined;
let socket: Socket | undefined;

const ask = async (
  answer: (response: ServerResponse) => void,
  timeoutMs = TIMEOUT_MS,
): Promise<[Socket, ServerResponse]> => {
  server = createServer((_request, response) => {
    giveUpOnStalled(response, timeoutMs);
    answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const came = once(server, "request");
  socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  const [, response] = (await came) as [unknown, ServerResponse];
  return [socket, response];
};

afterEach(() => {
  socket?.destroy();
  server?.close();
});

describe("giveUpOnStalled (S15)", () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ["in the middle of an answer", (response) => response.write(LARGE)],
    ["after the end of an answer", (response) => response.end(LARGE)],
  ])("closes the connection of a client that does not read, %s", async (_, answer) => {
    const [, response] = await ask(answer);
    await once(response, "close");
    expect(response.destroyed).toBe(true);
  });

  it("waits for an answer that is not there yet", async () => {
    const [client, response] = await ask(() => {});
    await new Promise((resolve) => response.once("timeout", resolve));
    expect(response.destroyed).toBe(false);
    response.end("late");
    const [bytes] = (await once(client, "data")) as [Buffer];
    expect(bytes.toString()).toContain("late");
  });

  it("notices who stops reading after a silence of the answer", async () => {
    const [, response] = await ask(() => {});
    await new Promise((resolve) => response.once("timeout", resolve));
    response.write(LARGE);
    await once(response, "close");
    expect(response.destroyed).toBe(true);
  });

  it("lets a slow client read to the end", async () => {
    // It takes longer than the silence that is allowed, and is never so long silent, also where the machine is busy.
    const pieces = 12;
    const [client, response] = await ask((one) => one.end(LARGE), 1000);
    let received = 0;
    await new Promise<void>((resolve, reject) => {
      client.on("close", () => reject(new Error(`given up after ${received} bytes`)));
      client.on("data", (bytes) => {
        const before = received;
        received += bytes.length;
        if (received > LARGE.length) resolve();
        const pieceOf = (at: number) => Math.floor((at * pieces) / LARGE.length);
        if (pieceOf(before) === pieceOf(received)) return;
        client.pause();
        setTimeout(() => client.resume(), 100);
      });
    });
    expect(response.writableFinished).toBe(true);
  });
});
