import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { entryOf } from "../testing/entry-of";
import { smallRelay } from "../testing/small-relay";

/*
 * A hold believes a bound of the client's only where the upstream is told of it: for every client protocol, every
 * upstream and every bound.
 */

type Json = Record<string, unknown>;

const PLENTY = 10_000_000_000;

const MODELS: readonly (readonly [type: number, model: string])[] = [
  [8, "gpt-4o-search-preview"],
  [8, "gpt-4o"],
  [1, "gpt-5-codex"],
  [14, "claude-sonnet-4-5"],
  [14, "claude-opus-4-8"],
  [24, "gemini-2.5-flash"],
  [24, "gemini-3.5-flash"],
  [17, "qwen-plus"],
  [16, "chatglm_pro"],
];

/** A request of each client protocol with everything that bounds may be about. */
const REQUESTS: Readonly<Record<ClientProtocolName, Json>> = {
  "openai-chat": { messages: [{ role: "user", content: "hi" }], web_search_options: {} },
  "openai-responses": { input: "hi", messages: undefined, tools: [{ type: "web_search" }] },
  "anthropic-messages": {
    max_tokens: 30_000,
    messages: [{ role: "user", content: "hi" }],
    tools: [{ type: "web_search_20250305", name: "web_search" }],
  },
  "gemini-generate": {
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
    messages: undefined,
    tools: [{ googleSearch: {} }],
  },
};

/** The value that each bound is given: no other number of a request is the same. */
const VALUE = 3;
const TOKENS = 7777;

const BOUNDS: Readonly<Record<ClientProtocolName, readonly Json[]>> = {
  "openai-chat": [
    { max_tokens: TOKENS },
    { max_completion_tokens: TOKENS },
    { web_search_options: { search_context_size: "low" } },
    { web_search_options: { max_uses: VALUE } },
    { max_tool_calls: VALUE },
    { thinking: { type: "enabled", budget_tokens: TOKENS } },
    { reasoning_effort: "low" },
  ],
  "openai-responses": [
    { max_output_tokens: TOKENS },
    { max_tool_calls: VALUE },
    { tools: [{ type: "web_search", search_context_size: "low" }] },
    { tools: [{ type: "web_search", max_uses: VALUE }] },
    { reasoning: { effort: "low" } },
  ],
  "anthropic-messages": [
    { max_tokens: TOKENS },
    { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: VALUE }] },
    { max_tool_calls: VALUE },
    { thinking: { type: "enabled", budget_tokens: TOKENS } },
  ],
  "gemini-generate": [
    { generationConfig: { maxOutputTokens: TOKENS } },
    { generationConfig: { thinkingConfig: { thinkingBudget: TOKENS } } },
    { generationConfig: { mediaResolution: "MEDIA_RESOLUTION_LOW" } },
  ],
};

const prices = (model: string) => ({
  modelRatios: parseRatioTable(JSON.stringify({ [model]: 1 })) ?? new Map(),
  completionRatios: parseRatioTable(JSON.stringify({ [model]: 1 })) ?? new Map(),
  toolPrices:
    parseRatioTable(
      '{"web_search":10,"web_search_options":10,"google_search":10,"google_search_prompt":10}',
    ) ?? new Map(),
});

const send = (client: ClientProtocolName, type: number, model: string, fields: Json) => {
  const channel = entryOf({ id: 1, type, models: [model] }, { key: "id.secret" });
  const relay = smallRelay({ channels: [channel], prices: prices(model), quota: PLENTY });
  relay.chat(CLIENT_PROTOCOLS[client], { model, ...REQUESTS[client], ...fields });
  return relay.sent[0];
};

const holds = (value: unknown, wanted: unknown): boolean =>
  value === wanted ||
  (typeof value === "object" && value !== null && Object.values(value).some((inner) => holds(inner, wanted)));

const wantedOf = (bound: Json): unknown =>
  [TOKENS, VALUE, "low", "MEDIA_RESOLUTION_LOW"].find((value) => holds(bound, value));

const ROWS = Object.entries(BOUNDS).flatMap(([client, bounds]) =>
  MODELS.flatMap(([type, model]) =>
    bounds.map((bound) => [client as ClientProtocolName, JSON.stringify(bound), type, model, bound] as const),
  ),
);

describe("a bound that lowers a hold", () => {
  it.each(someOf(ROWS))(
    "of %s, %s, reaches the upstream of type %i with %s",
    (client, _, type, model, bound) => {
      const free = send(client, type, model, {});
      const bounded = send(client, type, model, bound);
      // A refused request holds nothing.
      if (!free || !bounded || bounded.held >= free.held) return;
      expect(holds(bounded.body(), wantedOf(bound)), bounded.text()).toBe(true);
    },
  );

  it.each<[ClientProtocolName, Json, number, string, Json]>([
    [
      "anthropic-messages",
      BOUNDS["anthropic-messages"][1] ?? {},
      1,
      "gpt-5-codex",
      { max_tool_calls: VALUE },
    ],
    [
      "openai-responses",
      { max_tool_calls: VALUE },
      14,
      "claude-opus-4-8",
      { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: VALUE }] },
    ],
  ])("on searches goes from %s over: %j", (client, bound, type, model, expected) => {
    const free = send(client, type, model, {});
    const bounded = send(client, type, model, bound);
    expect(bounded?.body()).toMatchObject(expected);
    // The bound's own words are read as well.
    expect(Math.round(((free?.held ?? 0) - (bounded?.held ?? 0)) / 5000)).toBe(7);
  });

  it("on searches lowers nothing where the upstream has no field for it", () => {
    const tools = [{ type: "web_search_20250305", name: "web_search", max_uses: VALUE }];
    const free = send("anthropic-messages", 24, "gemini-3.5-flash", {});
    const bounded = send("anthropic-messages", 24, "gemini-3.5-flash", { tools });
    expect(bounded?.held).toBeGreaterThanOrEqual(free?.held ?? Number.NaN);
  });

  it("has something to lower: most rows are sent", () => {
    const sent = ROWS.filter(([client, , type, model]) => send(client, type, model, {}) !== undefined);
    expect(sent.length).toBeGreaterThan(ROWS.length / 2);
  });
});
