import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { describe, expect, it } from "vitest";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "./protocols";
import { TEST_FIELDS, TEST_SUMMARY } from "./shared/testing/request-parts";
import { parseWritten, readParts, STAMP, writeParts } from "./shared/testing/run-stream";

/*
 * What single agents stumbled over, from one protocol to the other.
 */

type Json = Record<string, unknown>;

const CHAT = "openai-chat";
const RESPONSES = "openai-responses";
const MESSAGES = "anthropic-messages";
const GEMINI = "gemini-generate";
const ALL: readonly ClientProtocolName[] = [CHAT, RESPONSES, MESSAGES, GEMINI];

/** What an upstream gets of a client's request. */
const send = (from: ClientProtocolName, to: ClientProtocolName, model: string, body: Json): Json =>
  JSON.parse(
    JSON.stringify(
      UPSTREAM_PROTOCOLS[to].buildRequest(
        { ...CLIENT_PROTOCOLS[from].parseRequest({ model, ...body }, TEST_SUMMARY), model },
        TEST_FIELDS,
      ).body,
    ),
  ) as Json;

const HELLO: Readonly<Record<ClientProtocolName, Json>> = {
  [CHAT]: { messages: [{ role: "user", content: "hi" }] },
  [RESPONSES]: { input: "hi" },
  [MESSAGES]: { max_tokens: 100, messages: [{ role: "user", content: "hi" }] },
  [GEMINI]: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
};

/** The events of a stream as a client gets them. */
const events = (client: ClientProtocolName, parts: readonly StreamPart[]): Json[] =>
  parseWritten(writeParts(CLIENT_PROTOCOLS[client], parts))
    .filter(({ data }) => data !== "[DONE]")
    .map(({ data }) => data as Json);

const fromGemini = (...chunks: object[]): StreamPart[] => {
  const text = chunks.map((chunk) => `data: ${JSON.stringify({ responseId: "r", ...chunk })}\n\n`).join("");
  return readParts(UPSTREAM_PROTOCOLS[GEMINI], [new TextEncoder().encode(text)]);
};
const candidate = (parts: object[], finishReason?: string) => ({
  candidates: [{ content: { role: "model", parts }, finishReason, index: 0 }],
});

describe("C3: streams to Gemini's clients", () => {
  it.each<[string, StreamPart[]]>([
    ["with text", [{ kind: "text", index: 0, text: "a" }]],
    ["with a call", [{ kind: "tool-call", index: 0, id: "1", name: "f" }]],
    ["with nothing", []],
  ])("have parts in every event, %s", (_, content) => {
    const written = events(GEMINI, [
      { kind: "start", id: "r", model: "m" },
      ...content,
      { kind: "finish", reason: "stop" },
    ]);
    for (const event of written) {
      const [first] = event.candidates as { content: { parts: object[] } }[];
      expect(first?.content.parts.length).toBeGreaterThan(0);
      for (const part of first?.content.parts ?? []) expect(Object.keys(part)).not.toEqual([]);
    }
  });
});

