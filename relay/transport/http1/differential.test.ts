import { request as nodeRequest } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { createRandom } from "@tollgate/testkit/random";
import { type RawRequest, startRawUpstream } from "@tollgate/testkit/raw-upstream";
import { RecordingReceiver } from "@tollgate/testkit/recording-receiver";
import { seeds } from "@tollgate/testkit/seeds";
import { Agent, request as undiciRequest } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transport } from "../../ports/transport";
import { AnswerReader } from "./answer-reader";
import { createHttp1Transport } from "./create-http1-transport";

/*
 * The client beside two others: Node's own parser (llhttp) and undici's build of it. Whatever bytes an upstream sends, this
 * client understands what both understand, or refuses.
 */

const SETTINGS = { connectTimeoutMs: 5000, firstByteTimeoutMs: 5000, idleTimeoutMs: 5000 };

/** A whole answer; undefined where the client refused it. */
type Understood = { status: number; body: string } | undefined;

type Random = () => number;

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const bodyOf = (random: Random): string =>
  pick(random, [
    "",
    "a",
    "{}",
    "hello world",
    "x".repeat(300),
    "\r\n\r\n",
    "0\r\n\r\n",
    "HTTP/1.1 200 OK\r\n\r\n",
  ]);

const chunked = (random: Random, body: string): string => {
  let text = "";
  for (let at = 0; at < body.length; ) {
    const size = 1 + Math.floor(random() * 40);
    const piece = body.slice(at, at + size);
    at += size;
    const hex = piece.length.toString(16);
    text += pick(random, [hex, hex.toUpperCase(), `0${hex}`, `${hex};a=b`, `${hex};a="b;c"`]);
    text += `\r\n${piece}\r\n`;
  }
  return `${text}0\r\n${pick(random, ["", "", "x-trailer: 1\r\n"])}\r\n`;
};

const FRAMINGS = ["length", "length", "chunked", "chunked", "close", "none"] as const;

/** An answer that is right. */
const goodAnswer = (random: Random): string => {
  const framing = pick(random, FRAMINGS);
  const status =
    framing === "none"
      ? pick(random, ["204 No Content", "304 Not Modified"])
      : pick(random, ["200 OK", "200", "200 ", "404 Not Found", "529 Overloaded"]);
  const body = framing === "none" ? "" : bodyOf(random);
  const headers = [
    pick(random, [
      "content-type: application/json",
      "Content-Type:text/plain",
      "x-a: \t b \t",
      "x-empty:",
      "x-fold: a",
      "date: now",
    ]),
  ];
  if (framing === "length")
    headers.push(`${pick(random, ["content-length", "Content-Length"])}: ${body.length}`);
  if (framing === "chunked") headers.push(`transfer-encoding: ${pick(random, ["chunked", "Chunked"])}`);
  if (framing === "close" || random() < 0.2) headers.push("connection: close");
  const interim = random() < 0.15 ? "HTTP/1.1 100 Continue\r\n\r\n" : "";
  const payload = framing === "chunked" ? chunked(random, body) : body;
  return `${interim}HTTP/1.1 ${status}\r\n${headers.join("\r\n")}\r\n\r\n${payload}`;
};

/** What is put somewhere into an answer, or in place of a byte of it. */
const SCRAPS = [
  "\r",
  "\n",
  "\r\n",
  "\r\n\r\n",
  " ",
  "\t",
  "\0",
  ":",
  ",",
  ";",
  "0",
  "9",
  "f",
  "-",
  "+",
  "\x80",
  "HTTP/1.1 200 OK\r\n",
  "content-length: 3\r\n",
  "transfer-encoding: chunked\r\n",
  "transfer-encoding: gzip\r\n",
  "content-length: 4, 4\r\n",
];

