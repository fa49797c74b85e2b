import Anthropic from "@anthropic-ai/sdk";
import { ApiError as GeminiError, GoogleGenAI } from "@google/genai";
import type { LogWire } from "@tollgate/contract/api/logs";
import type { Receipt } from "@tollgate/contract/api/receipts";
import { demand } from "@tollgate/demo/build-world";
import type { FaultName } from "@tollgate/testkit/fake-upstream/faults";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, addKey, type Session, type Stage, startStage } from "../api/relay/stage";

/*
 * What customers read of an upstream's error where a rule of the site says so, through the official client of each API;
 * and that the original stays with administrators.
 */

const MODEL = "gpt-3.5-turbo";
const ENGLISH = { "accept-language": "en" };
const TEXTS = { "zh-CN": "模型太忙，请稍后再试", en: "The model is busy, try again later" };
/** The words of the fake upstream in each fault below. */
const ORIGINAL = /fake upstream/i;

let stage: Stage;
let account: Account;
let url: string;

beforeAll(async () => {
  stage = await startStage();
  url = stage.server.url;
  // Type 8 speaks Chat Completions: clients of all other shapes are translated.
  await addChannel(stage.root, { type: 8, base_url: stage.upstream.url, models: MODEL });
  account = await stage.addAccount("alice", 10_000_000);
});

afterAll(() => stage?.close());

beforeEach(() => stage.upstream.reset());

const setRules = (rules: readonly object[]): Promise<void> =>
  stage.setOption("ErrorRules", JSON.stringify(rules));

interface Failed {
  status: number | undefined;
  text: string;
  retryAfter?: string | null | undefined;
}

const openai = (): OpenAI =>
  new OpenAI({ apiKey: account.key, baseURL: `${url}/v1`, maxRetries: 0, defaultHeaders: ENGLISH });

const failureOf = async (call: Promise<unknown>): Promise<Failed> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof OpenAI.APIError || error instanceof Anthropic.APIError)
    return {
      status: error.status,
      text: `${error.message} ${JSON.stringify(error.error)}`,
      retryAfter: error.headers?.get("retry-after"),
    };
  if (error instanceof GeminiError) return { status: error.status, text: error.message };
  if (error instanceof Error) return { status: undefined, text: error.message };
  throw new Error(`not refused: ${String(error)}`);
};

/** Reads a stream to its end. */
const drain = async (stream: AsyncIterable<unknown> | PromiseLike<AsyncIterable<unknown>>): Promise<void> => {
  for await (const event of await stream) {
    const { type } = event as { type?: string };
    // Responses report an error as an event, which its client does not throw.
    if (type === "error") throw new Error(JSON.stringify(event));
  }
};

const CLIENTS: Readonly<Record<string, (isStream: boolean) => Promise<unknown>>> = {
  "Chat Completions": (isStream) => {
    const body = { model: MODEL, messages: [{ role: "user" as const, content: "hi" }] };
    return isStream
      ? drain(openai().chat.completions.create({ ...body, stream: true }))
      : openai().chat.completions.create(body);
  },
  Responses: (isStream) => {
    const body = { model: MODEL, input: "hi" };
    return isStream
      ? drain(openai().responses.create({ ...body, stream: true }))
      : openai().responses.create(body);
  },
  Messages: (isStream) => {
    const client = new Anthropic({
      baseURL: url,
      maxRetries: 0,
      apiKey: account.key,
      authToken: null,
      defaultHeaders: ENGLISH,
    });
    const body = { model: MODEL, max_tokens: 50, messages: [{ role: "user" as const, content: "hi" }] };
    return isStream ? drain(client.messages.create({ ...body, stream: true })) : client.messages.create(body);
  },
  Gemini: (isStream) => {
    const client = new GoogleGenAI({
      apiKey: account.key,
      httpOptions: { baseUrl: url, headers: ENGLISH },
    });
    const request = { model: MODEL, contents: "hi" };
    return isStream
      ? drain(client.models.generateContentStream(request))
      : client.models.generateContent(request);
  },
};

const fail = (fault: FaultName): void => stage.upstream.script({ fault });

describe.each(Object.entries(CLIENTS))("a client of %s", (_, ask) => {
  it.each([false, true])("reads the rule's status and text (stream: %s)", async (isStream) => {
    await setRules([{ statuses: [400], words: ["does NOT like"], answer: "own", status: 422, text: TEXTS }]);
    fail("400");
    const failed = await failureOf(ask(isStream));
    expect(failed.status).toBe(422);
    expect(failed.text).toContain(TEXTS.en);
    expect(failed.text).not.toMatch(ORIGINAL);
  });

  it("reads it in the middle of a stream as well", async () => {
    await setRules([{ words: ["in the middle"], answer: "own", status: 503, text: TEXTS }]);
    fail("error-mid-stream");
    const failed = await failureOf(ask(true));
    expect(failed.text).toContain(TEXTS.en);
    expect(failed.text).not.toMatch(ORIGINAL);
  });

  it("reads the original where a rule passes it on", async () => {
    await setRules([{ statuses: ["5xx"], answer: "original" }]);
    fail("503");
    const failed = await failureOf(ask(false));
    expect(failed.status).toBe(503);
    expect(failed.text).toContain("The fake upstream is overloaded");
  });

  it("reads the gateway's own sentence where no rule fits", async () => {
    await setRules([{ statuses: [418], answer: "own", text: TEXTS }]);
    fail("503");
    const failed = await failureOf(ask(false));
    expect(failed.status).toBe(502);
    expect(failed.text).not.toContain(TEXTS.en);
    expect(failed.text).not.toMatch(ORIGINAL);
  });
});

