import { describe, expect, it } from "vitest";
import { refusalOf } from "../shared/testing/refusal-of";
import { openaiResponses } from "./openai-responses";

const base = { model: "m", input: "hi" };

const parse = (fields: object) => {
  const body = { ...base, ...fields };
  return openaiResponses.parseRequest(body, openaiResponses.summarizeRequest(body));
};
const parseInput = (...input: object[]) => parse({ input });

describe("summarizeRequest of openai-responses", () => {
  it("reads the fields of admission, and does not mind that clients leave store at its default", () => {
    expect(
      openaiResponses.summarizeRequest({
        ...base,
        stream: true,
        max_output_tokens: 9,
        store: true,
        background: false,
      }),
    ).toEqual({
      model: "m",
      isStream: true,
      maxOutputTokens: 9,
      choices: 1,
      bounds: { tokens: 9, answers: 1 },
      wantsUsageChunk: false,
    });
  });

  it.each<[unknown, string | undefined]>([
    ["x", undefined],
    [{ input: "hi" }, "model"],
    [{ model: "m" }, "input"],
    [{ model: "m", input: [] }, "input"],
    [{ model: "m", input: { text: "hi" } }, "input"],
    [{ ...base, max_output_tokens: 0 }, "max_output_tokens"],
    [{ ...base, stream: "yes" }, "stream"],
    [{ ...base, previous_response_id: "resp_1" }, "previous_response_id"],
    [{ ...base, conversation: "conv_1" }, "conversation"],
    [{ ...base, background: true }, "background"],
  ])("refuses %j", (body, param) => {
    expect(refusalOf(() => openaiResponses.summarizeRequest(body)).param).toBe(param);
  });

  it("says why nothing can build on an earlier answer", () => {
    const { fault } = refusalOf(() =>
      openaiResponses.summarizeRequest({ ...base, previous_response_id: "resp_1" }),
    );
    expect(fault).toEqual({ code: "responses-not-stored", field: "previous_response_id" });
  });
});

describe("promptText of openai-responses", () => {
  it("joins instructions, contents, calls, outputs and declarations, and counts the media", () => {
    const { text, messages, images } = openaiResponses.promptText({
      instructions: "be brief",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "look" },
            { type: "input_image", image_url: "XX" },
          ],
        },
        { type: "reasoning", summary: [{ type: "summary_text", text: "hmm" }] },
        { type: "function_call", name: "f", arguments: '{"city":"Paris"}' },
        { type: "function_call_output", output: "clear" },
      ],
      tools: [{ type: "function", name: "declared" }],
    });
    for (const piece of ["be brief", "look", "hmm", "Paris", "clear", "declared"])
      expect(text).toContain(piece);
    expect(text).not.toContain("XX");
    expect({ messages, images }).toEqual({ messages: 4, images: 1 });
    expect(openaiResponses.promptText({ input: "hi" })).toMatchObject({ text: "hi", messages: 1 });
    const format = { type: "json_schema", name: "a", schema: { title: "schematic" } };
    expect(openaiResponses.promptText({ input: "hi", text: { format } }).text).toContain("schematic");
  });

  it("never throws", () => {
    for (const body of [undefined, "x", {}, { input: [5, null] }]) {
      expect(openaiResponses.promptText(body).text).toBe("");
    }
  });
});

