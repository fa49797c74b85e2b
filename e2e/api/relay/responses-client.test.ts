import { DEFAULT_TEXT } from "@tollgate/testkit/fake-upstream/upstream-script";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "./stage";
import { type RawAnswer, readError, sendRaw, understand } from "./wire";

/*
 * What only clients of OpenAI's Responses do: answers that are named later, tools that OpenAI runs, and the vendor's
 * choice between its protocols.
 */

const CHAT_MODEL = "gpt-3.5-turbo";
/** On a channel of OpenAI's own type, which speaks Responses too. */
const OPENAI_MODEL = "gpt-4";

let stage: Stage;
let account: Account;

beforeAll(async () => {
  stage = await startStage();
  const base_url = stage.upstream.url;
  await addChannel(stage.root, { type: 8, base_url, models: CHAT_MODEL });
  await addChannel(stage.root, { type: 1, base_url, models: OPENAI_MODEL });
  account = await stage.addAccount("alice", 1_000_000);
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(() => stage.upstream.reset());

const send = (body: unknown, path = "/v1/responses", method = "POST"): Promise<RawAnswer> =>
  sendRaw(stage.server.url + path, { authorization: `Bearer ${account.key}` }, body, method);

describe("a channel that speaks Responses too", () => {
  it.each([false, true])(
    "gets the client's own request, with nothing stored (stream: %s)",
    async (stream) => {
      const body = { model: OPENAI_MODEL, input: "hi", stream, truncation: "auto", prompt_cache_key: "k" };
      const answer = await send(body);
      expect(answer.status, answer.text).toBe(200);
      expect(understand("responses", stream, answer.text)).toMatchObject({
        text: DEFAULT_TEXT,
        isEnded: true,
      });
      expect(stage.upstream.requests).toMatchObject([
        { path: "/v1/responses", body: { ...body, store: false } },
      ]);
    },
  );

  it("is given the client's bytes when there is nothing to change", async () => {
    const raw = `{ "model": "${OPENAI_MODEL}",  "input": "hi", "store": false }`;
    expect((await send(raw)).status).toBe(200);
    expect(stage.upstream.requests[0]?.rawBody.toString()).toBe(raw);
  });

  it("lets built-in tools pass", async () => {
    const tools = [{ type: "web_search" }];
    expect((await send({ model: OPENAI_MODEL, input: "hi", tools })).status).toBe(200);
    expect(stage.upstream.requests[0]?.body).toMatchObject({ tools });
  });

  it("is asked in Chat Completions by a client of that", async () => {
    const body = { model: OPENAI_MODEL, messages: [{ role: "user", content: "hi" }] };
    expect((await send(body, "/v1/chat/completions")).status).toBe(200);
    expect(stage.upstream.requests[0]?.path).toBe("/v1/chat/completions");
  });
});

describe("another channel", () => {
  it("is asked in its own protocol, and answers as one that stores nothing", async () => {
    const answer = await send({ model: CHAT_MODEL, input: "hi", store: true });
    expect(JSON.parse(answer.text)).toMatchObject({ object: "response", status: "completed", store: false });
    expect(stage.upstream.requests[0]?.path).toBe("/v1/chat/completions");
  });

  it.each<[string, object, string]>([
    ["a built-in tool", { tools: [{ type: "file_search", vector_store_ids: ["v"] }] }, "file_search"],
    ["a prompt template", { prompt: { id: "pmpt_1" } }, "prompt"],
    ["a reference to an item", { input: [{ type: "item_reference", id: "rs_1" }] }, "item_reference"],
  ])("cannot do %s, and says so", async (_, fields, word) => {
    const answer = await send({ model: CHAT_MODEL, input: "hi", ...fields });
    expect(answer.status).toBe(400);
    const error = readError("responses", JSON.parse(answer.text));
    expect(error).toMatchObject({ type: "invalid_request_error" });
    expect(error.message).toContain(word);
    expect(stage.upstream.requests).toHaveLength(0);
  });
});

describe("stored answers", () => {
  it.each<[string, string]>([
    ["GET", "/v1/responses/resp_1"],
    ["DELETE", "/v1/responses/resp_1"],
    ["GET", "/v1/responses/resp_1/input_items"],
    ["POST", "/v1/responses/resp_1/cancel"],
    ["GET", "/v1/conversations/conv_1"],
  ])("%s %s says that there are none", async (method, path) => {
    const answer = await send(method === "POST" ? {} : undefined, path, method);
    expect(answer.status).toBe(404);
    const error = readError("responses", JSON.parse(answer.text));
    expect(error.code).toBe("response_not_found");
    expect(error.message).toContain("不保存");
  });

  it.each([CHAT_MODEL, OPENAI_MODEL])("cannot be continued (%s)", async (model) => {
    const answer = await send({ model, input: "and?", previous_response_id: "resp_1" });
    expect(answer.status).toBe(400);
    expect(readError("responses", JSON.parse(answer.text))).toMatchObject({ param: "previous_response_id" });
    expect(stage.upstream.requests).toHaveLength(0);
  });
});

describe("counting", () => {
  it("is done here and costs nothing", async () => {
    const before = await account.figures();
    const answer = await send({ model: CHAT_MODEL, input: "How many tokens?" }, "/v1/responses/input_tokens");
    expect(JSON.parse(answer.text)).toMatchObject({ object: "response.input_tokens" });
    expect((JSON.parse(answer.text) as { input_tokens: number }).input_tokens).toBeGreaterThan(4);
    expect(stage.upstream.requests).toHaveLength(0);
    expect(await account.figures()).toEqual(before);
  });
});
