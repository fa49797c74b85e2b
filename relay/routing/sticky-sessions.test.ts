import { describe, expect, it } from "vitest";
import { StickySessions, sessionOf } from "./sticky-sessions";

const LONG = "You are a careful assistant. ".repeat(200);

describe("sessionOf", () => {
  const session = (prompt: string, body: Record<string, unknown> = {}, keyId = 1, tokens = 2000) =>
    sessionOf(keyId, "gpt-4", body, prompt, tokens);

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

  it("does not care for prompts that nobody caches", () => {
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

  it("forgets what was used longest ago when there are too many", () => {
    const sessions = new StickySessions(() => 0);
    for (let i = 0; i <= 20_000; i += 1) sessions.remember(`s${i}`, "1");
    expect([sessions.find("s0"), sessions.find("s1"), sessions.find("s20000")]).toEqual([
      undefined,
      "1",
      "1",
    ]);
  });
});
