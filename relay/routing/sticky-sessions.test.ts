import { describe, expect, it, vi } from "vitest";
import type { SharedConversations } from "../ports/relay-ports";
import { conversationOf, isCacheable, StickySessions, sessionOf } from "./sticky-sessions";

const LONG = "You are a careful assistant. ".repeat(200);

describe("sessionOf", () => {
  const session = (prompt: string, body: Record<string, unknown> = {}, keyId = 1, tokens = 2000) =>
    isCacheable(tokens) ? sessionOf(keyId, "gpt-4", conversationOf(body, prompt)) : undefined;

  it("is the same for every turn that begins alike", () => {
    expect(session(`${LONG}hello`)).toBe(session(`${LONG}hello\nhi\nand now?`));
    expect(session(`${LONG}hello`)).not.toBe(session(`Another one. ${LONG}`));
  });

  it("goes by the name that the client gives", () => {
    const named = { prompt_cache_key: "a" };
    expect(session(LONG, named)).toBe(session(`Changed. ${LONG}`, named));
    expect(session(LONG, named)).not.toBe(session(LONG, { prompt_cache_key: "b" }));
    expect(session(LONG, { metadata: { user_id: "u" } })).toBe(session("x", { metadata: { user_id: "u" } }));
  });

  it("keeps the keys apart", () => {
    expect(session(LONG)).not.toBe(session(LONG, {}, 2));
  });

  it("ignores prompts too short to cache", () => {
    expect(session("hi", {}, 1, 1023)).toBeUndefined();
  });
});

describe("StickySessions", () => {
  it("remembers for ten minutes after the last use", () => {
    const clock = { ms: 0 };
    const sessions = new StickySessions(() => clock.ms);
    sessions.remember("s", "7");
    clock.ms = 599_999;
    expect(sessions.find("s")).toBe("7");
    sessions.remember("s", "7");
    clock.ms = 1_199_998;
    expect(sessions.find("s")).toBe("7");
    clock.ms = 1_199_999;
    expect(sessions.find("s")).toBeUndefined();
  });

  it("queries the other nodes for an unknown session, and remembers the answer", async () => {
    const clock = { ms: 0 };
    const find = vi.fn<SharedConversations["find"]>(async (session) => (session === "s" ? "7" : undefined));
    const remember = vi.fn<SharedConversations["remember"]>();
    const sessions = new StickySessions(() => clock.ms, { find, remember });
    await sessions.fetch("s");
    await sessions.fetch("other");
    expect([sessions.find("s"), sessions.find("other")]).toEqual(["7", undefined]);
    expect(sessions.fetch("s")).toBeUndefined();
    expect(find.mock.calls).toEqual([["s"], ["other"]]);
    sessions.remember("s", "7");
    expect(remember).not.toHaveBeenCalled();
    clock.ms = 600_000;
    await sessions.fetch("s");
    expect(find).toHaveBeenCalledTimes(3);
  });

  it("keeps a channel that served here while the other nodes were queried", async () => {
    let answer: (entryId: string) => void = () => {};
    const find = () => new Promise<string>((resolve) => (answer = resolve));
    const sessions = new StickySessions(() => 0, { find, remember: () => {} });
    const fetched = sessions.fetch("s");
    sessions.remember("s", "1");
    answer("7");
    await fetched;
    expect(sessions.find("s")).toBe("1");
  });

  it("tells the other nodes news, and the same again only after a minute", () => {
    const clock = { ms: 0 };
    const remember = vi.fn<SharedConversations["remember"]>();
    const sessions = new StickySessions(() => clock.ms, { find: () => undefined, remember });
    for (const [ms, entryId] of [
      [0, "1"],
      [59_999, "1"],
      [60_000, "1"],
      [60_001, "2"],
      [60_002, "2"],
    ] as const) {
      clock.ms = ms;
      sessions.remember("s", entryId);
    }
    expect(remember.mock.calls).toEqual([
      ["s", "1"],
      ["s", "1"],
      ["s", "2"],
    ]);
  });

  it("drops the least recently used session when there are too many", () => {
    const sessions = new StickySessions(() => 0);
    for (let i = 0; i <= 20_000; i += 1) sessions.remember(`s${i}`, "1");
    expect([sessions.find("s0"), sessions.find("s1"), sessions.find("s20000")]).toEqual([
      undefined,
      "1",
      "1",
    ]);
  });
});
