import type { Channel } from "@tollgate/contract/api/channels";
import { readOverrides } from "@tollgate/contract/management/channel-overrides";
import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { OPERATIONS, type OpenaiOperation } from "@tollgate/protocols/openai-operations/openai-operations";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it } from "vitest";
import type { UpstreamTarget } from "../ports/directory";
import { entryOf } from "../testing/entry-of";
import { smallRelay } from "../testing/small-relay";
import type { ClientHeaders } from "./pass-client-headers";

const RATIOS = parseRatioTable('{"m":1,"other":1}')!;
const prices = { modelRatios: RATIOS, completionRatios: RATIOS };

const ANSWER = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 13, completion_tokens: 5, total_tokens: 18 },
};

const CLAUDE = 14;
const GEMINI = 24;

const channel = (overrides: unknown, fields: Partial<Channel> = {}): UpstreamTarget => {
  const requestChanges = readOverrides(overrides);
  return entryOf(
    { models: ["m"], ...fields },
    { key: "upstream-key", ...(requestChanges ? { requestChanges } : {}) },
  );
};

const CHAT = CLIENT_PROTOCOLS["openai-chat"];

/** A relay whose client speaks Chat Completions, unless said. */
const small = (settings: Parameters<typeof smallRelay>[0]) => {
  const relay = smallRelay(settings);
  return {
    ...relay,
    chat: (fields: Record<string, unknown>, headers: ClientHeaders = {}) => relay.chat(CHAT, fields, headers),
    chatAs: (name: ClientProtocolName, fields: Record<string, unknown>) =>
      relay.chat(CLIENT_PROTOCOLS[name], fields),
    operate: (name: OpenaiOperation, model: string, fields: Record<string, unknown>) =>
      relay.operate(CHAT, OPERATIONS[name], model, fields),
  };
};

const relayWith = (overrides: unknown, fields: Partial<Channel> = {}) =>
  small({ channels: [channel(overrides, fields)], prices });

