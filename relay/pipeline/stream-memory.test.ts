import { crc32 } from "node:zlib";
import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { keptMemory } from "@tollgate/testkit/kept-memory";
import { someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { entryOf } from "../testing/entry-of";
import type { AnswerStream } from "./answer-stream";
import { Attempt } from "./attempt";
import type { AttemptOwner } from "./attempt-owner";
import { BytesStream } from "./bytes-stream";
import { PassStream } from "./pass-stream";
import { TranslateStream } from "./translate-stream";

/*
 * An upstream decides how its answer is cut into events, lines and reads. Memory must follow the bytes that are kept, so
 * no way to cut them may cost a multiple.
 */

const MEGABYTE = 1024 * 1024;
/** Bytes that may be kept for each byte received: a copy, room to grow, and the text among it. */
const MAX_KEPT_PER_BYTE = 5;
/** What code that runs for the first time and the measurement itself may leave behind. */
const SLACK_BYTES = 3 * MEGABYTE;

const STAMP: AnswerStamp = {
  id: "a",
  createdAt: 0,
  model: "m",
  requestId: "r",
  promptTokens: 7,
  request: {},
};

const DELIVERY = 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"word"}}]}\n\n';

/** Lines and events that an upstream may repeat for as long as it likes. */
const LINES: Readonly<Record<string, string>> = {
  "empty comments": ":\n\n",
  "comments without blank lines": ":\n",
  "comments with carriage returns": ":\r\r",
  "comments with both": ":\r\n\r\n",
  pings: ": ping\n\n",
  "blank lines": "\n",
  "blank lines of both": "\r\n",
  "carriage returns": "\r",
  "mixed line ends": "\r\n\n\r",
  "unknown fields": "x\n\n",
  "unknown fields with comments": "x:\n:\n",
  "names of events": "event: ping\n\n",
  "names without blank lines": "event:\n",
  ids: "id: 1\n\n",
  "ids with comments": "id:1\n:\n\n",
  "times to retry": "retry: 1\n\n",
  "empty data": "data:\n\n",
  "empty data without blank lines": "data:\n",
  "data of one digit": "data:1\n\n",
  "data between comments": ":\ndata: {}\n\n",
  "empty objects": "data: {}\n\n",
  "pings as events": 'event: ping\ndata: {"type": "ping"}\n\n',
  "lines of data of one event": "data: [\ndata: ]\n\n",
  "an unfinished line": "x",
  "an unfinished comment": ":",
};

const ENDLESS_LINES: Readonly<Record<string, string>> = { "an unfinished line of data": "data: " };

/** Reads the stream as an attempt does, and keeps what it keeps. */
const owner = (stream: AnswerStream | undefined): AttemptOwner => ({
  onHead() {},
  createStream: () => stream,
  onBytes: () => true,
  onStreamEnd() {},
  onWholeAnswer() {},
  onError() {},
  onGivenUp() {},
  onCrash(error) {
    throw error;
  },
});

/** Memory kept beyond what was there before. */
const keptBy = async (
  stream: AnswerStream | undefined,
  status: number,
  beginning: string,
  line: string,
  chunkBytes: number,
  totalBytes: number,
): Promise<number> => {
  const attempt = new Attempt(entryOf(), owner(stream));
  attempt.onStart(() => {});
  const before = keptMemory();
  attempt.onHeaders(status, { "content-type": "text/event-stream" }, () => {});
  if (beginning !== "") attempt.onData(Buffer.from(beginning));
  const text = line.repeat(Math.ceil(Math.max(chunkBytes, line.length) / line.length));
  const bytes = Buffer.from(text, "latin1");
  for (let from = 0, sent = 0; sent < totalBytes; sent += chunkBytes) {
    const to = Math.min(bytes.length, from + chunkBytes);
    // A read of its own for each, as the transport gives it.
    if (!attempt.onData(Buffer.from(bytes.subarray(from, to))))
      await new Promise((resolve) => setImmediate(resolve));
    from = to === bytes.length ? 0 : to;
  }
  await new Promise((resolve) => setImmediate(resolve));
  const kept = keptMemory() - before;
  attempt.abort();
  return kept;
};

