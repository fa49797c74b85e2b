import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { FIELD_SAMPLES, PLAIN } from "@tollgate/protocols/shared/testing/field-samples";
import { refusalOf } from "@tollgate/protocols/shared/testing/refusal-of";
import { describe, expect, it } from "vitest";
import type { ApiKey } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import { entryOf } from "../testing/entry-of";
import { smallRelay } from "../testing/small-relay";
import { IGNORED_HEADER, screenFields, toIgnoredHeader } from "./screen-fields";

const ratios =
  parseRatioTable('{"gpt-4o":1,"claude-sonnet-4-5":1,"gpt-5-codex":1,"gemini-3-pro":1}') ?? new Map();
const PRICES = { modelRatios: ratios, completionRatios: ratios };
const CHANNELS = [
  entryOf({ id: 1, type: 8, models: ["gpt-4o"] }),
  entryOf({ id: 2, type: 14, models: ["claude-sonnet-4-5"] }),
  entryOf({ id: 3, type: 1, models: ["gpt-5-codex"] }),
  entryOf({ id: 4, type: 24, models: ["gemini-3-pro"] }),
];

const ask = (
  client: ClientProtocolName,
  model: string,
  fields: Record<string, unknown>,
  key: Partial<ApiKey> = {},
  ports: Partial<RelayPorts> = {},
) => {
  const channels = CHANNELS.filter(({ channel }) => channel.models.includes(model));
  const relay = smallRelay({ channels, prices: PRICES, key, ports });
  const plain = { messages: undefined, ...PLAIN[client] };
  const response = relay.chat(CLIENT_PROTOCOLS[client], { model, ...plain, ...fields });
  return { relay, response };
};

