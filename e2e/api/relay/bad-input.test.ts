import { Agent, request as httpRequest } from "node:http";
import type { UserWire } from "@tollgate/contract/api/user";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addChannel, addKey, type Figures, type Stage, startStage } from "./stage";
import {
  type FixedShape,
  PATHS,
  type RawAnswer,
  type ReadError,
  readError,
  sendRaw,
  smallRequest,
  understand,
} from "./wire";

const BODY_LIMIT_BYTES = 65_536;
const UPSTREAM_KEY = "upstream-secret-key";
const SHAPES: readonly FixedShape[] = ["chat", "messages"];

/** Offered by both upstreams, each in its own shape. */
const MODEL = "gpt-3.5-turbo";
const MESSAGES_MODEL = "claude-2";
/** Offered by a channel, but named by no price. */
const UNPRICED_MODEL = "house-model";
const DISABLED_MODEL = "gpt-4";

/**
 * What a small request holds at most: 100 tokens of answer at 1.5, and the estimate of its prompt at 0.75, which is the
 * text "user" and "hi" with a line break (7 bytes × 0.38, rounded down), 3 for the message and 3 for the priming.
 */
const HOLD = 100 * 1.5 + (2 + 3 + 3) * 0.75;

let stage: Stage;
/** A person whose balances are exactly one hold: whatever a bad request left held would refuse the next one. */
let exact: Account;
const keys = {
  wrong: `sk-${"x".repeat(48)}`,
  disabled: "",
  expired: "",
  exhausted: "",
  banned: "",
  poor: "",
};
/** A key with too little for any answer, of a user with plenty. */
let smallKey: string;
let rich: Account;

beforeAll(async () => {
  stage = await startStage({ BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES) });
  const { root } = stage;
  const base_url = stage.upstream.url;
  const key = UPSTREAM_KEY;
  await addChannel(root, { type: 8, base_url, key, models: `${MODEL},${UNPRICED_MODEL}` });
  await addChannel(root, { type: 14, base_url, key, models: MESSAGES_MODEL });
  const closed = await addChannel(root, { type: 8, base_url, key, models: DISABLED_MODEL });
  await root.data("PUT", "/api/channel/", { id: closed, status: 2 });

  exact = await stage.addAccount("exact", HOLD);
  rich = await stage.addAccount("rich", 1_000_000);
  const disabled = await addKey(rich.owner, { remain_quota: 1000 });
  await rich.owner.data("PUT", "/api/token/?status_only=true", { id: disabled.id, status: 2 });
  keys.disabled = disabled.key;
  keys.expired = (await addKey(rich.owner, { remain_quota: 1000, expired_time: 1_000_000_000 })).key;
  keys.exhausted = (await addKey(rich.owner, { remain_quota: 0 })).key;
  smallKey = (await addKey(rich.owner, { remain_quota: HOLD - 1 })).key;
  const banned = await stage.addAccount("banned", 1000);
  await root.data("POST", "/api/user/manage", { username: "banned", action: "disable" });
  keys.banned = banned.key;
  keys.poor = (await stage.addAccount("poor", HOLD - 1, { remain_quota: 1_000_000 })).key;
});

afterAll(async () => {
  await stage?.close();
});

interface Everything {
  users: { name: string; quota: number; used: number; requests: number }[];
  exact: Figures;
  rich: Figures;
}

const readEverything = async (): Promise<Everything> => ({
  users: (await stage.root.data<UserWire[]>("GET", "/api/user/?p=0")).map((user) => ({
    name: user.username,
    quota: user.quota,
    used: user.used_quota,
    requests: user.request_count,
  })),
  exact: await exact.figures(),
  rich: await rich.figures(),
});

/** A refusal tells what is wrong and nothing about the gateway's inside or the upstream. */
const expectRefusal = (shape: FixedShape, answer: RawAnswer, status: number): ReadError => {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get("content-type")).toContain("application/json");
  const error = readError(shape, JSON.parse(answer.text));
  const requestId = answer.headers.get("x-oneapi-request-id");
  expect(requestId).toMatch(/^\d{15,}\w{8}$/);
  expect(error.requestId).toBe(requestId);
  expect(answer.text).not.toContain(new URL(stage.upstream.url).host);
  expect(answer.text).not.toContain(UPSTREAM_KEY);
  expect(answer.text).not.toContain(stage.server.dataDir);
  expect(answer.text).not.toMatch(/\\n\s+at |node_modules|\.[jt]s:\d|TypeError|RangeError/);
  return error;
};

