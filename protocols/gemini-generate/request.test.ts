import { describe, expect, it } from "vitest";
import { refusalOf } from "../shared/testing/refusal-of";
import { makeCallId } from "../shared/tools/call-id";
import { geminiGenerate } from "./gemini-generate";

const contents = [{ role: "user", parts: [{ text: "hi" }] }];
const ADDRESS = { model: "m", isStream: false };

const parse = (fields: object) => {
  const body = { contents, ...fields };
  return geminiGenerate.parseRequest(body, geminiGenerate.summarizeRequest(body, ADDRESS));
};
const turnsOf = (...list: object[]) => parse({ contents: list }).turns;
const user = (...parts: object[]) => ({ role: "user", parts });
const model = (...parts: object[]) => ({ role: "model", parts });

describe("summarizeRequest of gemini-generate", () => {
  it("reads the model from the address and the limits from the body, in both spellings", () => {
    const bounds = { tokens: 9, answers: 2 };
    const expected = {
      model: "m",
      isStream: true,
      maxOutputTokens: 9,
      choices: 2,
      bounds,
      wantsUsageChunk: false,
    };
    const address = { model: "m", isStream: true };
    const camel = { contents, generationConfig: { maxOutputTokens: 9, candidateCount: 2 } };
    const snake = { contents, generation_config: { max_output_tokens: 9, candidate_count: 2 } };
    expect(geminiGenerate.summarizeRequest(camel, address)).toEqual(expected);
    expect(geminiGenerate.summarizeRequest(snake, address)).toEqual(expected);
  });

  it.each<[unknown, string | undefined]>([
    ["x", undefined],
    [{}, "contents"],
    [{ contents: [] }, "contents"],
    [{ contents: "hi" }, "contents"],
    [{ contents, generationConfig: 5 }, "generationConfig"],
    [{ contents, generationConfig: { maxOutputTokens: 0 } }, "maxOutputTokens"],
    [{ contents, generationConfig: { maxOutputTokens: "9" } }, "maxOutputTokens"],
    [{ contents, generationConfig: { candidateCount: 99 } }, "candidateCount"],
  ])("refuses %j", (body, param) => {
    expect(refusalOf(() => geminiGenerate.summarizeRequest(body, ADDRESS)).param).toBe(param);
  });

  it("refuses an address without a model", () => {
    expect(refusalOf(() => geminiGenerate.summarizeRequest({ contents })).fault.code).toBe(
      "model-not-in-address",
    );
  });
});

describe("promptText of gemini-generate", () => {
  it("joins instructions, contents, calls, responses and declarations, and counts the media", () => {
    const tools = [{ functionDeclarations: [{ name: "declared" }] }];
    const { text, messages, images } = geminiGenerate.promptText({
      system_instruction: { parts: [{ text: "be brief" }] },
      contents: [
        user({ text: "look" }, { inlineData: { mimeType: "image/png", data: "XXXX" } }),
        model({ functionCall: { name: "f", args: { city: "Paris" } } }),
        user({ functionResponse: { name: "f", response: { sky: "clear" } } }),
        user({ file_data: { file_uri: "https://x.test/a.pdf" } }),
      ],
      tools,
    });
    for (const piece of ["be brief", "look", "Paris", "clear", "declared"]) expect(text).toContain(piece);
    expect(text).not.toContain("XXXX");
    expect({ messages, images }).toEqual({ messages: 4, images: 2 });
  });

  it("never throws", () => {
    for (const body of [undefined, "x", {}, { contents: [5, null, { parts: 7 }] }]) {
      expect(geminiGenerate.promptText(body).text).toBe("");
    }
  });
});

