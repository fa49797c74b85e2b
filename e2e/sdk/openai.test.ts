import { DEFAULT_TEXT } from "@tollgate/testkit/fake-upstream/upstream-script";
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, addKey, type Stage, startStage } from "../api/relay/stage";

/*
 * The official OpenAI client against the gateway: what its users see, and what it costs them, whichever protocol the
 * upstream speaks.
 */

/** ceil((13 + 5 × 2) × ratio): what one answer of the fake upstream costs. */
const PRICE = { "gpt-3.5-turbo": 18, "gpt-4": 345 } as const;
const QUOTA = 1_000_000;

const WEATHER_TOOL: OpenAI.ChatCompletionTool = {
  type: "function",
  function: {
    name: "get_weather",
    description: "The weather of a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};
const TOOL_CALLS = [{ id: "call_1", name: "get_weather", arguments: '{"city":"Paris"}' }];

const createClient = (stage: Stage, apiKey: string): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${stage.server.url}/v1`, maxRetries: 0 });

/** The error that a call fails with. @throws Error when it does not fail, or fails outside the API. */
const refusalOf = async (call: Promise<unknown>): Promise<APIError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof APIError) return error;
  throw new Error(`not refused by the API: ${String(error)}`);
};

describe.each([
  { type: 1, path: "/v1/chat/completions" },
  { type: 8, path: "/v1/chat/completions" },
  { type: 14, path: "/v1/messages" },
])("OpenAI's client, upstream type $type", ({ type, path }) => {
  let stage: Stage;
  let account: Account;
  let client: OpenAI;

  beforeAll(async () => {
    stage = await startStage();
    await addChannel(stage.root, { type, base_url: stage.upstream.url, models: "gpt-3.5-turbo,gpt-4" });
    account = await stage.addAccount("alice", QUOTA);
    client = createClient(stage, account.key);
  });
  beforeEach(async () => {
    stage.upstream.reset();
    await account.topUp(QUOTA);
  });
  afterAll(() => stage.close());

  /** What was charged since the last top-up, told the same by the user's and the key's balance. */
  const charged = async (): Promise<number> => {
    const { user, token } = await account.figures();
    expect(token.remain).toBe(user.quota);
    return QUOTA - user.quota;
  };

  it.each(["gpt-3.5-turbo", "gpt-4"] as const)(
    "gets an answer of %s and pays for it to the unit",
    async (model) => {
      const answer = await client.chat.completions.create({
        model,
        messages: [{ role: "user", content: "hi" }],
      });
      expect(answer.object).toBe("chat.completion");
      expect(answer.choices).toHaveLength(1);
      expect(answer.choices[0]).toMatchObject({
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: DEFAULT_TEXT },
      });
      expect(answer.usage).toMatchObject({ prompt_tokens: 13, completion_tokens: 5, total_tokens: 18 });
      expect(stage.upstream.requests.map((request) => request.path)).toEqual([path]);
      expect(await charged()).toBe(PRICE[model]);
      expect((await account.usage())[0]).toMatchObject({
        model_name: model,
        quota: PRICE[model],
        prompt_tokens: 13,
        completion_tokens: 5,
      });
    },
  );

  it.each([true, false])("gets a stream, usage asked for: %s", async (include_usage) => {
    const stream = await client.chat.completions.create({
      model: "gpt-3.5-turbo",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
      stream_options: { include_usage },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe(DEFAULT_TEXT);
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
    expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual(["stop"]);
    const told = chunks.flatMap((chunk) => chunk.usage ?? []);
    expect(told).toHaveLength(include_usage ? 1 : 0);
    if (include_usage) {
      expect(told[0]).toMatchObject({ prompt_tokens: 13, completion_tokens: 5, total_tokens: 18 });
      expect(chunks.at(-1)?.choices).toEqual([]);
    }
    expect(await charged()).toBe(18);
  });

  it("gets the answer of another model where the first one cannot, at that one's price, unless its key wants none", async () => {
    const ask = (openai: OpenAI, more: object = {}) =>
      openai.chat.completions
        .create({ model: "gpt-4", messages: [{ role: "user", content: "hi" }], ...more })
        .withResponse();
    stage.upstream.script({ fault: "429" }, {});
    const { data, response } = await ask(client, { models: ["gpt-4", "gpt-3.5-turbo"], route: "fallback" });
    expect(data.model).toContain("gpt-3.5-turbo");
    expect(response.headers.get("x-tollgate-fallback-model")).toBe("gpt-3.5-turbo");
    expect(stage.upstream.requests.map(({ body }) => body?.model)).toEqual(["gpt-4", "gpt-3.5-turbo"]);
    expect(stage.upstream.requests.at(-1)?.body).not.toHaveProperty("models");
    expect(await charged()).toBe(PRICE["gpt-3.5-turbo"]);
    await stage.root.data("PUT", "/api/option/", {
      key: "ModelFallbacks",
      value: '{"gpt-4":["gpt-3.5-turbo"]}',
    });
    stage.upstream.script({ fault: "500" }, {});
    expect((await ask(client)).response.headers.has("x-tollgate-fallback-model")).toBe(true);
    const { key } = await addKey(account.owner, { unlimited_quota: true, no_fallbacks: true });
    stage.upstream.script({ fault: "500" }, {});
    await expect(ask(createClient(stage, key))).rejects.toThrow();
    await stage.root.data("PUT", "/api/option/", { key: "ModelFallbacks", value: "{}" });
  });

  it("assembles a stream with the client's own accumulator", async () => {
    const runner = client.chat.completions.stream({
      model: "gpt-3.5-turbo",
      messages: [{ role: "user", content: "hi" }],
    });
    expect(await runner.finalContent()).toBe(DEFAULT_TEXT);
  });

  it("gets a tool call and answers it", async () => {
    stage.upstream.script({ toolCalls: TOOL_CALLS }, { text: "Sunny." });
    const question: OpenAI.ChatCompletionMessageParam[] = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Weather in Paris?" },
    ];
    const asked = await client.chat.completions.create({
      model: "gpt-3.5-turbo",
      messages: question,
      tools: [WEATHER_TOOL],
      tool_choice: "auto",
    });
    const [choice] = asked.choices;
    expect(choice?.finish_reason).toBe("tool_calls");
    expect(choice?.message.tool_calls).toEqual([
      { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
    ]);
    const answered = await client.chat.completions.create({
      model: "gpt-3.5-turbo",
      messages: [
        ...question,
        choice!.message,
        { role: "tool", tool_call_id: "call_1", content: '{"sky":"clear"}' },
      ],
      tools: [WEATHER_TOOL],
    });
    expect(answered.choices[0]?.message.content).toBe("Sunny.");
    const second = JSON.stringify(stage.upstream.requests[1]?.body);
    for (const part of ["Be brief.", "Weather in Paris?", "get_weather", "call_1", "clear"]) {
      expect(second).toContain(part);
    }
    expect(await charged()).toBe(36);
  });

  it("gets two tool calls in one stream", async () => {
    stage.upstream.script({
      text: "Let me see.",
      toolCalls: [...TOOL_CALLS, { id: "call_2", name: "get_weather", arguments: '{"city":"上海"}' }],
    });
    const runner = client.chat.completions.stream({
      model: "gpt-3.5-turbo",
      messages: [{ role: "user", content: "Paris and Shanghai?" }],
      tools: [WEATHER_TOOL],
    });
    const { choices } = await runner.finalChatCompletion();
    expect(choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: "Let me see." } });
    expect(
      choices[0]?.message.tool_calls?.map((call) =>
        call.type === "function" ? [call.id, JSON.parse(call.function.arguments)] : call,
      ),
    ).toEqual([
      ["call_1", { city: "Paris" }],
      ["call_2", { city: "上海" }],
    ]);
    expect(await charged()).toBe(18);
  });

  it("leaves a stream: the upstream is left, too", async () => {
    const before = await account.figures();
    stage.upstream.script({ fault: "stall-mid-stream" });
    const stream = await client.chat.completions.create({
      model: "gpt-3.5-turbo",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
    });
    for await (const _ of stream) break;
    await expect.poll(() => stage.upstream.requests[0]?.isAbandoned).toBe(true);
    // What it was given is counted first, and no later test may find the charge.
    await expect.poll(async () => (await account.figures()).user.requests).toBe(before.user.requests + 1);
    // What was held for it is free again, whatever was charged.
    const { user } = await account.figures();
    expect(user.quota).toBeGreaterThan(QUOTA - 100);
  });

  it.each([
    ["429", RateLimitError],
    ["400", BadRequestError],
    ["500", InternalServerError],
  ] as const)("knows an upstream's %s as its own error and pays nothing", async (fault, expected) => {
    stage.upstream.script({ fault });
    const error = await refusalOf(
      client.chat.completions.create({ model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }] }),
    );
    expect(error).toBeInstanceOf(expected);
    expect(error.message).not.toContain(stage.upstream.url);
    expect(await charged()).toBe(0);
  });

  it("hears of an error in the middle of a stream", async () => {
    stage.upstream.script({ fault: "error-mid-stream" });
    const stream = await client.chat.completions.create({
      model: "gpt-3.5-turbo",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
    });
    let text = "";
    const error = await refusalOf(
      (async () => {
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
      })(),
    );
    expect(text).not.toBe("");
    expect(DEFAULT_TEXT.startsWith(text)).toBe(true);
    expect(error.message).not.toBe("");
  });
});

describe("OpenAI's client, refused by the gateway", () => {
  let stage: Stage;
  let account: Account;
  let client: OpenAI;
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "hi" }];

  beforeAll(async () => {
    stage = await startStage();
    await addChannel(stage.root, { base_url: stage.upstream.url, models: "gpt-3.5-turbo,house-model" });
    account = await stage.addAccount("alice", QUOTA);
    client = createClient(stage, account.key);
  });
  afterAll(() => stage.close());

  it("knows a wrong key", async () => {
    const error = await refusalOf(
      createClient(stage, "sk-wrong").chat.completions.create({ model: "gpt-3.5-turbo", messages }),
    );
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error.type).toBeTypeOf("string");
    expect(error.message).toMatch(/request id: \w+/);
  });

  it("knows a missing model, a missing conversation and one that is no conversation", async () => {
    const refused = [
      await refusalOf(client.chat.completions.create({ model: "", messages })),
      await refusalOf(client.chat.completions.create({ model: "gpt-3.5-turbo", messages: [] })),
      await refusalOf(
        client.chat.completions.create({
          model: "gpt-3.5-turbo",
          messages: "hi" as unknown as typeof messages,
        }),
      ),
    ];
    for (const error of refused) expect(error).toBeInstanceOf(BadRequestError);
  });

  it("knows a model that no channel offers", async () => {
    const error = await refusalOf(client.chat.completions.create({ model: "gpt-4", messages }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ status: 404, code: "model_not_found", requestID: expect.any(String) });
    expect(error.message).toContain("gpt-4");
  });

  it("knows a model without a price, and that nothing was sent for it", async () => {
    stage.upstream.reset();
    const error = await refusalOf(client.chat.completions.create({ model: "house-model", messages }));
    expect(error.message).toContain("house-model");
    expect(stage.upstream.requests).toEqual([]);
  });

  it("knows an empty purse", async () => {
    const poor = await stage.addAccount("bob", 0, { unlimited_quota: true });
    const error = await refusalOf(
      createClient(stage, poor.key).chat.completions.create({ model: "gpt-3.5-turbo", messages }),
    );
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error.code).toBe("insufficient_user_quota");
  });

  it("lists the models that the key can use, and describes one", async () => {
    const models: OpenAI.Model[] = [];
    for await (const model of client.models.list()) models.push(model);
    expect(models.map((model) => model.id)).toContain("gpt-3.5-turbo");
    for (const model of models)
      expect(model).toMatchObject({ object: "model", owned_by: expect.any(String) });
    expect(await client.models.retrieve("gpt-3.5-turbo")).toMatchObject({
      id: "gpt-3.5-turbo",
      object: "model",
    });
    expect(await refusalOf(client.models.retrieve("no-such-model"))).toBeInstanceOf(NotFoundError);
  });

  it("reports an endpoint that the gateway does not have", async () => {
    const error = await refusalOf(client.files.list());
    expect(error.status).toBeGreaterThanOrEqual(404);
    expect(error.message).not.toBe("");
  });
});