/** Sends what must be refused, and shows that it changed nothing and holds nothing. */
const refused = async (shape: FixedShape, status: number, send: () => Promise<RawAnswer>) => {
  const before = await readEverything();
  const asked = stage.upstream.requests.length;
  const error = expectRefusal(shape, await send(), status);
  expect(stage.upstream.requests.length).toBe(asked);
  expect(await readEverything()).toEqual(before);
  // A request that needs the whole balance still gets as far as the upstream, whose failure leaves the balance whole.
  stage.upstream.script({ fault: "500" });
  const next = await sendAs(shape, exact.key, smallRequest(MODEL));
  expect(next.status, next.text).toBe(502);
  expect(stage.upstream.requests.length).toBe(asked + 1);
  expect(await readEverything()).toEqual(before);
  return error;
};

const sendAs = (shape: FixedShape, key: string, body: unknown): Promise<RawAnswer> =>
  sendRaw(stage.server.url + PATHS[shape], { authorization: `Bearer ${key}` }, body);

describe.each(SHAPES)("%s: a key that does not admit", (shape) => {
  it("no key at all", async () => {
    const error = await refused(shape, 401, () =>
      sendRaw(stage.server.url + PATHS[shape], {}, smallRequest(MODEL)),
    );
    expect(error.message).toContain("未提供令牌");
  });

  it.each<[keyof typeof keys, number, string]>([
    ["wrong", 401, "无效的令牌"],
    ["disabled", 401, "该令牌状态不可用"],
    ["expired", 401, "该令牌已过期"],
    ["exhausted", 401, "该令牌额度已用尽"],
    ["banned", 403, "用户已被封禁"],
    ["poor", 403, "用户额度不足"],
  ])("%s: %i", async (which, status, sentence) => {
    const error = await refused(shape, status, () => sendAs(shape, keys[which], smallRequest(MODEL)));
    expect(error.message).toContain(sentence);
    if (shape === "messages") {
      expect(error.type).toBe(status === 401 ? "authentication_error" : "permission_error");
    } else {
      expect(error.type).toBe("one_api_error");
    }
  });

  it("a key with too little for the answer", async () => {
    const error = await refused(shape, 403, () => sendAs(shape, smallKey, smallRequest(MODEL)));
    expect(error.message).toContain("令牌额度不足");
    if (shape === "chat") expect(error.code).toBe("pre_consume_token_quota_failed");
  });
});

describe.each(SHAPES)("%s: a model that is not to be had", (shape) => {
  it.each<[string, string, number, string]>([
    ["nobody knows", "no-such-model", 404, "对于模型 no-such-model 无可用渠道"],
    ["whose only channel is disabled", DISABLED_MODEL, 503, `对于模型 ${DISABLED_MODEL} 无可用渠道`],
    ["without a price", UNPRICED_MODEL, 403, `模型 ${UNPRICED_MODEL} 尚未设置价格`],
    ["with a name of another case", "GPT-3.5-Turbo", 404, "无可用渠道"],
    ["called like a built-in", "__proto__", 404, "无可用渠道"],
    ["called constructor", "constructor", 404, "无可用渠道"],
  ])("that %s", async (_, model, status, sentence) => {
    const error = await refused(shape, status, () => sendAs(shape, exact.key, smallRequest(model)));
    expect(error.message).toContain(sentence);
  });
});