describe("C4: the seals of Gemini 3", () => {
  const sealedText = fromGemini(
    candidate([{ text: "Hello" }]),
    candidate([{ text: "", thoughtSignature: "c2VhbA==" }], "STOP"),
  );
  const sealedCall = fromGemini(
    candidate([{ text: "Hm." }]),
    candidate([{ functionCall: { name: "f", args: {} }, thoughtSignature: "c2VhbA==" }], "STOP"),
  );

  it("behind the words make no empty thought: the answer ends with its words", () => {
    const blocks = events(MESSAGES, sealedText).filter(({ type }) => type === "content_block_start");
    expect(blocks).toMatchObject([{ content_block: { type: "text" } }]);
    const whole = UPSTREAM_PROTOCOLS[GEMINI].readResponse(
      candidate([{ text: "Hello" }, { text: "", thoughtSignature: "c2VhbA==" }], "STOP"),
    );
    expect(whole?.parts).toEqual([{ kind: "text", text: "Hello" }]);
  });

  it("behind the words belong to the thought in front of them", () => {
    const whole = UPSTREAM_PROTOCOLS[GEMINI].readResponse(
      candidate(
        [{ text: "Hm.", thought: true }, { text: "Hello" }, { text: "", thoughtSignature: "c2VhbA==" }],
        "STOP",
      ),
    );
    expect(whole?.parts).toEqual([
      { kind: "reasoning", text: "Hm.", signature: "gemini.c2VhbA==" },
      { kind: "text", text: "Hello" },
    ]);
  });

  it("stand before the call that must bring them back", () => {
    const blocks = events(MESSAGES, sealedCall).filter(({ type }) => type === "content_block_start");
    expect(blocks).toMatchObject([
      { content_block: { type: "text" } },
      { content_block: { type: "thinking" } },
      { content_block: { type: "tool_use" } },
    ]);
    const behindWords = fromGemini(
      candidate([{ text: "Hm." }, { text: "", thoughtSignature: "c2VhbA==" }]),
      candidate([{ functionCall: { name: "f", args: {} } }], "STOP"),
    );
    expect(behindWords.filter(({ kind }) => kind === "reasoning-signature")).toHaveLength(1);
  });

  it("wrapped for another vendor stay where Gemini's clients keep them", () => {
    const answer = { kind: "reasoning" as const, text: "", signature: "openai.x" };
    const encoded = CLIENT_PROTOCOLS[GEMINI].encodeResponse(
      {
        id: "r",
        model: "m",
        parts: [answer, { kind: "text", text: "a" }],
        finishReason: "stop",
        usage: NO_TOKENS,
      },
      STAMP,
    ) as { candidates: { content: object }[] };
    const sent = send(GEMINI, RESPONSES, "gpt-5", {
      contents: [
        ...(HELLO[GEMINI].contents as object[]),
        encoded.candidates[0]?.content,
        { parts: [{ text: "b" }] },
      ],
    });
    expect(sent.input).toMatchObject([{}, { type: "reasoning", encrypted_content: "x" }, {}, {}]);
  });
});

const NO_TOKENS = {
  inputTokens: undefined,
  outputTokens: undefined,
  cacheReadTokens: undefined,
  cacheWriteTokens: undefined,
  cacheWrite1hTokens: undefined,
  reasoningTokens: undefined,
};

const read = { type: "tool_use", id: "1", name: "Read", input: {} };
const PDF_RESULT = {
  max_tokens: 100,
  messages: [
    { role: "user", content: "read it" },
    { role: "assistant", content: [read] },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "1",
          content: [
            {
              type: "document",
              context: "the manual",
              source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
            },
            { type: "tool_reference", tool_name: "Edit" },
          ],
        },
      ],
    },
  ],
};

