import Anthropic, {
  APIError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from "@anthropic-ai/sdk";
import { DEFAULT_TEXT } from "@tollgate/testkit/fake-upstream/upstream-script";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Figures, type Stage, startStage } from "../api/relay/stage";

/** Both upstream shapes; what 13 prompt and 5 completion tokens cost (see openai.test.ts). */
const KINDS = [
  { name: "type 14, Anthropic", type: 14, model: "claude-2", price: 154 },
  { name: "type 8, an OpenAI-shaped address", type: 8, model: "gpt-3.5-turbo", price: 18 },
] as const;

const QUOTA = 10_000_000;
const MESSAGES = [{ role: "user", content: "What is the weather?" }] as const;
const TOOLS: Anthropic.Tool[] = [
  {
    name: "get_weather",
    description: "Tells the weather of a city",
    input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
];
const TOOL_CALLS = [
  { id: "toolu_1", name: "get_weather", arguments: '{"city":"北京","unit":"C"}' },
  { id: "toolu_2", name: "get_weather", arguments: '{"city":"Oslo"}' },
];

let stage: Stage;
let account: Account;

/** The two ways in which the official client sends a key. */
const CREDENTIALS = ["apiKey", "authToken"] as const;

const clientWith = (key: string, way: (typeof CREDENTIALS)[number] = "apiKey"): Anthropic =>
  new Anthropic({
    baseURL: stage.server.url,
    maxRetries: 0,
    // The other one is switched off, so that no variable of the environment steps in.
    apiKey: way === "apiKey" ? key : null,
    authToken: way === "authToken" ? key : null,
  });

beforeAll(async () => {
  stage = await startStage();
  for (const { type, model } of KINDS) {
    await addChannel(stage.root, { type, base_url: stage.upstream.url, models: model });
  }
  account = await stage.addAccount("alice", QUOTA);
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(() => stage.upstream.reset());

/** The balances of user and key moved by exactly this, and the log says why. */
const expectCharged = async (before: Figures, price: number, line: Record<string, unknown>) => {
  expect(await account.figures()).toEqual({
    user: {
      quota: before.user.quota - price,
      used: before.user.used + price,
      requests: before.user.requests + 1,
    },
    token: { remain: before.token.remain - price, used: before.token.used + price },
  });
  expect((await account.usage())[0]).toMatchObject({ type: 2, quota: price, ...line });
};

describe.each(KINDS)("@anthropic-ai/sdk to $name", ({ model, price, type }) => {
  const line = { model_name: model, prompt_tokens: 13, completion_tokens: 5 };
  const request = { model, max_tokens: 200, messages: [...MESSAGES] };

  it.each(CREDENTIALS)("gets a whole answer with its %s, charged to the unit", async (way) => {
    const before = await account.figures();
    const message = await clientWith(account.key, way).messages.create(request);
    expect(message).toMatchObject({ type: "message", role: "assistant", stop_reason: "end_turn" });
    expect(message.content).toMatchObject([{ type: "text", text: DEFAULT_TEXT }]);
    expect(message.usage).toMatchObject({ input_tokens: 13, output_tokens: 5 });
    await expectCharged(before, price, line);
  });

  it.each(CREDENTIALS)("gets a stream with its %s, charged to the unit", async (way) => {
    const before = await account.figures();
    const stream = clientWith(account.key, way).messages.stream(request);
    const types: string[] = [];
    let text = "";
    stream.on("streamEvent", (event) => types.push(event.type));
    stream.on("text", (piece) => {
      text += piece;
    });
    const message = await stream.finalMessage();
    expect(text).toBe(DEFAULT_TEXT);
    expect(message.content).toMatchObject([{ type: "text", text: DEFAULT_TEXT }]);
    expect(message.stop_reason).toBe("end_turn");
    expect(message.usage.output_tokens).toBe(5);
    expect(types[0]).toBe("message_start");
    expect(types.slice(-2)).toEqual(["message_delta", "message_stop"]);
    expect(types.filter((each) => each === "content_block_start")).toHaveLength(1);
    expect(types.filter((each) => each === "content_block_stop")).toHaveLength(1);
    await expectCharged(before, price, line);
  });

  it("reports the charged usage at the end of a stream", async () => {
    const message = await clientWith(account.key).messages.stream(request).finalMessage();
    // The client's reader merges the last event's input into the message.
    expect(message.usage).toMatchObject({ input_tokens: 13, output_tokens: 5 });
  });

  it("gets tool calls, whole and streamed", async () => {
    const client = clientWith(account.key);
    stage.upstream.script({ toolCalls: TOOL_CALLS });
    const before = await account.figures();
    const whole = await client.messages.create({ ...request, tools: TOOLS });
    await expectCharged(before, price, line);
    const between = await account.figures();
    const streamed = await client.messages.stream({ ...request, tools: TOOLS }).finalMessage();
    await expectCharged(between, price, line);
    for (const message of [whole, streamed]) {
      expect(message.stop_reason).toBe("tool_use");
      const calls = message.content.filter((block) => block.type === "tool_use");
      expect(calls.map(({ id, name, input }) => ({ id, name, input }))).toEqual(
        TOOL_CALLS.map((call) => ({ id: call.id, name: call.name, input: JSON.parse(call.arguments) })),
      );
    }
  });

  it("tells the upstream of system, tools and results", async () => {
    await clientWith(account.key).messages.create({
      ...request,
      system: "Be short.",
      tools: TOOLS,
      messages: [
        ...MESSAGES,
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "北京" } }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "sunny" }] },
      ],
    });
    const [sent] = stage.upstream.requests;
    if (type === 14) {
      expect(sent?.path).toBe("/v1/messages");
      expect(sent?.headers["x-api-key"]).toBe("upstream-key");
      expect(sent?.body).toMatchObject({ system: "Be short.", tools: TOOLS, max_tokens: 200 });
    } else {
      expect(sent?.path).toBe("/v1/chat/completions");
      expect(sent?.headers.authorization).toBe("Bearer upstream-key");
      expect(sent?.body?.messages).toMatchObject([
        { role: "system", content: "Be short." },
        { role: "user" },
        { role: "assistant", tool_calls: [{ id: "toolu_1", function: { name: "get_weather" } }] },
        { role: "tool", tool_call_id: "toolu_1", content: "sunny" },
      ]);
    }
    expect(JSON.stringify(sent?.headers)).not.toContain(account.key);
  });

  it("that leaves in the middle of a stream pays for the delivered part", async () => {
    // Words of one token each.
    stage.upstream.script({ fault: "slow", delayMs: 20, text: "word ".repeat(60), pieces: 60 });
    const before = await account.figures();
    const stream = await clientWith(account.key).messages.create({ ...request, stream: true });
    let words = 0;
    for await (const event of stream) {
      if (event.type === "content_block_delta") words += 1;
      if (words === 10) break;
    }
    await expect.poll(async () => (await account.figures()).user.requests).toBe(before.user.requests + 1);
    const [logged] = await account.usage();
    expect(logged?.completion_tokens).toBeGreaterThanOrEqual(words);
    // A few more may have been on their way.
    expect(logged?.completion_tokens).toBeLessThanOrEqual(words + 5);
    await expectCharged(before, logged?.quota ?? -1, { content: expect.stringContaining("客户端中断") });
    await expect.poll(() => stage.upstream.requests[0]?.isAbandoned).toBe(true);
  });
});

