import Anthropic from "@anthropic-ai/sdk";
import { LLMock } from "@copilotkit/aimock";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "../api/relay/stage";

/*
 * An upstream that other people wrote: it has its own idea of the two API shapes, so that a mistake which the fake
 * upstream of this project shares with the gateway is found here.
 */

/** Both shapes of upstream, asked by both clients. */
const UPSTREAMS = [
  { upstream: "OpenAI-shaped", model: "gpt-3.5-turbo", type: 1, ratio: 0.75, completionRatio: 2 },
  { upstream: "Anthropic-shaped", model: "claude-2", type: 14, ratio: 5.51, completionRatio: 2.965517 },
] as const;

const TEXT = "Good morning! 早上好 ☀️ The weather is fine.";
const USAGE = { prompt_tokens: 21, completion_tokens: 9, input_tokens: 21, output_tokens: 9 };

let stage: Stage;
let mock: LLMock;
let account: Account;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  mock = new LLMock({ port: 0, chunkSize: 7 });
  mock.onMessage("hello", { content: TEXT, usage: USAGE });
  mock.onMessage("plain", { content: TEXT });
  mock.onMessage("weather", {
    toolCalls: [{ name: "get_weather", arguments: '{"city":"北京"}' }],
    usage: USAGE,
  });
  mock.onMessage("fail", { error: { message: "overloaded for now", type: "server_error" }, status: 503 });
  mock.onMessage("refuse", {
    error: { message: "temperature is out of range", type: "invalid_request_error" },
    status: 400,
  });
  await mock.start();
  stage = await startStage();
  for (const { type, model } of UPSTREAMS) {
    await addChannel(stage.root, { type, base_url: mock.url, models: model });
  }
  account = await stage.addAccount("alice", 10_000_000);
  openai = new OpenAI({ apiKey: account.key, baseURL: `${stage.server.url}/v1`, maxRetries: 0 });
  anthropic = new Anthropic({
    apiKey: account.key,
    baseURL: stage.server.url,
    maxRetries: 0,
    authToken: null,
  });
});

afterAll(async () => {
  await stage?.close();
  await mock?.stop();
});

/** What an answer looks like from either client. */
interface Got {
  text: string;
  toolNames: string[];
  toolInput: unknown;
  usage: { input: number; output: number } | undefined;
}

const TOOL_SCHEMA = { type: "object" as const, properties: { city: { type: "string" } } };

const askOpenAI = async (model: string, content: string, isStream: boolean): Promise<Got> => {
  const request = {
    model,
    messages: [{ role: "user" as const, content }],
    tools: [{ type: "function" as const, function: { name: "get_weather", parameters: TOOL_SCHEMA } }],
  };
  const answer = isStream
    ? await openai.chat.completions
        .stream({ ...request, stream_options: { include_usage: true } })
        .finalChatCompletion()
    : await openai.chat.completions.create(request);
  const message = answer.choices[0]?.message;
  const calls = (message?.tool_calls ?? []).flatMap((call) => (call.type === "function" ? [call] : []));
  return {
    text: message?.content ?? "",
    toolNames: calls.map((call) => call.function.name),
    toolInput: calls[0] && (JSON.parse(calls[0].function.arguments) as unknown),
    usage: answer.usage && { input: answer.usage.prompt_tokens, output: answer.usage.completion_tokens },
  };
};

const askAnthropic = async (model: string, content: string, isStream: boolean): Promise<Got> => {
  const request = {
    model,
    max_tokens: 500,
    messages: [{ role: "user" as const, content }],
    tools: [{ name: "get_weather", input_schema: TOOL_SCHEMA }],
  };
  const answer = isStream
    ? await anthropic.messages.stream(request).finalMessage()
    : await anthropic.messages.create(request);
  const calls = answer.content.filter((block) => block.type === "tool_use");
  return {
    text: answer.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    toolNames: calls.map((call) => call.name),
    toolInput: calls[0]?.input,
    usage: { input: answer.usage.input_tokens, output: answer.usage.output_tokens },
  };
};

const ROWS = UPSTREAMS.flatMap((upstream) =>
  (["openai", "anthropic"] as const).flatMap((client) =>
    [false, true].map((isStream) => ({
      ...upstream,
      client,
      isStream,
      ask: client === "openai" ? askOpenAI : askAnthropic,
    })),
  ),
);

describe.each(ROWS)("$client to the $upstream emulator (stream: $isStream)", (row) => {
  const { ask, client, model, isStream, ratio, completionRatio } = row;

  /** The charge of the last request, as balances and log agree on it. */
  const charged = async (requestsBefore: number, quotaBefore: number) => {
    const { user } = await account.figures();
    expect(user.requests).toBe(requestsBefore + 1);
    const [line] = await account.usage();
    expect(quotaBefore - user.quota).toBe(line?.quota);
    return line;
  };

  it("gets its text, charged by the emulator's numbers", async () => {
    const before = await account.figures();
    const got = await ask(model, "hello", isStream);
    expect(got).toMatchObject({ text: TEXT, toolNames: [] });
    const line = await charged(before.user.requests, before.user.quota);
    expect(line).toMatchObject({ prompt_tokens: 21, completion_tokens: 9, model_name: model });
    expect(line?.quota).toBe(Math.ceil((21 + 9 * completionRatio) * ratio));
    expect(got.usage).toEqual({ input: 21, output: 9 });
  });

  it("is charged by the gateway's count when the emulator tells none", async () => {
    const before = await account.figures();
    const got = await ask(model, "plain", isStream);
    expect(got.text).toBe(TEXT);
    const line = await charged(before.user.requests, before.user.quota);
    expect(line?.quota).toBeGreaterThan(0);
    // Where both sides speak the same shape the upstream's bytes pass unchanged, with whatever they tell: the
    // Anthropic-shaped emulator, left to itself, tells zeros.
    const isPassed = client === "anthropic" && row.type === 14;
    expect(got.usage).toEqual(
      isPassed ? { input: 0, output: 0 } : { input: line?.prompt_tokens, output: line?.completion_tokens },
    );
  });

  it("gets its tool call", async () => {
    const got = await ask(model, "weather", isStream);
    expect(got).toMatchObject({ toolNames: ["get_weather"], toolInput: { city: "北京" } });
  });

  it("gets an error of its own kind, free", async () => {
    const before = await account.figures();
    const error = await ask(model, "fail", isStream).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(client === "openai" ? OpenAI.APIError : Anthropic.APIError);
    expect(error).toMatchObject({ status: 502 });
    expect(await account.figures()).toEqual(before);
  });
});

describe.each(ROWS)(
  "$client to the $upstream emulator that refuses (stream: $isStream)",
  ({ ask, client, model, isStream }) => {
    it("learns its fault in the upstream's words, free", async () => {
      const before = await account.figures();
      const error = await ask(model, "refuse", isStream).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(client === "openai" ? OpenAI.BadRequestError : Anthropic.BadRequestError);
      expect((error as Error).message).toContain("temperature is out of range");
      expect(await account.figures()).toEqual(before);
    });
  },
);

describe("the emulator", () => {
  it("was asked in both shapes, and never saw the client's key", () => {
    const paths = new Set(mock.getRequests().map((request) => request.path));
    expect([...paths].sort()).toEqual(["/v1/chat/completions", "/v1/messages"]);
    expect(JSON.stringify(mock.getRequests())).not.toContain(account.key.slice(3));
  });
});
