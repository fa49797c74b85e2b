import type { LookupAddress, LookupOptions } from "node:dns";
import { createServer, type Server } from "node:http";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { RecordingReceiver } from "@tollgate/testkit/recording-receiver";
import { UNBOUNDED_MEMORY } from "@tollgate/testkit/unbounded-memory";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { WebSocketServer } from "ws";
import type { Transport } from "../ports/transport";
import { createTransport } from "./create-transport";
import { fetchMedia } from "./fetch-media";
import { askJson } from "./guarded-fetch";
import { isAddressAllowed, isAddressPublic, publicLookup } from "./outbound-guard";

/*
 * A malicious name server that returns another address for each query. A client that checks one answer and connects to
 * another is deceived (https://en.wikipedia.org/wiki/DNS_rebinding).
 */
let answers: string[] = [];
let asked: string[] = [];
/** Answers for names that begin with "late", which come when a test says so. */
const late: (() => void)[] = [];

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

vi.mock("node:dns", async (original) => ({
  ...(await original<typeof import("node:dns")>()),
  lookup: (name: string, options: LookupOptions, done: LookupCallback) => {
    const address = answers[Math.min(asked.length, answers.length - 1)] ?? "";
    asked.push(name);
    if (name.startsWith("late")) {
      late.push(() => done(null, [{ address: "127.0.0.1", family: 4 }]));
      return;
    }
    const family = address.includes(":") ? 6 : 4;
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  },
}));

/** What the network's name servers are asked; a name that begins with "silent" is never answered. */
let resolved: string[] = [];

vi.mock("node:dns/promises", () => {
  const resolve = async (kind: 4 | 6, name: string): Promise<string[]> => {
    resolved.push(`${name} ${kind}`);
    if (name.startsWith("silent")) return new Promise(() => undefined);
    const found = answers.filter((address) => address.includes(":") === (kind === 6));
    if (found.length === 0) throw Object.assign(new Error("no data"), { code: "ENODATA" });
    return found;
  };
  return {
    Resolver: class {
      resolve4 = (name: string) => resolve(4, name);
      resolve6 = (name: string) => resolve(6, name);
    },
  };
});

/** What this machine is called in the public internet, beside what it is called here. */
const OWN = [
  { address: "8.8.4.4", family: "IPv4" },
  { address: "2606:4700::64", family: "IPv6" },
];

vi.mock("node:os", async (original) => ({
  ...(await original<typeof import("node:os")>()),
  networkInterfaces: () => ({ eth0: OWN }),
}));

const METADATA = "169.254.169.254";
const SETTINGS = { connectTimeoutMs: 2_000, firstByteTimeoutMs: 5_000, idleTimeoutMs: 5_000 };

let server: Server;
let port: string;
let transport: Transport;

beforeAll(async () => {
  server = createServer((_, response) => {
    // A connection each, so that each has its look-up.
    response.writeHead(200, { "content-type": "application/json", connection: "close" }).end("{}");
  });
  server.on("connect", (_, socket) => socket.end("HTTP/1.1 502 no\r\ncontent-length: 0\r\n\r\n"));
  new WebSocketServer({ server }).on("connection", (socket) => socket.on("message", () => socket.close()));
  port = new URL(await listenOnLoopback(server)).port;
  transport = createTransport(SETTINGS);
});

afterAll(async () => {
  await transport.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  asked = [];
  resolved = [];
});

/** @returns "end", or why it failed. */
const send = async (origin: string, proxy?: string): Promise<string> => {
  const receiver = new RecordingReceiver();
  const way = proxy === undefined ? {} : { proxy };
  transport.send({ origin, path: "/", headers: {}, body: "{}", ...way }, receiver);
  const end = await receiver.end;
  return typeof end === "string" ? end : end.kind;
};