describe.each(SHAPES)("%s: a body that is none", (shape) => {
  it.each<[string, string, string]>([
    ["not JSON", "{not json", "不是合法的 JSON"],
    ["cut off", '{"model":"gpt-3.5-turbo","messages":[{"role":"user"', "不是合法的 JSON"],
    ["empty", "", "不是合法的 JSON"],
    ["only blanks", " \n ", "不是合法的 JSON"],
    ["a form", "model=gpt-3.5-turbo&stream=true", "不是合法的 JSON"],
    ["null", "null", "JSON 对象"],
    ["a list", "[]", "JSON 对象"],
    ["a text", '"hello"', "JSON 对象"],
    ["a number", "1", "JSON 对象"],
  ])("%s", async (_, body, sentence) => {
    const error = await refused(shape, 400, () => sendAs(shape, exact.key, body));
    expect(error.message).toContain(sentence);
  });

  it("without a body and without a length", async () => {
    const answer = await refused(shape, 400, () =>
      sendRaw(stage.server.url + PATHS[shape], { authorization: `Bearer ${exact.key}` }, undefined),
    );
    expect(answer.message).toContain("不是合法的 JSON");
  });
});

describe.each(SHAPES)("%s: a field of the wrong kind", (shape) => {
  it.each<[string, string, unknown]>([
    ["a missing model", "model", undefined],
    ["a model that is null", "model", null],
    ["a model that is a number", "model", 35],
    ["an empty model", "model", ""],
    ["missing messages", "messages", undefined],
    ["messages that are text", "messages", "hi"],
    ["messages that are an object", "messages", { role: "user", content: "hi" }],
    ["no messages", "messages", []],
    ["a stream that is text", "stream", "yes"],
    ["a stream that is a number", "stream", 1],
    ["max_tokens below zero", "max_tokens", -1],
    ["max_tokens of zero", "max_tokens", 0],
    ["max_tokens with a fraction", "max_tokens", 1.5],
    ["max_tokens that is text", "max_tokens", "100"],
    ["max_tokens beyond any integer", "max_tokens", 1e300],
    ["max_tokens beyond 32 bits", "max_tokens", 2 ** 31],
  ])("%s", async (_, field, value) => {
    const error = await refused(shape, 400, () =>
      sendAs(shape, exact.key, smallRequest(MODEL, { [field]: value })),
    );
    expect(error.message).toContain(field);
    if (shape === "chat") {
      expect(error).toMatchObject({ param: field, type: "invalid_request_error" });
    } else {
      expect(error.type).toBe("invalid_request_error");
    }
  });

  it("max_tokens that no balance covers", async () => {
    const error = await refused(shape, 403, () =>
      sendAs(shape, rich.key, smallRequest(MODEL, { max_tokens: 2 ** 31 - 1 })),
    );
    expect(error.message).toContain("额度不足");
  });
});

describe("chat only", () => {
  it.each<[string, string, unknown]>([
    ["no answer asked for", "n", 0],
    ["too many answers", "n", 129],
    ["n that is text", "n", "2"],
    ["stream_options that is a list", "stream_options", []],
    ["max_completion_tokens below zero", "max_completion_tokens", -5],
  ])("%s", async (_, field, value) => {
    const error = await refused("chat", 400, () =>
      sendAs("chat", exact.key, smallRequest(MODEL, { stream: true, [field]: value })),
    );
    expect(error.param).toBe(field);
  });

  it("several answers hold several times as much", async () => {
    const error = await refused("chat", 403, () => sendAs("chat", exact.key, smallRequest(MODEL, { n: 2 })));
    expect(error.message).toContain("额度不足");
  });
});

/** The account can pay for one of the small requests of MODEL only, so these come from another person. */
describe("a message that the other shape cannot say", () => {
  const messages = (value: unknown) => ({ messages: [value], max_tokens: 10 });

  it.each<[string, FixedShape, string, unknown, string]>([
    ["an unknown role", "chat", MESSAGES_MODEL, { role: "robot", content: "hi" }, "messages[0].role"],
    ["no role", "chat", MESSAGES_MODEL, { content: "hi" }, "messages[0].role"],
    ["a message that is text", "chat", MESSAGES_MODEL, "hi", "messages[0]"],
    [
      "a content that is a number",
      "chat",
      MESSAGES_MODEL,
      { role: "user", content: 5 },
      "messages[0].content",
    ],
    ["an unknown role", "messages", MODEL, { role: "robot", content: "hi" }, "messages[0].role"],
    ["no role", "messages", MODEL, { content: "hi" }, "messages[0].role"],
    ["a message that is text", "messages", MODEL, "hi", "messages[0]"],
    ["a content that is a number", "messages", MODEL, { role: "user", content: 5 }, "messages[0].content"],
  ])("%s in %s", async (_, shape, model, message, param) => {
    const error = await refused(shape, 400, () =>
      sendAs(shape, rich.key, { ...smallRequest(model), ...messages(message) }),
    );
    expect(error.message).toContain(param);
    if (shape === "chat") expect(error.param).toBe(param);
  });
});

