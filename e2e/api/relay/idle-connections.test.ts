import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type NginxServer, startNginx } from "@tollgate/testkit/nginx-server";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Time after which Node closes an idle connection unless told otherwise. */
const NODES_TIMEOUT_MS = 5000;
/** Time for which nginx keeps an idle connection to an upstream, unless told otherwise. */
const NGINX_TIMEOUT_SECONDS = 60;

/** A connection without a client library. */
class RawConnection {
  text = "";
  isEnded = false;

  private constructor(readonly socket: Socket) {
    socket.on("data", (bytes: Buffer) => {
      this.text += bytes.toString("latin1");
    });
    socket.on("close", () => {
      this.isEnded = true;
    });
    socket.on("error", () => {});
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.once("connect", resolve));
    return new RawConnection(socket);
  }

  /** Sends a request and waits for its answer. @returns the answer. */
  async ask(path: string): Promise<string> {
    this.text = "";
    this.socket.write(`GET ${path} HTTP/1.1\r\nhost: gateway\r\n\r\n`);
    await expect.poll(() => this.isEnded || /\r\n\r\n.*[}\n]/s.test(this.text)).toBe(true);
    return this.text;
  }
}

describe("C20, N7: an idle connection", () => {
  let server: ServerProcess;
  let nginx: NginxServer;

  beforeAll(async () => {
    server = await startServer();
    nginx = await startNginx(server.url);
  });

  afterAll(async () => {
    await nginx?.stop();
    await server?.stop();
  });

  it("stays open longer than proxies keep it", async () => {
    const connection = await RawConnection.open(server.url);
    const first = await connection.ask("/healthz");
    expect(Number(/^keep-alive: timeout=(\d+)/im.exec(first)?.[1])).toBeGreaterThan(
      2 * NGINX_TIMEOUT_SECONDS,
    );
    await wait(NODES_TIMEOUT_MS + 1500);
    expect(await connection.ask("/healthz")).toContain("200 OK");
    connection.socket.destroy();
  });

  it("takes a request through the guide's nginx at the moment at which Node would close it", async () => {
    const send = async (): Promise<number> => {
      const answer = await fetch(`${nginx.url}/v1/chat/completions`, { method: "POST", body: "{}" });
      await answer.text();
      return answer.status;
    };
    const burst = (): Promise<number[]> => Promise.all(Array.from({ length: 40 }, send));
    const refused = Array.from({ length: 40 }, () => 401);
    expect(await burst()).toEqual(refused);
    await wait(NODES_TIMEOUT_MS - 500);
    // A process that is busy at that moment closes what is due before it reads what has come.
    process.kill(server.pid, "SIGSTOP");
    const sent = burst();
    await wait(1500);
    process.kill(server.pid, "SIGCONT");
    expect(await sent).toEqual(refused);
  });
});

describe("C20: an idle connection of a stopping gateway", () => {
  it("ends at once, and a last answer says that its connection ends", async () => {
    const server = await startServer({ env: { LEAVE_DELAY_MS: "2000" } });
    const [idle, used] = [await RawConnection.open(server.url), await RawConnection.open(server.url)];
    expect(await idle.ask("/healthz")).toMatch(/^connection: keep-alive/im);
    expect(await used.ask("/healthz")).toMatch(/^connection: keep-alive/im);
    server.terminate();
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect(await used.ask("/healthz")).toMatch(/^connection: close/im);
    expect(await server.ended).toBe(0);
    expect([idle.isEnded, used.isEnded]).toEqual([true, true]);
  });
});
