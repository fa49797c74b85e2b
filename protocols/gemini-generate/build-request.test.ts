import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AssistantPart, ChatRequest, Turn, UserPart } from "@tollgate/contract/relay/request";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../shared/testing/refusal-of";
import { answers, asks, TEST_FIELDS } from "../shared/testing/request-parts";
import { buildWire } from "../shared/testing/simple-requests";
import { geminiGenerate } from "./gemini-generate";

const says = (...texts: string[]): Turn => ({
  role: "user",
  parts: texts.map((text) => ({ kind: "text", text })),
});

const base: ChatRequest = {
  model: "gemini-2.5-flash",
  system: [],
  turns: [says("hi")],
  tools: [],
  isStream: true,
  wantsUsageChunk: false,
};

const build = (fields: Partial<ChatRequest>) => buildWire(geminiGenerate, { ...base, ...fields }).body;

const contents = (...turns: Turn[]) => build({ turns }).contents;
const call: AssistantPart = { kind: "tool-call", id: "c1", name: "f", arguments: '{"a":1}' };
const result = (text: string, isError?: boolean): UserPart => ({
  kind: "tool-result",
  toolCallId: "c1",
  content: [{ kind: "text", text }],
  ...(isError ? { isError } : {}),
});
const answered = {
  role: "user",
  parts: [{ functionResponse: { id: "c1", name: "f", response: { result: "ok" } } }],
};