/** Sends a body as it is told to, and reads whatever comes back, also while the body is still on its way. */
const sendBytes = (
  shape: FixedShape,
  body: Buffer,
  framing: "content-length" | "chunked",
  key = exact.key,
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const url = new URL(stage.server.url + PATHS[shape]);
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(framing === "content-length"
        ? { "content-length": String(body.length) }
        : { "transfer-encoding": "chunked" }),
    };
    const request = httpRequest(url, { method: "POST", headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(
            Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
          ),
          text: Buffer.concat(pieces).toString(),
        }),
      );
    });
    request.on("error", reject);
    for (let from = 0; from < body.length; from += 16_384) request.write(body.subarray(from, from + 16_384));
    request.end();
  });

const bodyOf = (bytes: number): Buffer => {
  const empty = JSON.stringify(smallRequest(MODEL, { user: "" }));
  return Buffer.from(JSON.stringify(smallRequest(MODEL, { user: "x".repeat(bytes - empty.length) })));
};

describe.each(SHAPES)("%s: a body over the limit", (shape) => {
  it.each<["content-length" | "chunked", number]>([
    ["content-length", BODY_LIMIT_BYTES + 1],
    ["chunked", BODY_LIMIT_BYTES + 1],
    // Far more than any socket buffers: the answer must reach a client that is still sending.
    ["content-length", 8_000_000],
    ["chunked", 8_000_000],
  ])("with %s, %i bytes", async (framing, bytes) => {
    const error = await refused(shape, 413, () => sendBytes(shape, bodyOf(bytes), framing));
    expect(error.message).toContain(String(BODY_LIMIT_BYTES));
  });

  it.each(["content-length", "chunked"] as const)("with %s, exactly the limit, passes", async (framing) => {
    stage.upstream.script({ fault: "500" });
    const asked = stage.upstream.requests.length;
    // What a protocol does not know counts as prompt.
    const body = bodyOf(BODY_LIMIT_BYTES);
    expect((await sendBytes(shape, body, framing, rich.key)).status).toBe(502);
    expect(stage.upstream.requests.length).toBe(asked + 1);
  });

  it("is read to its end, so that the connection serves the next request", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (body: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const url = new URL(stage.server.url + PATHS[shape]);
        const sending = httpRequest(url, {
          method: "POST",
          agent,
          headers: { authorization: `Bearer ${rich.key}` },
        });
        sending.on("response", (response) => {
          response.resume();
          response.on("end", () => resolve(response.statusCode ?? 0));
        });
        sending.on("error", reject);
        sending.end(body);
      });
    expect(await send("x".repeat(BODY_LIMIT_BYTES * 4))).toBe(413);
    expect(await send("{")).toBe(400);
    agent.destroy();
  });
});