describe("C5: documents and references in results", () => {
  it("stand in the output where it may hold them", () => {
    const { input } = send(MESSAGES, RESPONSES, "gpt-5", PDF_RESULT);
    expect((input as Json[]).at(-1)).toEqual({
      type: "function_call_output",
      call_id: "1",
      output: [
        { type: "input_text", text: "the manual" },
        { type: "input_file", filename: "file.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
        { type: "input_text", text: 'The tool "Edit" can be called now.' },
      ],
    });
  });

  it("follow the result where it is text alone", () => {
    const { messages } = send(MESSAGES, CHAT, "gpt-4o", PDF_RESULT);
    expect((messages as Json[]).slice(-2)).toMatchObject([
      { role: "tool", content: 'the manual\n[document]\nThe tool "Edit" can be called now.' },
      { role: "user", content: [{ type: "file" }] },
    ]);
    const { contents } = send(MESSAGES, GEMINI, "gemini-3.5-flash", PDF_RESULT);
    expect((contents as Json[]).at(-1)).toMatchObject({
      parts: [{ functionResponse: { name: "Read" } }, { inlineData: { mimeType: "application/pdf" } }],
    });
  });
});

describe("C9: features that pass between the protocols", () => {
  const LATE = "late";
  const TALK = [
    { role: "system", content: "early" },
    { role: "user", content: "hi" },
    { role: "assistant", content: "hello" },
    { role: "user", content: "more" },
    { role: "system", content: LATE },
  ];

  it("instructions in the middle stay there, in the upstream's form for them", () => {
    const body = { messages: TALK };
    expect(send(MESSAGES, CHAT, "gpt-4o", { max_tokens: 9, messages: TALK.slice(1) }).messages).toEqual(
      TALK.slice(1),
    );
    expect(send(CHAT, CHAT, "llama-4", body).messages).toEqual([
      ...TALK.slice(0, 4),
      { role: "user", content: "<system>\nlate\n</system>" },
    ]);
    expect((send(CHAT, RESPONSES, "gpt-5", body).input as Json[]).at(-1)).toEqual({
      role: "developer",
      content: [{ type: "input_text", text: LATE }],
    });
    expect((send(CHAT, MESSAGES, "claude-opus-4-8", body).messages as Json[]).at(-1)).toEqual({
      role: "system",
      content: [{ type: "text", text: LATE }],
    });
    expect((send(CHAT, MESSAGES, "claude-sonnet-4-5", body).messages as Json[]).at(-1)).toMatchObject({
      role: "user",
      content: [{ text: "more" }, { text: "<system>\nlate\n</system>" }],
    });
    expect((send(CHAT, GEMINI, "gemini-3.5-flash", body).contents as Json[]).at(-1)).toMatchObject({
      role: "user",
      parts: [{ text: "more" }, { text: "<system>\nlate\n</system>" }],
    });
  });

  it.each(ALL.filter((name) => name !== CHAT))(
    "the beginning of a request of %s is the same at each step",
    (client) => {
      const rounds = {
        [RESPONSES]: {
          input: [...TALK, { role: "assistant", content: "ok" }, { role: "user", content: "go" }],
        },
        [MESSAGES]: {
          max_tokens: 9,
          messages: [...TALK.slice(1), { role: "assistant", content: "ok" }, { role: "user", content: "go" }],
        },
        [GEMINI]: HELLO[GEMINI],
      }[client as "openai-responses"] as Json;
      const shorter = JSON.parse(JSON.stringify(rounds), (key, value: unknown) =>
        key === "input" || key === "messages" ? (value as unknown[]).slice(0, -2) : value,
      ) as Json;
      for (const upstream of ALL.slice(0, 3)) {
        const model = { [CHAT]: "gpt-4o", [RESPONSES]: "gpt-5", [MESSAGES]: "claude-opus-4-8" }[
          upstream as "openai-chat"
        ];
        const turns = (body: Json): string =>
          JSON.stringify(
            (send(client, upstream, model, body).messages ??
              send(client, upstream, model, body).input) as Json[],
          );
        expect(turns(rounds).startsWith(turns(shorter).slice(0, -1))).toBe(true);
      }
    },
  );

  it("a client that wants to see the reasoning gets a summary", () => {
    const thinking = {
      ...HELLO[MESSAGES],
      max_tokens: 5000,
      thinking: { type: "enabled", budget_tokens: 2000 },
    };
    expect(send(MESSAGES, RESPONSES, "gpt-5", thinking).reasoning).toEqual({
      effort: "medium",
      summary: "auto",
    });
    const adaptive = { ...HELLO[MESSAGES], thinking: { type: "adaptive" } };
    expect(send(MESSAGES, RESPONSES, "gpt-5", adaptive).reasoning).toEqual({ summary: "auto" });
    expect(send(MESSAGES, RESPONSES, "gpt-4o", adaptive).reasoning).toBeUndefined();
    const hidden = { ...HELLO[MESSAGES], thinking: { type: "adaptive", display: "omitted" } };
    expect(send(MESSAGES, RESPONSES, "gpt-5", hidden).reasoning).toBeUndefined();
    const gemini = { ...HELLO[GEMINI], generationConfig: { thinkingConfig: { includeThoughts: true } } };
    expect(send(GEMINI, RESPONSES, "gpt-5", gemini).reasoning).toEqual({ summary: "auto" });
    expect(send(MESSAGES, GEMINI, "gemini-3.5-flash", adaptive).generationConfig).toMatchObject({
      thinkingConfig: { includeThoughts: true },
    });
  });

  it("OpenAI's protocols carry each other's hints", () => {
    const hints = {
      prompt_cache_key: "k",
      prompt_cache_retention: "24h",
      service_tier: "flex",
      metadata: { a: "b" },
    };
    const up = send(CHAT, RESPONSES, "gpt-5", { ...HELLO[CHAT], ...hints, verbosity: "low" });
    expect(up).toMatchObject({ ...hints, text: { verbosity: "low" } });
    const { metadata: _refused, ...others } = hints;
    const responses = { ...HELLO[RESPONSES], ...hints, text: { verbosity: "low" } };
    const down = send(RESPONSES, CHAT, "gpt-5", responses);
    expect(down).toMatchObject({ ...others, verbosity: "low" });
    expect(down).not.toHaveProperty("metadata");
    const elsewhere = Object.keys(send(RESPONSES, CHAT, "mistral-large", responses));
    expect(elsewhere.filter((field) => field in hints || field === "verbosity")).toEqual([]);
  });

  it("marks for the prompt cache reach the vendor that reads them", () => {
    const cache_control = { type: "ephemeral", ttl: "1h" };
    const sent = send(CHAT, MESSAGES, "claude-opus-4-8", {
      messages: [
        { role: "system", content: [{ type: "text", text: "early", cache_control }] },
        { role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }] },
      ],
      tools: [{ type: "function", function: { name: "f" }, cache_control }],
    });
    expect(sent).toMatchObject({
      system: [{ type: "text", text: "early", cache_control }],
      messages: [
        { role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }] },
      ],
      tools: [{ name: "f", cache_control }],
    });
    const elsewhere = send(CHAT, RESPONSES, "gpt-5", {
      messages: [{ role: "user", content: [{ type: "text", text: "hi", cache_control }] }],
    });
    expect(JSON.stringify(elsewhere)).not.toContain("cache_control");
  });
});

