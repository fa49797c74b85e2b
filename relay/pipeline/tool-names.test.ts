import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it } from "vitest";
import { entryOf } from "../testing/entry-of";
import { smallRelay } from "../testing/small-relay";

type Json = Record<string, unknown>;

const CHAT = "openai-chat";
const RESPONSES = "openai-responses";
const MESSAGES = "anthropic-messages";
const GEMINI = "gemini-generate";

const LONG = "mcp__ymir-privileged__get_failed_pipeline_jobs_from_merge_request";
const OPENAI_RULE = /^[a-zA-Z0-9_-]{1,64}$/;

/** A model of each upstream's protocol. */
const MODELS: Readonly<Record<ClientProtocolName, string>> = {
  [CHAT]: "gpt-4o",
  [RESPONSES]: "gpt-5-codex",
  [MESSAGES]: "claude-sonnet-4-5",
  [GEMINI]: "gemini-3-pro",
};
const TYPES: Readonly<Record<ClientProtocolName, number>> = {
  [CHAT]: 8,
  [RESPONSES]: 1,
  [MESSAGES]: 14,
  [GEMINI]: 24,
};
const RATIOS = parseRatioTable('{"gpt-4o":1,"gpt-5-codex":1,"claude-sonnet-4-5":1,"gemini-3-pro":1,"m":1}')!;

const SCHEMA = { type: "object", properties: {} };

/** A client's request with these tools, of which the first was called before and must be called now. */
const requestOf = (client: ClientProtocolName, names: readonly string[], padding = "hi"): Json => {
  const [first = ""] = names;
  switch (client) {
    case CHAT:
      return {
        messages: [
          { role: "user", content: padding },
          {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "c1", type: "function", function: { name: first, arguments: "{}" } }],
          },
          { role: "tool", tool_call_id: "c1", content: "done" },
        ],
        tools: names.map((name) => ({ type: "function", function: { name, parameters: SCHEMA } })),
        tool_choice: { type: "function", function: { name: first } },
      };
    case RESPONSES:
      return {
        messages: undefined,
        input: [
          { role: "user", content: padding },
          { type: "function_call", call_id: "c1", name: first, arguments: "{}" },
          { type: "function_call_output", call_id: "c1", output: "done" },
        ],
        tools: names.map((name) => ({ type: "function", name, parameters: SCHEMA })),
        tool_choice: { type: "function", name: first },
      };
    case MESSAGES:
      return {
        max_tokens: 100,
        messages: [
          { role: "user", content: padding },
          { role: "assistant", content: [{ type: "tool_use", id: "c1", name: first, input: {} }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "done" }] },
        ],
        tools: names.map((name) => ({ name, input_schema: SCHEMA })),
        tool_choice: { type: "tool", name: first },
      };
    case GEMINI:
      return {
        messages: undefined,
        contents: [
          { role: "user", parts: [{ text: padding }] },
          { role: "model", parts: [{ functionCall: { name: first, args: {} } }] },
          { role: "user", parts: [{ functionResponse: { name: first, response: { a: 1 } } }] },
        ],
        tools: [{ functionDeclarations: names.map((name) => ({ name, parametersJsonSchema: SCHEMA })) }],
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [first] } },
      };
  }
};

/** Names of tools, of the choice, of the call and of its result, in a body of each protocol. */
const namesIn = (protocol: ClientProtocolName, body: Json) => {
  const tools = body.tools as Json[];
  const turns = (body.messages ?? body.input ?? body.contents) as Json[];
  switch (protocol) {
    case CHAT:
      return {
        tools: tools.map((tool) => (tool.function as Json).name),
        choice: (body.tool_choice as { function: Json }).function.name,
        calls: turns.flatMap(({ tool_calls: calls = [] }) =>
          (calls as { function: Json }[]).map((call) => call.function.name),
        ),
      };
    case RESPONSES:
      return {
        tools: tools.map(({ name }) => name),
        choice: (body.tool_choice as Json).name,
        calls: turns.flatMap(({ type, name }) => (type === "function_call" ? [name] : [])),
      };
    case MESSAGES:
      return {
        tools: tools.map(({ name }) => name),
        choice: (body.tool_choice as Json).name,
        calls: turns.flatMap(({ content }) =>
          (content as Json[]).flatMap(({ type, name }) => (type === "tool_use" ? [name] : [])),
        ),
      };
    case GEMINI:
      return {
        tools: (tools as { functionDeclarations: Json[] }[]).flatMap(({ functionDeclarations }) =>
          functionDeclarations.map(({ name }) => name),
        ),
        choice: (body.toolConfig as { functionCallingConfig: { allowedFunctionNames: string[] } })
          .functionCallingConfig.allowedFunctionNames[0],
        calls: turns.flatMap(({ parts }) =>
          (parts as { functionCall?: Json; functionResponse?: Json }[]).flatMap((part) => {
            const named = part.functionCall ?? part.functionResponse;
            return named ? [named.name] : [];
          }),
        ),
      };
  }
};

