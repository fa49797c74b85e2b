import { parseOverrides } from "@tollgate/contract/management/channel-overrides";
import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it } from "vitest";
import type { ApiKey } from "../ports/directory";
import { entryOf } from "../testing/entry-of";
import { smallRelay } from "../testing/small-relay";
import { markCache } from "./mark-cache";

const MARK = { type: "ephemeral" };
const text = (words: string, more = {}) => ({ type: "text", text: words, ...more });
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });

/** Number of marks in a body, anywhere. */
const countMarks = (body: unknown): number => JSON.stringify(body).split('"cache_control":').length - 1;

describe("markCache", () => {
  it("marks the tools, the system prompt and the last two turns of the user's", () => {
    const body = {
      model: "m",
      tools: [{ name: "a" }, { name: "b" }, { name: "later", defer_loading: true }],
      system: "Be brief.",
      messages: [user("1"), assistant("2"), user([text("3"), text("4")]), assistant("5"), user("6")],
    };
    const copy = structuredClone(body);
    expect(markCache(body)).toEqual({
      model: "m",
      tools: [{ name: "a" }, { name: "b", cache_control: MARK }, { name: "later", defer_loading: true }],
      system: [text("Be brief.", { cache_control: MARK })],
      messages: [
        ...[user("1"), assistant("2"), user([text("3"), text("4", { cache_control: MARK })])],
        ...[assistant("5"), user([text("6", { cache_control: MARK })])],
      ],
    });
    expect(body).toEqual(copy);
  });

  it.each([
    { cache_control: MARK, messages: [user("1")] },
    { system: [text("a", { cache_control: MARK })], messages: [user("1")] },
    { tools: [{ name: "a", cache_control: MARK }], messages: [user("1")] },
    { messages: [user([text("1", { cache_control: MARK })]), assistant("2"), user("3")] },
    { messages: [user([{ type: "tool_result", content: [text("1", { cache_control: MARK })] }])] },
  ])("leaves a request with a mark of its client's as it is: %j", (body) => {
    expect(markCache(body)).toBe(body);
  });

  it.each([
    [{ messages: [user("")] }, 0],
    [{ messages: [user([text(" ")])], system: "" }, 0],
    [{ messages: [user([text("a"), { type: "thinking", thinking: "…" }])] }, 1],
    [{ messages: [user([text("a"), { type: "image", source: {} }])] }, 1],
    [{ messages: [assistant("a")], tools: [], system: [] }, 0],
    [{ messages: "odd", system: 4, tools: "odd" }, 0],
    [{ messages: [null, 5, "odd", user(null), user({})] }, 0],
    [{}, 0],
  ])("marks only blocks that may be marked: %j", (body, marks) => {
    expect(countMarks(markCache(body))).toBe(marks);
  });
});

const PROMPT = "A long prompt that comes again. ".repeat(300);
const PRICES = parseRatioTable('{"claude-sonnet-4-5":1}');

const ask = ({
  client = "anthropic-messages",
  overrides = '{"cache_marks":true}',
  type = 14,
  key,
  prompt = PROMPT,
  fields = {},
}: {
  client?: ClientProtocolName;
  overrides?: string;
  type?: number;
  key?: Partial<ApiKey>;
  prompt?: string;
  fields?: Record<string, unknown>;
}) => {
  if (!PRICES) throw new Error("no prices");
  const model = "claude-sonnet-4-5";
  const requestChanges = parseOverrides(overrides);
  const world = smallRelay({
    channels: [
      entryOf({ id: 7, type, models: [model] }, { key: "k", ...(requestChanges && { requestChanges }) }),
    ],
    prices: { modelRatios: PRICES, completionRatios: PRICES },
    ...(key && { key }),
  });
  world.chat(CLIENT_PROTOCOLS[client], {
    ...{ model, max_tokens: 20, messages: [{ role: "user", content: prompt }] },
    ...fields,
  });
  const [sent] = world.sent;
  if (!sent) throw new Error("nothing was sent");
  return { ...world, sent, marks: countMarks(sent.body()) };
};

describe("marks of the prompt cache", () => {
  it.each(["anthropic-messages", "openai-chat"] as const)("are set for a client of %s", (client) => {
    const { sent, marks, charges } = ask({ client });
    expect(marks).toBe(1);
    sent.json(200, {
      ...{ id: "a", type: "message", role: "assistant", model: "claude-sonnet-4-5", stop_reason: "end_turn" },
      content: [{ type: "text", text: "Hello" }],
      usage: { input_tokens: 0, output_tokens: 2, cache_creation_input_tokens: 2000 },
    });
    expect(charges).toMatchObject([
      {
        // 2000 × 1.25 + 2
        ...{ quota: 2502, promptTokens: 2000, usage: { cacheWriteTokens: 2000 } },
        attempts: [{ overrides: ["cache-marks"] }],
      },
    ]);
  });

  it("hold as much as writing the prompt costs", () => {
    const held = [ask({}), ask({ overrides: "" })].map(({ sent }) => sent.held);
    expect(held[0]).toBeGreaterThan((held[1] ?? 0) * 1.2);
  });

  it.each<[string, Parameters<typeof ask>[0], number]>([
    ["the channel does not ask for them", { overrides: "" }, 0],
    ["the key asks for them", { overrides: "", key: { cacheMarks: "on" } }, 1],
    ["the key does not want them", { key: { cacheMarks: "off" } }, 0],
    ["bodies pass unchanged", { overrides: '{"pass_body":true}', key: { cacheMarks: "on" } }, 0],
    ["the prompt is short", { prompt: "hi" }, 0],
    ["the upstream speaks another protocol", { type: 8, client: "openai-chat" }, 0],
    ["the client sets its own", { fields: { cache_control: MARK } }, 1],
  ])("follow the channel, the key and the request: %s", (_, settings, marks) => {
    const found = ask(settings);
    expect(found.marks).toBe(marks);
    if (marks === 0) expect(found.sent.text()).not.toContain("cache_control");
  });

  it("leave the client's bytes alone where there are none to set", () => {
    const { sent } = ask({ fields: { cache_control: MARK } });
    expect(sent.text()).toContain(PROMPT);
    expect(sent.body().cache_control).toEqual(MARK);
  });
});