describe("C10: seals in Chat Completions", () => {
  const sealed = { extra_content: { google: { thought_signature: "c2VhbA==" } } };
  const call = { id: "1", type: "function", function: { name: "f", arguments: "{}" } };

  it("go to the client with the call, and back to Gemini", () => {
    const [first] = events(
      CHAT,
      fromGemini(
        candidate([{ functionCall: { name: "f", args: {} }, thoughtSignature: "c2VhbA==" }], "STOP"),
      ),
    ).flatMap(
      ({ choices }) => (choices as { delta: { tool_calls?: object[] } }[])[0]?.delta.tool_calls ?? [],
    );
    expect(first).toMatchObject(sealed);
    const body = {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: null, tool_calls: [{ ...call, ...sealed }] },
        { role: "tool", tool_call_id: "1", content: "x" },
      ],
    };
    expect((send(CHAT, GEMINI, "gemini-3.5-flash", body).contents as Json[])[1]).toMatchObject({
      parts: [{ functionCall: { name: "f" }, thoughtSignature: "c2VhbA==" }],
    });
    expect(JSON.stringify(send(CHAT, CHAT, "gpt-4o", body))).not.toContain("extra_content");
  });

  it("are read from an upstream of that shape, and go back to it", () => {
    const chunk = {
      id: "c",
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, ...call, ...sealed }] }, finish_reason: "tool_calls" },
      ],
    };
    const bytes = new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    const parts = readParts(UPSTREAM_PROTOCOLS[CHAT], [bytes]);
    const thought = events(MESSAGES, parts).find(({ type }) => type === "content_block_delta");
    expect(thought).toMatchObject({ delta: { type: "signature_delta", signature: "gemini.c2VhbA==" } });
    const whole = UPSTREAM_PROTOCOLS[CHAT].readResponse({
      id: "c",
      choices: [{ message: { tool_calls: [{ ...call, ...sealed }] }, finish_reason: "tool_calls" }],
    });
    expect(whole?.parts[0]).toEqual({ kind: "reasoning", text: "", signature: "gemini.c2VhbA==" });
    const history = {
      max_tokens: 9,
      messages: [
        { role: "user", content: "hi" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "", signature: "gemini.c2VhbA==" },
            { type: "tool_use", id: "1", name: "f", input: {} },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "x" }] },
      ],
    };
    expect((send(MESSAGES, CHAT, "gemini-3.5-flash", history).messages as Json[])[1]).toMatchObject({
      tool_calls: [{ id: "1", ...sealed }],
    });
  });
});

