import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "./stage";
import { PATHS, type RawAnswer, sendRaw, smallCall, smallRequest } from "./wire";

/* What the programs of today (Claude Code, Codex, Gemini CLI, the SDKs) need besides the bodies: headers and statuses. */

const CHAT_MODEL = "gpt-3.5-turbo";
const CLAUDE_MODEL = "claude-2";
const AWAY_MODEL = "gpt-4";

let stage: Stage;
let account: Account;

beforeAll(async () => {
  stage = await startStage();
  const base_url = stage.upstream.url;
  await addChannel(stage.root, { type: 8, base_url, models: CHAT_MODEL });
  await addChannel(stage.root, { type: 14, base_url, key: "upstream-key", models: CLAUDE_MODEL });
  const away = await addChannel(stage.root, { type: 8, base_url, models: AWAY_MODEL });
  await stage.root.data("PUT", "/api/channel/", { id: away, status: 2 });
  await stage.setOption("RetryTimes", "0");
  account = await stage.addAccount("alice", 1_000_000);
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(() => stage.upstream.reset());

const send = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> =>
  sendRaw(
    stage.server.url + path,
    { authorization: `Bearer ${account.key}`, "accept-language": "*", ...headers },
    body,
  );

describe("a client's headers", () => {
  const HEADERS = {
    "anthropic-beta": "compact-2026-01-12,context-management-2025-06-27",
    "openai-organization": "org-of-the-client",
    "x-client-secret": "secret",
    cookie: "session=1",
  };

  it.each([true, false])("that the vendor knows reach it, no others do (stream: %s)", async (stream) => {
    const answer = await send(PATHS.messages, smallRequest(CLAUDE_MODEL, { stream }), HEADERS);
    expect(answer.status, answer.text).toBe(200);
    const { headers } = stage.upstream.requests[0]!;
    expect(headers["anthropic-beta"]).toBe(HEADERS["anthropic-beta"]);
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["openai-organization"]));
    expect(JSON.stringify(headers)).not.toMatch(/org-of-the-client|secret|session=1/);
  });

  it("of one vendor do not reach another", async () => {
    const answer = await send(PATHS.messages, smallRequest(CHAT_MODEL), HEADERS);
    expect(answer.status, answer.text).toBe(200);
    expect(stage.upstream.requests[0]?.headers["anthropic-beta"]).toBeUndefined();
  });
});

describe("an upstream's wait", () => {
  it.each(["chat", "messages", "responses", "gemini"] as const)("reaches a client of %s", async (shape) => {
    for (const model of [CHAT_MODEL, CLAUDE_MODEL]) {
      stage.upstream.reset();
      stage.upstream.script({ fault: "429-then-ok" });
      const { path, body } = smallCall(shape, model, false);
      const answer = await send(path, body);
      expect(answer.status, answer.text).toBe(429);
      expect(answer.headers.get("retry-after")).toBe("1");
      if (shape === "gemini") expect(answer.text).toContain('"retryDelay":"1s"');
    }
  });
});

describe("a model that cannot be had", () => {
  it.each(["chat", "messages", "responses", "gemini"] as const)(
    "is unknown to a client of %s, or away",
    async (shape) => {
      const unknown = smallCall(shape, "nobodys-model", false);
      const missing = await send(unknown.path, unknown.body);
      expect(missing.status, missing.text).toBe(404);
      const known = smallCall(shape, AWAY_MODEL, false);
      const away = await send(known.path, known.body);
      expect(away.status, away.text).toBe(503);
      expect(stage.upstream.requests).toEqual([]);
    },
  );

  it("has the code that programs know", async () => {
    const { text } = await send(PATHS.chat, smallRequest("nobodys-model"));
    expect(JSON.parse(text)).toMatchObject({ error: { code: "model_not_found" } });
  });
});

describe("an answer", () => {
  it.each([
    ["chat", "x-request-id"],
    ["responses", "x-request-id"],
    ["messages", "request-id"],
  ] as const)("to a client of %s carries its id as %s", async (shape, name) => {
    for (const model of [CHAT_MODEL, "nobodys-model"]) {
      const { path, body } = smallCall(shape, model, false);
      const { headers } = await send(path, body);
      expect(headers.get(name)).toMatch(/^\d{23}\w{8}$/);
      expect(headers.get(name)).toBe(headers.get("x-oneapi-request-id"));
    }
  });

  it.each([
    ["*", /^No channel/],
    ["en", /^No channel/],
    ["zh-CN", /^当前分组/],
  ])("to a program that asks for %s is in its language", async (language, sentence) => {
    const { text } = await send(PATHS.chat, smallRequest("nobodys-model"), { "accept-language": language });
    expect(JSON.parse(text).error.message).toMatch(sentence);
  });

  it.each([
    ["*", /^max_tokens must be a whole number from 1 to 2147483647 /],
    ["zh-CN", /max_tokens 必须是 1 到 2147483647 之间的整数/],
    ["zh-TW", /max_tokens 必須是 1 到 2147483647 之間的整數/],
  ])("that names a fault of the request is right: %s", async (language, sentence) => {
    const body = { ...smallRequest("nobodys-model"), max_tokens: 0 };
    const { error } = JSON.parse((await send(PATHS.chat, body, { "accept-language": language })).text);
    expect(error.message).toMatch(sentence);
    expect(error.param).toBe("max_tokens");
  });
});

describe("a WebSocket", () => {
  /** @param isPassed whether a proxy on the way passes the wish on, which most do only when they are told to. */
  const upgrade = (path: string, isPassed = true): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(stage.server.url + path, {
        headers: {
          authorization: `Bearer ${account.key}`,
          ...(isPassed ? { connection: "Upgrade", upgrade: "websocket" } : {}),
          "sec-websocket-version": "13",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        },
      });
      request.on("response", (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on("upgrade", (response, socket) => {
        socket.destroy();
        resolve(response.statusCode);
      });
      request.on("error", reject);
      request.end();
    });

  it.each(["/v1/responses", "/v1/realtime?model=x", "/v1/chat/completions"])(
    "to %s is refused with the status after which programs go on over HTTP",
    async (path) => {
      expect(await upgrade(path)).toBe(426);
      expect(await upgrade(path, false)).toBe(426);
      expect((await send(PATHS.chat, smallRequest(CHAT_MODEL))).status).toBe(200);
    },
  );
});

it.each(["embedContent", "batchEmbedContents"])(
  "%s of Gemini's API says that it is not offered",
  async (method) => {
    const body = { content: { parts: [{ text: "hi" }] } };
    const answer = await send(`/v1beta/models/gemini-embedding-001:${method}`, body);
    expect(answer.status).toBe(501);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 501, status: "UNIMPLEMENTED" } });
  },
);

it("compacting, which no upstream of another shape could do, is not offered", async () => {
  expect((await send("/v1/responses/compact", { model: CHAT_MODEL, input: "hi" })).status).toBe(501);
});

it("models are listed by the page for clients of the Messages API", async () => {
  const list = async (query: string) => {
    const answer = await fetch(`${stage.server.url}/v1/models?${query}`, {
      headers: { "x-api-key": account.key, "anthropic-version": "2023-06-01" },
    });
    return (await answer.json()) as { data: { id: string }[]; has_more: boolean; last_id: string };
  };
  const first = await list("limit=1");
  expect(first).toMatchObject({ data: [{ id: CLAUDE_MODEL }], has_more: true });
  expect(await list(`limit=1&after_id=${first.last_id}`)).toMatchObject({
    data: [{ id: CHAT_MODEL }],
    has_more: false,
  });
});
