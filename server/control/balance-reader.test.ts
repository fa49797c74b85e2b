import { createServer, type Server } from "node:http";
import { createChannelEntries } from "@tollgate/relay/routing/channel-entry";
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

const entryOf = (baseUrl: string, proxy: string) => {
  const channel = {
    id: 1,
    type: 8,
    name: "n",
    status: 1,
    weight: 0,
    priority: 0,
    createdTime: 0,
    testTime: 0,
    responseTimeMs: 0,
    baseUrl,
    other: "",
    balance: 0,
    balanceUpdatedTime: 0,
    models: ["m"],
    groups: ["default"],
    usedQuota: 0,
    modelMapping: {},
    keyCount: 1,
    deadKeyCount: 0,
    proxy: "",
  };
  const [entry] = createChannelEntries(channel, { key: "sk-upstream", proxy });
  if (!entry) throw new Error("the channel cannot be used");
  return entry;
};

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
    const entry = entryOf(upstream, `http://me:secret@${host}`);
    await expect(createBalanceReader().read(entry)).rejects.toMatchObject({ key: "balance-unreachable" });
    const credentials = Buffer.from("me:secret").toString("base64");
    expect(asked).toEqual([`${new URL(upstream).host} Basic ${credentials}`]);
    expect(direct).toBe(0);
  });

  it("is not asked for where the proxy is an address that nobody may connect to", async () => {
    const entry = entryOf("http://127.0.0.1:9", "http://169.254.169.254");
    await expect(createBalanceReader().read(entry)).rejects.toMatchObject({ key: "balance-unreachable" });
  });
});
