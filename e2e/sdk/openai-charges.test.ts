import { DEFAULT_TEXT } from "@tollgate/testkit/fake-upstream/upstream-script";
import OpenAI, { APIError, BadRequestError, PermissionDeniedError, RateLimitError } from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Figures, type Stage, startStage } from "../api/relay/stage";

/*
 * What the official OpenAI client's requests cost, to the unit: the balance of the user, the balance of the key and the
 * line of the log must tell the same.
 */

/** One upstream of each kind; what 13 prompt and 5 completion tokens cost at its model's ratios. */
const KINDS = [
  // ceil((13 + 5 × 2) × 0.75)
  { name: "type 8, a custom address", type: 8, model: "gpt-3.5-turbo", price: 18 },
  // ceil((13 + 5 × 2) × 15)
  { name: "type 1, OpenAI behind a base address", type: 1, model: "gpt-4", price: 345 },
  // ceil((13 + 5 × 2.965517) × 5.51) = ceil(153.33)
  { name: "type 14, Anthropic", type: 14, model: "claude-2", price: 154 },
] as const;

const WAYS = KINDS.flatMap(({ model }) => [false, true].map((stream) => ({ model, stream })));

const QUOTA = 10_000_000;
const MESSAGES = [{ role: "user", content: "What is the weather?" }] as const;
const TOOLS: OpenAI.Chat.ChatCompletionTool[] = [
  { type: "function", function: { name: "get_weather", parameters: { type: "object", properties: {} } } },
];

let stage: Stage;
let account: Account;
let client: OpenAI;