describe("buildRequest of gemini-generate", () => {
  it("says no more than it must", () => {
    expect(build({ isStream: false })).toEqual({
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
      generationConfig: {},
    });
  });

  it.each([
    ["gemini-2.5-pro", true, "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse"],
    ["gemini-2.5-pro", false, "/v1beta/models/gemini-2.5-pro:generateContent"],
    ["models/gemini-2.5-pro", false, "/v1beta/models/gemini-2.5-pro:generateContent"],
    ["tunedModels/mine-1", false, "/v1beta/tunedModels/mine-1:generateContent"],
    ["odd name?x", false, "/v1beta/models/odd%20name%3Fx:generateContent"],
  ])("asks for %s, stream %s, at %s", (model, isStream, path) => {
    expect(geminiGenerate.buildRequest({ ...base, model, isStream }, TEST_FIELDS).path).toBe(path);
    expect(geminiGenerate.passThrough?.path(model, isStream)).toBe(path);
  });

  it("builds every field", () => {
    expect(
      build({
        system: [
          { kind: "text", text: "a" },
          { kind: "text", text: " " },
          { kind: "text", text: "b" },
        ],
        tools: [{ name: "f", description: "d", parameters: { type: "object" } }, { name: "g" }],
        toolChoice: { kind: "tool", name: "f" },
        isParallelToolCallsAllowed: false,
        maxOutputTokens: 50,
        temperature: 1.7,
        topP: 0.5,
        topK: 5,
        stopSequences: ["1", "", "2", "3", "4", "5", "6"],
        seed: 1,
        presencePenalty: 1,
        frequencyPenalty: 2,
        endUserId: "jo",
        reasoning: { effort: "high" },
        responseFormat: { kind: "json" },
      }),
    ).toEqual({
      systemInstruction: { parts: [{ text: "a\n\nb\n\nAnswer with a single JSON object only." }] },
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
      tools: [
        {
          functionDeclarations: [
            { name: "f", description: "d", parametersJsonSchema: { type: "object" } },
            { name: "g" },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
      generationConfig: {
        maxOutputTokens: 50,
        temperature: 1.7,
        topP: 0.5,
        topK: 5,
        stopSequences: ["1", "2", "3", "4", "5"],
        seed: 1,
        presencePenalty: 1,
        frequencyPenalty: 2,
        thinkingConfig: { thinkingBudget: 24_576, includeThoughts: true },
      },
    });
  });

  it.each<[string, Partial<ChatRequest>]>([
    ["functions", { tools: [{ name: "g" }] }],
    ["search", { webSearch: {} }],
  ])("requests JSON in words beside %s from models that refuse both together", (_, tools) => {
    const responseFormat = { kind: "json-schema" as const, name: "r", schema: { type: "object" } };
    const old = build({ ...tools, responseFormat });
    expect(old.generationConfig).toEqual({});
    expect(JSON.stringify(old.systemInstruction)).toContain("matches this JSON schema");
    expect(build({ ...tools, responseFormat: { kind: "json" } }).generationConfig).toEqual({});
    const newest = build({ ...tools, model: "gemini-3.8-flash", responseFormat });
    expect(newest.systemInstruction).toBeUndefined();
    const json = { responseMimeType: "application/json" };
    expect(newest.generationConfig).toMatchObject({ ...json, responseJsonSchema: { type: "object" } });
    expect(build({ responseFormat }).generationConfig).toMatchObject(json);
  });

  it.each<[string, ChatRequest["reasoning"], unknown]>([
    ["gemini-2.5-flash", { effort: "none" }, { thinkingBudget: 0 }],
    ["gemini-2.5-flash", { effort: "max" }, { thinkingBudget: 24_576, includeThoughts: true }],
    ["gemini-2.5-pro", { effort: "none" }, { thinkingBudget: 128 }],
    ["gemini-2.5-pro", { budgetTokens: 50 }, { thinkingBudget: 128, includeThoughts: true }],
    ["gemini-2.5-flash-lite", { budgetTokens: 100 }, { thinkingBudget: 512, includeThoughts: true }],
    ["gemini-3.8-flash", { effort: "none" }, { thinkingLevel: "minimal" }],
    ["gemini-3.8-flash", { effort: "xhigh" }, { thinkingLevel: "high", includeThoughts: true }],
    ["gemini-3.8-flash", { budgetTokens: 5000 }, { thinkingLevel: "medium", includeThoughts: true }],
    ["gemini-3.1-pro-preview", { effort: "none" }, { thinkingLevel: "low" }],
    ["gemini-flash-latest", { effort: "low" }, { thinkingLevel: "low", includeThoughts: true }],
    ["gemini-2.0-flash", { effort: "high" }, undefined],
    ["gemini-2.5-flash-image", { effort: "high" }, undefined],
    ["gemma-4-31b-it", { effort: "high" }, undefined],
    ["gemini-2.5-pro", undefined, undefined],
  ])("lets %s think with %j as %j", (model, reasoning, expected) => {
    expect(build({ model, reasoning }).generationConfig).toEqual(
      expected === undefined ? {} : { thinkingConfig: expected },
    );
  });

  it("puts instructions into the first turn where there is no other place, and never sends nothing", () => {
    const system = [{ kind: "text" as const, text: "be brief" }];
    const first = { role: "user", parts: [{ text: "be brief" }, { text: "hi" }] };
    expect(build({ model: "gemma-3-27b-it", system })).toMatchObject({ contents: [first] });
    expect(build({ system, turns: [] })).toMatchObject({
      contents: [{ role: "user", parts: [{ text: "be brief" }] }],
    });
    expect(() => build({ turns: [says("")] })).toThrow(RequestInvalid);
  });

  it("joins neighbouring turns of one role, leaves empty ones out and puts results first", () => {
    expect(
      contents(
        says("a"),
        says("b", ""),
        answers(call),
        asks({ kind: "text", text: "and" }, result("ok")),
        answers(),
      ),
    ).toEqual([
      { role: "user", parts: [{ text: "a" }, { text: "b" }] },
      { role: "model", parts: [{ functionCall: { id: "c1", name: "f", args: { a: 1 } } }] },
      { role: "user", parts: [...answered.parts, { text: "and" }] },
    ]);
  });

  it.each<[string, boolean, unknown]>([
    ['{"sky":"clear"}', false, { sky: "clear" }],
    ["[1]", false, { result: "[1]" }],
    ["sun", false, { result: "sun" }],
    ["broken", true, { error: "broken" }],
  ])("gives the result %s, error %s, as %j", (text, isError, response) => {
    expect(contents(answers(call), asks(result(text, isError)))).toMatchObject([
      {},
      { parts: [{ functionResponse: { id: "c1", name: "f", response } }] },
    ]);
  });

  it("refuses a result of an unknown function", () => {
    expect(refusalOf(() => contents(asks(result("x")))).fault).toEqual({
      code: "result-without-call",
      id: "c1",
    });
  });

  it("sends media as data, recognised by their first bytes", () => {
    const jpeg = "/9j/4AAQSkZJRg==";
    expect(
      contents(
        asks(
          { kind: "image", data: jpeg, mediaType: "image/png" },
          { kind: "audio", data: "AA", format: "mp3" },
          { kind: "file", data: "BB", mediaType: "application/pdf" },
          { kind: "file", url: "https://www.youtube.com/watch?v=1" },
        ),
        answers(call),
        asks({
          ...result("see"),
          content: [
            { kind: "text", text: "see" },
            { kind: "image", data: jpeg },
          ],
        } as UserPart),
      ),
    ).toEqual([
      {
        role: "user",
        parts: [
          { inlineData: { mimeType: "image/jpeg", data: jpeg } },
          { inlineData: { mimeType: "audio/mpeg", data: "AA" } },
          { inlineData: { mimeType: "application/pdf", data: "BB" } },
          { fileData: { fileUri: "https://www.youtube.com/watch?v=1" } },
        ],
      },
      { role: "model", parts: [{ functionCall: { id: "c1", name: "f", args: { a: 1 } } }] },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "c1", name: "f", response: { result: "see\n[image]" } } },
          { inlineData: { mimeType: "image/jpeg", data: jpeg } },
        ],
      },
    ]);
  });

  it("refuses media that only have an address", () => {
    expect(() => contents(asks({ kind: "image", url: "https://x.test/a.png" }))).toThrow(RequestInvalid);
    expect(() => contents(asks({ kind: "file", fileId: "file-1" }))).toThrow(RequestInvalid);
  });

  it("sends a seal back with the next call or after the text, and never another vendor's", () => {
    const sealed = (signature: string): AssistantPart => ({ kind: "reasoning", text: "Hmm", signature });
    expect(
      contents(answers(sealed("gemini.Ci"), call, { ...call, id: "c2" }), asks(result("ok"))),
    ).toMatchObject([
      {
        parts: [{ functionCall: { id: "c1" }, thoughtSignature: "Ci" }, { functionCall: { id: "c2" } }],
      },
      {},
    ]);
    expect(contents(answers({ kind: "text", text: "a" }, sealed("gemini.Ci")))).toEqual([
      { role: "model", parts: [{ text: "a" }, { text: "", thoughtSignature: "Ci" }] },
    ]);
    expect(contents(answers(sealed("EqQB"), { kind: "text", text: "a" }))).toEqual([
      { role: "model", parts: [{ text: "a" }] },
    ]);
  });

  it("says where a seal is lost, to models that ask for one", () => {
    const turns = [answers(call, { ...call, id: "c2" }), asks(result("ok"))];
    const parts = (model: string) => (build({ model, turns }).contents as [{ parts: object[] }])[0].parts;
    expect(parts("gemini-3.8-flash")).toEqual([
      {
        functionCall: { id: "c1", name: "f", args: { a: 1 } },
        thoughtSignature: "skip_thought_signature_validator",
      },
      { functionCall: { id: "c2", name: "f", args: { a: 1 } } },
    ]);
    expect(parts("gemini-2.5-flash")[0]).not.toHaveProperty("thoughtSignature");
  });
});