/** A whole answer of an upstream that calls a tool. */
const answerOf = (protocol: ClientProtocolName, name: unknown): Json => {
  switch (protocol) {
    case CHAT:
      return {
        id: "x",
        choices: [
          {
            index: 0,
            message: {
              role: "assistant",
              content: null,
              tool_calls: [{ id: "c2", type: "function", function: { name, arguments: "{}" } }],
            },
            finish_reason: "tool_calls",
          },
        ],
        usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 },
      };
    case RESPONSES:
      return {
        id: "x",
        object: "response",
        status: "completed",
        output: [{ type: "function_call", id: "fc", call_id: "c2", name, arguments: "{}" }],
        usage: { input_tokens: 5, output_tokens: 9, total_tokens: 14 },
      };
    case MESSAGES:
      return {
        id: "x",
        type: "message",
        role: "assistant",
        content: [{ type: "tool_use", id: "c2", name, input: {} }],
        stop_reason: "tool_use",
        usage: { input_tokens: 5, output_tokens: 9 },
      };
    case GEMINI:
      return {
        responseId: "x",
        candidates: [
          {
            content: { role: "model", parts: [{ functionCall: { name, args: {} } }] },
            finishReason: "STOP",
            index: 0,
          },
        ],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 9, totalTokenCount: 14 },
      };
  }
};