const MUTATIONS: ((random: Random, text: string, at: number) => string)[] = [
  (random, text, at) => text.slice(0, at) + pick(random, SCRAPS) + text.slice(at),
  (random, text, at) => text.slice(0, at) + pick(random, SCRAPS) + text.slice(at + 1),
  (_random, text, at) => text.slice(0, at) + text.slice(at + 1),
  (_random, text, at) => text.slice(0, at),
  (random, text, at) =>
    text.slice(0, at) +
    text
      .slice(at)
      .replace(
        /content-length/i,
        pick(random, ["content_length", "content-length ", " content-length", "contentlength"]),
      ),
  (random, text, at) =>
    text.slice(0, at) +
    text
      .slice(at)
      .replace(/\d+/, pick(random, ["1", "00", "99", "0x3", "1e1", "-1", "+2", "18446744073709551617"])),
];

const mutated = (random: Random, text: string): string => {
  const times = pick(random, [0, 1, 1, 1, 2]);
  let result = text;
  for (let i = 0; i < times; i += 1) {
    // The head is where readings differ; half of the mutations go there.
    const limit = random() < 0.5 ? Math.max(1, result.indexOf("\r\n\r\n")) : result.length;
    result = pick(random, MUTATIONS)(random, result, Math.floor(random() * limit));
  }
  return result;
};

/** The answer to a request, in pieces. */
const script = new Map<string, string[]>();

const answer = async ({ head, socket }: RawRequest): Promise<void> => {
  const pieces = script.get(/ (\/\S*) /.exec(head)?.[1] ?? "") ?? [];
  for (const [index, piece] of pieces.entries()) {
    if (socket.destroyed) return;
    if (index > 0) await new Promise((resolve) => setImmediate(resolve));
    socket.write(piece, "latin1");
  }
  // What has no end of its own ends with the connection.
  socket.end();
};

let upstream: Awaited<ReturnType<typeof startRawUpstream>>;
let transport: Transport;
let agent: Agent;

beforeAll(async () => {
  upstream = await startRawUpstream((request) => void answer(request));
  transport = createHttp1Transport(SETTINGS);
  agent = new Agent({ pipelining: 1, headersTimeout: 5000, bodyTimeout: 5000 });
});

afterAll(async () => {
  await transport?.close();
  await agent?.close();
  await upstream?.close();
});

const byOurs = async (path: string): Promise<Understood> => {
  const receiver = new RecordingReceiver();
  transport.send({ origin: upstream.origin, path, headers: {}, body: "{}" }, receiver);
  return (await receiver.end) === "end"
    ? { status: receiver.status, body: Buffer.concat(receiver.chunks).toString("latin1") }
    : undefined;
};

const byNode = (path: string): Promise<Understood> =>
  new Promise((resolve) => {
    const request = nodeRequest(upstream.origin + path, { method: "POST", agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", () => resolve(undefined));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString("latin1") }),
      );
    });
    request.on("error", () => resolve(undefined));
    request.end("{}");
  });

const byUndici = async (path: string): Promise<Understood> => {
  try {
    const { statusCode, body } = await undiciRequest(upstream.origin + path, {
      method: "POST",
      body: "{}",
      dispatcher: agent,
    });
    return { status: statusCode, body: Buffer.from(await body.arrayBuffer()).toString("latin1") };
  } catch {
    return undefined;
  }
};

const LENGTH_IN_TRAILER = /\r\n0+(?:;[^\r]*)?\r\n[\s\S]*(?:content-length|transfer-encoding)/i;

const hasExtra = (text: string): boolean => {
  const reader = new AnswerReader();
  const bytes = Buffer.from(text, "latin1");
  reader.read(bytes, bytes.length);
  return reader.hasExtra;
};

const cut = (random: Random, text: string): string[] => {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const size = random() < 0.5 ? text.length : 1 + Math.floor(random() * 60);
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
};

