import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ConversationServer, RedisConversations } from "./redis-conversations";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const setUp = () => {
  const kept = new Map<string, string>();
  const clock = { ms: 1_700_000_000_000 };
  const server = {
    status: "ready",
    get: vi.fn(async (key: string) => kept.get(key) ?? null),
    set: vi.fn(async (key: string, value: string) => {
      kept.set(key, value);
      return "OK";
    }),
  };
  const conversations = new RedisConversations(server as unknown as ConversationServer, {
    prefix: "p",
    hash: (text) => `hash of ${text.length}`,
    now: () => clock.ms,
  });
  return { conversations, server, kept, clock };
};

describe("conversations in Redis", () => {
  it("are found by a hash, never by their words, and kept for as long as providers keep prompts", async () => {
    const { conversations, server, kept } = setUp();
    expect(await conversations.find("words")).toBeUndefined();
    conversations.remember("words", "7/a");
    expect(server.set).toHaveBeenCalledWith("p:conversation:hash of 5", "7/a", "PX", 600_000);
    expect([...kept.keys()].join()).not.toContain("words");
    expect(await conversations.find("words")).toBe("7/a");
  });

  it("delay a request for 30 ms at most, and then none for a second", async () => {
    const { conversations, server, clock } = setUp();
    server.get.mockImplementation(() => new Promise(() => {}));
    const found = vi.fn<(entryId: string | undefined) => void>();
    conversations.find("s")?.then(found);
    await vi.advanceTimersByTimeAsync(29);
    expect(found).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(found).toHaveBeenCalledWith(undefined);
    expect(conversations.find("s")).toBeUndefined();
    clock.ms += 1000;
    expect(conversations.find("s")).toBeInstanceOf(Promise);
  });

  it("are not asked for while the server is gone, and an error is no answer", async () => {
    const { conversations, server } = setUp();
    server.status = "reconnecting";
    expect(conversations.find("s")).toBeUndefined();
    conversations.remember("s", "1");
    expect(server.set).not.toHaveBeenCalled();
    server.status = "ready";
    server.get.mockRejectedValue(new Error("READONLY"));
    expect(await conversations.find("s")).toBeUndefined();
    expect(conversations.find("s")).toBeUndefined();
  });
});