describe("a name that leads somewhere else each time", () => {
  it.each([
    ["a channel", () => send(`http://rebind.test:${port}`)],
    ["a channel over a WebSocket", () => send(`ws://rebind.test:${port}`)],
    ["a channel's proxy", () => send("http://upstream.test", `http://rebind.test:${port}`)],
  ])("is looked up once for a connection of %s, which goes to the checked address", async (_, call) => {
    answers = ["127.0.0.1", METADATA];
    await call();
    expect(asked).toEqual(["rebind.test"]);
    expect(await call()).toBe("blocked");
    expect(asked).toHaveLength(2);
  });

  it("is looked up once for a service that is asked for JSON", async () => {
    answers = ["127.0.0.1", METADATA];
    const url = `http://rebind.test:${port}/`;
    expect(await askJson(url, {})).toEqual({ kind: "json", value: {} });
    expect(asked).toHaveLength(1);
    expect(await askJson(url, {})).toEqual({ kind: "unreachable" });
    expect(asked).toHaveLength(2);
  });

  it.each(["127.0.0.1", METADATA, "10.0.0.1", "::1", "fd00:ec2::254", "64:ff9b::7f00:1", "2002:7f00:1::1"])(
    "does not lead a client's picture to %s, nor where it says a public address besides",
    async (address) => {
      for (const said of [[address], ["8.8.8.8", address], [address, "2606:4700::1111"]]) {
        answers = said;
        resolved = [];
        const leaving = AbortSignal.timeout(4_000);
        const fetching = fetchMedia(`http://rebind.test:${port}/`, 1000, leaving, UNBOUNDED_MEMORY);
        await expect(fetching).rejects.toThrow("media-out-of-reach");
        expect(resolved).toEqual(["rebind.test 4", "rebind.test 6"]);
      }
    },
  );
});

describe("a channel whose name servers are slow", () => {
  it("is looked up once for all concurrent requests, and does not delay other channels", async () => {
    answers = ["127.0.0.1"];
    const waiting = Array.from({ length: 50 }, () => send(`http://late.test:${port}`));
    await expect.poll(() => asked).toEqual(["late.test"]);
    expect(await send(`http://rebind.test:${port}`)).toBe("end");
    for (const answer of late.splice(0)) answer();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["end"]));
    expect(asked).toEqual(["late.test", "rebind.test"]);
    // Once it was answered it is asked for again.
    const again = send(`http://late.test:${port}`);
    await expect.poll(() => asked).toHaveLength(3);
    for (const answer of late.splice(0)) answer();
    expect(await again).toBe("end");
  });
});

describe("names that clients choose", () => {
  it("are asked for apart from those of channels, which would wait behind names without an answer", async () => {
    answers = ["127.0.0.1"];
    const leaving = new AbortController();
    const fetching = Array.from({ length: 50 }, (_, index) =>
      fetchMedia(`http://silent-${index}.test/`, 1000, leaving.signal, UNBOUNDED_MEMORY),
    );
    await expect.poll(() => resolved).toHaveLength(100);
    expect(asked).toEqual([]);
    expect(await send(`http://rebind.test:${port}`)).toBe("end");
    leaving.abort();
    for (const one of fetching) await expect(one).rejects.toThrow("media-too-late");
  });

  it("are all that is tried, in the order in which connections are", async () => {
    answers = ["8.8.8.8", "1.1.1.1", "2606:4700::1111"];
    const look = (options: LookupOptions) =>
      new Promise((done) => publicLookup("many.test", options, (...said) => done(said)));
    expect(await look({ all: true })).toEqual([
      null,
      [
        { address: "8.8.8.8", family: 4 },
        { address: "1.1.1.1", family: 4 },
        { address: "2606:4700::1111", family: 6 },
      ],
    ]);
    expect(await look({})).toEqual([null, "8.8.8.8", 4]);
    expect(await look({ family: 6 })).toEqual([null, "2606:4700::1111", 6]);
    answers = [];
    expect(await look({ all: true })).toMatchObject([{ code: "ENOTFOUND" }, []]);
  });
});

describe("this machine's own public address", () => {
  it.each(OWN)("is none that a client may have asked: $address", async ({ address }) => {
    expect(isAddressPublic(address)).toBe(false);
    expect(isAddressPublic(address.replace(/4$/, "8"))).toBe(true);
    expect(isAddressAllowed(address)).toBe(true);
  });
});
