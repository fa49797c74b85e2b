import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { describe, expect, it } from "vitest";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "./protocols";
import { TEST_FIELDS, TEST_SUMMARY } from "./shared/testing/request-parts";
import { REQUEST_SCHEMAS } from "./shared/testing/request-schemas";
import { parseWritten, STAMP } from "./shared/testing/run-stream";

/*
 * An agent's work over several turns, for every client with every upstream: what the upstream answers goes back to it as
 * the client keeps it, with results that hold text, an image and a document. What the upstream gets is valid for its
 * protocol, nothing that was said is lost, names and ids of calls are those that the upstream made, and its seals return.
 */

const PNG = "iVBORw0KGgoAAAANSUhEUg==";
const PDF = "JVBERi0xLjcK";
const PDF_IN_RESULT = "JVBERi0xLjQK";
const LATE = "From now on answer in French.";
const SCHEMA = { type: "object", properties: { path: { type: "string" } } };

/** What the upstream says in each of three rounds: it thinks, talks and calls two tools; the last time it only talks. */
const answerOf = (round: number, seal: string | undefined, names: readonly string[]): ChatResponse => ({
  id: `answer${round}`,
  model: "m",
  parts: [
    { kind: "reasoning", text: `thought ${round}`, signature: seal && `${seal}${round}` },
    { kind: "text", text: `words ${round}` },
    ...names.map((name, index) => ({
      kind: "tool-call" as const,
      id: `call_${round}_${index}`,
      name,
      arguments: JSON.stringify(
        name.includes("patch") ? { input: `*** Begin ${round}` } : { path: `p${round}` },
      ),
    })),
  ],
  finishReason: names.length > 0 ? "tool-calls" : "stop",
  usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 5 },
});

type Json = Record<string, unknown>;

interface Client {
  /** The request at the beginning. */
  first: Json;
  /** What the tools are called upstream. */
  names: readonly string[];
  /** The request that follows an answer: the answer as the client keeps it, and what its calls gave. */
  next(request: Json, answer: Json, events: readonly Json[]): Json;
}

const list = (value: unknown): Json[] => value as Json[];

