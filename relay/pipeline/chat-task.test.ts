import type { Price } from "@tollgate/metering/price";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it } from "vitest";
import type { RelayPorts } from "../ports";
import { createChannelEntry } from "../routing/channel-entry";
import { type ChatJob, ChatTask } from "./chat-task";

const client = CLIENT_PROTOCOLS["openai-chat"];

const channelOf = (type: number) => {
  const entry = createChannelEntry(
    {
      id: 1,
      type,
      name: "channel",
      status: 1,
      weight: 0,
      priority: 0,
      createdTime: 0,
      testTime: 0,
      responseTimeMs: 0,
      baseUrl: "http://upstream.test",
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
    },
    "upstream-key",
  );
  if (!entry) throw new Error("the channel cannot be relayed to");
  return entry;
};

const OPENAI = channelOf(1);
const ANTHROPIC = channelOf(14);

const PRICE = {} as Price;

/** What the task reads of the ports and of the job, and no more. */
const setUp = (bytes: number) => {
  const counted: string[] = [];
  const ports = {
    tokenCounter: {
      count: (_model: string, text: string, done: (tokens: number) => void) => {
        counted.push(text);
        done(1);
      },
    },
  } as unknown as RelayPorts;
  const content = "x".repeat(bytes);
  const body = { model: "m", max_tokens: 5, messages: [{ role: "user", content }] };
  const job = {
    client,
    rawBody: Buffer.from(JSON.stringify(body)),
    body,
    outline: client.outline(body),
    key: { user: { id: 1 } },
  } as unknown as ChatJob;
  return { task: new ChatTask(ports, job), job, counted, content };
};

const textOf = (body: unknown): string =>
  typeof body === "string" ? body : Buffer.from(body as Uint8Array).toString();

describe("S8: a large body that waits for its answer", () => {
  it("is kept as it came and not as the tree of it", () => {
    const { task, job } = setUp(100_000);
    task.buildCall(OPENAI, "m", PRICE);
    expect(job.body).toBeUndefined();
    expect(job.rawBody.byteLength).toBeGreaterThan(100_000);
  });

  it("is read again for another try, in another protocol too, and for counting", () => {
    const { task, counted, content } = setUp(100_000);
    const first = textOf(task.buildCall(OPENAI, "m", PRICE).body);
    expect(textOf(task.buildCall(OPENAI, "m", PRICE).body)).toBe(first);
    expect(textOf(task.buildCall(ANTHROPIC, "m", PRICE).body)).toContain(content);
    expect(textOf(task.buildCall(OPENAI, "mapped", PRICE).body)).toContain('"model":"mapped"');
    const stream = { usage: {}, delivered: () => ({ text: "hi", images: 0, files: 0, estimatedTokens: 0 }) };
    task.countStream(stream as unknown as Parameters<ChatTask["countStream"]>[0], "m", false, () => {});
    expect(counted[0]).toContain(content);
  });

  it("stays parsed where it is small: reading it twice would cost more than it holds", () => {
    const { task, job } = setUp(100);
    task.buildCall(OPENAI, "m", PRICE);
    expect(job.body).toBeDefined();
  });
});