describe("C12: schemas for Anthropic", () => {
  const CLAUDE = "claude-sonnet-4-5";
  const chatFormat = (schema: object) => ({
    ...HELLO[CHAT],
    response_format: { type: "json_schema", json_schema: { name: "r", schema } },
  });

  it("are closed, which Google's cannot express", () => {
    const responseSchema = {
      type: "OBJECT",
      properties: { a: { type: "ARRAY", items: { type: "OBJECT", properties: { b: { type: "STRING" } } } } },
      required: ["a"],
    };
    const body = {
      ...HELLO[GEMINI],
      generationConfig: { responseMimeType: "application/json", responseSchema },
    };
    expect(send(GEMINI, MESSAGES, CLAUDE, body).output_config).toMatchObject({
      format: {
        schema: {
          additionalProperties: false,
          properties: { a: { items: { additionalProperties: false } } },
        },
      },
    });
  });

  it("carry constraints that the API refuses in their descriptions", () => {
    const schema = {
      type: "object",
      properties: { age: { type: "integer", minimum: 1 } },
      required: ["age"],
    };
    const { output_config: config, system } = send(CHAT, MESSAGES, CLAUDE, chatFormat(schema));
    expect(config).toEqual({
      format: {
        type: "json_schema",
        schema: {
          ...schema,
          additionalProperties: false,
          properties: { age: { type: "integer", description: '{"minimum":1}' } },
        },
      },
    });
    expect(system).toBeUndefined();
  });

  it("with arbitrary fields become instructions", () => {
    const { output_config: config, system } = send(CHAT, MESSAGES, CLAUDE, chatFormat({ type: "object" }));
    expect(config).toBeUndefined();
    expect(system).toContain('matches this JSON schema: {"type":"object"}');
  });

  it.each([
    [CLAUDE, { a: { type: "string", maxLength: 5 } }, true],
    [CLAUDE, { a: { type: "object" } }, undefined],
    ["claude-3-7-sonnet-20250219", { a: { type: "string" } }, undefined],
  ])("of strict tools for %s with %j are strict: %s", (model, properties, strict) => {
    const parameters = { type: "object", properties };
    const body = {
      ...HELLO[CHAT],
      tools: [{ type: "function", function: { name: "f", strict: true, parameters } }],
    };
    const [tool] = send(CHAT, MESSAGES, model, body).tools as Json[];
    expect(tool?.strict).toBe(strict);
    if (strict === undefined) expect(tool?.input_schema).toEqual(parameters);
    else expect(JSON.stringify(tool?.input_schema)).not.toContain('"maxLength":');
  });
});

