import { describe, expect, it } from "vitest";
import { Affinity, sessionOf } from "./affinity";

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

describe("Affinity", () => {
  it("remembers for ten minutes after the last use", () => {
    const clock = { ms: 0 };
    const affinity = new Affinity(() => clock.ms);
    affinity.remember("s", "7");
    clock.ms = 599_999;
    expect(affinity.find("s")).toBe("7");
    affinity.remember("s", "7");
    clock.ms = 1_199_998;
    expect(affinity.find("s")).toBe("7");
    clock.ms = 1_199_999;
    expect(affinity.find("s")).toBeUndefined();
  });

  it("forgets what was used longest ago when there are too many", () => {
    const affinity = new Affinity(() => 0);
    for (let i = 0; i <= 20_000; i += 1) affinity.remember(`s${i}`, "1");
    expect([affinity.find("s0"), affinity.find("s1"), affinity.find("s20000")]).toEqual([
      undefined,
      "1",
      "1",
    ]);
  });
});