describe("a body made to hurt", () => {
  const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

  it.each<[string, FixedShape, string]>([
    [
      "deep tools",
      "chat",
      `{"model":"${MODEL}","messages":[{"role":"user","content":"hi"}],"tools":[${deep(30_000)}]}`,
    ],
    ["deep messages", "chat", `{"model":"${MODEL}","messages":${deep(30_000)}}`],
    [
      "a deep field beside a stream",
      "chat",
      `{"model":"${MODEL}","stream":true,"stream_options":{},"messages":[{"role":"user","content":"hi"}],"x":${deep(30_000)}}`,
    ],
    [
      "deep tools",
      "messages",
      `{"model":"${MODEL}","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"tools":[${deep(30_000)}]}`,
    ],
    [
      "a deep tool call",
      "messages",
      `{"model":"${MODEL}","max_tokens":9,"messages":[{"role":"user","content":[{"type":"tool_use","name":"x","input":${deep(30_000)}}]}]}`,
    ],
  ])("%s in %s is answered, and the gateway lives on", async (_, shape, body) => {
    stage.upstream.script({ fault: "500" });
    const answer = await sendAs(shape, rich.key, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    readError(shape, JSON.parse(answer.text));
    const next = await sendAs(shape, exact.key, smallRequest(MODEL));
    expect(next.status).toBe(502);
  });

  it.each(["%E0%A4%A", "%", "%00", "..%2f..%2fetc"])("the model id %s is answered", async (id) => {
    const answer = await sendRaw(
      `${stage.server.url}/v1/models/${id}`,
      { authorization: `Bearer ${rich.key}` },
      undefined,
      "GET",
    );
    expect([400, 404]).toContain(answer.status);
    expect((await fetch(`${stage.server.url}/api/status`)).status).toBe(200);
  });
});

describe("a path", () => {
  const send = (method: string, path: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
    sendRaw(
      stage.server.url + path,
      { authorization: `Bearer ${exact.key}`, ...headers },
      method === "GET" || method === "DELETE" ? undefined : smallRequest(MODEL),
      method,
    );

  it.each(["/v1/files", "/v1/fine-tunes"])("%s is known but not offered", async (path) => {
    const error = await refused("chat", 501, () => send("POST", path));
    expect(error).toMatchObject({ code: "api_not_implemented", type: "one_api_error" });
    const inMessages = await send("POST", path, { "anthropic-version": "2023-06-01" });
    expectRefusal("messages", inMessages, 501);
  });

  it.each<[string, string, string?]>([
    ["POST", "/v1/nothing"],
    ["POST", "/v1", "GET /v1/models"],
    ["POST", "/v1foo"],
    ["POST", "/v1/chat"],
    ["POST", "/v1/Chat/Completions", "POST /v1/chat/completions"],
    ["GET", "/v1/chat/completions", "POST /v1/chat/completions"],
    ["PUT", "/v1/chat/completions", "POST /v1/chat/completions"],
    ["DELETE", "/v1/chat/completions", "POST /v1/chat/completions"],
    ["GET", "/v1/messages", "POST /v1/messages"],
    ["POST", "/v1/models", "GET /v1/models"],
    ["POST", "/v1/dashboard/billing/usage", "GET /v1/dashboard/billing/usage"],
  ])("%s %s is unknown", async (method, path, meant) => {
    const before = await readEverything();
    const answer = await send(method, path, { "accept-language": "en" });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("x-oneapi-request-id")).toMatch(/^\d{15,}\w{8}$/);
    expect(JSON.parse(answer.text)).toEqual({
      error: {
        message: `Invalid URL (${method} ${path})${meant === undefined ? "" : `: the right address is ${meant}`}`,
        type: "invalid_request_error",
        param: "",
        code: "",
      },
    });
    expect(await readEverything()).toEqual(before);
  });

  it("that is unknown says so in the shape of a Messages client", async () => {
    const answer = await send("POST", "/v1/nothing", { "anthropic-version": "2023-06-01" });
    expect(expectRefusal("messages", answer, 404).message).toContain("Invalid URL");
  });
});

describe("in English", () => {
  it.each<[string, number, string, unknown]>([
    ["wrong key", 401, "not valid", keys.wrong],
    ["no such model", 404, "No channel offers the model", undefined],
  ])("%s", async (_, status, sentence, key) => {
    const answer = await sendRaw(
      stage.server.url + PATHS.chat,
      { authorization: `Bearer ${key ?? exact.key}`, "accept-language": "en-GB,en;q=0.8" },
      smallRequest("no-such-model"),
    );
    expect(expectRefusal("chat", answer, status).message).toContain(sentence);
  });
});

describe("after all of that", () => {
  it("a request that needs the whole balance is served", async () => {
    stage.upstream.script({});
    const answer = await sendAs("chat", exact.key, smallRequest(MODEL));
    expect(understand("chat", false, answer.text).text).not.toBe("");
    expect(await exact.figures()).toEqual({
      user: { quota: HOLD - 18, used: 18, requests: 1 },
      token: { remain: HOLD - 18, used: 18 },
    });
  });
});