describe("C12: JSON mode", () => {
  const WORDS = "Answer with a single JSON object only.";
  const asked = {
    ...HELLO[GEMINI],
    systemInstruction: { parts: [{ text: "Be brief." }] },
    generationConfig: { responseMimeType: "application/json" },
  };

  it("mentions JSON for upstreams that require the word", () => {
    expect(send(GEMINI, CHAT, "gpt-4o", asked).messages).toEqual([
      { role: "system", content: `Be brief.\n\n${WORDS}` },
      { role: "user", content: "hi" },
    ]);
    expect(send(GEMINI, RESPONSES, "gpt-4o", asked)).toMatchObject({
      instructions: "Be brief.",
      input: [{ role: "developer", content: [{ type: "input_text", text: WORDS }] }, { role: "user" }],
    });
  });

  it("adds nothing where the client mentions it; in Responses the instructions do not count", () => {
    const contents = [{ role: "user", parts: [{ text: "hi as json" }] }];
    const inInstructions = { ...asked, systemInstruction: { parts: [{ text: "Write JSON." }] } };
    for (const to of [CHAT, RESPONSES] as const)
      expect(JSON.stringify(send(GEMINI, to, "gpt-4o", { ...asked, contents }))).not.toContain(WORDS);
    expect(JSON.stringify(send(GEMINI, CHAT, "gpt-4o", inInstructions))).not.toContain(WORDS);
    expect(JSON.stringify(send(GEMINI, RESPONSES, "gpt-4o", inInstructions))).toContain(WORDS);
  });

  it("mentions JSON for a conversation that consists of instructions", () => {
    const body = {
      input: [{ role: "developer", content: "Be brief." }],
      text: { format: { type: "json_object" } },
    };
    const request = CLIENT_PROTOCOLS[RESPONSES].parseRequest({ model: "m", ...body }, TEST_SUMMARY);
    const built = UPSTREAM_PROTOCOLS[RESPONSES].buildRequest(request, TEST_FIELDS).body as Json;
    expect(JSON.stringify(built.input)).toContain(WORDS);
  });

  it("mentions JSON for DashScope", () => {
    const { body } = UPSTREAM_PROTOCOLS.dashscope.buildRequest(
      CLIENT_PROTOCOLS[GEMINI].parseRequest({ model: "qwen-plus", ...asked }, TEST_SUMMARY),
      TEST_FIELDS,
    );
    expect(body).toMatchObject({ input: { messages: [{ content: `Be brief.\n\n${WORDS}` }, {}] } });
  });

  it("carries the schema in words for models that know no schemas", () => {
    const schema = { type: "object", properties: {} };
    const body = {
      ...HELLO[MESSAGES],
      output_config: { format: { type: "json_schema", schema } },
    };
    const sent = send(MESSAGES, CHAT, "deepseek-ai/DeepSeek-V3.2", body);
    expect(sent.response_format).toEqual({ type: "json_object" });
    expect(sent.messages).toMatchObject([
      { role: "system", content: expect.stringContaining(JSON.stringify(schema)) },
      { role: "user", content: "hi" },
    ]);
    expect(send(MESSAGES, CHAT, "qwen3-max", body).response_format).toMatchObject({ type: "json_schema" });
  });
});

describe("C12: strictness", () => {
  const open = { type: "object", properties: { a: {}, b: {} }, required: ["a"], additionalProperties: false };
  const closed = { ...open, required: ["a", "b"] };

  it.each([
    [open, false],
    [closed, true],
    [
      {
        type: "object",
        properties: { a: { type: "array", items: open } },
        required: ["a"],
        additionalProperties: false,
      },
      false,
    ],
  ])("strict tools with optional fields are not strict for OpenAI: %j", (input_schema, isStrict) => {
    const body = { ...HELLO[MESSAGES], tools: [{ name: "f", strict: true, input_schema }] };
    expect(send(MESSAGES, CHAT, "gpt-4o", body).tools).toMatchObject([{ function: { strict: isStrict } }]);
    expect(send(MESSAGES, RESPONSES, "gpt-4o", body).tools).toMatchObject([{ strict: isStrict }]);
  });

  it("`output_config` is strict wherever OpenAI can follow it", () => {
    const asked = (schema: object) => ({
      ...HELLO[MESSAGES],
      output_config: { format: { type: "json_schema", schema } },
    });
    expect(send(MESSAGES, CHAT, "gpt-4o", asked(closed))).toMatchObject({
      response_format: { json_schema: { strict: true } },
    });
    expect(send(MESSAGES, RESPONSES, "gpt-4o", asked(closed))).toMatchObject({
      text: { format: { strict: true } },
    });
    expect(send(MESSAGES, CHAT, "gpt-4o", asked(open))).toMatchObject({
      response_format: { json_schema: { strict: false } },
    });
  });

  it("`context` of a document stands in front of it", () => {
    const content = [
      {
        type: "document",
        context: "the manual",
        source: { type: "text", media_type: "text/plain", data: "words" },
      },
    ];
    const sent = send(MESSAGES, CHAT, "gpt-4o", { max_tokens: 9, messages: [{ role: "user", content }] });
    expect(sent.messages).toEqual([{ role: "user", content: "the manual\n\nwords" }]);
  });

  it("`message_start` reports Gemini's usage", () => {
    const usageMetadata = { promptTokenCount: 42, candidatesTokenCount: 1, totalTokenCount: 43 };
    const [start] = events(MESSAGES, fromGemini({ ...candidate([{ text: "a" }], "STOP"), usageMetadata }));
    expect(start).toMatchObject({ type: "message_start", message: { usage: { input_tokens: 42 } } });
  });
});