describe("a body override", () => {
  it("merges, sets and deletes, in this order, and stands on the receipt by name", () => {
    const { chat, sent, charges } = relayWith({
      body: {
        merge: { reasoning: { effort: "low" }, temperature: 0 },
        set: { "metadata.team": "x", "stop.0": "END", temperature: 0.5 },
        delete: ["user", "reasoning.summary", "missing.field"],
      },
    });
    const response = chat({
      user: "u",
      stop: ["a", "b"],
      reasoning: { summary: "auto", effort: "high" },
      vendor_field: { kept: [1] },
    });
    sent[0]?.json(200, ANSWER);
    expect(sent[0]?.body()).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      stop: ["END", "b"],
      reasoning: { effort: "low" },
      vendor_field: { kept: [1] },
      temperature: 0.5,
      metadata: { team: "x" },
    });
    expect(response.status).toBe(200);
    expect(charges[0]?.attempts[0]?.overrides).toEqual([
      "body:reasoning.effort",
      "body:temperature",
      "body:metadata.team",
      "body:stop.0",
      "body:temperature",
      "body:user",
      "body:reasoning.summary",
    ]);
  });

  it("that merges an object without names leaves the names of one that is there, and else makes it", () => {
    const { chat, sent } = relayWith({
      body: { merge: { metadata: {}, reasoning: { more: {} }, stop: {} } },
    });
    chat({ metadata: { team: "x" }, stop: "END" });
    expect(sent[0]?.body()).toMatchObject({ metadata: { team: "x" }, reasoning: { more: {} }, stop: {} });
  });

  it("is held by the sent request: a limit, several answers", () => {
    const heldWith = (overrides: unknown, fields: Record<string, unknown>, more: Partial<Channel> = {}) => {
      const { chat, sent, user } = relayWith(overrides, more);
      chat(fields);
      const held = sent[0]?.held ?? 0;
      sent[0]?.json(500, {});
      expect(user.held).toBe(0);
      return held;
    };
    const plain = heldWith({ headers: { "x-a": "b" } }, { max_tokens: 10 });
    const raised = heldWith({ body: { set: { max_tokens: 5000 } } }, { max_tokens: 10 });
    expect(raised - plain).toBeGreaterThanOrEqual(4990);
    const several = heldWith({ body: { set: { n: 4 } } }, { max_tokens: 1000 });
    expect(several).toBeGreaterThanOrEqual(4000);
    // The same where the upstream speaks another protocol, of which clients speak one or none.
    for (const type of [CLAUDE, GEMINI, 15, 17, 23]) {
      const key = type === 15 ? "a|b" : type === 23 ? "1|b|c" : "k";
      const set =
        type === GEMINI
          ? { "generationConfig.maxOutputTokens": 9000 }
          : { max_tokens: 9000, max_output_tokens: 9000 };
      const requestChanges = readOverrides({ body: { set } })!;
      const entry = entryOf({ models: ["m"], type }, { key, requestChanges });
      const { chat, sent, user } = small({ channels: [entry], prices });
      chat({ max_tokens: 10 });
      expect(user.held, `type ${type}`).toBeGreaterThanOrEqual(9000);
      expect(sent.length, `type ${type}`).toBeLessThanOrEqual(1);
    }
  });

  it("that takes the limit away is held for the longest possible answer of the model", () => {
    const { chat, sent } = relayWith({ body: { delete: ["max_tokens"] } });
    chat({ max_tokens: 10 });
    expect(sent[0]?.body()).not.toHaveProperty("max_tokens");
    expect(sent[0]?.held).toBeGreaterThanOrEqual(32_768);
  });

  it("requests no tier and no tool without a price, from the client or the override", () => {
    const { chat, sent, charges } = relayWith({
      body: { set: { service_tier: "priority" }, merge: { metadata: { a: 1 } } },
    });
    chat({});
    expect(sent[0]?.body()).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      metadata: { a: 1 },
    });
    sent[0]?.json(200, { ...ANSWER, service_tier: "priority" });
    expect(charges).toHaveLength(1);
    const priced = small({
      channels: [channel({ body: { set: { service_tier: "priority" } } })],
      prices: { ...prices, tierRatios: parseRatioTable('{"priority":2}')! },
    });
    priced.chat({ max_tokens: 100 });
    expect(priced.sent[0]?.held).toBeGreaterThanOrEqual(200);
    priced.sent[0]?.json(200, ANSWER);
    expect(priced.charges[0]?.quota).toBe(36);
  });

  it("changes the body of another protocol's upstream", () => {
    const { chat, sent } = relayWith(
      { body: { set: { "thinking.type": "disabled", max_tokens: 77 } } },
      { type: CLAUDE },
    );
    chat({});
    expect(sent[0]?.body()).toMatchObject({ max_tokens: 77, thinking: { type: "disabled" } });
  });

  it("with which the request means nothing is refused, and nothing stays held", () => {
    const { chat, sent, user, failures } = relayWith({ body: { set: { max_tokens: "many" } } });
    const response = chat({});
    expect(sent).toHaveLength(0);
    expect(response.text).toContain("request-invalid");
    expect([user.held, failures.length]).toEqual([0, 1]);
  });

  it("costs nothing where there is none: the client's own bytes pass", () => {
    const { chat, sent } = relayWith({ headers: { "x-a": "b" } });
    chat({});
    expect(Buffer.isBuffer(sent[0]?.request.body)).toBe(true);
  });

  it("applies to operations in the shape that clients know, and units are held and charged by it", () => {
    const { operate, sent, user } = relayWith({ body: { set: { n: 3 } } });
    operate("images/generations", "m", { model: "m", prompt: "a cat", n: 1 });
    expect(sent[0]?.body()).toMatchObject({ n: 3 });
    const held = user.held;
    const plain = relayWith({ headers: { "x-a": "b" } });
    plain.operate("images/generations", "m", { model: "m", prompt: "a cat", n: 1 });
    expect(held).toBeGreaterThan(plain.user.held * 2);
  });
});