const chatClient: Client = {
  names: ["read_file", "apply_patch"],
  first: {
    model: "m",
    messages: [
      { role: "system", content: "be an agent" },
      {
        role: "user",
        content: [
          { type: "text", text: "go" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
          { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${PDF}` } },
        ],
      },
    ],
    tools: [
      { type: "function", function: { name: "read_file", parameters: SCHEMA } },
      { type: "custom", custom: { name: "apply_patch", description: "Edits." } },
    ],
  },
  next(request, answer) {
    const message = list(answer.choices)[0]?.message as Json;
    const results = list(message.tool_calls ?? []).map((call) => ({
      role: "tool",
      tool_call_id: call.id,
      content: [
        { type: "text", text: `result of ${String(call.id)}` },
        { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
        {
          type: "file",
          file: { filename: "b.pdf", file_data: `data:application/pdf;base64,${PDF_IN_RESULT}` },
        },
      ],
    }));
    const [first, ...others] = results;
    const late = { role: "developer", content: LATE };
    return { ...request, messages: [...list(request.messages), message, first, late, ...others] };
  },
};

const responsesClient: Client = {
  names: ["files__read", "apply_patch"],
  first: {
    model: "m",
    instructions: "be an agent",
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "go" },
          { type: "input_image", image_url: `data:image/png;base64,${PNG}` },
          { type: "input_file", filename: "a.pdf", file_data: `data:application/pdf;base64,${PDF}` },
        ],
      },
    ],
    tools: [
      {
        type: "namespace",
        name: "files",
        description: "Files.",
        tools: [{ type: "function", name: "read", parameters: SCHEMA }],
      },
      { type: "custom", name: "apply_patch", description: "Edits." },
    ],
  },
  next(request, answer) {
    const output = list(answer.output);
    const outputs = output
      .filter(({ type }) => String(type).endsWith("_call"))
      .map(({ type, call_id }) => ({
        type: `${String(type)}_output`,
        call_id,
        output: [
          { type: "input_text", text: `result of ${String(call_id)}` },
          { type: "input_image", image_url: `data:image/png;base64,${PNG}` },
          {
            type: "input_file",
            filename: "b.pdf",
            file_data: `data:application/pdf;base64,${PDF_IN_RESULT}`,
          },
        ],
      }));
    const [first, ...others] = outputs;
    const late = { type: "message", role: "developer", content: LATE };
    return { ...request, input: [...list(request.input), ...output, first, late, ...others] };
  },
};

const pdfBlock = (data: string) => ({
  type: "document",
  context: "what it is for",
  source: { type: "base64", media_type: "application/pdf", data },
});
const pngBlock = { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };

const messagesClient: Client = {
  names: ["read_file", "search"],
  first: {
    model: "m",
    max_tokens: 4000,
    system: "be an agent",
    messages: [{ role: "user", content: [{ type: "text", text: "go" }, pngBlock, pdfBlock(PDF)] }],
    tools: [
      { name: "read_file", input_schema: SCHEMA },
      { name: "search", input_schema: SCHEMA },
    ],
  },
  next(request, answer) {
    const content = list(answer.content);
    const results = content
      .filter(({ type }) => type === "tool_use")
      .map(({ id }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: [
          { type: "text", text: `result of ${String(id)}` },
          pngBlock,
          pdfBlock(PDF_IN_RESULT),
          { type: "tool_reference", tool_name: "found_tool" },
        ],
      }));
    return {
      ...request,
      messages: [
        ...list(request.messages),
        { role: "assistant", content },
        { role: "user", content: results },
        { role: "system", content: LATE },
      ],
    };
  },
};

const geminiClient: Client = {
  names: ["read_file", "search"],
  first: {
    systemInstruction: { parts: [{ text: "be an agent" }] },
    contents: [
      {
        role: "user",
        parts: [
          { text: "go" },
          { inlineData: { mimeType: "image/png", data: PNG } },
          { inlineData: { mimeType: "application/pdf", data: PDF } },
        ],
      },
    ],
    tools: [
      {
        functionDeclarations: [
          { name: "read_file", parametersJsonSchema: SCHEMA },
          { name: "search", parametersJsonSchema: SCHEMA },
        ],
      },
    ],
  },
  next(request, answer, events) {
    // Google's client keeps each piece of a stream as a content of its own.
    const kept = (events.length > 0 ? events : [answer]).map(
      (one) => list(one.candidates)[0]?.content as Json,
    );
    const calls = kept
      .flatMap(({ parts }) => list(parts))
      .flatMap((part) => (part.functionCall ? [part] : []));
    const parts = calls.map(({ functionCall }) => {
      const { id, name } = functionCall as Json;
      return {
        functionResponse: {
          id,
          name,
          response: { result: `result of ${String(id)}` },
          parts: [
            { inlineData: { mimeType: "image/png", data: PNG } },
            { inlineData: { mimeType: "application/pdf", data: PDF_IN_RESULT } },
          ],
        },
      };
    });
    return { ...request, contents: [...list(request.contents), ...kept, { role: "user", parts }] };
  },
};

const CLIENTS: Readonly<Record<ClientProtocolName, Client>> = {
  "openai-chat": chatClient,
  "openai-responses": responsesClient,
  "anthropic-messages": messagesClient,
  "gemini-generate": geminiClient,
};

/** Models that seal their reasoning, and how their seals are known. */
const UPSTREAMS: Readonly<Record<ClientProtocolName, { model: string; seal?: string; raw?: string }>> = {
  "openai-chat": { model: "gemini-3.5-flash", seal: "gemini.c2Vh", raw: "c2Vh" },
  "openai-responses": { model: "gpt-5-codex", seal: "openai.c2Vh", raw: "c2Vh" },
  "anthropic-messages": { model: "claude-opus-4-8", seal: "c2Vh", raw: "c2Vh" },
  "gemini-generate": { model: "gemini-3.5-flash", seal: "gemini.c2Vh", raw: "c2Vh" },
};

const names = Object.keys(CLIENTS) as ClientProtocolName[];
const ROWS = names.flatMap((client) =>
  names.flatMap((upstream) => [false, true].map((isStream) => ({ client, upstream, isStream }))),
);

const asStream = (answer: ChatResponse): StreamPart[] => [
  { kind: "start", id: answer.id, model: answer.model },
  ...answer.parts.flatMap((part, index): StreamPart[] => {
    if (part.kind === "tool-call") {
      const { id, name, arguments: text } = part;
      return [
        { kind: "tool-call", index, id, name },
        { kind: "tool-arguments", index, text },
      ];
    }
    if (part.kind === "text") return [{ kind: "text", index, text: part.text }];
    return [
      { kind: "reasoning", index, text: part.text },
      ...(part.signature === undefined
        ? []
        : [{ kind: "reasoning-signature" as const, index, signature: part.signature }]),
    ];
  }),
  { kind: "usage", usage: answer.usage },
  { kind: "finish", reason: answer.finishReason },
];

/** A stream's answer as the client's SDK puts it together. */
const gather = (client: ClientProtocolName, events: readonly Json[]): Json => {
  switch (client) {
    case "openai-responses":
      return events.at(-1)?.response as Json;
    case "openai-chat":
      return gatherChunks(events);
    case "anthropic-messages":
      return gatherBlocks(events);
    case "gemini-generate":
      return {};
  }
};

const gatherChunks = (events: readonly Json[]): Json => {
  const message: Json = { role: "assistant", content: "", reasoning_content: "" };
  const calls: Json[] = [];
  for (const { choices } of events) {
    const delta = (list(choices ?? [])[0]?.delta ?? {}) as Json;
    message.content += String(delta.content ?? "");
    message.reasoning_content += String(delta.reasoning_content ?? "");
    for (const { index, ...piece } of list(delta.tool_calls ?? [])) {
      const call = calls[index as number];
      if (call === undefined) {
        calls[index as number] = structuredClone(piece);
        continue;
      }
      for (const [kind, field] of [
        ["function", "arguments"],
        ["custom", "input"],
      ] as const) {
        const [whole, more] = [call[kind] as Json | undefined, piece[kind] as Json | undefined];
        if (whole && more) whole[field] = String(whole[field]) + String(more[field] ?? "");
      }
    }
  }
  return { choices: [{ message: calls.length > 0 ? { ...message, tool_calls: calls } : message }] };
};

const gatherBlocks = (events: readonly Json[]): Json => {
  const content: Json[] = [];
  const inputs: string[] = [];
  for (const event of events) {
    const index = event.index as number;
    if (event.type === "content_block_start") {
      content[index] = structuredClone(event.content_block as Json);
      inputs[index] = "";
    }
    const block = content[index];
    if (event.type !== "content_block_delta" || block === undefined) continue;
    const delta = event.delta as Json;
    for (const field of ["text", "thinking", "signature"])
      if (delta[field] !== undefined) block[field] = String(block[field]) + String(delta[field]);
    if (delta.partial_json !== undefined) {
      inputs[index] += String(delta.partial_json);
      block.input = inputs[index];
    }
  }
  return {
    content: content.map((block) =>
      block.type === "tool_use" ? { ...block, input: JSON.parse(String(block.input)) as unknown } : block,
    ),
  };
};

/** Where in a request something stands. */
const placeOf = (body: unknown, text: string): number => JSON.stringify(body).indexOf(text);

describe("an agent's conversation of three rounds", () => {
  it.each(ROWS)("from $client to $upstream, streamed: $isStream", ({ client, upstream, isStream }) => {
    const { first, names: tools, next } = CLIENTS[client];
    const { model, seal, raw = "" } = UPSTREAMS[upstream];
    const parse = (body: Json): ChatRequest => CLIENT_PROTOCOLS[client].parseRequest(body, TEST_SUMMARY);
    const build = (body: Json): Json =>
      JSON.parse(
        JSON.stringify(
          UPSTREAM_PROTOCOLS[upstream].buildRequest({ ...parse(body), model }, TEST_FIELDS).body,
        ),
      ) as Json;

    let request = first;
    const answers: ChatResponse[] = [];
    for (let round = 1; round <= 2; round += 1) {
      const sent = build(request);
      REQUEST_SCHEMAS[upstream].parse(sent);
      const answer = answerOf(round, seal, tools);
      answers.push(answer);
      const stamp = { ...STAMP, request };
      let events: Json[] = [];
      let kept: Json;
      if (isStream) {
        const writer = CLIENT_PROTOCOLS[client].createStreamWriter(stamp, true);
        const written =
          asStream(answer)
            .map((part) => writer.push(part))
            .join("") + writer.end();
        events = parseWritten(written)
          .filter(({ data }) => data !== "[DONE]")
          .map(({ data }) => data as Json);
        kept = gather(client, events);
      } else {
        kept = JSON.parse(JSON.stringify(CLIENT_PROTOCOLS[client].encodeResponse(answer, stamp))) as Json;
      }
      request = next(request, kept, events);
    }

    const sent = build(request);
    REQUEST_SCHEMAS[upstream].parse(sent);
    const body = JSON.stringify(sent);
    const parsed = parse(request);
    // Nothing that was said is lost.
    for (const piece of ["be an agent", "go", PNG, PDF, PDF_IN_RESULT, "words 1", "words 2"]) {
      expect(body).toContain(piece);
    }
    // Calls are those that the upstream made, and answered by their ids.
    const calls = parsed.turns.flatMap((turn) =>
      turn.role === "assistant" ? turn.parts.filter((part) => part.kind === "tool-call") : [],
    );
    const made = answers.flatMap(({ parts }) => parts.filter((part) => part.kind === "tool-call"));
    expect(calls.map(({ id, name }) => [id, name])).toEqual(made.map(({ id, name }) => [id, name]));
    expect(calls.map((call) => JSON.parse(call.arguments) as unknown)).toEqual(
      made.map((call) => JSON.parse(call.arguments) as unknown),
    );
    for (const { id } of made) expect(body).toContain(`result of ${id}`);
    // Instructions stay behind what was said before them, so that the beginning stays what it was.
    if (client !== "gemini-generate") {
      expect(placeOf(sent, LATE)).toBeGreaterThan(placeOf(sent, "go"));
      expect(placeOf(sent.system ?? sent.instructions ?? sent.systemInstruction ?? "", LATE)).toBe(-1);
    }
    if (client === "anthropic-messages") {
      expect(body).toContain("what it is for");
      expect(body).toContain("found_tool");
    }
    // Anthropic reads a seal only beside its thought, which clients of Chat Completions do not keep.
    if (client === "openai-chat" && upstream === "anthropic-messages") return;
    for (const round of [1, 2]) expect(body).toContain(`${raw}${round}`);
  });
});
