import type { LookupAddress, LookupOptions } from "node:dns";
import { once } from "node:events";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { Worker } from "node:worker_threads";
import { TEST_AUTHORITY, TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@tollgate/testkit/certificates";
import { type RawRequest, type RawUpstream, startRawUpstream } from "@tollgate/testkit/raw-upstream";
import { RecordingReceiver } from "@tollgate/testkit/recording-receiver";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Transport, UpstreamReceiver, UpstreamRequest } from "../../ports/transport";
import { createHttp1Transport } from "./create-http1-transport";

/** The names that tests know. */
const ADDRESSES: Record<string, string[]> = {
  "upstream.test": ["127.0.0.1"],
  "other.test": ["127.0.0.1"],
  "metadata.test": ["169.254.169.254"],
  "mixed.test": ["127.0.0.1", "169.254.169.254"],
};

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

vi.mock("node:dns", async (original) => ({
  ...(await original<typeof import("node:dns")>()),
  lookup: (name: string, options: LookupOptions, done: LookupCallback) => {
    const addresses = ADDRESSES[name];
    if (!addresses) done(Object.assign(new Error(`no such name: ${name}`), { code: "ENOTFOUND" }), []);
    else if (options.all)
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    else done(null, addresses[0] ?? "", 4);
  },
}));

const SETTINGS = { connectTimeoutMs: 60_000, firstByteTimeoutMs: 60_000, idleTimeoutMs: 60_000 };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

const transportOf = (settings = SETTINGS, ca?: string): Transport => {
  const transport = createHttp1Transport(settings, ca);
  closing.push(() => transport.close());
  return transport;
};

const upstreamOf = async (...given: Parameters<typeof startRawUpstream>): Promise<RawUpstream> => {
  const upstream = await startRawUpstream(...given);
  closing.push(() => upstream.close());
  return upstream;
};

const send = (
  transport: Transport,
  origin: string,
  more: Partial<UpstreamRequest> = {},
): RecordingReceiver => {
  const receiver = new RecordingReceiver();
  transport.send({ origin, path: "/", headers: {}, body: "{}", ...more }, receiver);
  return receiver;
};

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const answerOk = ({ socket }: RawRequest): unknown => socket.write(OK);

/** Sends a request and expects the usual answer. */
const expectOk = async (transport: Transport, origin: string): Promise<void> => {
  const receiver = send(transport, origin);
  expect(await receiver.end).toBe("end");
  expect(receiver.text).toBe("ok");
};

/** Lets everything that is already under way between two sockets of this process arrive. */
const settle = async (transport: Transport): Promise<void> => {
  const upstream = await upstreamOf(answerOk);
  for (let i = 0; i < 20; i += 1) await expectOk(transport, upstream.origin);
};

/** Stops the clock that idle times and round trips are measured with. */
const stopClock = (): { nowMs: number } => {
  const clock = { nowMs: 1000 };
  vi.spyOn(performance, "now").mockImplementation(() => clock.nowMs);
  return clock;
};

const whenClosed = async (socket: Socket | undefined): Promise<void> => {
  if (socket && !socket.closed) await new Promise((resolve) => socket.once("close", resolve));
};

