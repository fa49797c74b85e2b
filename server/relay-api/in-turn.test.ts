import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTurn } from "./in-turn";

let server: Server;
let client: Socket;
/** Requests that came, and those that were served. */
let arrived: string[];
let served: string[];
let first: ServerResponse | undefined;
let onArrival: (() => void) | undefined;

beforeEach(async () => {
  arrived = [];
  served = [];
  server = createServer((request, response) => {
    const path = request.url ?? "";
    arrived.push(path);
    inTurn(response, () => {
      served.push(path);
      let body = "";
      request.on("data", (piece: Buffer) => {
        body += piece.toString();
      });
      request.on("end", () => {
        if (path === "/first") first = response;
        else response.end(`${path} ${body};`);
        onArrival?.();
      });
    });
    onArrival?.();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  client = connect((server.address() as AddressInfo).port, "127.0.0.1");
});

afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

const until = (isSo: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    onArrival = () => {
      if (isSo()) resolve();
    };
    onArrival();
  });

const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

describe("requests that a client sends before it has the answer to the one before (M13)", () => {
  it("are served one after another, with their bodies", async () => {
    let received = "";
    client.on("data", (piece: Buffer) => {
      received += piece.toString();
    });
    client.write(post("/first", "a") + post("/second", "b".repeat(100_000)) + post("/third", "c"));
    await until(() => first !== undefined && arrived.includes("/second"));
    expect(served).toEqual(["/first"]);
    first?.end("one;");
    await until(() => served.includes("/third"));
    client.end();
    await once(client, "close");
    expect(served).toEqual(["/first", "/second", "/third"]);
    expect(received).toMatch(/one;[\s\S]*\/second b{100000};[\s\S]*\/third c;/);
  });

  it("are not served at all when it leaves before their turn", async () => {
    client.write(post("/first", "a") + post("/second", "b"));
    await until(() => first !== undefined && arrived.includes("/second"));
    const left = once(first as ServerResponse, "close");
    client.destroy();
    await left;
    first?.end("one");
    await new Promise(setImmediate);
    expect(arrived).toEqual(["/first", "/second"]);
    expect(served).toEqual(["/first"]);
  });
});
