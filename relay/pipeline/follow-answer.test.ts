import { setImmediate as turn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { PICTURE } from "@tollgate/testkit/answer-shapes/native-images";
import { UNBOUNDED_MEMORY } from "@tollgate/testkit/unbounded-memory";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TransportFailure, UpstreamReceiver, UpstreamRequest } from "../ports/transport";
import { entryOf } from "../testing/entry-of";
import { type FollowUp, followAnswer } from "./follow-answer";

interface Sent {
  request: UpstreamRequest;
  receiver: UpstreamReceiver;
  isAborted: boolean;
}

const followUp: FollowUp = {
  taskPath: (body) => {
    const { task } = body as { task?: string };
    return task === undefined ? undefined : `/tasks/${task}`;
  },
  picturesToFetch: (body) => (body as { urls?: string[] }).urls ?? [],
};

const fetchedPicture = async () => ({ data: PICTURE, mediaType: "image/png" });

const setUp = (fetchMedia: () => Promise<{ data: string; mediaType: string }> = fetchedPicture) => {
  const sent: Sent[] = [];
  const seen: { status?: number; text?: string; failure?: TransportFailure; abort?: () => void } = {};
  const chunks: Buffer[] = [];
  const channel = entryOf({ id: 1, models: [] });
  const fetched: string[] = [];
  followAnswer({
    channel,
    request: {
      origin: channel.origin,
      path: "/submit",
      headers: { ...channel.headers, "x-async": "1" },
      body: "{}",
    },
    followUp,
    ports: {
      transport: {
        send(request, receiver) {
          const one = { request, receiver, isAborted: false };
          sent.push(one);
          receiver.onStart(() => {
            one.isAborted = true;
          });
        },
        close: async () => {},
      },
      now: () => 0,
      random: () => 0,
      fetchMedia: (url) => {
        fetched.push(url);
        return fetchMedia();
      },
    },
    memory: UNBOUNDED_MEMORY,
    receiver: {
      onStart: (abort) => {
        seen.abort = abort;
      },
      onHeaders: (status) => {
        seen.status = status;
      },
      onData: (chunk) => {
        chunks.push(chunk);
        return true;
      },
      onEnd: () => {
        seen.text = Buffer.concat(chunks).toString();
      },
      onFailure: (failure) => {
        seen.failure = failure;
      },
    },
  });
  const answer = (status: number, body: unknown): void => {
    const last = sent.at(-1);
    last?.receiver.onHeaders(status, { "content-type": "application/json" }, () => {});
    last?.receiver.onData(Buffer.from(typeof body === "string" ? body : JSON.stringify(body)));
    last?.receiver.onEnd();
  };
  return { sent, seen, answer, fetched };
};

