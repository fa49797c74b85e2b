import { describe, expect, it } from "vitest";
import { OPERATIONS } from "./openai-operations/openai-operations";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "./protocols";
import { misspelled } from "./shared/json/json-names";
import { REQUEST_NAMES } from "./shared/request/request-names";

/*
 * M3: a name that is read must be known, so that nothing else is taken for it. Every reader of requests reads bodies
 * here that note each name that is asked for.
 */

/** A body that notes which names are asked for, and answers with what is behind them. */
const noting = <T>(value: T, asked: Set<string>): T => {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (
        typeof name === "string" &&
        !Array.isArray(target) &&
        (found !== undefined || !(name in Object.prototype))
      )
        asked.add(name);
      return noting(found, asked);
    },
  }) as T;
};

const PART = { type: "text", text: "hi", cache_control: { type: "ephemeral" } };
const SCHEMA = { type: "object", properties: { a: { type: "string" } } };

const CHAT = {
  model: "m",
  stream: true,
  messages: [
    { role: "system", content: "s" },
    {
      role: "user",
      name: "n",
      content: [
        PART,
        { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
        { type: "input_audio", input_audio: { data: "AA==", format: "wav" } },
        { type: "file", file: { file_data: "data:application/pdf;base64,AA==", filename: "f" } },
      ],
    },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "1", content: "r" },
  ],
  tools: [{ type: "function", function: { name: "f", description: "d", parameters: SCHEMA, strict: true } }],
  tool_choice: { type: "function", function: { name: "f" } },
  response_format: { type: "json_schema", json_schema: { name: "n", schema: SCHEMA, strict: true } },
  stop: ["x"],
};

const MESSAGES = {
  model: "m",
  max_tokens: 5,
  stream: true,
  system: [PART],
  messages: [
    {
      role: "user",
      content: [
        PART,
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } },
        { type: "document", title: "t", source: { type: "text", media_type: "text/plain", data: "d" } },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "t", signature: "s" },
        { type: "tool_use", id: "1", name: "f", input: { a: 1 } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "1", is_error: false, content: [PART] }] },
  ],
  thinking: { type: "enabled", budget_tokens: 1024 },
  tools: [{ name: "f", description: "d", input_schema: SCHEMA }],
  tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
};

const RESPONSES = {
  model: "m",
  stream: true,
  instructions: "i",
  input: [
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "hi" },
        { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "low" },
        { type: "input_file", file_data: "data:application/pdf;base64,AA==", filename: "f" },
      ],
    },
    { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "s" }], encrypted_content: "e" },
    { type: "function_call", call_id: "1", name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: "1", output: "r" },
  ],
  tools: [{ type: "function", name: "f", description: "d", parameters: SCHEMA, strict: true }],
  tool_choice: { type: "function", name: "f" },
  text: { format: { type: "json_schema", name: "n", schema: SCHEMA } },
  reasoning: { effort: "low", summary: "auto" },
};

const GEMINI = {
  systemInstruction: { parts: [{ text: "s" }] },
  contents: [
    {
      role: "user",
      parts: [
        { text: "hi" },
        { inlineData: { mimeType: "image/png", data: "AA==" } },
        { fileData: { mimeType: "image/png", fileUri: "https://example.com/a.png" } },
      ],
    },
    {
      role: "model",
      parts: [{ functionCall: { id: "1", name: "f", args: { a: 1 } }, thoughtSignature: "s" }],
    },
    { role: "user", parts: [{ functionResponse: { id: "1", name: "f", response: { a: 1 } } }] },
  ],
  tools: [{ functionDeclarations: [{ name: "f", description: "d", parameters: SCHEMA }] }],
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
  generationConfig: {
    maxOutputTokens: 5,
    candidateCount: 1,
    responseMimeType: "application/json",
    responseSchema: SCHEMA,
    thinkingConfig: { thinkingBudget: 10, includeThoughts: true },
    stopSequences: ["x"],
  },
};

/** User-defined names of schemas and of arguments, and names of JavaScript's lists and texts. */
const OWN = new Set(
  [
    "properties a $ref toJSON length nullable default pattern minimum maximum required minItems min_items maxItems",
    "max_items minLength min_length minProperties min_properties maxProperties max_properties anyOf any_of items",
  ].flatMap((line) => line.split(" ")),
);

const unknownOf = (asked: ReadonlySet<string>, names: "snake" | "google"): string[] =>
  [...asked].filter((name) => {
    const rules = REQUEST_NAMES[names];
    const capital = name.toUpperCase();
    return !OWN.has(name) && capital !== name && misspelled(capital, rules) === undefined;
  });

describe("M3: the names that are read are known", () => {
  it.each([
    ["openai-chat", CHAT, "snake"],
    ["anthropic-messages", MESSAGES, "snake"],
    ["openai-responses", RESPONSES, "snake"],
    ["gemini-generate", GEMINI, "google"],
  ] as const)("of %s", (protocol, body, names) => {
    const client = CLIENT_PROTOCOLS[protocol];
    const address = names === "google" ? { model: "m", isStream: true } : undefined;
    const asked = new Set<string>();
    const noted = noting(body, asked);
    const summary = client.summarizeRequest(noted, address);
    client.promptText(noted);
    client.parseRequest(noted, summary);
    UPSTREAM_PROTOCOLS[protocol].extras?.(noted, "m");
    expect(asked.size).toBeGreaterThan(25);
    expect(unknownOf(asked, names)).toEqual([]);
  });

  it.each(Object.values(OPERATIONS))("of $name", (operation) => {
    const asked = new Set<string>();
    const fields = {
      model: "m",
      input: "i",
      prompt: "p",
      instruction: "i",
      voice: "v",
      query: "q",
      documents: [{ text: "d" }],
      n: 1,
      max_tokens: 5,
    };
    const bytes = new Uint8Array(8);
    const uploads = ["file", "image"].map((field) => ({ field, filename: "f", bytes }));
    operation.summarizeRequest({ fields: noting(fields, asked), uploads }, "m");
    expect(unknownOf(asked, "snake")).toEqual([]);
  });
});