const expectBounded = async (
  stream: AnswerStream | undefined,
  beginning: string,
  line: string,
  chunkBytes: number,
  status = 200,
): Promise<void> => {
  const totalBytes = chunkBytes === 1 ? MEGABYTE / 4 : MEGABYTE;
  const kept = await keptBy(stream, status, beginning, line, chunkBytes, totalBytes);
  expect(kept).toBeLessThan(SLACK_BYTES + MAX_KEPT_PER_BYTE * totalBytes);
};

const CHUNKS = [1, 7, 1_400, 32 * 1024];
const BEGINNINGS = ["", DELIVERY];

const cases = [...Object.entries(LINES), ...Object.entries(ENDLESS_LINES)].flatMap(([name, line]) =>
  CHUNKS.flatMap((size) =>
    BEGINNINGS.map((beginning) => [name, size, beginning === "" ? "before" : "behind", line] as const),
  ),
);
const beginningOf = (when: "before" | "behind"): string => (when === "before" ? "" : DELIVERY);

describe("the memory kept of a stream follows the bytes received, whatever its lines are (S18)", () => {
  it.each(someOf(cases))(
    "passes %s in reads of %i bytes %s the first delivery",
    async (_, size, when, line) => {
      const stream = new PassStream(UPSTREAM_PROTOCOLS["openai-chat"].passThrough!, true);
      await expectBounded(stream, beginningOf(when), line, size);
    },
  );

  it.each(someOf(cases))(
    "translates %s in reads of %i bytes %s the first delivery",
    async (_, size, when, line) => {
      const stream = new TranslateStream(UPSTREAM_PROTOCOLS["openai-chat"].createStreamReader(), (write) =>
        CLIENT_PROTOCOLS["anthropic-messages"].createStreamWriter(STAMP, true, write),
      );
      await expectBounded(stream, beginningOf(when), line, size);
    },
  );

  it.each(CHUNKS)("keeps little of a binary event in reads of %i bytes", async (size) => {
    const protocol = UPSTREAM_PROTOCOLS["bedrock-converse"];
    const stream = new TranslateStream(
      protocol.createStreamReader(),
      (write) => CLIENT_PROTOCOLS["openai-chat"].createStreamWriter(STAMP, true, write),
      protocol.createDecoder?.(),
    );
    const frame = Buffer.alloc(12);
    frame.writeUInt32BE(8 * MEGABYTE, 0);
    frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
    await expectBounded(stream, frame.toString("latin1"), "x", size);
  });

  it.each(CHUNKS)("keeps little of sound that may be an error in reads of %i bytes", async (size) => {
    const stream = new BytesStream("audio/mpeg", () => ({
      kind: "unknown",
      status: 200,
      message: "",
      code: "",
    }));
    await expectBounded(stream, "{", "x", size);
  });

  it.each(CHUNKS)("keeps little of a whole answer in reads of %i bytes", async (size) => {
    await expectBounded(undefined, "", "x", size);
  });

  it.each(CHUNKS)("keeps little of an error in reads of %i bytes", async (size) => {
    await expectBounded(undefined, "", "x", size, 500);
  });
});

describe("memory before the first delivery", () => {
  const pass = (text: string, size = text.length): string => {
    const stream = new PassStream(UPSTREAM_PROTOCOLS["openai-chat"].passThrough!, true);
    let out = "";
    for (let from = 0; from < text.length; from += size)
      out += stream.push(Buffer.from(text.slice(from, from + size)))?.toString() ?? "";
    return out;
  };

  it.each([1, 5, 1000])("leaves out comments with the blank line that follows (reads of %i)", (size) => {
    expect(pass(`: ping\n\n:\n\n\n${DELIVERY}`, size)).toBe(DELIVERY);
  });

  it("keeps the blank line that ends an event whose comment is left out", () => {
    expect(pass(`event: other\n: comment\n\n${DELIVERY}`)).toBe(`event: other\n\n${DELIVERY}`);
  });
});
