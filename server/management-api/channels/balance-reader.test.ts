import { createServer, type Server } from "node:http";
import { entryOf } from "@tollgate/relay/testing/entry-of";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { afterEach, describe, expect, it } from "vitest";
import { createBalanceReader } from "./balance-reader";

const servers: Server[] = [];
const serve = (server: Server): Promise<string> => {
  servers.push(server);
  return listenOnLoopback(server);
};

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe("the balance behind a channel with a proxy", () => {
  it("is asked for through the proxy, which hides this machine's address from the upstream", async () => {
    let direct = 0;
    const upstream = await serve(
      createServer((_, response) => {
        direct += 1;
        response.end("{}");
      }),
    );
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on("connect", (request, socket) => {
      asked.push(`${request.url} ${request.headers["proxy-authorization"]}`);
      socket.end("HTTP/1.1 502 no\r\ncontent-length: 0\r\n\r\n");
    });
    const { host } = new URL(await serve(proxy));
    const entry = entryOf(
      { type: 8, baseUrl: upstream },
      { key: "sk-upstream", proxy: `http://me:secret@${host}` },
    );
    await expect(createBalanceReader().read(entry)).rejects.toMatchObject({ key: "balance-unreachable" });
    const credentials = Buffer.from("me:secret").toString("base64");
    expect(asked).toEqual([`${new URL(upstream).host} Basic ${credentials}`]);
    expect(direct).toBe(0);
  });

  it("is not requested when the proxy's address is forbidden", async () => {
    const entry = entryOf(
      { type: 8, baseUrl: "http://127.0.0.1:9" },
      { key: "sk-upstream", proxy: "http://169.254.169.254" },
    );
    await expect(createBalanceReader().read(entry)).rejects.toMatchObject({ key: "balance-unreachable" });
  });
});