describe("whatever an upstream sends", () => {
  it.each(seeds(6))("is understood as Node and undici do, or refused (seed %i)", async (seed) => {
    const random = createRandom(seed);
    let understood = 0;
    for (let round = 0; round < 12; round += 1) {
      const cases = Array.from({ length: 8 }, (_, index) => {
        const text = mutated(random, goodAnswer(random));
        const path = `/${seed}-${round}-${index}`;
        script.set(path, cut(random, text));
        return { text, path };
      });
      await Promise.all(
        cases.map(async ({ text, path }) => {
          const [ours, node, undici] = await Promise.all([byOurs(path), byNode(path), byUndici(path)]);
          if (ours === undefined) return;
          understood += 1;
          // One of them may be stricter (undici takes no 100); but who is more lenient than both, or reads something
          // else than one of them, is wrong.
          const others = [node, undici].filter((other) => other !== undefined);
          expect({ text, others }).toEqual({ text, others: others.map(() => ours) });
          // Both refuse an answer with surplus data, and read the headers behind chunks; here the connection ends, and
          // those headers are ignored.
          const isUnderstood = others.length > 0 || hasExtra(text) || LENGTH_IN_TRAILER.test(text);
          expect({ text: JSON.stringify(text), isUnderstood }).toEqual({
            text: JSON.stringify(text),
            isUnderstood: true,
          });
        }),
      );
    }
    // Most of them are right, or wrong where it does not matter: refusing all would be no understanding.
    expect(understood).toBeGreaterThan(30);
  });

  it.each(seeds(3, 11))("right, is never refused (seed %i)", async (seed) => {
    const random = createRandom(seed);
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const text = goodAnswer(random);
        const path = `/good-${seed}-${index}`;
        script.set(path, cut(random, text));
        expect({ text, understood: await byOurs(path) }).toEqual({ text, understood: await byNode(path) });
      }),
    );
  });
});

describe("bytes that an upstream sends besides its answers", () => {
  const tagged = (path: string): string => {
    const body = JSON.stringify({ path });
    return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  };

  /** How an upstream answers: once, twice in several ways, or not to the end. */
  const MANNERS: ((request: RawRequest, text: string) => void)[] = [
    ({ socket }, text) => socket.write(text),
    ({ socket }, text) => socket.write(text),
    ({ socket }, text) => socket.write(text + text),
    ({ socket }, text) => {
      socket.write(text);
      socket.write(text);
    },
    ({ socket }, text) => {
      socket.write(text);
      setImmediate(() => socket.write(text));
    },
    ({ socket }, text) => socket.write(`${text}HTTP/1.1 100 Continue\r\n\r\n`),
    ({ socket }, text) => socket.write(`${text}\r\n`),
    ({ socket }, text) => socket.end(text.slice(0, -2)),
    ({ socket }, text) => {
      socket.write(text.slice(0, -2));
      setImmediate(() => socket.write(text.slice(-2)));
    },
  ];

  it.each(seeds(6))("reaches no other request, in any order of departures (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const manners = [MANNERS[0], MANNERS[8], pick(random, MANNERS), pick(random, MANNERS)];
    const odd = await startRawUpstream((request) => {
      const path = / (\/\S*) /.exec(request.head)?.[1] ?? "";
      pick(random, manners)?.(request, tagged(path));
    });
    const client = createHttp1Transport(SETTINGS);
    let whole = 0;
    const ask = async (path: string): Promise<void> => {
      const receiver = new RecordingReceiver();
      client.send({ origin: odd.origin, path, headers: {}, body: "{}" }, receiver);
      const leaves = random();
      if (leaves < 0.1) receiver.abort();
      else if (leaves < 0.2) setImmediate(() => receiver.abort());
      else if (leaves < 0.3) void receiver.began.then(() => receiver.abort());
      // Who left hears no more.
      const end = leaves < 0.3 ? await Promise.race([receiver.end, wait(20)]) : await receiver.end;
      const text = Buffer.concat(receiver.chunks).toString();
      // Whole or in part: what came is this request's own.
      expect(tagged(path)).toContain(text);
      if (end !== "end") return;
      expect(JSON.parse(text)).toEqual({ path });
      whole += 1;
    };
    try {
      for (let round = 0; round < 15; round += 1) {
        const paths = Array.from({ length: 6 }, (_, index) => `/${seed}/${round}/${index}`);
        await Promise.all(paths.map(ask));
      }
      expect(whole).toBeGreaterThan(20);
    } finally {
      await client.close();
      await odd.close();
    }
  });
});
