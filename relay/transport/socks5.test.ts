import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { TEST_AUTHORITY, TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@tollgate/testkit/certificates";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { RecordingReceiver } from "@tollgate/testkit/recording-receiver";
import { type SocksFault, type SocksTestProxy, startSocksProxy } from "@tollgate/testkit/socks-proxy";
import { afterEach, describe, expect, it, vi } from "vitest";
import { askJson } from "./guarded-fetch";
import { createProxyTransport } from "./proxy-transport";

const SETTINGS = { connectTimeoutMs: 1000, firstByteTimeoutMs: 2000, idleTimeoutMs: 2000 };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const startUpstream = async (): Promise<string> => {
  const server = createHttpServer((request, response) => {
    request.resume();
    request.on("end", () => response.end(JSON.stringify({ host: request.headers.host })));
  });
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return await listenOnLoopback(server);
};

const startProxy = async (...settings: Parameters<typeof startSocksProxy>): Promise<SocksTestProxy> => {
  const proxy = await startSocksProxy(...settings);
  closing.push(() => proxy.close());
  return proxy;
};

const send = async (proxy: string, origin: string): Promise<RecordingReceiver> => {
  const transport = createProxyTransport(SETTINGS);
  closing.push(() => transport.close());
  const receiver = new RecordingReceiver();
  transport.send(proxy, { origin, path: "/", headers: {}, body: "{}" }, receiver);
  await receiver.end;
  return receiver;
};

describe("a SOCKS5 proxy", () => {
  it("carries a request to an address", async () => {
    const origin = await startUpstream();
    const proxy = await startProxy();
    const receiver = await send(`socks5://${proxy.host}`, origin);
    expect(JSON.parse(receiver.text)).toEqual({ host: new URL(origin).host });
    expect(proxy.asked).toEqual([new URL(origin).host]);
  });

  it("gets the name of the upstream with socks5h, and its address with socks5", async () => {
    const { port } = new URL(await startUpstream());
    const leadsTo = () => ({ host: "127.0.0.1", port: Number(port) });
    const proxy = await startProxy({ leadsTo });
    await send(`socks5h://${proxy.host}`, "http://only.proxy.knows.invalid:8080");
    await send(`socks5://${proxy.host}`, `http://localhost:${port}`);
    expect(proxy.asked[0]).toBe("only.proxy.knows.invalid:8080");
    expect(proxy.asked[1]).toMatch(new RegExp(`^(?:127\\.0\\.0\\.1|0000:.*0001):${port}$`));
    const unknown = await send(`socks5://${proxy.host}`, "http://only.proxy.knows.invalid:8080");
    expect(await unknown.end).toMatchObject({ kind: "connect" });
    expect(proxy.asked).toHaveLength(2);
  });

  it("signs in with the name and the password of its address", async () => {
    const origin = await startUpstream();
    const proxy = await startProxy({ credentials: "some one:päss:wörd" });
    const good = `socks5://some%20one:${encodeURIComponent("päss:wörd")}@${proxy.host}`;
    expect((await send(good, origin)).text).toContain("host");
    expect(proxy.signedIn).toEqual(["some one:päss:wörd"]);
    for (const wrong of [`socks5://${proxy.host}`, `socks5://some%20one:wrong@${proxy.host}`]) {
      const { end } = await send(wrong, origin);
      expect(await end).toEqual({ kind: "connect", detail: { code: "socks-sign-in-refused" } });
    }
  });

  it("secures the connection to the upstream, whose certificate is checked", async () => {
    const server = createHttpsServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, (_, response) =>
      response.end("{}"),
    );
    closing.push(() => server.close());
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const proxy = await startProxy({ leadsTo: () => ({ host: "127.0.0.1", port }) });
    const { end } = await send(`socks5h://${proxy.host}`, `https://upstream.test:${port}`);
    expect(JSON.stringify(await end)).toMatch(/certificate/i);
    expect(TEST_AUTHORITY).toContain("CERTIFICATE");
    expect(proxy.asked).toEqual([`upstream.test:${port}`]);
  });

  it("may answer byte by byte", async () => {
    const origin = await startUpstream();
    const proxy = await startProxy({ credentials: "u:p" });
    proxy.fault = "byte-by-byte";
    expect((await send(`socks5://u:p@${proxy.host}`, origin)).text).toContain("host");
  });

  it.each<[SocksFault, object]>([
    ["silent", { kind: "timeout" }],
    ["garbage", { kind: "connect", detail: { code: "socks-malformed" } }],
    ["refused", { kind: "connect", detail: { code: "socks-refused", reply: 5 } }],
    ["closes", { kind: "connect", detail: { code: "socks-malformed" } }],
  ])("that is %s fails the request, and no connection stays", async (fault, failure) => {
    const origin = await startUpstream();
    const proxy = await startProxy();
    proxy.fault = fault;
    const { end } = await send(`socks5://${proxy.host}`, origin);
    expect(await end).toMatchObject(failure);
    await vi.waitFor(() => expect(proxy.openSockets.size).toBe(0));
  });

  it.each([
    "socks5://169.254.169.254",
    "socks5h://0xa9fea9fe:1080",
    "socks5://u:p@[::ffff:169.254.169.254]:80",
  ])("is never called at a forbidden address: %s", async (proxy) => {
    const { end } = await send(proxy, "http://127.0.0.1:9");
    expect(await end).toEqual({ kind: "blocked", detail: { code: "proxy-blocked" } });
  });

  it.each(["http://169.254.169.254", "http://metadata.google.internal"])(
    "is not asked for a forbidden upstream: %s",
    async (origin) => {
      const proxy = await startProxy();
      const { end } = await send(`socks5h://${proxy.host}`, origin);
      expect(await end).toMatchObject({ kind: "blocked" });
      expect(proxy.asked).toEqual([]);
    },
  );

  it("carries the calls of the console as well", async () => {
    const origin = await startUpstream();
    const proxy = await startProxy({ credentials: "u:p" });
    const answer = await askJson(`${origin}/v1/models`, { proxy: `socks5://u:p@${proxy.host}` });
    expect(answer).toMatchObject({ kind: "json" });
    expect(proxy.asked).toEqual([new URL(origin).host]);
  });
});
