import { DEFAULT_TEXT } from "@tollgate/testkit/fake-upstream/upstream-script";
import { AzureOpenAI } from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "../api/relay/stage";

/*
 * OpenAI's client for Azure, and clients whose address or key is written in another way than the documentation's: what is
 * clear is served at the same price, everything else gets a 404 that names the right address.
 */

const MODEL = "gpt-3.5-turbo";
/** ceil((13 + 5 × 2) × 0.75): what one answer of the fake upstream costs. */
const PRICE = 18;
const API_VERSION = "2024-10-21";
const MESSAGES = [{ role: "user" as const, content: "Hi" }];

let stage: Stage;
let account: Account;

beforeAll(async () => {
  stage = await startStage();
  const models = `${MODEL},text-embedding-ada-002`;
  await addChannel(stage.root, { type: 1, base_url: stage.upstream.url, models });
  account = await stage.addAccount("alice", 1_000_000);
});

afterAll(async () => stage?.close());

beforeEach(() => stage.upstream.reset());

const request = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(stage.server.url + path, {
    ...init,
    headers: { authorization: `Bearer ${account.key}`, ...init.headers },
  });

const chat = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  request(path, { method: "POST", body: JSON.stringify(body), headers });

describe("C18: OpenAI's client for Azure", () => {
  it.each([undefined, MODEL])(
    "is answered and charged (deployment of the client: %s)",
    async (deployment) => {
      const client = new AzureOpenAI({
        apiKey: account.key,
        endpoint: stage.server.url,
        apiVersion: API_VERSION,
        maxRetries: 0,
        ...(deployment === undefined ? {} : { deployment }),
      });
      const before = await account.figures();
      const answer = await client.chat.completions.create({ model: MODEL, messages: MESSAGES });
      expect(answer.choices[0]?.message.content).toBe(DEFAULT_TEXT);
      let streamed = "";
      const stream = await client.chat.completions.create({ model: MODEL, messages: MESSAGES, stream: true });
      for await (const chunk of stream) streamed += chunk.choices[0]?.delta.content ?? "";
      expect(streamed).toBe(DEFAULT_TEXT);
      expect((await account.figures()).token.used - before.token.used).toBe(2 * PRICE);
      if (deployment !== undefined) return;
      const { data } = await client.embeddings.create({ model: "text-embedding-ada-002", input: "Hi" });
      expect(data).toHaveLength(1);
    },
  );

  it.each([{}, { model: "" }, { model: null }])(
    "may leave the model to the deployment: %j",
    async (named) => {
      const before = await account.figures();
      const path = `/openai/deployments/${MODEL}/chat/completions?api-version=${API_VERSION}`;
      const answer = await chat(
        path,
        { ...named, messages: MESSAGES },
        { authorization: "", "api-key": account.key },
      );
      expect(answer.status).toBe(200);
      expect((await account.figures()).token.used - before.token.used).toBe(PRICE);
      expect(JSON.parse(stage.upstream.requests[0]!.rawBody.toString())).toMatchObject({ model: MODEL });
    },
  );

  it("is asked for a model where neither the address nor the body has one", async () => {
    expect((await chat("/openai/v1/chat/completions", { messages: MESSAGES })).status).toBe(400);
  });
});

describe("C18: a key", () => {
  it.each([
    { authorization: "bearer KEY" },
    { authorization: "BEARER KEY" },
    { authorization: "", "x-api-key": "KEY" },
    { authorization: "Basic dTpw", "x-api-key": "KEY" },
    { authorization: "", "api-key": "KEY" },
    { authorization: "Bearer KEY", "x-api-key": "sk-other" },
  ])("is accepted as %j", async (headers) => {
    const whole = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("KEY", account.key)]),
    );
    expect((await chat("/v1/chat/completions", { model: MODEL, messages: MESSAGES }, whole)).status).toBe(
      200,
    );
    expect((await request("/v1/models", { headers: whole })).status).toBe(200);
    expect(JSON.stringify(stage.upstream.requests[0]?.headers)).not.toContain(account.key);
  });

  it("is the one in Authorization where another header has another", async () => {
    const headers = { authorization: "Bearer sk-wrong", "x-api-key": account.key };
    expect((await request("/v1/models", { headers })).status).toBe(401);
  });
});

describe("C21: an address", () => {
  it.each([
    "/v1/v1/chat/completions",
    "//v1/chat/completions",
    "/v1//chat//completions/",
    "/chat/completions",
    "/openai/v1/chat/completions?api-version=preview",
    "/v1beta/openai/chat/completions",
  ])("is served and charged once: %s", async (path) => {
    const before = await account.figures();
    expect((await chat(path, { model: MODEL, messages: MESSAGES })).status).toBe(200);
    expect((await account.figures()).token.used - before.token.used).toBe(PRICE);
  });

  it("of Gemini's may escape its colon", async () => {
    const body = { contents: [{ role: "user", parts: [{ text: "Hi" }] }] };
    expect((await chat(`/v1beta/models/${MODEL}%3AgenerateContent`, body)).status).toBe(200);
  });

  it.each(["/v1/models", "//v1/models", "/models", "/models/"])(
    "lists models for GET and HEAD: %s",
    async (path) => {
      const answer = await request(path);
      expect(answer.headers.get("content-type")).toContain("application/json");
      expect(await answer.json()).toMatchObject({ object: "list" });
      const head = await request(path, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect((await request(path, { headers: { authorization: "Bearer sk-wrong" } })).status).toBe(401);
    },
  );

  it.each([
    ["GET", "/v1", "GET /v1/models"],
    ["GET", "/v1/chat/completions", "POST /v1/chat/completions"],
    ["GET", "/messages", "POST /v1/messages"],
    ["POST", "/llm/v1/embeddings", "POST /v1/embeddings"],
    ["POST", "/api/v1/chat/completions", "POST /v1/chat/completions"],
  ])("is named where it was missed: %s %s", async (method, path, meant) => {
    const answer = await request(path, { method });
    expect(answer.status).toBe(404);
    const { error } = (await answer.json()) as { error: { message: string } };
    expect(error.message).toContain(meant);
  });

  it("is no page where a program sends a body", async () => {
    const answer = await chat("/nothing/here", {});
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      404,
      "application/json; charset=utf-8",
    ]);
  });

  it.each(["/", "/login", "/channel", "/user/edit/1", "/dashboard", "/chat", "/setting"])(
    "of the console stays a page: %s",
    async (path) => {
      expect((await request(path)).headers.get("content-type")).toContain("text/html");
    },
  );

  it("of the management API keeps its guards with slashes too many", async () => {
    for (const slashes of ["/", "//", "////"]) {
      const refused = await fetch(`${stage.server.url}${slashes}api/channel/`);
      expect(await refused.json(), slashes).toMatchObject({ success: false });
      const own = await account.owner.api("GET", `${slashes}api/channel/`);
      expect(own.body, slashes).toMatchObject({ success: false });
      const status = await fetch(`${stage.server.url}${slashes}api/status`);
      expect(await status.json(), slashes).toMatchObject({ success: true });
    }
  });
});
