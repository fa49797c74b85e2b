import { startCpuClock } from "@tollgate/testkit/cpu-clock";
import { describe, expect, it } from "vitest";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "./protocols";

const TARGET = { other: "", accountId: "" };
const CALLS = 40_000;
const numbers = Array.from({ length: CALLS }, (_, i) => i);
const backwards = numbers.toReversed();

/** As many calls and results as a body may hold, in an order in which no search ends early. */
const BODIES = {
  "openai-chat": {
    model: "m",
    messages: [
      { role: "user", content: "x" },
      {
        role: "assistant",
        tool_calls: numbers.map((i) => ({ id: `c${i}`, function: { name: `t${i}`, arguments: "{}" } })),
      },
      ...backwards.map((i) => ({ role: "tool", tool_call_id: `c${i}`, content: "r" })),
    ],
  },
  "openai-responses": {
    model: "m",
    input: [
      { role: "user", content: "x" },
      ...numbers.map((i) => ({ type: "function_call", call_id: `c${i}`, name: "t", arguments: "{}" })),
      ...backwards.map((i) => ({ type: "function_call_output", call_id: `c${i}`, output: "r" })),
    ],
  },
  "anthropic-messages": {
    model: "m",
    max_tokens: 5,
    messages: [
      { role: "user", content: "x" },
      {
        role: "assistant",
        content: numbers.map((i) => ({ type: "tool_use", id: `c${i}`, name: "t", input: {} })),
      },
      {
        role: "user",
        content: backwards.map((i) => ({ type: "tool_result", tool_use_id: `c${i}`, content: "r" })),
      },
    ],
  },
  "gemini-generate": {
    contents: [
      { role: "user", parts: [{ text: "x" }] },
      { role: "model", parts: numbers.map((i) => ({ functionCall: { name: `t${i}`, args: {} } })) },
      {
        role: "user",
        parts: backwards.map((i) => ({ functionResponse: { name: `t${i}`, response: {} } })),
      },
    ],
  },
};

const parse = (name: keyof typeof BODIES) => {
  const client = CLIENT_PROTOCOLS[name];
  const body = BODIES[name];
  return client.parseRequest(body, client.summarizeRequest(body, { model: "m", isStream: false }));
};

describe("a conversation of very many calls and results", () => {
  it.each(["openai-chat", "openai-responses", "anthropic-messages", "gemini-generate"] as const)(
    "of %s is read in no time",
    (name) => {
      const workedMs = startCpuClock();
      const { turns } = parse(name);
      expect(workedMs()).toBeLessThan(2000);
      expect(turns.at(-1)?.parts).toHaveLength(CALLS);
    },
  );

  it("is built in no time for an upstream that takes one call with its result at a time", () => {
    const request = { ...parse("openai-chat"), model: "ernie-4.0-8k" };
    const workedMs = startCpuClock();
    UPSTREAM_PROTOCOLS.baidu.buildRequest(request, TARGET);
    expect(workedMs()).toBeLessThan(2000);
  });

  it("whose neighbours are joined is joined in no time", () => {
    const messages = Array.from({ length: CALLS }, (_, i) => ({
      role: i % 2 === 0 ? "user" : "system",
      content: "words",
    }));
    const client = CLIENT_PROTOCOLS["openai-chat"];
    const body = { model: "m", messages };
    const request = client.parseRequest(body, client.summarizeRequest(body));
    const workedMs = startCpuClock();
    UPSTREAM_PROTOCOLS.hunyuan.buildRequest(request, TARGET);
    expect(workedMs()).toBeLessThan(2000);
  });
});