const clientWith = (apiKey: string): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${stage.server.url}/v1`, maxRetries: 0 });

beforeAll(async () => {
  stage = await startStage();
  for (const { type, model } of KINDS) {
    await addChannel(stage.root, { type, base_url: stage.upstream.url, models: model });
  }
  account = await stage.addAccount("alice", QUOTA);
  client = clientWith(account.key);
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(() => stage.upstream.reset());

const expectCharged = async (before: Figures, price: number, line: Record<string, unknown>) => {
  expect(await account.figures()).toEqual({
    user: {
      quota: before.user.quota - price,
      used: before.user.used + price,
      requests: before.user.requests + 1,
    },
    token: { remain: before.token.remain - price, used: before.token.used + price },
  });
  expect((await account.usage())[0]).toMatchObject({
    type: 2,
    quota: price,
    username: account.username,
    token_name: "laptop",
    user_id: account.userId,
    ...line,
  });
};

describe.each(KINDS)("openai to $name", ({ model, price }) => {
  const line = { model_name: model, prompt_tokens: 13, completion_tokens: 5 };

  it("pays for a whole answer", async () => {
    const before = await account.figures();
    const answer = await client.chat.completions.create({ model, messages: [...MESSAGES] });
    expect(answer.choices[0]?.message.content).toBe(DEFAULT_TEXT);
    expect(answer.usage).toMatchObject({ prompt_tokens: 13, completion_tokens: 5, total_tokens: 18 });
    await expectCharged(before, price, line);
  });

  it.each([true, false])("pays for a stream the same (include_usage: %s)", async (isAsked) => {
    const before = await account.figures();
    const stream = await client.chat.completions.create({
      model,
      messages: [...MESSAGES],
      stream: true,
      ...(isAsked ? { stream_options: { include_usage: true } } : {}),
    });
    const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe(DEFAULT_TEXT);
    expect(chunks.filter((chunk) => chunk.usage)).toHaveLength(isAsked ? 1 : 0);
    // Who did not ask for usage must not meet a chunk without choices: many clients stumble over it.
    if (!isAsked) expect(chunks.every((chunk) => chunk.choices.length === 1)).toBe(true);
    await expectCharged(before, price, line);
  });

  it.each([false, true])("pays for tool calls the same (stream: %s)", async (isStream) => {
    stage.upstream.script({
      toolCalls: [{ id: "call_1", name: "get_weather", arguments: '{"city":"北京"}' }],
    });
    const before = await account.figures();
    const request = { model, messages: [...MESSAGES], tools: TOOLS };
    const answer = isStream
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    const [call] = answer.choices[0]?.message.tool_calls ?? [];
    expect(call?.type === "function" && JSON.parse(call.function.arguments)).toEqual({ city: "北京" });
    await expectCharged(before, price, line);
  });

  it("that leaves in the middle of a stream pays for the delivered part", async () => {
    // Words of one token each.
    stage.upstream.script({ fault: "slow", delayMs: 20, text: "word ".repeat(60), pieces: 60 });
    const before = await account.figures();
    const stream = await client.chat.completions.create({ model, messages: [...MESSAGES], stream: true });
    let words = 0;
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) words += 1;
      if (words === 10) break;
    }
    expect(stream.controller.signal.aborted).toBe(true);
    await expect.poll(async () => (await account.figures()).user.requests).toBe(before.user.requests + 1);
    const [logged] = await account.usage();
    expect(logged?.completion_tokens).toBeGreaterThanOrEqual(words);
    // A few more may have been on their way.
    expect(logged?.completion_tokens).toBeLessThanOrEqual(words + 5);
    await expectCharged(before, logged?.quota ?? -1, { content: expect.stringContaining("客户端中断") });
    await expect.poll(() => stage.upstream.requests[0]?.isAbandoned).toBe(true);
  });

  it("that is broken off by the upstream pays nothing", async () => {
    stage.upstream.script({ fault: "reset-mid-stream" });
    const before = await account.figures();
    const stream = await client.chat.completions.create({ model, messages: [...MESSAGES], stream: true });
    let text = "";
    const reading = async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    };
    await expect(reading()).rejects.toBeInstanceOf(APIError);
    expect(DEFAULT_TEXT.startsWith(text) && text !== "").toBe(true);
    expect(await account.figures()).toEqual(before);
  });
});

describe("a refusal is free and keeps its class", () => {
  const ask = (by: OpenAI, model: string, stream: boolean): Promise<unknown> =>
    by.chat.completions.create({ model, messages: [...MESSAGES], stream, max_tokens: 100 }).then(
      () => {
        throw new Error("the request was not refused");
      },
      (reason: unknown) => reason,
    );

  it("for a balance that does not cover the answer", async () => {
    const poor = await stage.addAccount("poor", 10);
    const error = await ask(clientWith(poor.key), "gpt-3.5-turbo", false);
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error).toMatchObject({ status: 403, code: "insufficient_user_quota" });
    expect(await poor.figures()).toEqual({
      user: { quota: 10, used: 0, requests: 0 },
      token: { remain: 10, used: 0 },
    });
  });

  it.each(WAYS)("for an upstream at its limit ($model, stream: $stream)", async ({ model, stream }) => {
    stage.upstream.script({ fault: "429" });
    const before = await account.figures();
    const error = await ask(client, model, stream);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(await account.figures()).toEqual(before);
  });

  it.each(WAYS)("for an upstream's 400, with its words ($model, stream: $stream)", async (way) => {
    stage.upstream.script({ fault: "400" });
    const before = await account.figures();
    const error = await ask(client, way.model, way.stream);
    expect(error).toBeInstanceOf(BadRequestError);
    expect((error as Error).message).toContain("The fake upstream does not like this request");
    expect(await account.figures()).toEqual(before);
  });

  it("and an upstream at its limit for a moment is asked again by the client, charged once", async () => {
    stage.upstream.script({ fault: "429-then-ok" });
    const before = await account.figures();
    const answer = await client
      .withOptions({ maxRetries: 2 })
      .chat.completions.create({ model: "gpt-4", messages: [...MESSAGES] });
    expect(answer.choices[0]?.message.content).toBe(DEFAULT_TEXT);
    expect(stage.upstream.requests).toHaveLength(2);
    await expectCharged(before, 345, { model_name: "gpt-4" });
  });
});
