import { readFileSync } from "node:fs";
import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { faultsIn, faultsInUnion } from "@tollgate/testkit/openai-types";
import { someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { UPSTREAM_PROTOCOLS } from "../protocols";
import { isRecord, type JsonRecord, readArray } from "../shared/json/json-values";
import { parseWritten, readParts, STAMP, writeParts } from "../shared/testing/run-stream";
import { openaiResponses } from "./openai-responses";

/*
 * Clients with typed schemas refuse an answer in which a field is missing. The schema is OpenAI's own SDK; where it lets
 * a field out that the open specification of this API demands (https://www.openresponses.org/specification), the fields
 * are listed here.
 */

/** Demanded by the open specification, with the kind of each where it may not be null. */
const ALSO_DEMANDED: Readonly<Record<string, string | undefined>> = {
  background: "boolean",
  completed_at: undefined,
  frequency_penalty: "number",
  max_output_tokens: undefined,
  max_tool_calls: undefined,
  parallel_tool_calls: "boolean",
  presence_penalty: "number",
  previous_response_id: undefined,
  prompt_cache_key: undefined,
  reasoning: undefined,
  safety_identifier: undefined,
  service_tier: "string",
  status: "string",
  store: "boolean",
  temperature: "number",
  text: "object",
  top_logprobs: "number",
  top_p: "number",
  truncation: "string",
  usage: undefined,
};

const faultsOfResponse = (value: unknown): string[] => {
  const response = isRecord(value) ? value : {};
  const { usage } = response;
  return [
    ...faultsIn("Response", value),
    ...Object.entries(ALSO_DEMANDED).flatMap(([field, kind]) =>
      response[field] === undefined || (kind !== undefined && typeof response[field] !== kind)
        ? [`${field} is ${String(response[field])}`]
        : [],
    ),
    ...readArray(response.output).flatMap(faultsOfItem),
    ...readArray(response.tools).flatMap((tool) => faultsInUnion("Tool", tool)),
    ...(usage === null ? [] : faultsIn("ResponseUsage", usage)),
  ];
};

const faultsOfItem = (value: unknown): string[] => {
  const item = isRecord(value) ? value : {};
  const parts = item.type === "message" ? readArray(item.content) : [];
  return [
    ...faultsInUnion("ResponseOutputItem", value),
    ...parts.flatMap((part) =>
      isRecord(part) && part.type === "refusal"
        ? faultsIn("ResponseOutputRefusal", part)
        : faultsIn("ResponseOutputText", part),
    ),
    ...(typeof item.id === "string" ? [] : ["an item has no id"]),
  ];
};

const faultsOfEvent = (event: JsonRecord): string[] => [
  ...faultsInUnion("ResponseStreamEvent", event),
  ...("response" in event ? faultsOfResponse(event.response) : []),
  ...("item" in event ? faultsOfItem(event.item) : []),
];

const REQUESTS: Readonly<Record<string, JsonRecord>> = {
  "that says nothing but the model": {},
  "that says everything": {
    instructions: "be brief",
    max_output_tokens: 100,
    max_tool_calls: 3,
    metadata: { a: "b" },
    parallel_tool_calls: false,
    prompt_cache_key: "key",
    reasoning: { effort: "low", summary: "auto" },
    safety_identifier: "jo",
    service_tier: "flex",
    temperature: 0.5,
    text: { format: { type: "json_schema", name: "r", schema: {} }, verbosity: "low" },
    tool_choice: "required",
    tools: [
      { type: "function", name: "get_weather" },
      { type: "custom", name: "f" },
      { type: "namespace", name: "n", description: "d", tools: [{ type: "function", name: "g" }] },
    ],
    top_logprobs: 2,
    top_p: 0.9,
    truncation: "auto",
  },
};

const WHOLE: ChatResponse = {
  id: "1",
  model: "m",
  parts: [
    { kind: "reasoning", text: "thought", signature: "openai.s" },
    { kind: "text", text: "words" },
    { kind: "tool-call", id: "1", name: "get_weather", arguments: "" },
    { kind: "tool-call", id: "2", name: "f", arguments: '{"input":"x"}' },
    { kind: "tool-call", id: "3", name: "n__g", arguments: "{}" },
  ],
  refusal: "no",
  finishReason: "tool-calls",
  usage: { ...NO_USAGE, inputTokens: 3, outputTokens: 2 },
};

const FIXTURES: readonly [upstream: ClientProtocolName, fixture: string][] = [
  ["openai-chat", "thought-text-call"],
  ["openai-chat", "parallel-calls"],
  ["openai-chat", "refusal"],
  ["anthropic-messages", "thought-text-call"],
  ["anthropic-messages", "text-unicode"],
  ["gemini-generate", "thought-text-call"],
  ["gemini-generate", "parallel-calls"],
  ["gemini-generate", "filtered"],
];

describe.each(Object.entries(REQUESTS))("C8: the answer to a request %s", (_, fields) => {
  const stamp = { ...STAMP, request: { model: "m", input: "hi", ...fields } };

  it("holds every field when it comes whole", () => {
    expect(faultsOfResponse(openaiResponses.encodeResponse(WHOLE, stamp))).toEqual([]);
    const cut = { ...WHOLE, finishReason: "length" as const, usage: NO_USAGE };
    expect(faultsOfResponse(openaiResponses.encodeResponse(cut, stamp))).toEqual([]);
  });

  it("repeats the request", () => {
    const { text, tools, ...plain } = fields;
    const answer = openaiResponses.encodeResponse(WHOLE, stamp);
    expect(answer).toMatchObject(plain);
    if (text !== undefined) expect(answer).toMatchObject({ text });
    if (Array.isArray(tools)) expect(answer).toMatchObject({ tools });
  });

  it("comes whatever tools the request had, which may have passed unread", () => {
    const request = {
      ...stamp.request,
      tools: [{ type: "mcp" }, { type: "function" }, null, { type: "custom", name: "f" }],
    };
    const unread = { ...STAMP, request };
    expect(openaiResponses.createStreamWriter(unread, false).end()).toContain("response.completed");
    expect(openaiResponses.encodeResponse(WHOLE, unread)).toMatchObject({
      output: [{}, {}, {}, { type: "custom_tool_call" }, {}, {}],
    });
  });

  it.each(someOf(FIXTURES))(
    "holds every field in each event of a stream from %s: %s",
    (upstream, fixture) => {
      const bytes = readFileSync(new URL(`../${upstream}/fixtures/${fixture}.sse`, import.meta.url));
      const parts = readParts(UPSTREAM_PROTOCOLS[upstream], [bytes]);
      const client = {
        ...openaiResponses,
        createStreamWriter: () => openaiResponses.createStreamWriter(stamp, false),
      };
      const events = parseWritten(writeParts(client, parts)).map(({ data }) => data as JsonRecord);
      expect(events.length).toBeGreaterThan(2);
      expect(events.flatMap(faultsOfEvent)).toEqual([]);
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((__, index) => index));
    },
  );
});