describe("the bytes sent upstream", () => {
  const BODIES: [string, UpstreamRequest["body"], string][] = [
    ["a text", '{"text":"grüße"}', '{"text":"grüße"}'],
    ["bytes", Buffer.from("grüße"), "grüße"],
    ["pieces", [Buffer.from("gr"), Buffer.from("üße")], "grüße"],
    ["nothing", "", ""],
    ["a large text", "ü".repeat(200_000), "ü".repeat(200_000)],
    ["large bytes", Buffer.alloc(3_000_000, "x"), "x".repeat(3_000_000)],
    [
      "large pieces",
      [Buffer.alloc(3_000_000, "x"), Buffer.alloc(10, "y")],
      `${"x".repeat(3_000_000)}yyyyyyyyyy`,
    ],
  ];
  it.each(BODIES)("is a head and %s", async (_, body, text) => {
    const upstream = await upstreamOf(answerOk);
    const transport = transportOf();
    const headers = { "content-type": "text/plain", authorization: "Bearer sk-1" };
    for (let time = 0; time < 2; time += 1) {
      expect(await send(transport, upstream.origin, { path: "/v1/a?b=c", headers, body }).end).toBe("end");
    }
    expect(upstream.requests).toHaveLength(2);
    for (const request of upstream.requests) {
      expect(request.head).toBe(
        [
          "POST /v1/a?b=c HTTP/1.1",
          `host: 127.0.0.1:${upstream.port}`,
          "connection: keep-alive",
          "accept-encoding: identity",
          "content-type: text/plain",
          "authorization: Bearer sk-1",
          `content-length: ${Buffer.byteLength(text)}`,
          "",
          "",
        ].join("\r\n"),
      );
      expect(request.body.toString() === text).toBe(true);
      expect(request.connection).toBe(0);
    }
  });

  it.each<Partial<UpstreamRequest>>([
    { headers: { authorization: "a\r\nx-admin: 1" } },
    { headers: { "x\r\ny": "a" } },
    { headers: { "transfer-encoding": "chunked" } },
    { path: "/a b" },
    { path: "/a HTTP/1.1\r\nhost: y\r\n\r\nPOST /" },
  ])("is nothing when it could be understood as something else: %j", async (more) => {
    const upstream = await upstreamOf(answerOk);
    const receiver = send(transportOf(), upstream.origin, more);
    expect(await receiver.end).toMatchObject({ kind: "invalid" });
    expect(receiver.events).toEqual(["failure"]);
    expect(upstream.sockets).toHaveLength(0);
  });
});