const chat = CLIENTS["Chat Completions"] as (isStream: boolean) => Promise<unknown>;

it("keeps Retry-After", async () => {
  await setRules([{ answer: "own", status: 503, text: TEXTS }]);
  fail("429-then-ok");
  expect(await failureOf(chat(false))).toMatchObject({ status: 503, retryAfter: "1" });
});

it("tells no client that its own key is wrong, and passes on no secret", async () => {
  await setRules([{ answer: "original" }]);
  fail("401");
  const failed = await failureOf(chat(false));
  expect(failed.status).toBe(503);
  expect(failed.text).toContain("Incorrect API key provided");
  expect(failed.text).not.toContain("example.com");
});

describe("the original of a rewritten error", () => {
  const readAs = async <T>(session: Session, path: string): Promise<T> =>
    (await demand(session.api("GET", path, undefined, { headers: ENGLISH }))) as T;

  /** Fails once, with a new key: the same failure of a key within a minute is one line. */
  const failOnce = async (rule: object): Promise<{ requestId: string; key: string }> => {
    const { key } = await addKey(account.owner, { name: "once", unlimited_quota: true });
    await setRules([rule]);
    fail("400");
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "hi" }] }),
    });
    return { requestId: answer.headers.get("x-oneapi-request-id") ?? "", key };
  };

  const lineOf = async (session: Session, list: string, requestId: string): Promise<LogWire> => {
    const read = () => readAs<LogWire[]>(session, `${list}?p=0&type=5&request_id=${requestId}`);
    await expect.poll(async () => (await read()).length).toBe(1);
    const [line] = await read();
    if (!line) throw new Error("no line");
    return line;
  };

  it("is shown to administrators, and to the owner of the key nowhere", async () => {
    const { requestId, key } = await failOnce({
      statuses: [400],
      answer: "own",
      status: 503,
      text: TEXTS,
    });

    const adminLine = await lineOf(stage.root, "/api/log/", requestId);
    expect(adminLine).toMatchObject({ content: TEXTS.en, status: 503, code: "upstream_error" });
    expect(adminLine.upstream_error).toMatch(/^400 .*The fake upstream does not like this request$/);
    const adminReceipt = await readAs<Receipt>(stage.root, `/api/log/receipt?request_id=${requestId}`);
    expect(adminReceipt.original).toMatchObject({
      status: 400,
      message: "The fake upstream does not like this request",
    });
    expect(adminReceipt.attempts[0]).toMatchObject({ outcome: "caller", status: 400 });

    const line = await lineOf(account.owner, "/api/log/self/", requestId);
    expect(line).toMatchObject({ content: TEXTS.en, status: 503, code: "upstream_error" });
    const receipt = await readAs<Receipt>(account.owner, `/api/log/self/receipt?request_id=${requestId}`);
    expect(receipt).toMatchObject({ reason: TEXTS.en, status: 503, code: "upstream_error" });
    expect(receipt.attempts[0]).toMatchObject({ outcome: "failed", status: 0 });
    const ofKey = async (path: string): Promise<string> => {
      const headers = { authorization: `Bearer ${key}`, ...ENGLISH };
      return (await fetch(url + path, { headers })).text();
    };
    const found = await account.owner.api("GET", "/api/log/self/search?keyword=fake");
    const file = await account.owner.api(
      "GET",
      `/api/log/self/export?format=csv&type=5&request_id=${requestId}`,
    );
    const shown = [
      line,
      receipt,
      found.text,
      file.text,
      await ofKey(`/v1/generation?id=${requestId}`),
      await ofKey("/v1/generations"),
    ].map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
    expect(shown[3]).toContain(requestId);
    expect(shown[4]).toContain(TEXTS.en);
    for (const text of shown) {
      expect(text).not.toMatch(ORIGINAL);
      expect(text).not.toContain('"original"');
    }
  });

  it("is read in the language of each reader, as it was told", async () => {
    const { requestId } = await failOnce({ statuses: [400], answer: "own", text: TEXTS, code: "busy" });
    // A later change of the rules does not change what was told.
    await setRules([]);
    await lineOf(account.owner, "/api/log/self/", requestId);
    for (const [language, text] of Object.entries({ ...TEXTS, "zh-TW": TEXTS["zh-CN"] })) {
      const receipt = (await demand(
        account.owner.api("GET", `/api/log/self/receipt?request_id=${requestId}`, undefined, {
          headers: { "accept-language": language },
        }),
      )) as Receipt;
      expect(receipt).toMatchObject({ reason: text, status: 400, code: "busy" });
    }
  });
});

it("refuses wrong rules, and names the place", async () => {
  const answer = await stage.root.api("PUT", "/api/option/", {
    key: "ErrorRules",
    value: '[{"answer":"own","status":200,"text":{"en":"fine"}}]',
  });
  expect(answer.body.success).toBe(false);
  expect(answer.body.message).toContain("1.status");
});