describe("models", () => {
  it.each(CREDENTIALS)("lists the models of the key, with its %s", async (way) => {
    const models: Anthropic.ModelInfo[] = [];
    for await (const model of clientWith(account.key, way).models.list()) models.push(model);
    expect(models.map(({ id }) => id).sort()).toEqual(KINDS.map(({ model }) => model).sort());
    for (const model of models) {
      expect(model).toMatchObject({
        type: "model",
        display_name: expect.any(String),
        created_at: expect.any(String),
      });
    }
  });

  it("retrieves one", async () => {
    const model = await clientWith(account.key).models.retrieve("claude-2");
    expect(model).toMatchObject({ type: "model", id: "claude-2", display_name: expect.any(String) });
  });

  it("reports an unknown model", async () => {
    const error = await clientWith(account.key)
      .models.retrieve("no-such-model")
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ error: { type: "error", error: { type: "not_found_error" } } });
  });
});

describe("counting", () => {
  it.each(KINDS)("is done here and costs nothing ($name)", async ({ model }) => {
    stage.upstream.reset();
    const before = await account.figures();
    const client = clientWith(account.key);
    const short = await client.messages.countTokens({ model, messages: [...MESSAGES] });
    const long = await client.messages.countTokens({ model, messages: [...MESSAGES], tools: TOOLS });
    expect(short.input_tokens).toBeGreaterThan(5);
    expect(long.input_tokens).toBeGreaterThan(short.input_tokens);
    expect(stage.upstream.requests).toHaveLength(0);
    expect(await account.figures()).toEqual(before);
  });

  it("of a model that no channel offers is refused", async () => {
    const error = await clientWith(account.key)
      .messages.countTokens({ model: "claude-unknown", messages: [...MESSAGES] })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404 });
  });
});

