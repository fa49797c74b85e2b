import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it } from "vitest";
import { entryOf } from "../testing/entry-of";
import type { AnswerStream } from "./answer-stream";
import { Attempt } from "./attempt";
import type { AttemptOwner } from "./attempt-owner";
import { PassStream } from "./pass-stream";
import { TranslateStream } from "./translate-stream";

/*
 * An upstream that only says that it is there keeps a client waiting. Honest ones do so while they think, but not for ever.
 */

const QUIET_MS = 600_000;

const STAMP: AnswerStamp = {
  id: "a",
  createdAt: 0,
  model: "m",
  requestId: "r",
  promptTokens: 7,
  request: {},
};

const STREAMS: Readonly<Record<string, () => AnswerStream | undefined>> = {
  "a stream that passes": () => new PassStream(UPSTREAM_PROTOCOLS["anthropic-messages"].passThrough!, true),
  "a translated stream": () =>
    new TranslateStream(UPSTREAM_PROTOCOLS["anthropic-messages"].createStreamReader(), (write) =>
      CLIENT_PROTOCOLS["openai-chat"].createStreamWriter(STAMP, true, write),
    ),
};

const SIGNS_OF_LIFE: Readonly<Record<string, string>> = {
  "a comment": ": ping\n\n",
  "an empty comment": ":\n\n",
  "a part of a comment": ":",
  "a blank line": "\n",
  "a line end of both": "\r\n",
  "an unknown field": "x: y\n\n",
  "an event without data": "event: ping\n\n",
  "an id": "id: 1\n\n",
  "a time to retry": "retry: 1\n\n",
  "empty data": "data:\n\n",
  "a ping": 'event: ping\ndata: {"type": "ping"}\n\n',
};

const event = (value: { type: string }): string => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const START = event({
  type: "message_start",
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    content: [],
    model: "m",
    usage: { input_tokens: 1 },
  },
} as { type: string });
const BLOCK = event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } } as {
  type: string;
});
const WORD = event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "word" } } as {
  type: string;
});

const setUp = (stream: AnswerStream | undefined) => {
  const world = { now: 1_000_000, isHeldUp: false, errors: [] as unknown[] };
  const owner: AttemptOwner = {
    onHead() {},
    createStream: () => stream,
    onBytes: () => !world.isHeldUp,
    onStreamEnd() {},
    onWholeAnswer() {},
    onError: (error, detail) => world.errors.push([error.code, detail]),
    onGivenUp() {},
    onCrash(error) {
      throw error;
    },
  };
  const attempt = new Attempt(entryOf(), owner, { quietMs: QUIET_MS, now: () => world.now });
  attempt.onStart(() => {});
  attempt.onHeaders(200, { "content-type": "text/event-stream" }, () => {});
  const send = (text: string): boolean => attempt.onData(Buffer.from(text));
  /** Sends the same every minute. */
  const repeat = (text: string, minutes: number): void => {
    for (let minute = 0; minute < minutes; minute += 1) {
      world.now += 60_000;
      send(text);
    }
  };
  return { world, attempt, send, repeat };
};

const GIVEN_UP = ["timeout", { code: "only-keep-alives" }];

describe.each(Object.entries(STREAMS))("%s (S21)", (_, open) => {
  it.each(Object.entries(SIGNS_OF_LIFE))(
    "ends after too long with %s alone, before a delivery",
    (_name, sign) => {
      const { world, repeat } = setUp(open());
      repeat(sign, 10);
      expect(world.errors).toEqual([]);
      repeat(sign, 2);
      expect(world.errors).toEqual([GIVEN_UP]);
    },
  );

  it.each(Object.entries(SIGNS_OF_LIFE))(
    "ends after too long with %s alone, behind a delivery",
    (_name, sign) => {
      const { world, send, repeat } = setUp(open());
      send(START + BLOCK + WORD);
      repeat(sign, 10);
      expect(world.errors).toEqual([]);
      repeat(sign, 2);
      expect(world.errors).toEqual([GIVEN_UP]);
    },
  );

  it("goes on for hours where content comes between the signs of life", () => {
    const { world, send, repeat } = setUp(open());
    send(START + BLOCK);
    for (let round = 0; round < 30; round += 1) {
      repeat(": ping\n\n", 9);
      send(WORD);
    }
    expect(world.errors).toEqual([]);
  });

  it("counts no time in which the client did not read", () => {
    const { world, attempt, send, repeat } = setUp(open());
    send(START + BLOCK + WORD);
    repeat(": ping\n\n", 5);
    world.now += 10 * QUIET_MS;
    attempt.resume();
    send(": ping\n\n");
    expect(world.errors).toEqual([]);
  });
});

describe("a whole answer (S21)", () => {
  it.each(["\n", " ", "\r\n\t "])("ends after too long with blanks alone (%j)", (blanks) => {
    const { world, repeat } = setUp(undefined);
    repeat(blanks, 10);
    expect(world.errors).toEqual([]);
    repeat(blanks, 2);
    expect(world.errors).toEqual([GIVEN_UP]);
  });

  it("may take as long as it likes while it comes", () => {
    const { world, repeat } = setUp(undefined);
    repeat("x", 100);
    expect(world.errors).toEqual([]);
  });
});