describe("an answer", () => {
  it("is handed on with the headers that matter, one call for all chunks of a read", async () => {
    const chunks = Array.from({ length: 50 }, (_, i) => `4\r\n<${String(i).padStart(2, "0")}>\r\n`).join("");
    const upstream = await upstreamOf(({ socket }) =>
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nset-cookie: a\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
      ),
    );
    const receiver = send(transportOf(), upstream.origin);
    expect(await receiver.end).toBe("end");
    expect(receiver.events).toEqual(["start", "headers", "data", "end"]);
    expect(receiver.status).toBe(200);
    expect(receiver.headers).toEqual({ "content-type": "text/event-stream" });
    expect(receiver.text).toBe(
      Array.from({ length: 50 }, (_, i) => `<${String(i).padStart(2, "0")}>`).join(""),
    );
  });

  it("is the receiver's to keep: the memory that sockets are read into is used again", async () => {
    const upstream = await upstreamOf(({ socket, index }) => {
      const text = String(index).repeat(1000);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
    });
    const transport = transportOf();
    const receivers: RecordingReceiver[] = [];
    for (let index = 0; index < 5; index += 1) {
      const receiver = send(transport, upstream.origin);
      await receiver.end;
      receivers.push(receiver);
    }
    expect(receivers.map(({ text }) => text)).toEqual([0, 1, 2, 3, 4].map((i) => String(i).repeat(1000)));
    expect(upstream.sockets).toHaveLength(1);
  });

  it.each([
    ["until the connection closes", "HTTP/1.1 200 OK\r\n\r\nto the end", "to the end"],
    ["of HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nto the end", "to the end"],
  ])("may go on %s", async (_, bytes, text) => {
    const upstream = await upstreamOf(({ socket }) => socket.end(bytes));
    const receiver = send(transportOf(), upstream.origin);
    expect(await receiver.end).toBe("end");
    expect(receiver.text).toBe(text);
  });

  it.each([204, 304])("has no body with status %i", async (status) => {
    const upstream = await upstreamOf(({ socket }) => socket.write(`HTTP/1.1 ${status} X\r\n\r\n`));
    const receiver = send(transportOf(), upstream.origin);
    expect(await receiver.end).toBe("end");
    expect(receiver).toMatchObject({ status, events: ["start", "headers", "end"] });
  });

  it("counts, also when it comes before the request is sent whole", async () => {
    let isRead = false;
    const upstream = await upstreamOf(() => {}, {
      onConnection: (socket) => {
        socket.once("data", () => {
          isRead = true;
          socket.pause();
          socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno");
        });
        return false;
      },
    });
    const transport = transportOf();
    const body = [Buffer.alloc(20_000_000), Buffer.alloc(20_000_000)];
    const receiver = send(transport, upstream.origin, { body });
    expect(await receiver.end).toBe("end");
    expect(receiver).toMatchObject({ status: 413, text: "no" });
    expect(isRead).toBe(true);
    upstream.sockets[0]?.resume();
    await whenClosed(upstream.sockets[0]);
  });

  const OK_HEAD = "HTTP/1.1 200 OK\r\n";
  it.each([
    ["nonsense", "hello\r\n\r\n", "status-line-missing"],
    ["two lengths", `${OK_HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, "length-twice"],
    ["a giant head", `${OK_HEAD}x: ${"a".repeat(100_000)}\r\n\r\n`, "head-too-large"],
    ["a wrong chunk", `${OK_HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`, "chunk-size-missing"],
    ["another protocol", "HTTP/1.1 101 Switching\r\nupgrade: h2c\r\n\r\n", "protocol-changed"],
  ])("that is malformed (%s) ends the request and the connection", async (_, bytes, flaw) => {
    const upstream = await upstreamOf(({ socket }) => socket.write(bytes));
    const receiver = send(transportOf(), upstream.origin);
    expect(await receiver.end).toEqual({ kind: "reset", detail: { code: "answer-malformed", flaw } });
    await whenClosed(upstream.sockets[0]);
  });

  it.each([
    ["in its head", "HTTP/1.1 200 OK\r\ncont"],
    ["in its body", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello"],
    ["between its chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n"],
    ["before it began", ""],
  ])("that breaks off %s is a failure", async (_, bytes) => {
    for (const isReset of [false, true]) {
      const upstream = await upstreamOf(({ socket }) => {
        if (isReset && bytes === "") socket.resetAndDestroy();
        else socket.write(bytes, () => (isReset ? socket.resetAndDestroy() : socket.end()));
      });
      const receiver = send(transportOf(), upstream.origin);
      expect(await receiver.end).toMatchObject({ kind: "reset" });
      expect(upstream.requests).toHaveLength(1);
    }
  });
});

describe("connections", () => {
  it("are used again, the last one first, and opened when all are busy", async () => {
    const held: RawRequest[] = [];
    const upstream = await upstreamOf((request) => held.push(request));
    const transport = transportOf();
    const receivers = ["/0", "/1", "/2"].map((path) => send(transport, upstream.origin, { path }));
    await expect.poll(() => held).toHaveLength(3);
    for (const path of ["/2", "/0", "/1"]) {
      held.find(({ head }) => head.startsWith(`POST ${path} `))?.socket.write(OK);
      await receivers[Number(path.slice(1))]?.end;
    }
    // Until the last one has rested for a turn of the loop.
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const next = send(transport, upstream.origin, { path: "/next" });
    await expect.poll(() => held).toHaveLength(4);
    expect(upstream.sockets).toHaveLength(3);
    const last = held.find(({ head }) => head.startsWith("POST /1 "));
    expect(held[3]?.connection).toBe(last?.connection);
    held[3]?.socket.write(OK);
    await next.end;
  });

  it.each([
    ["says so", "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok"],
    ["speaks HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok"],
    ["sent more than its answer", `${OK}HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison`],
    ["is about to close", "HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 2\r\n\r\nok"],
  ])("are closed when the upstream %s", async (_, bytes) => {
    const upstream = await upstreamOf(({ socket }) => socket.write(bytes));
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    await expectOk(transport, upstream.origin);
    expect(upstream.requests.map(({ connection }) => connection)).toEqual([0, 1]);
    await whenClosed(upstream.sockets[0]);
  });

  it("are dropped when an upstream speaks without being asked", async () => {
    const upstream = await upstreamOf(answerOk);
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    upstream.sockets[0]?.write("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison");
    await whenClosed(upstream.sockets[0]);
    await expectOk(transport, upstream.origin);
    expect(upstream.sockets).toHaveLength(2);
  });

  it("carry one request each once an upstream has spoken without being asked", async () => {
    const upstream = await upstreamOf(answerOk);
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    upstream.sockets[0]?.write("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison");
    await whenClosed(upstream.sockets[0]);
    for (let i = 0; i < 3; i += 1) await expectOk(transport, upstream.origin);
    expect(upstream.sockets).toHaveLength(4);
  });

  it("go on being used after an upstream's notice that it closes an idle one", async () => {
    const upstream = await upstreamOf(answerOk);
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    upstream.sockets[0]?.end(
      "HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
    );
    await whenClosed(upstream.sockets[0]);
    for (let i = 0; i < 3; i += 1) await expectOk(transport, upstream.origin);
    expect(upstream.sockets).toHaveLength(2);
  });

  it("are dropped when the upstream closes them while they are idle", async () => {
    const upstream = await upstreamOf(answerOk);
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    upstream.sockets[0]?.end();
    await whenClosed(upstream.sockets[0]);
    await settle(transport);
    await expectOk(transport, upstream.origin);
    expect(upstream.requests.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  it.each([
    ["30 seconds", "", 29_999, 30_001],
    ["less than the upstream keeps them", "keep-alive: timeout=5\r\n", 2_999, 3_001],
  ])("are kept for %s", async (_, header, keptMs, closedMs) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const clock = stopClock();
    const upstream = await upstreamOf(({ socket }) =>
      socket.write(`HTTP/1.1 200 OK\r\n${header}content-length: 2\r\n\r\nok`),
    );
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    clock.nowMs += keptMs;
    vi.advanceTimersByTime(5000);
    await expectOk(transport, upstream.origin);
    expect(upstream.sockets).toHaveLength(1);
    clock.nowMs += closedMs;
    vi.advanceTimersByTime(5000);
    await whenClosed(upstream.sockets[0]);
  });

  it("that are idle keep no process alive", async () => {
    const held: RawRequest[] = [];
    const upstream = await upstreamOf((request) => held.push(request), {
      onConnection: (socket) => {
        socket.unref();
        return true;
      },
    });
    const count = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
    const before = count();
    const transport = transportOf();
    for (let requests = 1; requests <= 2; requests += 1) {
      const receiver = send(transport, upstream.origin);
      await expect.poll(() => held).toHaveLength(requests);
      expect(count()).toBe(before + 1);
      held[requests - 1]?.socket.write(OK);
      await receiver.end;
      expect(count()).toBe(before);
    }
    expect(upstream.sockets).toHaveLength(1);
  });

  it("end with the transport, and so do requests", async () => {
    const upstream = await upstreamOf((request) => {
      if (request.index === 0) answerOk(request);
    });
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    const waiting = [send(transport, upstream.origin), send(transport, upstream.origin)];
    await expect.poll(() => upstream.requests).toHaveLength(3);
    waiting.push(send(transport, upstream.origin));
    await transport.close();
    for (const { end } of waiting) expect(await end).toMatchObject({ kind: "reset" });
    for (const socket of upstream.sockets) await whenClosed(socket);
    expect(await send(transport, upstream.origin).end).toMatchObject({ kind: "reset" });
  });
});

describe("a kept connection that turns out to be closed", () => {
  /** Answers the first request of the first connection, and ends everything else as told. */
  const closingUpstream = (close: (request: RawRequest) => unknown, times = 1): Promise<RawUpstream> =>
    upstreamOf((request) => {
      if (request.index === 0 || request.index > times) answerOk(request);
      else close(request);
    });

  it("costs nothing: the request goes over a new one", async () => {
    stopClock();
    const upstream = await closingUpstream(({ socket }) => socket.end());
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    const receiver = send(transport, upstream.origin, { body: "again" });
    expect(await receiver.end).toBe("end");
    expect(receiver.events).toEqual(["start", "headers", "data", "end"]);
    expect(upstream.requests.map(({ connection }) => connection)).toEqual([0, 0, 1]);
    expect(upstream.requests[2]?.body.toString()).toBe("again");
  });

  it("can be aborted on its second connection", async () => {
    stopClock();
    const upstream = await upstreamOf((request) => {
      if (request.index === 0) answerOk(request);
      else if (request.index === 1) request.socket.end();
    });
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    const receiver = send(transport, upstream.origin);
    await expect.poll(() => upstream.requests).toHaveLength(3);
    receiver.abort();
    await whenClosed(upstream.sockets[1]);
    expect(receiver.events).toEqual(["start"]);
  });

  it("is told when the upstream may have worked on the request", async () => {
    const clock = stopClock();
    const upstream = await closingUpstream(({ socket }) => {
      clock.nowMs += 50;
      socket.end();
    });
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    expect(await send(transport, upstream.origin).end).toMatchObject({ kind: "reset" });
    expect(upstream.requests).toHaveLength(2);
  });

  it("is told when it was reset: the upstream may have been at work", async () => {
    stopClock();
    const upstream = await closingUpstream(({ socket }) => socket.resetAndDestroy());
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    expect(await send(transport, upstream.origin).end).toMatchObject({ kind: "reset" });
    expect(upstream.requests).toHaveLength(2);
  });

  it("is told when a byte of the answer has come", async () => {
    stopClock();
    const upstream = await closingUpstream(({ socket }) => socket.end("H"));
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    expect(await send(transport, upstream.origin).end).toMatchObject({ kind: "reset" });
    expect(upstream.requests).toHaveLength(2);
  });

  it("is told when it was new", async () => {
    stopClock().nowMs = 0;
    const upstream = await upstreamOf(({ socket }) => socket.end());
    expect(await send(transportOf(), upstream.origin).end).toMatchObject({ kind: "reset" });
    expect(upstream.requests).toHaveLength(1);
  });

  it("is told when a new one closes as well", async () => {
    stopClock();
    const upstream = await closingUpstream(({ socket }) => socket.end(), 9);
    const transport = transportOf();
    await expectOk(transport, upstream.origin);
    expect(await send(transport, upstream.origin).end).toMatchObject({ kind: "reset" });
    expect(upstream.requests).toHaveLength(3);
  });
});

describe("time-outs", () => {
  const SHORT = { connectTimeoutMs: 3_000, firstByteTimeoutMs: 5_000, idleTimeoutMs: 4_000 };
  /** Lets time pass for the time-outs alone. */
  const fakeTime = (): void => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  };

  it("end a request whose answer does not begin", async () => {
    fakeTime();
    const upstream = await upstreamOf(() => {});
    const receiver = send(transportOf(SHORT), upstream.origin);
    await expect.poll(() => upstream.requests).toHaveLength(1);
    vi.advanceTimersByTime(4_900);
    expect(receiver.events).toEqual(["start"]);
    vi.advanceTimersByTime(2_000);
    expect(await receiver.end).toEqual({ kind: "timeout", detail: { code: "answer-timeout" } });
    await whenClosed(upstream.sockets[0]);
  });

  it("end a request whose head comes byte by byte", async () => {
    fakeTime();
    const upstream = await upstreamOf(({ socket }) =>
      socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 2"),
    );
    const transport = transportOf(SHORT);
    const receiver = send(transport, upstream.origin);
    await expect.poll(() => upstream.requests).toHaveLength(1);
    for (const byte of "00 OK\r\n") {
      vi.advanceTimersByTime(1000);
      upstream.sockets[0]?.write(byte);
      await settle(transport);
    }
    expect(await receiver.end).toMatchObject({ kind: "timeout" });
  });

  it("end an answer that falls silent, but not one that goes on", async () => {
    fakeTime();
    const upstream = await upstreamOf(({ socket }) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\na"),
    );
    const transport = transportOf(SHORT);
    const receiver = send(transport, upstream.origin);
    await receiver.began;
    for (let i = 0; i < 5; i += 1) {
      vi.advanceTimersByTime(3_000);
      upstream.sockets[0]?.write("b");
      const before = receiver.size;
      await expect.poll(() => receiver.size).toBe(before + 1);
    }
    vi.advanceTimersByTime(6_000);
    expect(await receiver.end).toEqual({ kind: "timeout", detail: { code: "idle-timeout" } });
  });

  it("wait for a receiver that takes no more", async () => {
    fakeTime();
    const upstream = await upstreamOf(({ socket }) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\na"),
    );
    const receiver = new RecordingReceiver();
    receiver.takesMore = false;
    transportOf(SHORT).send({ origin: upstream.origin, path: "/", headers: {}, body: "" }, receiver);
    await receiver.began;
    vi.advanceTimersByTime(100_000);
    upstream.sockets[0]?.write("b");
    receiver.resume();
    expect(await receiver.end).toBe("end");
    expect(receiver.text).toBe("ab");
  });

  it("end a connection that is never made", async () => {
    fakeTime();
    // It takes connections and never answers the handshake.
    const upstream = await upstreamOf(() => {}, { onConnection: () => false });
    const receiver = send(transportOf(SHORT), upstream.origin.replace("http:", "https:"));
    await expect.poll(() => upstream.sockets).toHaveLength(1);
    vi.advanceTimersByTime(5_000);
    expect(await receiver.end).toEqual({ kind: "timeout", detail: { code: "connect-timeout" } });
  });

  it("are no longer than asked for, with a real clock", async () => {
    const upstream = await upstreamOf(() => {});
    const receiver = send(transportOf({ ...SHORT, firstByteTimeoutMs: 40 }), upstream.origin);
    expect(await receiver.end).toMatchObject({ kind: "timeout" });
  });
});

describe("a receiver", () => {
  it("is sent no more than it takes", async () => {
    const SIZE = 64 * 1024 * 1024;
    const upstream = await upstreamOf(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${SIZE}\r\n\r\n`);
      socket.write(Buffer.alloc(SIZE));
    });
    const transport = transportOf();
    const receiver = new RecordingReceiver();
    receiver.takesMore = false;
    transport.send({ origin: upstream.origin, path: "/", headers: {}, body: "" }, receiver);
    await receiver.began;
    for (let pauses = 1; pauses < 5; pauses += 1) {
      await settle(transport);
      expect(receiver.chunks).toHaveLength(pauses);
      receiver.resume();
      await expect.poll(() => receiver.chunks.length).toBeGreaterThan(pauses);
    }
    expect(receiver.size).toBeLessThan(SIZE / 100);
    // What is not taken waits at the upstream.
    expect(upstream.sockets[0]?.writableLength).toBeGreaterThan(SIZE / 2);
    receiver.takesMore = true;
    receiver.resume();
    expect(await receiver.end).toBe("end");
    expect(receiver.size).toBe(SIZE);
  });

  it("can abort while the answer is awaited, and in its middle", async () => {
    for (const beginning of ["", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\na"]) {
      const upstream = await upstreamOf(({ socket }) => socket.write(beginning));
      const receiver = send(transportOf(), upstream.origin);
      if (beginning === "") await expect.poll(() => upstream.requests).toHaveLength(1);
      else await receiver.began;
      const events = [...receiver.events];
      receiver.abort();
      receiver.abort();
      await whenClosed(upstream.sockets[0]);
      expect(receiver.events).toEqual(events);
    }
  });

  it("can abort before there is a connection, and at once", async () => {
    const upstream = await upstreamOf(answerOk);
    const transport = transportOf();
    const early = send(transport, upstream.origin);
    const connecting = send(transport, upstream.origin);
    early.abort();
    await new Promise(setImmediate);
    connecting.abort();
    const first = new RecordingReceiver();
    const atOnce: UpstreamReceiver = {
      onStart: (abort) => {
        first.onStart(abort);
        abort();
      },
      onHeaders: () => first.events.push("headers"),
      onData: () => first.takesMore,
      onEnd: () => first.onEnd(),
      onFailure: (failure) => first.onFailure(failure),
    };
    transport.send({ origin: upstream.origin, path: "/", headers: {}, body: "" }, atOnce);
    await settle(transport);
    expect(early.events).toEqual(["start"]);
    expect(connecting.events).toEqual(["start"]);
    expect(first.events).toEqual(["start"]);
    expect(upstream.requests).toHaveLength(0);
  });

  it("can abort late without harm to the next request of the connection", async () => {
    const upstream = await upstreamOf(({ socket, index }) => {
      if (index === 0) socket.write(OK);
    });
    const transport = transportOf();
    const first = send(transport, upstream.origin);
    await first.end;
    const second = send(transport, upstream.origin);
    await expect.poll(() => upstream.requests).toHaveLength(2);
    first.abort();
    first.resume();
    upstream.sockets[0]?.write(OK);
    expect(await second.end).toBe("end");
    expect(upstream.sockets).toHaveLength(1);
  });

  it("that aborts with the whole answer there leaves the connection in order", async () => {
    const upstream = await upstreamOf(answerOk);
    const transport = transportOf();
    const receiver = new RecordingReceiver();
    const told = new Promise<void>((resolve) => {
      receiver.onHeaders = () => {
        receiver.abort();
        resolve();
      };
    });
    transport.send({ origin: upstream.origin, path: "/", headers: {}, body: "" }, receiver);
    await told;
    await expectOk(transport, upstream.origin);
    expect(receiver.events).toEqual(["start"]);
    expect(upstream.sockets).toHaveLength(1);
  });

  it.each(["onHeaders", "onData", "onEnd"] as const)(
    "that fails in %s ends its own request alone",
    async (step) => {
      const upstream = await upstreamOf(answerOk);
      const transport = transportOf();
      const receiver = new RecordingReceiver();
      receiver[step] = () => {
        throw new Error("a mistake of the receiver");
      };
      transport.send({ origin: upstream.origin, path: "/", headers: {}, body: "" }, receiver);
      expect(await receiver.end).toEqual({
        kind: "reset",
        detail: expect.stringContaining("a mistake of the receiver"),
      });
      expect(receiver.events.filter((event) => event === "failure")).toHaveLength(1);
      await expectOk(transport, upstream.origin);
    },
  );
});