describe("errors as the client knows them", () => {
  const ask = (by: Anthropic, model: string = KINDS[0].model, stream = false): Promise<unknown> =>
    by.messages.create({ model, max_tokens: 100, messages: [...MESSAGES], stream }).then(
      () => {
        throw new Error("the request was not refused");
      },
      (reason: unknown) => reason,
    );

  /** The error in the shape of the Messages API, with its sentence. */
  const shaped = (type: string) => ({
    error: { type: "error", error: { type, message: expect.any(String) }, request_id: expect.any(String) },
  });

  it.each(CREDENTIALS)("a wrong %s", async (way) => {
    const error = await ask(clientWith("sk-wrong", way));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, ...shaped("authentication_error") });
  });

  it("no quota", async () => {
    const poor = await stage.addAccount("poor", 10);
    const error = await ask(clientWith(poor.key));
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error).toMatchObject({ status: 403, ...shaped("permission_error") });
    expect(await poor.figures()).toMatchObject({ user: { quota: 10, used: 0, requests: 0 } });
  });

  it("an unknown model", async () => {
    const error = await ask(clientWith(account.key), "no-such-model");
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, requestID: expect.any(String), ...shaped("not_found_error") });
  });

  it("a request that the gateway refuses itself", async () => {
    const error = await clientWith(account.key)
      .messages.create({ model: KINDS[0].model, max_tokens: 0, messages: [...MESSAGES] })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({ status: 400, ...shaped("invalid_request_error") });
  });

  it.each(KINDS.flatMap(({ model }) => [false, true].map((stream) => ({ model, stream }))))(
    "an upstream at its limit ($model, stream: $stream)",
    async ({ model, stream }) => {
      stage.upstream.script({ fault: "429" });
      const before = await account.figures();
      const error = await ask(clientWith(account.key), model, stream);
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ status: 429, ...shaped("rate_limit_error") });
      expect(await account.figures()).toEqual(before);
    },
  );

  it.each(KINDS.flatMap(({ model }) => [false, true].map((stream) => ({ model, stream }))))(
    "an upstream that does not like the request ($model, stream: $stream)",
    async ({ model, stream }) => {
      stage.upstream.script({ fault: "400" });
      const before = await account.figures();
      const error = await ask(clientWith(account.key), model, stream);
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error).toMatchObject({ status: 400, ...shaped("invalid_request_error") });
      expect((error as Error).message).toContain("The fake upstream does not like this request");
      expect(await account.figures()).toEqual(before);
    },
  );

  it.each(KINDS)("a stream that breaks off ($name)", async ({ model }) => {
    stage.upstream.script({ fault: "reset-mid-stream" });
    const before = await account.figures();
    const stream = clientWith(account.key).messages.stream({
      model,
      max_tokens: 100,
      messages: [...MESSAGES],
    });
    let text = "";
    stream.on("text", (piece) => {
      text += piece;
    });
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(APIError);
    expect(DEFAULT_TEXT.startsWith(text) && text !== "").toBe(true);
    expect(await account.figures()).toEqual(before);
  });
});