const CHAT_ANSWER = {
  id: "x",
  choices: [{ index: 0, message: { role: "assistant", content: "one END two" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 },
};

describe("a field that the upstream's protocol has no place for", () => {
  it("is named in a header of the answer", () => {
    const { relay, response } = ask("anthropic-messages", "gpt-4o", { top_k: 5, unheard_of: 1 });
    relay.sent[0]?.json(200, CHAT_ANSWER);
    expect(response.status).toBe(200);
    expect(response.headers[IGNORED_HEADER]).toBe("top_k, unheard_of");
  });

  it("is not named where the client's own bytes pass", () => {
    const { relay, response } = ask("openai-chat", "gpt-4o", { unheard_of: 1 });
    relay.sent[0]?.json(200, CHAT_ANSWER);
    expect(relay.sent[0]?.body()).toHaveProperty("unheard_of");
    expect(response.headers).not.toHaveProperty(IGNORED_HEADER);
  });

  it("is not what the gateway itself asks for: one call at a time for the older functions", () => {
    const functions = [{ name: "f", parameters: { type: "object" } }];
    const toClaude = ask("openai-chat", "claude-sonnet-4-5", { functions });
    expect(toClaude.relay.sent[0]?.body().tool_choice).toEqual({
      type: "auto",
      disable_parallel_tool_use: true,
    });
    const content = [{ type: "tool_use", id: "1", name: "f", input: {} }];
    const usage = { input_tokens: 1, output_tokens: 1 };
    toClaude.relay.sent[0]?.json(200, {
      type: "message",
      role: "assistant",
      content,
      stop_reason: "tool_use",
      usage,
    });
    expect(toClaude.response.headers).not.toHaveProperty(IGNORED_HEADER);
    expect(toClaude.response.text).toContain('"function_call":{"name":"f","arguments":"{}"}');
    // Gemini has no field for it.
    const toGemini = ask("openai-chat", "gemini-3-pro", { functions }, { unsupportedFields: "refuse" });
    expect(toGemini.relay.sent).toHaveLength(1);
  });

  it.each<[string, Partial<ApiKey>, Partial<RelayPorts>, boolean]>([
    ["the key refuses", { unsupportedFields: "refuse" }, {}, true],
    ["the site refuses", {}, { unsupportedFields: () => "refuse" }, true],
    [
      "the key ignores against the site",
      { unsupportedFields: "ignore" },
      { unsupportedFields: () => "refuse" },
      false,
    ],
    ["neither decides", {}, {}, false],
  ])("is refused with its name or sent without: %s", (_, key, ports, isRefused) => {
    const { relay, response } = ask("anthropic-messages", "gpt-4o", { top_k: 5 }, key, ports);
    expect(relay.sent).toHaveLength(isRefused ? 0 : 1);
    expect(response.text.includes("request-invalid")).toBe(isRefused);
    expect(relay.user.held > 0).toBe(!isRefused);
  });

  it("is refused by its path", () => {
    const body = { model: "m", messages: [{ role: "user", content: "hi", name: "ann" }] };
    const { fields, spelling } = CLIENT_PROTOCOLS["openai-chat"];
    const refusal = refusalOf(() => screenFields({ fields, spelling }, body, { carries: {} }, {}, "refuse"));
    expect(refusal).toEqual({
      fault: { code: "unsupported-field", field: "messages[0].name" },
      param: "messages[0].name",
    });
  });

  it("is never refused where it changes nothing in the answer", () => {
    const { relay } = ask("anthropic-messages", "gpt-4o", { betas: ["b"] }, { unsupportedFields: "refuse" });
    expect(relay.sent).toHaveLength(1);
  });

  it.each<[ClientProtocolName, string]>([
    ["anthropic-messages", "inference_geo"],
    ["openai-responses", "inference_geo"],
    ["openai-responses", "moderation"],
    ["gemini-generate", "safetySettings"],
  ])("is refused for %s whatever the key says, where it is about safety: %s", (client, path) => {
    const { fields = {} } = FIELD_SAMPLES[client][path] ?? {};
    const { relay, response } = ask(client, "gpt-4o", fields, { unsupportedFields: "ignore" });
    expect(relay.sent).toHaveLength(0);
    expect(response.text).toContain("request-invalid");
  });

  it("is named for the attempt that answered", () => {
    const channels = [
      entryOf({ id: 1, type: 8, models: ["claude-sonnet-4-5"], priority: 1 }),
      entryOf({ id: 2, type: 14, models: ["claude-sonnet-4-5"] }),
    ];
    const relay = smallRelay({ channels, prices: PRICES, retryTimes: 1 });
    const fields = { ...PLAIN["anthropic-messages"], top_k: 5 };
    const response = relay.chat(CLIENT_PROTOCOLS["anthropic-messages"], {
      model: "claude-sonnet-4-5",
      ...fields,
    });
    relay.sent[0]?.json(500, {});
    const content = [{ type: "text", text: "a" }];
    const usage = { input_tokens: 1, output_tokens: 1 };
    relay.sent[1]?.json(200, { type: "message", role: "assistant", content, stop_reason: "end_turn", usage });
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty(IGNORED_HEADER);
  });
});

describe("the header of ignored fields", () => {
  it("holds nothing that a header may not hold, and no more than it can name", () => {
    expect(toIgnoredHeader(["a\r\nx: 1", "naïve", "a,b"])).toBe("a%0D%0Ax%3A%201, na%C3%AFve, a%2Cb");
    const many = Array.from({ length: 500 }, (_, index) => `field_${index}${"x".repeat(1000)}`);
    expect(toIgnoredHeader(many).length).toBeLessThan(4096);
    expect(toIgnoredHeader(many)).toMatch(/, \.\.\.$/);
    const wide = Array.from({ length: 40 }, (_, index) => `${"字".repeat(80)}${index}`);
    expect(toIgnoredHeader(wide).length).toBeLessThan(4096);
  });
});

describe("stop sequences for an upstream without a field for them", () => {
  const stops = { messages: undefined, input: undefined, stop: ["END"] };

  it("cut a whole answer, which is charged as the upstream told", () => {
    const { relay, response } = ask("openai-chat", "gpt-5-codex", { ...stops, ...PLAIN["openai-chat"] });
    expect(relay.sent[0]?.body()).not.toHaveProperty("stop");
    relay.sent[0]?.json(200, {
      id: "r",
      object: "response",
      status: "completed",
      output: [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "one END two" }] },
      ],
      usage: { input_tokens: 5, output_tokens: 9 },
    });
    expect(JSON.parse(response.text)).toMatchObject({
      choices: [{ message: { content: "one " }, finish_reason: "stop" }],
      usage: { completion_tokens: 9 },
    });
    expect(relay.charges).toMatchObject([{ completionTokens: 9 }]);
  });

  it("cut a stream, whichever way its text is divided", () => {
    const { relay, response } = ask("anthropic-messages", "gpt-4o", {
      stop_sequences: ["END"],
      stream: true,
    });
    const { receiver } = relay.sent[0] ?? {};
    receiver?.onHeaders(200, { "content-type": "text/event-stream" }, () => {});
    const chunk = (value: object): void => {
      receiver?.onData(Buffer.from(`data: ${JSON.stringify(value)}\n\n`));
    };
    for (const content of ["one E", "N", "D two", " three"])
      chunk({ id: "x", choices: [{ index: 0, delta: { content } }] });
    chunk({ id: "x", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    chunk({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 9 } });
    receiver?.onData(Buffer.from("data: [DONE]\n\n"));
    receiver?.onEnd();
    expect(response.text).toContain('"text":"one "');
    expect(response.text).not.toMatch(/two|three/);
    expect(response.text).toContain('"stop_reason":"stop_sequence","stop_sequence":"END"');
    expect(relay.charges).toMatchObject([{ completionTokens: 9 }]);
  });
});