describe("parseRequest of gemini-generate", () => {
  it("parses every field", () => {
    expect(
      parse({
        systemInstruction: { parts: [{ text: "a" }, { text: "b" }] },
        tools: [
          {
            functionDeclarations: [
              {
                name: "f",
                description: "d",
                parameters: { type: "OBJECT", properties: { a: { type: "STRING" } } },
              },
              { name: "g", parametersJsonSchema: { type: "object" } },
              { name: "h" },
            ],
          },
        ],
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f", "h"] } },
        safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
        generationConfig: {
          maxOutputTokens: 50,
          temperature: 1.5,
          topP: 0.5,
          topK: 5,
          stopSequences: ["x"],
          seed: 1,
          presencePenalty: 1,
          frequencyPenalty: -1,
          responseMimeType: "application/json",
          responseSchema: { type: "STRING", nullable: true },
          thinkingConfig: { thinkingLevel: "LOW" },
          responseModalities: ["TEXT"],
        },
      }),
    ).toEqual({
      model: "m",
      system: [
        { kind: "text", text: "a" },
        { kind: "text", text: "b" },
      ],
      turns: [{ role: "user", parts: [{ kind: "text", text: "hi" }] }],
      tools: [
        {
          name: "f",
          description: "d",
          parameters: { type: "object", properties: { a: { type: "string" } } },
        },
        { name: "h", description: undefined, parameters: undefined },
      ],
      toolChoice: { kind: "required" },
      maxOutputTokens: 50,
      temperature: 1.5,
      topP: 0.5,
      topK: 5,
      stopSequences: ["x"],
      seed: 1,
      presencePenalty: 1,
      frequencyPenalty: -1,
      responseFormat: {
        kind: "json-schema",
        name: "response",
        schema: { type: ["string", "null"] },
        isStrict: true,
      },
      reasoning: { effort: "low" },
      isStream: false,
      wantsUsageChunk: false,
    });
  });

  it("understands Google's other spelling, and single values in place of lists", () => {
    expect(
      parse({
        system_instruction: { parts: { text: "a" } },
        contents: { parts: [{ inline_data: { mime_type: "image/png", data: "AAAA" } }] },
        generation_config: {
          response_mime_type: "application/json",
          thinking_config: { thinking_budget: 0 },
        },
        tool_config: { function_calling_config: { mode: "none" } },
      }),
    ).toMatchObject({
      system: [{ text: "a" }],
      turns: [{ role: "user", parts: [{ kind: "image", data: "AAAA", mediaType: "image/png" }] }],
      toolChoice: { kind: "none" },
      responseFormat: { kind: "json" },
      reasoning: { effort: "none" },
    });
  });

  it("parses media by their kind", () => {
    const blob = (mimeType: string) => ({ inlineData: { mimeType, data: "AAAA" } });
    const file = (fileUri: string, mimeType?: string) => ({ fileData: { fileUri, mimeType } });
    expect(
      turnsOf(
        user(
          blob("image/png"),
          blob("audio/mpeg"),
          blob("audio/wav"),
          blob("application/pdf"),
          file("https://x.test/a.png", "image/png"),
          file("https://x.test/a.pdf", "application/pdf"),
        ),
      )[0]?.parts,
    ).toEqual([
      { kind: "image", data: "AAAA", mediaType: "image/png" },
      { kind: "audio", data: "AAAA", format: "mp3" },
      { kind: "audio", data: "AAAA", format: "wav" },
      { kind: "file", data: "AAAA", mediaType: "application/pdf" },
      { kind: "image", url: "https://x.test/a.png", mediaType: "image/png" },
      { kind: "file", url: "https://x.test/a.pdf", mediaType: "application/pdf" },
    ]);
  });

  it("puts the pieces of a streamed answer together again, thoughts with their seal", () => {
    expect(
      turnsOf(
        user({ text: "q" }),
        model({ text: "Hm", thought: true }),
        model({ text: "m.", thought: true }),
        model({ text: "", thought: true, thoughtSignature: "CiQB" }),
        model({ text: "Let " }),
        model({ text: "me." }),
        model({ functionCall: { name: "f", args: { a: 1 } }, thoughtSignature: "Dd" }),
        { role: "function", parts: [{ functionResponse: { name: "f", response: { result: "ok" } } }] },
      ),
    ).toEqual([
      { role: "user", parts: [{ kind: "text", text: "q" }] },
      {
        role: "assistant",
        parts: [
          { kind: "reasoning", text: "Hmm.", signature: "gemini.CiQB" },
          { kind: "text", text: "Let me." },
          { kind: "reasoning", text: "", signature: "gemini.Dd" },
          { kind: "tool-call", id: makeCallId("1", 0, "f"), name: "f", arguments: '{"a":1}' },
        ],
      },
      {
        role: "user",
        parts: [
          {
            kind: "tool-result",
            toolCallId: makeCallId("1", 0, "f"),
            content: [{ kind: "text", text: "ok" }],
          },
        ],
      },
    ]);
  });

  it("pairs responses with calls: by id, else by name in order", () => {
    const call = (name: string, id?: string) => ({ functionCall: { name, id } });
    const response = (name: string, value: unknown, id?: string) => ({
      functionResponse: { name, id, response: value },
    });
    const turns = turnsOf(
      model(call("f"), call("g", "x"), call("f")),
      user(response("g", { a: 1 }, "x"), response("f", { output: "1st" }), response("f", { error: "2nd" })),
    );
    expect(turns[1]?.parts).toEqual([
      { kind: "tool-result", toolCallId: "x", content: [{ kind: "text", text: '{"a":1}' }] },
      {
        kind: "tool-result",
        toolCallId: makeCallId("0", 0, "f"),
        content: [{ kind: "text", text: "1st" }],
      },
      {
        kind: "tool-result",
        toolCallId: makeCallId("0", 2, "f"),
        content: [{ kind: "text", text: "2nd" }],
        isError: true,
      },
    ]);
  });

  it("takes images beside a response's data", () => {
    const image = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const turns = turnsOf(
      model({ functionCall: { name: "f" } }),
      user({ functionResponse: { name: "f", response: { result: "see" }, parts: [image] } }),
    );
    expect(turns[1]?.parts[0]).toMatchObject({ content: [{ text: "see" }, { kind: "image", data: "AAAA" }] });
  });

  it.each<[object, object | undefined]>([
    [{ mode: "AUTO" }, { kind: "auto" }],
    [{ mode: "VALIDATED" }, { kind: "auto" }],
    [{ mode: "NONE" }, { kind: "none" }],
    [{ mode: "ANY" }, { kind: "required" }],
    [
      { mode: "ANY", allowedFunctionNames: ["f"] },
      { kind: "tool", name: "f" },
    ],
    [{}, undefined],
  ])("parses %j", (functionCallingConfig, expected) => {
    expect(parse({ toolConfig: { functionCallingConfig } }).toolChoice).toEqual(expected);
  });

  it.each<[object, object | undefined]>([
    [{ thinkingBudget: 0 }, { effort: "none" }],
    [{ thinkingBudget: -1 }, undefined],
    [{ thinkingBudget: 2000 }, { budgetTokens: 2000 }],
    [{ thinkingLevel: "high", includeThoughts: true }, { effort: "high" }],
    [{ includeThoughts: true }, undefined],
  ])("parses %j", (thinkingConfig, expected) => {
    expect(parse({ generationConfig: { thinkingConfig } }).reasoning).toEqual(expected);
  });

  it("turns Google's schemas into JSON Schema", () => {
    const responseSchema = {
      type: "OBJECT",
      propertyOrdering: ["a", "type"],
      required: ["a"],
      properties: {
        a: { type: "ARRAY", items: { type: "INTEGER", format: "int32" }, minItems: "1" },
        type: { type: "STRING", format: "enum", enum: ["x"], nullable: true },
        either: { anyOf: [{ type: "NUMBER" }, { type: "BOOLEAN" }] },
      },
    };
    const config = { responseMimeType: "application/json", responseSchema };
    expect(parse({ generationConfig: config }).responseFormat).toMatchObject({
      schema: {
        type: "object",
        required: ["a"],
        properties: {
          a: { type: "array", items: { type: "integer", format: "int32" }, minItems: 1 },
          type: { type: ["string", "null"], enum: ["x"] },
          either: { anyOf: [{ type: "number" }, { type: "boolean" }] },
        },
      },
    });
  });

  it.each<[object, string]>([
    [{ contents: [{ role: "robot", parts: [{ text: "a" }] }] }, "contents[0].role"],
    [{ contents: [user({ text: 5 })] }, "contents[0].parts[0].text"],
    [{ contents: [user({ executableCode: {} })] }, "contents[0].parts[0]"],
    [{ contents: [user({ inlineData: { data: "A" } })] }, "contents[0].parts[0].inlineData.mimeType"],
    [{ contents: [user({ fileData: { fileUri: "gs://a/b" } })] }, "contents[0].parts[0].fileData.fileUri"],
    [{ contents: [model({ functionCall: {} })] }, "contents[0].parts[0].functionCall.name"],
    [{ contents: [model({ functionCall: { name: "f" } }), model({ text: "a" })] }, "contents[0].parts[0]"],
    [
      { contents: [user({ functionResponse: { name: "f", response: {} } })] },
      "contents[0].parts[0].functionResponse",
    ],
    [{ tools: [{ codeExecution: {} }] }, "tools[0].codeExecution"],
    [
      { toolConfig: { functionCallingConfig: { mode: "SOMETIMES" } } },
      "toolConfig.functionCallingConfig.mode",
    ],
    [{ cachedContent: "cachedContents/1" }, "cachedContent"],
    [{ generationConfig: { candidateCount: 2 } }, "generationConfig.candidateCount"],
    [{ generationConfig: { responseModalities: ["TEXT", "IMAGE"] } }, "generationConfig.responseModalities"],
    [{ generationConfig: { responseModalities: [{ toString: 1 }] } }, "generationConfig.responseModalities"],
    [{ generationConfig: { responseMimeType: "text/csv" } }, "generationConfig.responseMimeType"],
    [{ generationConfig: { temperature: 3 } }, "temperature"],
  ])("refuses %j", (fields, param) => {
    expect(refusalOf(() => parse(fields)).param).toBe(param);
  });
});