describe("TLS", () => {
  const secure = (answer = answerOk as (request: RawRequest) => void): Promise<RawUpstream> =>
    upstreamOf(answer, { isSecure: true });
  const named = ({ port }: RawUpstream, name: string): string => `https://${name}:${port}`;

  it("asks for the host by its name, for HTTP/1.1 alone, and keeps the connection", async () => {
    const upstream = await secure();
    const transport = transportOf(SETTINGS, TEST_AUTHORITY);
    await expectOk(transport, named(upstream, "upstream.test"));
    await expectOk(transport, named(upstream, "upstream.test"));
    expect(upstream.sockets).toHaveLength(1);
    const socket = upstream.sockets[0] as TLSSocket & { servername: unknown };
    expect(socket.servername).toBe("upstream.test");
    expect(socket.alpnProtocol).toBe("http/1.1");
    expect(upstream.requests[0]?.head).toContain(`\r\nhost: upstream.test:${upstream.port}\r\n`);
  });

  it("keeps connections whose answer comes before the socket says that the request is gone", async () => {
    // On a thread of its own it answers while this one is still at work on the write.
    const upstream = new Worker(
      `const { parentPort, workerData } = require("node:worker_threads");
       const server = require("node:tls").createServer(workerData, (socket) => {
         parentPort.postMessage("connection");
         socket.on("error", () => {});
         socket.on("data", () => socket.write("HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\nok"));
       });
       server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
      { eval: true, workerData: { key: TEST_CERTIFICATE_KEY, cert: TEST_CERTIFICATE } },
    );
    closing.push(() => upstream.terminate());
    const [port] = (await once(upstream, "message")) as [number];
    let connections = 0;
    upstream.on("message", () => {
      connections += 1;
    });
    const transport = transportOf(SETTINGS, TEST_AUTHORITY);
    const client = async (): Promise<void> => {
      for (let i = 0; i < 250; i += 1) await expectOk(transport, `https://upstream.test:${port}`);
    };
    await Promise.all(Array.from({ length: 4 }, client));
    // One for each that runs at once, and one more while the first ones shake hands.
    expect(connections).toBeLessThanOrEqual(8);
  });

  it("asks no literal address for a name, and checks its certificate", async () => {
    const upstream = await secure();
    await expectOk(transportOf(SETTINGS, TEST_AUTHORITY), named(upstream, "127.0.0.1"));
    expect((upstream.sockets[0] as TLSSocket & { servername: unknown }).servername).toBe(false);
  });

  it("goes on with the session of an earlier connection", async () => {
    const wasKnown: boolean[] = [];
    const upstream = await secure(({ socket }) => {
      wasKnown.push((socket as TLSSocket).isSessionReused());
      socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok");
    });
    const transport = transportOf(SETTINGS, TEST_AUTHORITY);
    await expectOk(transport, named(upstream, "upstream.test"));
    await expectOk(transport, named(upstream, "upstream.test"));
    expect(wasKnown).toEqual([false, true]);
  });

  it.each([
    ["another host's certificate", "other.test", TEST_AUTHORITY],
    ["an authority that nobody trusts", "upstream.test", undefined],
  ])("refuses %s", async (_, name, ca) => {
    const upstream = await secure();
    const receiver = send(transportOf(SETTINGS, ca), named(upstream, name), { body: "secret" });
    expect(await receiver.end).toMatchObject({ kind: "reset" });
    expect(receiver.events).toEqual(["start", "failure"]);
    expect(upstream.requests).toHaveLength(0);
  });

  it("carries large bodies both ways, with a receiver that pauses", async () => {
    const upstream = await secure(({ socket, body }) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });
    const transport = transportOf(SETTINGS, TEST_AUTHORITY);
    const body = Buffer.alloc(2_000_000);
    for (let i = 0; i < body.length; i += 1) body[i] = i % 251;
    const receiver = new RecordingReceiver();
    receiver.takesMore = false;
    const record = receiver.onData.bind(receiver);
    receiver.onData = (chunk) => {
      setImmediate(() => receiver.resume());
      return record(chunk);
    };
    transport.send({ origin: named(upstream, "upstream.test"), path: "/", headers: {}, body }, receiver);
    expect(await receiver.end).toBe("end");
    expect(Buffer.concat(receiver.chunks).equals(body)).toBe(true);
  });
});

describe("addresses", () => {
  it.each(["http://169.254.169.254", "http://[fe80::1]", "http://metadata.test", "https://mixed.test"])(
    "that are forbidden are blocked: %s",
    async (origin) => {
      expect(await send(transportOf(), origin).end).toMatchObject({ kind: "blocked" });
    },
  );

  it("that are unknown or refuse connections are reported", async () => {
    const upstream = await upstreamOf(answerOk);
    await upstream.close();
    closing.pop();
    const transport = transportOf();
    expect(await send(transport, upstream.origin).end).toMatchObject({ kind: "connect" });
    expect(await send(transport, "http://unknown.test").end).toMatchObject({ kind: "connect" });
  });
});