describe("a system prompt", () => {
  const SAID = "Be brief.";
  it("fills or comes first, in every client protocol, and is held and counted", () => {
    const cases = [
      [
        "openai-chat",
        {},
        "messages",
        [
          { role: "system", content: SAID },
          { role: "user", content: "hi" },
        ],
      ],
      [
        "openai-responses",
        { messages: undefined, input: "hi", instructions: "Own." },
        "instructions",
        `${SAID}\n\nOwn.`,
      ],
    ] as const;
    for (const [protocol, fields, name, expected] of cases) {
      const { chatAs, sent } = relayWith(
        { system_prompt: { text: SAID, mode: "prepend" } },
        protocol === "openai-responses" ? { type: 1 } : {},
      );
      chatAs(protocol, fields);
      expect(sent[0]?.body()[name]).toEqual(expected);
    }
    const claude = relayWith({ system_prompt: { text: SAID, mode: "prepend" } }, { type: CLAUDE });
    claude.chatAs("anthropic-messages", { max_tokens: 5, system: [{ type: "text", text: "Own." }] });
    expect(claude.sent[0]?.body().system).toEqual([
      { type: "text", text: SAID },
      { type: "text", text: "Own." },
    ]);
    const gemini = relayWith({ system_prompt: { text: SAID, mode: "prepend" } }, { type: GEMINI });
    gemini.chatAs("gemini-generate", {
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
      system_instruction: { parts: { text: "Own." } },
    });
    expect(gemini.sent[0]?.body().system_instruction).toEqual({ parts: [{ text: SAID }, { text: "Own." }] });
    const translated = relayWith({ system_prompt: { text: SAID } }, { type: CLAUDE });
    translated.chat({});
    expect(JSON.stringify(translated.sent[0]?.body().system)).toContain(SAID);
  });

  it("that fills leaves a client's own alone, and the receipt says nothing then", () => {
    const { chat, sent, charges } = relayWith({ system_prompt: { text: SAID } });
    const messages = [
      { role: "developer", content: "Own." },
      { role: "user", content: "hi" },
    ];
    chat({ messages });
    sent[0]?.json(200, ANSWER);
    expect(sent[0]?.body().messages).toEqual(messages);
    expect(charges[0]?.attempts[0]?.overrides).toBeUndefined();
    chat({});
    sent[1]?.json(200, { ...ANSWER, usage: undefined });
    expect(charges[1]?.attempts[0]?.overrides).toEqual(["system-prompt:fill"]);
    // Counted here: the instructions are part of what was sent.
    expect(charges[1]?.promptTokens).toBeGreaterThanOrEqual(Math.ceil(SAID.length / 4));
  });

  it("is gone with its channel: the next one is sent the client's own request", () => {
    const { chat, sent, charges } = small({
      channels: [
        channel({ system_prompt: { text: SAID }, body: { set: { top_p: 0.5 } } }, { id: 1, priority: 1 }),
        channel({ headers: {} }, { id: 2 }),
      ],
      prices,
      retryTimes: 1,
    });
    chat({});
    sent[0]?.json(500, {});
    sent[1]?.json(200, ANSWER);
    expect(sent[0]?.body()).toHaveProperty("top_p");
    expect(sent[1]?.body()).toEqual({ model: "m", messages: [{ role: "user", content: "hi" }] });
    expect(charges[0]?.attempts.map(({ overrides }) => overrides?.length)).toEqual([2, undefined]);
  });
});