describe("parseRequest of openai-responses", () => {
  it("parses every field", () => {
    expect(
      parse({
        instructions: "be brief",
        tools: [
          { type: "function", name: "f", description: "d", parameters: { type: "object" }, strict: true },
        ],
        tool_choice: { type: "function", name: "f" },
        parallel_tool_calls: false,
        max_output_tokens: 50,
        temperature: 1.5,
        top_p: 0.5,
        reasoning: { effort: "low", summary: "auto" },
        text: { format: { type: "json_schema", name: "r", schema: { type: "object" }, strict: true } },
        safety_identifier: "jo",
        include: ["reasoning.encrypted_content"],
        metadata: { a: "b" },
        store: true,
      }),
    ).toEqual({
      model: "m",
      openaiHints: { metadata: { a: "b" } },
      showsReasoning: true,
      system: [{ kind: "text", text: "be brief" }],
      turns: [{ role: "user", parts: [{ kind: "text", text: "hi" }] }],
      tools: [{ name: "f", description: "d", parameters: { type: "object" }, isStrict: true }],
      toolChoice: { kind: "tool", name: "f" },
      isParallelToolCallsAllowed: false,
      maxOutputTokens: 50,
      temperature: 1.5,
      topP: 0.5,
      reasoning: { effort: "low" },
      responseFormat: { kind: "json-schema", name: "r", schema: { type: "object" }, isStrict: true },
      endUserId: "jo",
      isStream: false,
      wantsUsageChunk: false,
    });
  });

  it("makes one turn of the model's items and one of the answers to them", () => {
    expect(
      parseInput(
        { role: "developer", content: "be brief" },
        { role: "user", content: "q" },
        {
          type: "reasoning",
          id: "rs_1",
          summary: [
            { type: "summary_text", text: "Hm" },
            { type: "summary_text", text: "m" },
          ],
          encrypted_content: "gAAAA1",
        },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me." }] },
        { type: "function_call", call_id: "a", name: "f", arguments: "{}" },
        { type: "function_call", call_id: "b", name: "g", arguments: "{}" },
        { type: "function_call_output", call_id: "b", output: [{ type: "input_text", text: "2" }] },
        { type: "function_call_output", call_id: "a", output: "1" },
        { role: "user", content: "and?" },
      ),
    ).toMatchObject({
      system: [{ kind: "text", text: "be brief" }],
      turns: [
        { role: "user", parts: [{ kind: "text", text: "q" }] },
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "Hm\n\nm", signature: "openai.gAAAA1" },
            { kind: "text", text: "Let me." },
            { kind: "tool-call", id: "a", name: "f", arguments: "{}" },
            { kind: "tool-call", id: "b", name: "g", arguments: "{}" },
          ],
        },
        {
          role: "user",
          parts: [
            { kind: "tool-result", toolCallId: "b", content: [{ kind: "text", text: "2" }] },
            { kind: "tool-result", toolCallId: "a", content: [{ kind: "text", text: "1" }] },
            { kind: "text", text: "and?" },
          ],
        },
      ],
    });
  });

  it("parses images, files and recordings", () => {
    const content = [
      { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "low" },
      { type: "input_image", image_url: "https://x.test/a.png" },
      { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,BBBB" },
      { type: "input_file", file_url: "https://x.test/a.pdf" },
      { type: "input_audio", input_audio: { data: "CC", format: "wav" } },
    ];
    expect(parseInput({ role: "user", content }).turns[0]?.parts).toEqual([
      { kind: "image", data: "AAAA", mediaType: "image/png", detail: "low" },
      { kind: "image", url: "https://x.test/a.png", detail: undefined },
      { kind: "file", data: "BBBB", mediaType: "application/pdf", filename: "a.pdf" },
      { kind: "file", url: "https://x.test/a.pdf", filename: undefined },
      { kind: "audio", data: "CC", format: "wav" },
    ]);
  });

  it.each<[unknown, object | undefined, string[]]>([
    ["auto", { kind: "auto" }, ["f", "g"]],
    ["none", { kind: "none" }, ["f", "g"]],
    ["required", { kind: "required" }, ["f", "g"]],
    [undefined, undefined, ["f", "g"]],
    [
      { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "g" }] },
      { kind: "required" },
      ["g"],
    ],
  ])("parses the tool choice %j", (tool_choice, expected, left) => {
    const tools = ["f", "g"].map((name) => ({ type: "function", name }));
    const parsed = parse({ tools, tool_choice });
    expect(parsed.toolChoice).toEqual(expected);
    expect(parsed.tools.map(({ name }) => name)).toEqual(left);
  });

  it.each<[object, string]>([
    [{ tools: [{ type: "mcp" }] }, "tools[0].type"],
    [{ tools: [{ type: "mcp", server_label: "x" }] }, "tools[0].type"],
    [{ tool_choice: { type: "file_search" } }, "tool_choice"],
    [{ prompt: { id: "pmpt_1" } }, "prompt"],
    [{ text: { format: { type: "grammar" } } }, "text.format.type"],
    [{ reasoning: { effort: "heroic" } }, "reasoning.effort"],
    [{ temperature: 3 }, "temperature"],
    [{ input: [{ role: "robot", content: "a" }] }, "input[0].role"],
    [{ input: [{ type: "item_reference", id: "rs_1" }] }, "input[0].type"],
    [{ input: [{ type: "computer_call_output" }] }, "input[0].type"],
    [{ input: [{ type: "function_call", name: "f" }] }, "input[0].call_id"],
    [{ input: [{ type: "function_call", call_id: "a", name: "f", arguments: "{}" }] }, "input[0].call_id"],
    [{ input: [{ type: "function_call_output", call_id: "a", output: "x" }] }, "input[0].call_id"],
    [
      { input: [{ role: "user", content: [{ type: "input_image", file_id: "file-1" }] }] },
      "input[0].content[0].file_id",
    ],
    [{ input: [{ role: "user", content: [{ type: "video" }] }] }, "input[0].content[0].type"],
  ])("refuses %j", (fields, param) => {
    expect(refusalOf(() => parse(fields)).param).toBe(param);
  });

  it("takes whatever a hosted call says it searched for", () => {
    const call = { type: "file_search_call", id: "f", queries: [{ toString: 1 }, "b"], results: [] };
    expect(JSON.stringify(parse({ input: [call, { role: "user", content: "hi" }] }).turns)).toContain(
      "{…}, b",
    );
  });

  it("names the built-in tool that it refuses", () => {
    expect(refusalOf(() => parse({ tools: [{ type: "mcp" }] })).fault).toMatchObject({ tool: "mcp" });
  });
});