const sse = (...events: Json[]): string =>
  events
    .map((event) => `${event.type ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");

/** The same as a stream. */
const streamOf = (protocol: ClientProtocolName, name: unknown): string => {
  switch (protocol) {
    case CHAT: {
      const calls = [{ index: 0, id: "c2", type: "function", function: { name, arguments: "{}" } }];
      return `${sse(
        { id: "x", choices: [{ index: 0, delta: { role: "assistant", tool_calls: calls } }] },
        { id: "x", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
        { id: "x", choices: [], usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 } },
      )}data: [DONE]\n\n`;
    }
    case MESSAGES:
      return sse(
        {
          type: "message_start",
          message: { ...answerOf(MESSAGES, name), content: [], stop_reason: null },
        },
        {
          type: "content_block_start",
          index: 0,
          content_block: { type: "tool_use", id: "c2", name, input: {} },
        },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
        { type: "message_stop" },
      );
    case GEMINI:
      return sse(answerOf(GEMINI, name));
    case RESPONSES: {
      const item = { type: "function_call", id: "fc", call_id: "c2", name, arguments: "{}" };
      return sse(
        { type: "response.created", response: { id: "x", status: "in_progress", output: [] } },
        { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: answerOf(RESPONSES, name) },
      );
    }
  }
};

const channelsOf = (model: string) =>
  (Object.keys(MODELS) as ClientProtocolName[])
    .filter((protocol) => MODELS[protocol] === model)
    .map((protocol, index) => entryOf({ id: index + 1, type: TYPES[protocol], models: [model] }));

const setUp = () =>
  smallRelay({ channels: channelsOf, prices: { modelRatios: RATIOS, completionRatios: RATIOS } });

/** Sends tools, of which the upstream calls the first by the name that it was told. */
const run = (
  from: ClientProtocolName,
  to: ClientProtocolName,
  names: readonly string[],
  isStream = false,
  choose: (told: readonly unknown[]) => unknown = ([first]) => first,
) => {
  const relay = setUp();
  const response = relay.chat(CLIENT_PROTOCOLS[from], {
    model: MODELS[to],
    ...requestOf(from, names),
    ...(isStream ? { stream: true } : {}),
  });
  const [sent] = relay.sent;
  if (!sent) throw new Error(response.text);
  const told = namesIn(to, sent.body());
  const called = choose(told.tools);
  if (isStream) {
    sent.receiver.onHeaders(200, { "content-type": "text/event-stream" }, () => {});
    sent.receiver.onData(Buffer.from(streamOf(to, called)));
    sent.receiver.onEnd();
  } else sent.json(200, answerOf(to, called));
  return { told, answer: response.text, status: response.status };
};

/** Name of the call in an answer. */
const calledIn = (text: string): string | undefined => /"name":"([^"]*)"/.exec(text)?.[1];

describe.each([false, true])("a tool's name that the upstream refuses (streamed: %s)", (isStream) => {
  it.each<[ClientProtocolName, ClientProtocolName, string, RegExp]>([
    [MESSAGES, CHAT, LONG, OPENAI_RULE],
    [MESSAGES, RESPONSES, LONG, OPENAI_RULE],
    [CHAT, GEMINI, "1c_reload", /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/],
    [RESPONSES, GEMINI, "1c_reload", /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/],
    [GEMINI, CHAT, "fs.read", OPENAI_RULE],
    [GEMINI, RESPONSES, "fs.read", OPENAI_RULE],
    [GEMINI, MESSAGES, "fs.read", /^[a-zA-Z0-9_-]{1,128}$/],
    [CHAT, MESSAGES, "文件.读", /^[a-zA-Z0-9_-]{1,128}$/],
  ])("%s → %s: %s is sent under another name, and comes back as it was", (from, to, name, rule) => {
    const { told, answer, status } = run(from, to, [name, "other"], isStream);
    const [first] = told.tools;
    expect(first).toMatch(rule);
    expect(told.tools).toEqual([first, "other"]);
    expect(told.choice).toBe(first);
    expect(new Set(told.calls)).toEqual(new Set([first]));
    expect(status).toBe(200);
    expect(calledIn(answer)).toBe(name);
    expect(answer).not.toContain(`"${String(first)}"`);
  });
});

describe("a tool's name", () => {
  it.each<[ClientProtocolName, ClientProtocolName, string]>([
    [CHAT, MESSAGES, "a".repeat(100)],
    [MESSAGES, CHAT, "1c_reload"],
    [CHAT, GEMINI, "a.b:c"],
    [MESSAGES, GEMINI, LONG],
  ])("%s → %s: stays where the upstream accepts it: %s", (from, to, name) => {
    expect(run(from, to, [name]).told).toMatchObject({ tools: [name], choice: name });
  });

  it("passes as it is to an upstream of the client's own protocol", () => {
    expect(run(CHAT, CHAT, ["a.b"]).told).toMatchObject({ tools: ["a.b"], choice: "a.b", calls: ["a.b"] });
  });

  it("is another one for each tool, also if a client names its tool like the replacement of another", () => {
    const once = run(GEMINI, CHAT, ["fs.read"]).told.tools[0] as string;
    const twice = run(GEMINI, CHAT, ["fs.read", once]).told.tools[0] as string;
    const names = ["fs.read", "fs/read", once, twice];
    const { told } = run(GEMINI, CHAT, names);
    expect(new Set(told.tools).size).toBe(names.length);
    expect(told.tools.slice(2)).toEqual([once, twice]);
    names.forEach((name, index) => {
      expect(calledIn(run(GEMINI, CHAT, names, false, (all) => all[index]).answer)).toBe(name);
    });
  });

  it("does not depend on the other tools", () => {
    const alone = run(GEMINI, CHAT, ["fs.read"]).told.tools;
    expect(run(GEMINI, CHAT, ["fs.read", "a.b", "c"]).told.tools[0]).toBe(alone[0]);
  });

  it("that the request does not have comes back as the model wrote it", () => {
    expect(calledIn(run(GEMINI, CHAT, ["fs.read"], false, () => "fs_read").answer)).toBe("fs_read");
  });

  it("of no sensible length is left for the upstream to refuse, so that answers do not repeat it", () => {
    const name = "a".repeat(1025);
    expect(run(MESSAGES, CHAT, [name]).told.tools).toEqual([name]);
  });
});

describe("a request that is sent again", () => {
  it.each([
    ["short", 10],
    ["released", 100_000],
  ])("has the names of each upstream in turn (%s)", (_, length) => {
    const entries = [
      entryOf({ id: 1, type: 8, models: ["m"], priority: 2 }),
      entryOf({ id: 2, type: 24, models: ["m"], priority: 1 }),
    ];
    const relay = smallRelay({
      channels: entries,
      prices: { modelRatios: RATIOS, completionRatios: RATIOS },
      retryTimes: 1,
    });
    const names = ["1c_reload", "a.b"];
    const fields = requestOf(MESSAGES, names, "x ".repeat(length));
    const response = relay.chat(CLIENT_PROTOCOLS[MESSAGES], { model: "m", ...fields });
    const byProtocol = relay.sent[0]?.request.path.includes("generateContent")
      ? [GEMINI, CHAT]
      : [CHAT, GEMINI];
    relay.sent[0]?.json(500, { error: { message: "broken" } });
    const told = byProtocol.map((protocol, index) =>
      namesIn(protocol as ClientProtocolName, relay.sent[index]?.body() ?? {}),
    );
    const [toChat, toGemini] = byProtocol[0] === CHAT ? told : told.toReversed();
    expect(toChat?.tools[0]).toBe("1c_reload");
    expect(toChat?.tools[1]).not.toBe("a.b");
    expect(toGemini?.tools[0]).not.toBe("1c_reload");
    expect(toGemini?.tools[1]).toBe("a.b");
    relay.sent[1]?.json(200, answerOf(byProtocol[1] as ClientProtocolName, told[1]?.tools[0]));
    expect(calledIn(response.text)).toBe("1c_reload");
  });
});
