import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "../api/relay/stage";

/*
 * What the agents of today do with the official SDKs, through upstreams of another shape: tools of free text and in
 * namespaces, documents in results, and conversations that the SDK itself keeps.
 */

const CHAT_MODEL = "gpt-4o";
const USAGE = { input: 30, output: 10 };

let stage: Stage;
let account: Account;

beforeAll(async () => {
  stage = await startStage();
  await stage.setOption("ModelRatio", JSON.stringify({ [CHAT_MODEL]: 1 }));
  await addChannel(stage.root, { type: 8, base_url: stage.upstream.url, models: CHAT_MODEL });
  account = await stage.addAccount("agent", 1_000_000);
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(() => stage.upstream.reset());

/** The messages of the newest request that the upstream got. */
const sent = (): Record<string, unknown>[] => {
  const body = stage.upstream.requests.at(-1)?.body as { messages?: Record<string, unknown>[] } | undefined;
  return body?.messages ?? [];
};

describe("an agent behind a Chat Completions upstream", () => {
  it("C1: of OpenAI's Responses calls tools in namespaces and tools of free text", async () => {
    const openai = new OpenAI({ apiKey: account.key, baseURL: `${stage.server.url}/v1` });
    stage.upstream.script(
      {
        text: "",
        toolCalls: [
          { id: "call_1", name: "mcp__files__read", arguments: '{"path":"a"}' },
          { id: "call_2", name: "apply_patch", arguments: '{"input":"*** Begin Patch"}' },
        ],
        usage: USAGE,
      },
      { text: "Done.", usage: USAGE },
    );
    const tools: OpenAI.Responses.Tool[] = [
      {
        type: "namespace",
        name: "mcp__files",
        description: "Files.",
        tools: [{ type: "function", name: "read", parameters: { type: "object" } }],
      },
      { type: "custom", name: "apply_patch", description: "Edits.", format: { type: "text" } },
      { type: "tool_search", execution: "client" },
      { type: "web_search" },
    ];
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "go" }];
    const first = await openai.responses.stream({ model: CHAT_MODEL, input, tools }).finalResponse();
    expect(first.output).toMatchObject([
      { type: "function_call", name: "read", namespace: "mcp__files", arguments: '{"path":"a"}' },
      { type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch" },
    ]);
    const history = first.output as OpenAI.Responses.ResponseInputItem[];
    const second = await openai.responses.create({
      model: CHAT_MODEL,
      tools,
      input: [
        ...input,
        ...history,
        { type: "function_call_output", call_id: "call_1", output: "content" },
        { type: "custom_tool_call_output", call_id: "call_2", output: "patched" },
      ],
    });
    expect(second.output_text).toBe("Done.");
    expect(sent()).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        tool_calls: [{ function: { name: "mcp__files__read" } }, { function: { name: "apply_patch" } }],
      },
      { role: "tool", content: "content" },
      { role: "tool", content: "patched" },
    ]);
  });

  it("C5: of Anthropic's Messages reads a PDF that a tool gave", async () => {
    const anthropic = new Anthropic({ apiKey: account.key, baseURL: stage.server.url });
    stage.upstream.script({ text: "A manual.", usage: USAGE });
    const answer = await anthropic.messages.create({
      model: CHAT_MODEL,
      max_tokens: 100,
      tools: [{ name: "Read", input_schema: { type: "object" } }],
      messages: [
        { role: "user", content: "read it" },
        { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "Read", input: {} }] },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "toolu_1",
              content: [
                {
                  type: "document",
                  source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
                },
              ],
            },
          ],
        },
      ],
    });
    expect(answer.content).toMatchObject([{ type: "text", text: "A manual." }]);
    expect(sent().slice(-2)).toMatchObject([
      { role: "tool", content: "[document]" },
      { role: "user", content: [{ type: "file" }] },
    ]);
  });

  it("C3: of Google's keeps both turns of a streamed conversation", async () => {
    const google = new GoogleGenAI({ apiKey: account.key, httpOptions: { baseUrl: stage.server.url } });
    stage.upstream.script({ text: "First.", usage: USAGE }, { text: "Second.", usage: USAGE });
    const chat = google.chats.create({ model: CHAT_MODEL });
    for (const message of ["one", "two"]) {
      for await (const _piece of await chat.sendMessageStream({ message })) {
        // Read to its end, as an agent does.
      }
    }
    expect(sent().map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(chat.getHistory(true).map(({ role }) => role)).toContain("model");
  });
});
