import { DEFAULT_TEXT } from "@tollgate/testkit/fake-upstream/upstream-script";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "../api/relay/stage";
import { AI_SDK_CLIENTS } from "./clients/ai-sdk";
import { ANTHROPIC_CLIENT } from "./clients/anthropic";
import { PNG, QUESTION, SYSTEM, TOOL, TOOL_RESULT } from "./clients/client";
import { GOOGLE_GENAI_CLIENT } from "./clients/google-genai";
import { OPENAI_CHAT_CLIENT } from "./clients/openai-chat";
import { OPENAI_RESPONSES_CLIENT } from "./clients/openai-responses";

/*
 * Every client library against every shape of an upstream, whole and streamed: instructions, an image, reasoning, a
 * tool call, its result and the answer arrive on the other side, and each answer costs what the upstream says.
 */

const CLIENTS = [
  OPENAI_CHAT_CLIENT,
  OPENAI_RESPONSES_CLIENT,
  ANTHROPIC_CLIENT,
  GOOGLE_GENAI_CLIENT,
  ...AI_SDK_CLIENTS,
];

const GEMINI_PATH =
  /^\/v1beta\/models\/gemini-3\.5-flash:(?:generateContent|streamGenerateContent\?alt=sse)$/;

/** Which channel serves the model, and where its requests may arrive. */
const UPSTREAMS: readonly { name: string; type: number; model: string; path: RegExp; seal?: string }[] = [
  { name: "Chat Completions", type: 8, model: "gpt-4o", path: /^\/v1\/chat\/completions$/ },
  // A model of OpenAI that is offered in Responses alone.
  { name: "Responses", type: 1, model: "gpt-5-codex", path: /^\/v1\/responses$/, seal: "c2VhbGVk" },
  { name: "Messages", type: 14, model: "claude-opus-4-8", path: /^\/v1\/messages$/, seal: "c2lnbmF0dXJl" },
  { name: "Gemini", type: 24, model: "gemini-3.5-flash", path: GEMINI_PATH, seal: "c2lnbmF0dXJl" },
];

const ROWS = CLIENTS.flatMap((client) =>
  UPSTREAMS.flatMap((upstream) =>
    [false, true].map((isStream) => ({
      title: `${client.name} with ${upstream.name}, ${isStream ? "streamed" : "whole"}`,
      client,
      upstream,
      isStream,
    })),
  ),
);

const QUOTA = 1_000_000;
const TOOL_CALLS = [
  { id: "call_1", name: TOOL.name, arguments: '{"city":"巴黎"}' },
  { id: "call_2", name: TOOL.name, arguments: '{"city":"Oslo"}' },
];
const USAGE = { input: 130, output: 50 };

let stage: Stage;
let account: Account;

beforeAll(async () => {
  stage = await startStage();
  const ratios = Object.fromEntries(UPSTREAMS.map(({ model }) => [model, 1]));
  await stage.setOption("ModelRatio", JSON.stringify(ratios));
  for (const { type, model } of UPSTREAMS) {
    await addChannel(stage.root, { type, base_url: stage.upstream.url, models: model });
  }
  account = await stage.addAccount("alice", QUOTA);
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(() => stage.upstream.reset());

describe("a conversation", () => {
  it.each(ROWS)("of $title", async ({ client, upstream, isStream }) => {
    const { model } = upstream;
    const before = await account.figures();
    stage.upstream.script(
      // In one piece, so that a client that sends pieces back sends it whole.
      { text: "Let me look.", pieces: 1, reasoning: "Two places.", toolCalls: TOOL_CALLS, usage: USAGE },
      { usage: USAGE },
    );
    const { asked, answered } = await client.converse({
      url: stage.server.url,
      key: account.key,
      model,
      isStream,
    });

    expect(asked.text).toBe("Let me look.");
    expect(asked.toolCalls.map(({ name }) => name)).toEqual([TOOL.name, TOOL.name]);
    expect(asked.toolCalls.map((call) => JSON.parse(call.arguments))).toEqual([
      { city: "巴黎" },
      { city: "Oslo" },
    ]);
    expect(answered.text).toBe(DEFAULT_TEXT);
    expect(answered.toolCalls).toEqual([]);
    for (const { usage } of [asked, answered]) expect(usage).toEqual(USAGE);

    const { requests } = stage.upstream;
    expect(requests).toHaveLength(2);
    for (const { path } of requests) expect(path).toMatch(upstream.path);
    const [first, second] = requests.map(({ body }) => JSON.stringify(body));
    for (const piece of [SYSTEM, QUESTION, PNG, TOOL.name, TOOL.description]) expect(first).toContain(piece);
    for (const piece of [QUESTION, "Let me look.", "Oslo", TOOL_RESULT.sky]) expect(second).toContain(piece);
    if (client.keepsSeals && upstream.seal !== undefined) expect(second).toContain(upstream.seal);

    const after = await account.figures();
    const price = (await account.usage()).slice(0, 2);
    expect(price.map((line) => [line.model_name, line.prompt_tokens, line.completion_tokens])).toEqual([
      [model, USAGE.input, USAGE.output],
      [model, USAGE.input, USAGE.output],
    ]);
    expect(before.user.quota - after.user.quota).toBe(price.reduce((sum, line) => sum + line.quota, 0));
  });
});
