import { readFileSync } from "node:fs";
import type { ClientProtocol, NativeProtocolName, UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { isDelivery } from "@tollgate/contract/relay/stream";
import { isComplete } from "@tollgate/contract/relay/usage";
import { seeds, someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "./protocols";
import { cutAtRandom, cutEveryByte, cutInsideCharacters } from "./shared/testing/cut-bytes";
import { decodeEvents, readParts, writeParts } from "./shared/testing/run-stream";

/** The bytes of a fixture, by its path from here. */
const readFixture = (path: string): Uint8Array => readFileSync(new URL(path, import.meta.url));

/*
 * What holds for every stream of every protocol, wherever the network cuts it.
 */

interface Case {
  upstream: UpstreamProtocol;
  path: string;
  /** The text in the fixture from which on the answer is whole. */
  wholeFrom: string;
  /** False where the vendor never tells any. */
  tellsUsage?: boolean;
}

const openai = UPSTREAM_PROTOCOLS["openai-chat"];
const anthropic = UPSTREAM_PROTOCOLS["anthropic-messages"];
const responses = UPSTREAM_PROTOCOLS["openai-responses"];
const gemini = UPSTREAM_PROTOCOLS["gemini-generate"];

const native = (name: NativeProtocolName, fixture: string, wholeFrom: string, tellsUsage = true): Case => ({
  upstream: UPSTREAM_PROTOCOLS[name],
  path: `${name}/fixtures/${fixture}.sse`,
  wholeFrom,
  tellsUsage,
});

const CASES: Case[] = [
  {
    upstream: openai,
    path: "openai-chat/fixtures/thought-text-call.sse",
    wholeFrom: '"finish_reason":"tool_calls"',
  },
  { upstream: openai, path: "openai-chat/fixtures/text-unicode.sse", wholeFrom: '"finish_reason":"stop"' },
  {
    upstream: openai,
    path: "openai-chat/fixtures/parallel-calls.sse",
    wholeFrom: '"finish_reason":"tool_calls"',
  },
  { upstream: openai, path: "openai-chat/fixtures/liberal-vendor.sse", wholeFrom: '"finish_reason": "stop"' },
  { upstream: openai, path: "openai-chat/fixtures/refusal.sse", wholeFrom: '"finish_reason":"stop"' },
  { upstream: openai, path: "openai-chat/fixtures/repeated-usage.sse", wholeFrom: '"finish_reason":"stop"' },
  {
    upstream: anthropic,
    path: "anthropic-messages/fixtures/thought-text-call.sse",
    wholeFrom: '"stop_reason":"tool_use"',
  },
  {
    upstream: anthropic,
    path: "anthropic-messages/fixtures/text-unicode.sse",
    wholeFrom: '"stop_reason":"max_tokens"',
  },
  {
    upstream: anthropic,
    path: "anthropic-messages/fixtures/server-tools-and-empty-input.sse",
    wholeFrom: '"stop_reason":"tool_use"',
  },
  {
    upstream: anthropic,
    path: "anthropic-messages/fixtures/refusal.sse",
    wholeFrom: '"stop_reason":"refusal"',
  },
  ...["thought-text-call", "parallel-calls", "refusal", "built-in-and-unstreamed"].map((name) => ({
    upstream: responses,
    path: `openai-responses/fixtures/${name}.sse`,
    wholeFrom: '"type":"response.completed"',
  })),
  {
    upstream: responses,
    path: "openai-responses/fixtures/text-unicode.sse",
    wholeFrom: '"type":"response.incomplete"',
  },
  {
    upstream: gemini,
    path: "gemini-generate/fixtures/thought-text-call.sse",
    wholeFrom: '"finishReason":"STOP"',
  },
  {
    upstream: gemini,
    path: "gemini-generate/fixtures/text-unicode.sse",
    wholeFrom: '"finishReason":"MAX_TOKENS"',
  },
  {
    upstream: gemini,
    path: "gemini-generate/fixtures/parallel-calls.sse",
    wholeFrom: '"finishReason":"STOP"',
  },
  { upstream: gemini, path: "gemini-generate/fixtures/filtered.sse", wholeFrom: '"finishReason":"SAFETY"' },
  native("zhipu", "text-unicode", "meta:{"),
  native("baidu", "text-unicode", '"is_end":true'),
  native("dashscope", "thought-text", '"finish_reason":"stop"'),
  native("dashscope", "tool-calls", '"finish_reason":"tool_calls"'),
  native("hunyuan", "text-unicode", '"FinishReason":"stop"'),
  native("hunyuan", "thought-call", '"FinishReason":"tool_calls"'),
  native("hunyuan-legacy", "text-unicode", '"finish_reason":"stop"'),
  native("spark", "text-unicode", '"status":2'),
  native("aiproxy-library", "text-documents", '"finish":true', false),
];

const CLIENTS: ClientProtocol[] = Object.values(CLIENT_PROTOCOLS);

/** Position behind the line in which the answer is whole. */
const wholeAt = (bytes: Uint8Array, mark: string): number => {
  const text = Buffer.from(bytes);
  const line = text.indexOf(mark);
  if (line === -1) throw new Error(`${mark} is not in the fixture`);
  const end = text.indexOf("\n", line);
  return end === -1 ? bytes.length : end;
};

describe.each(CASES)("$path", ({ upstream, path, wholeFrom, tellsUsage = true }) => {
  const bytes = readFixture(path);
  const whole = readParts(upstream, [bytes]);
  const cuts: [string, Uint8Array[]][] = [
    ["byte by byte", cutEveryByte(bytes)],
    ["inside characters", cutInsideCharacters(bytes)],
    ...seeds(25, 0).map((seed): [string, Uint8Array[]] => [`cut ${seed}`, cutAtRandom(bytes, seed)]),
  ];

  it("reads as a whole answer", () => {
    expect(whole[0]?.kind).toBe("start");
    expect(whole.filter((part) => part.kind === "finish")).toHaveLength(1);
    expect(whole.some((part) => part.kind === "error")).toBe(false);
    const isUsed = whole.some((part) => part.kind === "usage" && isComplete(part.usage));
    expect(isUsed).toBe(tellsUsage);
    expect(whole.some(isDelivery)).toBe(true);
  });

  it("numbers its parts densely in the order of their appearance", () => {
    const seen = new Set<number>();
    for (const part of whole) {
      if (!("index" in part)) continue;
      if (!seen.has(part.index)) expect(part.index).toBe(seen.size);
      seen.add(part.index);
    }
  });

  it("reads the same wherever it is cut", () => {
    for (const [name, chunks] of cuts) expect(readParts(upstream, chunks), name).toEqual(whole);
  });

  it.each(CLIENTS)("is written the same for $name wherever it is cut", (client) => {
    const written = writeParts(client, whole);
    expect(written).not.toBe("");
    for (const [name, chunks] of cuts)
      expect(writeParts(client, readParts(upstream, chunks)), name).toBe(written);
  });

  it("is an error when it breaks off before the answer is whole, and an answer from there on", () => {
    const complete = wholeAt(bytes, wholeFrom);
    for (const length of [...someOf([...bytes.keys()]), complete - 3, complete, bytes.length]) {
      const parts = readParts(upstream, [bytes.subarray(0, length)]);
      const last = parts.at(-1);
      // The last byte or two of the deciding line may be the line break that nothing waits for.
      if (length < complete - 2) expect(last?.kind, `cut at ${length}`).toBe("error");
      if (length >= complete)
        expect(
          parts.filter((part) => part.kind === "finish"),
          `cut at ${length}`,
        ).toHaveLength(1);
      if (length >= complete)
        expect(
          parts.some((part) => part.kind === "error"),
          `cut at ${length}`,
        ).toBe(false);
    }
  });

  it("breaks off as a network error between two events", () => {
    const text = Buffer.from(bytes);
    const mark = text.includes("\r\n\r\n") ? "\r\n\r\n" : "\n\n";
    const complete = wholeAt(bytes, wholeFrom);
    let count = 0;
    for (
      let at = text.indexOf(mark);
      at !== -1 && at + mark.length < complete;
      at = text.indexOf(mark, at + 1)
    ) {
      const end = at + mark.length;
      // Only where the deciding event has not begun yet.
      if (end > text.lastIndexOf(mark, complete - 1) + mark.length) break;
      const last = readParts(upstream, [bytes.subarray(0, end)]).at(-1);
      expect(last?.kind === "error" && last.error.kind).toBe("network");
      count += 1;
    }
    expect(count).toBeGreaterThan(0);
  });

  const { passThrough } = upstream;
  if (!passThrough) return;

  it("is observed as it is read", () => {
    const observed = decodeEvents([bytes]).flatMap(({ data }) => passThrough.inspectEvent(data));
    const text = observed.map((observation) => observation.text).join("");
    for (const part of whole) if (part.kind === "text") expect(text).toContain(part.text);
    expect(observed.filter((observation) => observation.isEnd).length).toBeLessThanOrEqual(1);
    expect(observed.some((observation) => observation.isDelivery)).toBe(true);
    expect(observed.every((observation) => observation.error === undefined)).toBe(true);
  });

  it("has a marker in every event that counts", () => {
    for (const { data } of decodeEvents([bytes])) {
      const observed = passThrough.inspectEvent(data);
      if (!observed?.usage && !observed?.isEnd && !observed?.isUsageOnly && !observed?.error) continue;
      expect(
        passThrough.markers.some((marker) => data.replace(/"\s*:\s*/g, '":').includes(marker)),
        data,
      ).toBe(true);
    }
  });
});

/** All but the one whose events are plain text. */
const OF_JSON = Object.values(UPSTREAM_PROTOCOLS).filter(({ name }) => name !== "zhipu");

describe.each(OF_JSON)("$name", (upstream) => {
  it("calls a stream without events broken off", () => {
    const [part, ...more] = readParts(upstream, []);
    expect(part?.kind === "error" && part.error.kind).toBe("network");
    expect(more).toEqual([]);
  });

  it.each(["<html>502</html>", "{", "null", '"text"', "[1]"])(
    "calls %s in the stream unknown, once",
    (data) => {
      const reader = upstream.createStreamReader();
      const [part] = reader.push("", data);
      expect(part?.kind === "error" && part.error.kind).toBe("unknown");
      expect(reader.push("", data)).toEqual([]);
      expect(reader.end()).toEqual([]);
    },
  );

  const { passThrough } = upstream;
  if (!passThrough) return;

  it("lets unknown events and empty data pass", () => {
    const reader = upstream.createStreamReader();
    expect(reader.push("news", '{"type":"news","text":"x"}')).toEqual([]);
    expect(reader.push("", " ")).toEqual([]);
  });

  it("ignores unreadable events without an error", () => {
    for (const data of ["", "{", "null", "[]", "{}", '{"choices":"x"}', '{"type":5}']) {
      expect(passThrough.inspectEvent(data)).toMatchObject({
        text: "",
        isDelivery: false,
        isEnd: false,
        isUsageOnly: false,
      });
    }
  });
});