describe("headers of a channel", () => {
  it("are set, hold the key and the client's value of a name, and never its credential", () => {
    const { chat, sent, charges } = relayWith({
      headers: {
        "X-Fixed": "a",
        "X-Key": "Token {api_key}",
        "X-Title": "{client:X-Title}",
        "X-Both": "{client:x-a}/{client:x-b}",
        Authorization: "Bearer {api_key}-2",
      },
    });
    chat({}, { "x-title": "mine", "x-a": "1", authorization: "Bearer client-key" });
    sent[0]?.json(200, ANSWER);
    expect(sent[0]?.request.headers).toMatchObject({
      "x-fixed": "a",
      "x-key": "Token upstream-key",
      "x-title": "mine",
      authorization: "Bearer upstream-key-2",
    });
    expect(sent[0]?.request.headers).not.toHaveProperty("x-both");
    expect(JSON.stringify(sent[0]?.request.headers)).not.toContain("client-key");
    expect(charges[0]?.attempts[0]?.overrides).toEqual([
      "header:x-fixed",
      "header:x-key",
      "header:authorization",
      "header:x-title",
    ]);
  });

  it("take nothing from a client that would begin another line", () => {
    const { chat, sent } = relayWith({ headers: { "x-title": "{client:x-title}" } });
    chat({}, { "x-title": "a\r\nhost: evil" });
    expect(sent[0]?.request.headers).not.toHaveProperty("x-title");
  });

  it("are removed from a text in which an upstream repeats them", () => {
    const { chat, sent } = relayWith({ headers: { "x-secret": "Token hunter2-hunter2" } });
    const response = chat({});
    sent[0]?.json(400, {
      error: { message: "no hunter2-hunter2 of this token", type: "invalid_request_error" },
    });
    expect(response.text).toContain("of this token");
    expect(response.text).not.toContain("hunter2");
  });
});

describe("a mapped status", () => {
  it("decides how the failure is treated: retried, or not, whatever the upstream's words are", () => {
    const run = (status_codes: Record<string, number>, status: number, error: object) => {
      const overridden = channel({ status_codes }, { id: 1, priority: 1 });
      const relay = small({
        channels: [overridden, channel({ headers: {} }, { id: 2 })],
        prices,
        retryTimes: 1,
      });
      const response = relay.chat({});
      relay.sent[0]?.json(status, { error });
      return { ...relay, response };
    };
    const wrong = { message: "bad", type: "invalid_request_error" };
    const retried = run({ "400": 500 }, 400, wrong);
    expect(retried.sent).toHaveLength(2);
    retried.sent[1]?.json(200, ANSWER);
    expect(retried.charges[0]?.attempts[0]).toMatchObject({
      outcome: "overloaded",
      status: 400,
      overrides: ["status:400:500"],
    });
    const told = run({ "500": 422 }, 500, { message: "bad", type: "server_error" });
    expect([told.sent.length, told.response.status]).toEqual([1, 422]);
    const notDead = run({ "401": 503 }, 401, { message: "no", code: "invalid_api_key" });
    expect(notDead.failures.length + notDead.sent.length).toBe(2);
    expect(run({ "500": 400 }, 400, wrong).sent).toHaveLength(1);
  });
});

describe("a channel that passes bodies as they are", () => {
  it("sends the client's bytes, and adds only the field that a stream's usage needs", () => {
    const { chat, sent, charges } = relayWith({ pass_body: true });
    chat({ vendor_field: 1 });
    sent[0]?.json(200, ANSWER);
    expect(sent[0]?.text()).toBe(
      '{"model":"m","messages":[{"role":"user","content":"hi"}],"vendor_field":1}',
    );
    expect(charges[0]?.attempts[0]?.overrides).toEqual(["pass-body"]);
    chat({ stream: true });
    expect(sent[1]?.body()).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("is not told of models that may answer in place of another", () => {
    const { chat, sent } = relayWith({ pass_body: true });
    chat({ models: ["m", "other"], vendor_field: 1 });
    expect(sent[0]?.body()).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      vendor_field: 1,
    });
  });

  it("takes nothing out: an unpriced field is refused, for operations, too", () => {
    const { chat, operate, sent, user } = relayWith({ pass_body: true });
    expect(chat({ service_tier: "priority" }).text).toContain("request-invalid");
    expect(operate("embeddings", "m", { model: "m", input: "x", service_tier: "flex" }).text).toContain(
      "request-invalid",
    );
    expect(operate("completions", "m", { model: "m", prompt: "x", plugins: [{ id: "web" }] }).text).toContain(
      "request-invalid",
    );
    expect([sent.length, user.held]).toEqual([0, 0]);
  });
});