const SEARCH: Readonly<Record<ClientProtocolName, Json>> = {
  [CHAT]: {
    ...HELLO[CHAT],
    web_search_options: {
      search_context_size: "low",
      user_location: { type: "approximate", approximate: { country: "FR" } },
    },
  },
  [RESPONSES]: {
    ...HELLO[RESPONSES],
    tools: [
      {
        type: "web_search",
        search_context_size: "low",
        user_location: { type: "approximate", country: "FR" },
      },
    ],
  },
  [MESSAGES]: {
    ...HELLO[MESSAGES],
    tools: [
      {
        type: "web_search_20250305",
        name: "web_search",
        user_location: { type: "approximate", country: "FR" },
      },
    ],
  },
  [GEMINI]: { ...HELLO[GEMINI], tools: [{ googleSearch: {} }] },
};

describe("C13: translation of web_search", () => {
  it.each(ALL)("from %s: to upstreams that search, and not to others", (client) => {
    const body = SEARCH[client];
    expect(send(client, RESPONSES, "gpt-5", body).tools).toMatchObject([{ type: "web_search" }]);
    expect(send(client, MESSAGES, "claude-opus-4-8", body).tools).toMatchObject([
      { type: "web_search_20250305" },
    ]);
    expect(send(client, GEMINI, "gemini-3.5-flash", body).tools).toEqual([{ googleSearch: {} }]);
    expect(send(client, CHAT, "gpt-5-search-api", body)).toHaveProperty("web_search_options");
    expect(send(client, CHAT, "deepseek-chat", body)).not.toHaveProperty("web_search_options");
  });

  it("carries where the user is", () => {
    const place = { user_location: { type: "approximate", country: "FR" } };
    for (const client of [CHAT, RESPONSES, MESSAGES] as const) {
      expect(send(client, MESSAGES, "claude-opus-4-8", SEARCH[client]).tools).toMatchObject([place]);
      expect(send(client, RESPONSES, "gpt-5", SEARCH[client]).tools).toMatchObject([place]);
    }
  });

  it("is refused when the client demands it and the upstream cannot search", () => {
    const demanded = { ...SEARCH[MESSAGES], tool_choice: { type: "tool", name: "web_search" } };
    expect(() => send(MESSAGES, CHAT, "deepseek-chat", demanded)).toThrow("search-unsupported");
    expect(send(MESSAGES, RESPONSES, "gpt-5", demanded).tool_choice).toEqual({ type: "web_search" });
    expect(
      send(RESPONSES, MESSAGES, "claude-opus-4-8", {
        ...SEARCH[RESPONSES],
        tool_choice: { type: "web_search" },
      }),
    ).toMatchObject({
      tool_choice: { type: "tool", name: "web_search" },
    });
  });

  it("reads a search's results back from the history", () => {
    const found = [
      { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } },
      {
        type: "web_search_tool_result",
        tool_use_id: "s",
        content: [{ type: "web_search_result", title: "T", url: "https://t" }],
      },
      { type: "text", text: "Found." },
    ];
    const messages = [
      { role: "user", content: "q" },
      { role: "assistant", content: found },
      { role: "user", content: "more" },
    ];
    const sent = JSON.stringify(send(MESSAGES, CHAT, "gpt-4o", { max_tokens: 9, messages }));
    for (const piece of ["https://t", "Found."]) expect(sent).toContain(piece);
  });
});
