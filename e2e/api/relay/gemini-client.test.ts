import { DEFAULT_TEXT } from "@tollgate/testkit/fake-upstream/upstream-script";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "./stage";
import { type RawAnswer, readError, sendRaw, smallCall, understand } from "./wire";

/*
 * What only clients of Gemini's API do: the model in the address, the key in three places, a stream as a JSON array,
 * and Google's own forms of lists, counts and errors.
 */

const CHAT_MODEL = "gpt-3.5-turbo";
const GEMINI_MODEL = "gemini-2.5-flash";

let stage: Stage;
let account: Account;

beforeAll(async () => {
  stage = await startStage();
  const base_url = stage.upstream.url;
  await stage.setOption("FallbackModelRatio", "1");
  await addChannel(stage.root, { type: 8, base_url, models: CHAT_MODEL });
  await addChannel(stage.root, { type: 24, base_url, key: "upstream-key", models: GEMINI_MODEL });
  account = await stage.addAccount("alice", 1_000_000);
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(() => stage.upstream.reset());

const send = (path: string, headers: Record<string, string>, body?: unknown): Promise<RawAnswer> =>
  sendRaw(stage.server.url + path, headers, body, body === undefined ? "GET" : "POST");

const { body: BODY } = smallCall("gemini", GEMINI_MODEL, false);
const withKey = (): Record<string, string> => ({ "x-goog-api-key": account.key });

describe("a key", () => {
  it.each<[string, (key: string) => [query: string, headers: Record<string, string>]]>([
    ["in x-goog-api-key", (key) => ["", { "x-goog-api-key": key }]],
    ["in the address", (key) => [`?key=${key}`, {}]],
    ["in Authorization", (key) => ["", { authorization: `Bearer ${key}` }]],
  ])("%s is accepted, and goes no further", async (_, form) => {
    const [query, headers] = form(account.key);
    for (const model of [CHAT_MODEL, GEMINI_MODEL]) {
      const answer = await send(`/v1beta/models/${model}:generateContent${query}`, headers, BODY);
      expect(answer.status, answer.text).toBe(200);
      expect(understand("gemini", false, answer.text)).toMatchObject({ text: DEFAULT_TEXT, isEnded: true });
    }
    for (const request of stage.upstream.requests) {
      expect(request.path + JSON.stringify(request.headers)).not.toContain(account.key.slice(3));
    }
    expect(stage.upstream.requests[1]?.headers["x-goog-api-key"]).toBe("upstream-key");
    expect(stage.server.stdout + stage.server.stderr).not.toContain(account.key.slice(3));
  });

  it("that is wrong or missing is refused in Google's shape", async () => {
    const path = `/v1beta/models/${GEMINI_MODEL}:generateContent`;
    const missing = await send(path, {}, BODY);
    expect(missing.status).toBe(401);
    expect(readError("gemini", JSON.parse(missing.text))).toMatchObject({
      code: 401,
      type: "UNAUTHENTICATED",
    });
    const wrong = await send(`${path}?key=sk-wrong`, {}, BODY);
    expect(readError("gemini", JSON.parse(wrong.text)).message).not.toContain("sk-wrong");
  });

  it("in the address is none for other protocols", async () => {
    const answer = await send(
      `/v1/chat/completions?key=${account.key}`,
      {},
      { model: CHAT_MODEL, messages: [] },
    );
    expect(answer.status).toBe(401);
  });
});

describe("an address", () => {
  it.each(["/v1beta/models/", "/v1/models/"])("below %s names the model and the method", async (base) => {
    const answer = await send(`${base}${GEMINI_MODEL}:generateContent`, withKey(), BODY);
    expect(answer.status, answer.text).toBe(200);
    expect(stage.upstream.requests[0]?.path).toBe(`/v1beta/models/${GEMINI_MODEL}:generateContent`);
    // The client's own bytes: the model stands in the address alone.
    expect(stage.upstream.requests[0]?.body).toEqual(BODY);
  });

  it.each<[string, number, string]>([
    [`/v1beta/models/unknown:generateContent`, 404, "NOT_FOUND"],
    [`/v1beta/models/${GEMINI_MODEL}:embedContents`, 404, "NOT_FOUND"],
    [`/v1beta/cachedContents`, 501, "UNIMPLEMENTED"],
  ])("%s is refused in Google's shape", async (path, status, type) => {
    const answer = await send(path, withKey(), BODY);
    expect(answer.status).toBe(status);
    expect(readError("gemini", JSON.parse(answer.text)).type).toBe(type);
  });

  it("names the wrong field of a request", async () => {
    const answer = await send(`/v1beta/models/${CHAT_MODEL}:generateContent`, withKey(), {
      contents: [{ role: "robot", parts: [{ text: "hi" }] }],
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("contents[0].role");
    expect(stage.upstream.requests).toHaveLength(0);
  });
});

describe("a stream without alt=sse", () => {
  const ask = (model: string): Promise<RawAnswer> =>
    send(`/v1beta/models/${model}:streamGenerateContent`, withKey(), BODY);

  it.each([CHAT_MODEL, GEMINI_MODEL])("is one JSON array (%s)", async (model) => {
    const answer = await ask(model);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    const pieces = JSON.parse(answer.text) as object[];
    expect(pieces.length).toBeGreaterThan(2);
    const events = pieces.map((piece) => `data: ${JSON.stringify(piece)}\n`).join("");
    expect(understand("gemini", true, events)).toMatchObject({ text: DEFAULT_TEXT, isEnded: true });
  });

  it.each([CHAT_MODEL, GEMINI_MODEL])(
    "that breaks off is still JSON, with the error in it (%s)",
    async (model) => {
      stage.upstream.script({ fault: "reset-mid-stream" });
      const before = await account.figures();
      const answer = await ask(model);
      expect(answer.status).toBe(200);
      expect((JSON.parse(answer.text) as object[]).at(-1)).toMatchObject({
        error: { status: "UNAVAILABLE" },
      });
      expect(await account.figures()).toEqual(before);
    },
  );

  it("that never begins is a plain error", async () => {
    stage.upstream.script({ fault: "429" });
    const answer = await ask(GEMINI_MODEL);
    expect(answer.status).toBe(429);
    expect(readError("gemini", JSON.parse(answer.text)).type).toBe("RESOURCE_EXHAUSTED");
  });
});

describe("models", () => {
  it.each(["/v1beta/models", "/v1/models"])("are listed at %s", async (path) => {
    const answer = await send(path, withKey());
    expect(JSON.parse(answer.text)).toMatchObject({
      models: [{ name: `models/${GEMINI_MODEL}` }, { name: `models/${CHAT_MODEL}` }],
    });
  });

  it("are described one by one", async () => {
    const known = await send(`/v1beta/models/${GEMINI_MODEL}?key=${account.key}`, {});
    expect(JSON.parse(known.text)).toMatchObject({
      name: `models/${GEMINI_MODEL}`,
      supportedGenerationMethods: expect.arrayContaining(["generateContent"]),
    });
    const unknown = await send("/v1beta/models/unknown", withKey());
    expect(unknown.status).toBe(404);
    expect(readError("gemini", JSON.parse(unknown.text)).type).toBe("NOT_FOUND");
  });
});

describe("countTokens", () => {
  const count = (model: string, body: unknown): Promise<RawAnswer> =>
    send(`/v1beta/models/${model}:countTokens`, withKey(), body);

  it("counts here, free of charge, plainly and wrapped", async () => {
    const before = await account.figures();
    const plain = await count(GEMINI_MODEL, BODY);
    const wrapped = await count(GEMINI_MODEL, { generateContentRequest: { model: "models/x", ...BODY } });
    expect(plain.status, plain.text).toBe(200);
    const { totalTokens } = JSON.parse(plain.text) as { totalTokens: number };
    expect(totalTokens).toBeGreaterThan(3);
    expect(JSON.parse(wrapped.text)).toEqual({ totalTokens });
    expect(stage.upstream.requests).toHaveLength(0);
    expect(await account.figures()).toEqual(before);
  });

  it("refuses content that it cannot count", async () => {
    expect((await count(GEMINI_MODEL, {})).status).toBe(400);
    expect((await count("unknown", BODY)).status).toBe(404);
  });
});