const TASK = { task: "a" };
const LONGEST_PAUSE_MS = 5000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("an answer that is followed", () => {
  it("passes on at once when it is final", () => {
    const { seen, answer, sent } = setUp();
    answer(200, { done: 1 });
    expect(seen).toMatchObject({ status: 200, text: '{"done":1}' });
    expect(sent).toHaveLength(1);
  });

  it("queries the task with the channel's key until it is over", () => {
    const { seen, answer, sent } = setUp();
    answer(200, TASK);
    expect(sent).toHaveLength(1);
    for (let query = 1; query <= 3; query += 1) {
      vi.advanceTimersByTime(LONGEST_PAUSE_MS);
      expect(sent).toHaveLength(1 + query);
      expect(sent.at(-1)?.request).toMatchObject({ method: "GET", path: "/tasks/a" });
      expect(sent.at(-1)?.request.headers).toHaveProperty("authorization");
      expect(sent.at(-1)?.request.headers).not.toHaveProperty("x-async");
      // A later answer names another task: it is not followed.
      answer(200, query < 3 ? { task: "other" } : { done: 1 });
    }
    expect(seen).toMatchObject({ status: 200, text: '{"done":1}' });
  });

  it("survives queries that fail, but not for ever", () => {
    const { seen, answer, sent } = setUp();
    answer(200, TASK);
    vi.advanceTimersByTime(LONGEST_PAUSE_MS);
    answer(503, "busy");
    vi.advanceTimersByTime(LONGEST_PAUSE_MS);
    sent.at(-1)?.receiver.onFailure({ kind: "reset", detail: "x" });
    vi.advanceTimersByTime(LONGEST_PAUSE_MS);
    answer(200, TASK);
    for (let query = 0; query < 4; query += 1) {
      expect(seen.status).toBeUndefined();
      vi.advanceTimersByTime(LONGEST_PAUSE_MS);
      answer(429, "busy");
    }
    expect(seen).toMatchObject({ status: 429, text: "busy" });
  });

  it("ends with a refusal of a query", () => {
    const { seen, answer } = setUp();
    answer(200, TASK);
    vi.advanceTimersByTime(LONGEST_PAUSE_MS);
    answer(401, { code: "InvalidApiKey" });
    expect(seen.status).toBe(401);
  });

  it("ends a task that is never over", () => {
    const { seen, answer, sent } = setUp();
    answer(200, TASK);
    for (let query = 0; query < 1000 && seen.failure === undefined; query += 1) {
      vi.advanceTimersByTime(LONGEST_PAUSE_MS);
      answer(200, TASK);
    }
    expect(seen.failure).toEqual({ kind: "timeout", detail: { code: "answer-timeout" } });
    expect(sent.length).toBeLessThan(200);
    vi.advanceTimersByTime(10 * LONGEST_PAUSE_MS);
    expect(sent.length).toBeLessThan(200);
  });

  it.each([0, 1])("sends nothing more after it was given up, after %i queries", (queries) => {
    const { seen, answer, sent } = setUp();
    if (queries === 1) {
      answer(200, TASK);
      vi.advanceTimersByTime(LONGEST_PAUSE_MS);
    }
    seen.abort?.();
    expect(sent.at(-1)?.isAborted).toBe(true);
    answer(200, TASK);
    vi.advanceTimersByTime(10 * LONGEST_PAUSE_MS);
    expect(sent).toHaveLength(1 + queries);
    expect(seen).not.toHaveProperty("status");
    expect(seen).not.toHaveProperty("failure");
  });

  it("reads a packed answer, and refuses one that is too large", async () => {
    const packed = setUp();
    const [one] = packed.sent;
    one?.receiver.onHeaders(200, { "content-encoding": "gzip" }, () => {});
    one?.receiver.onData(gzipSync(JSON.stringify(TASK)));
    one?.receiver.onEnd();
    await vi.waitFor(() => {
      vi.advanceTimersByTime(LONGEST_PAUSE_MS);
      expect(packed.sent).toHaveLength(2);
    });
    const large = setUp();
    large.answer(200, " ".repeat(2 * 1024 * 1024));
    expect(large.seen.failure).toMatchObject({ detail: { code: "answer-too-large" } });
    expect(large.sent[0]?.isAborted).toBe(true);
  });
});

describe("pictures of an answer", () => {
  const URLS = ["https://b.example/2.png?s=1", "https://a.example/1.png"];

  it("replace their addresses, each once", async () => {
    const { seen, answer, fetched } = setUp();
    answer(200, { first: URLS[1], urls: URLS, again: URLS[0] });
    await vi.waitFor(() => expect(seen.text).toBeDefined());
    const data = `data:image/png;base64,${PICTURE}`;
    expect(JSON.parse(seen.text ?? "")).toEqual({
      first: data,
      urls: [data, URLS[1]],
      again: URLS[0],
    });
    expect(fetched).toEqual(URLS);
  });

  it.each([
    ["that cannot be reached", () => Promise.reject(new Error("no"))],
    ["that are documents", async () => ({ data: "JVBERi0=", mediaType: "application/pdf" })],
  ])("%s fail the answer, without the address's secrets", async (_name, fetchMedia) => {
    const { seen, answer } = setUp(fetchMedia);
    answer(200, { urls: URLS });
    await vi.waitFor(() => expect(seen.failure).toBeDefined());
    expect(seen.failure).toEqual({
      kind: "invalid",
      detail: { code: "picture-unfetched", host: "b.example" },
    });
  });

  it("are not delivered to a client that has left", async () => {
    const { seen, answer } = setUp();
    answer(200, { urls: URLS });
    seen.abort?.();
    await turn();
    await turn();
    expect(seen).not.toHaveProperty("status");
    expect(seen).not.toHaveProperty("failure");
  });
});
