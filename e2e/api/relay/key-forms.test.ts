import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, addKey, type Stage, startStage } from "./stage";
import { PATHS, type RawAnswer, readError, sendRaw, smallRequest, understand } from "./wire";

const MODEL = "gpt-3.5-turbo";

let stage: Stage;
let account: Account;
/** A key of the administrator. */
let adminKey: string;
const channels = { first: 0, second: 0, disabled: 0 };

beforeAll(async () => {
  stage = await startStage();
  const { root } = stage;
  const base_url = stage.upstream.url;
  channels.first = await addChannel(root, { base_url, models: MODEL, priority: 10 });
  channels.second = await addChannel(root, { base_url, models: MODEL, key: "second-key" });
  channels.disabled = await addChannel(root, { base_url, models: MODEL });
  await root.data("PUT", "/api/channel/", { id: channels.disabled, status: 2 });
  account = await stage.addAccount("alice", 1_000_000);
  adminKey = (await addKey(root, { remain_quota: 1_000_000 })).key;
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(() => stage.upstream.reset());

const ask = (headers: Record<string, string>, path: string = PATHS.chat): Promise<RawAnswer> =>
  sendRaw(stage.server.url + path, headers, smallRequest(MODEL));

/** "sk-…" without its beginning. */
const bare = (key: string): string => key.slice(3);

describe("a key in the Authorization header", () => {
  it.each<[string, (key: string) => string]>([
    ["Bearer sk-KEY", (key) => `Bearer ${key}`],
    ["Bearer KEY", (key) => `Bearer ${bare(key)}`],
    ["sk-KEY", (key) => key],
    ["KEY", (key) => bare(key)],
    ["bearer sk-KEY", (key) => `bearer ${key}`],
    ["BEARER KEY", (key) => `BEARER ${bare(key)}`],
  ])("%s is accepted", async (_, form) => {
    const before = await account.figures();
    for (const path of [PATHS.chat, PATHS.messages]) {
      const answer = await ask({ authorization: form(account.key) }, path);
      expect(answer.status, answer.text).toBe(200);
    }
    const models = await sendRaw(
      `${stage.server.url}/v1/models`,
      { authorization: form(account.key) },
      undefined,
      "GET",
    );
    expect(models.status).toBe(200);
    expect((await account.figures()).token.used - before.token.used).toBe(36);
  });

  it.each<[string, (key: string) => string, string]>([
    ["nothing", () => "", "未提供令牌"],
    // HTTP drops the blank behind the word, so that the word itself is all there is.
    ["only Bearer", () => "Bearer ", "无效的令牌"],
    ["only sk-", () => "Bearer sk-", "未提供令牌"],
    ["a part of the key", (key) => `Bearer ${key.slice(0, -1)}`, "无效的令牌"],
    ["more than the key", (key) => `Bearer ${key}x`, "无效的令牌"],
    ["another case", (key) => `Bearer sk-${bare(key).toLowerCase()}`, "无效的令牌"],
    ["another scheme", (key) => `Basic ${key}`, "无效的令牌"],
  ])("%s is refused", async (_, form, sentence) => {
    const answer = await ask({ authorization: form(account.key) });
    expect(answer.status).toBe(401);
    expect(readError("chat", JSON.parse(answer.text)).message).toContain(sentence);
    expect(stage.upstream.requests).toHaveLength(0);
  });

  it("of a user is no session of the management API", async () => {
    const answer = await fetch(`${stage.server.url}/api/user/self`, {
      headers: { authorization: `Bearer ${account.key}` },
    });
    expect(await answer.json()).toMatchObject({ success: false });
  });
});

describe("a key in the x-api-key header", () => {
  it.each<[string, (key: string) => string]>([
    ["sk-KEY", (key) => key],
    ["KEY", (key) => bare(key)],
  ])("%s is accepted", async (_, form) => {
    for (const path of [PATHS.chat, PATHS.messages]) {
      const answer = await ask({ "x-api-key": form(account.key) }, path);
      expect(answer.status, answer.text).toBe(200);
    }
  });

  it("that is wrong is refused in the shape of a Messages client", async () => {
    const answer = await ask({ "x-api-key": "sk-wrong" }, PATHS.messages);
    expect(answer.status).toBe(401);
    expect(readError("messages", JSON.parse(answer.text)).type).toBe("authentication_error");
  });
});

describe("the request to the upstream", () => {
  it.each([PATHS.chat, PATHS.messages])("never holds the client's key (%s)", async (path) => {
    await ask({ authorization: `Bearer ${account.key}`, "x-api-key": account.key, cookie: "a=b" }, path);
    const [request] = stage.upstream.requests;
    expect(request?.headers.authorization).toBe("Bearer upstream-key");
    expect(JSON.stringify(request?.headers)).not.toContain(bare(account.key));
    expect(request?.headers.cookie).toBeUndefined();
    expect(request?.rawBody.toString()).not.toContain(bare(account.key));
  });
});

describe("a key with a channel", () => {
  it.each<[string, (key: string, channel: number) => string]>([
    ["Bearer sk-KEY-CHANNEL", (key, channel) => `Bearer ${key}-${channel}`],
    ["Bearer KEY-CHANNEL", (key, channel) => `Bearer ${bare(key)}-${channel}`],
    ["sk-KEY-CHANNEL", (key, channel) => `${key}-${channel}`],
    ["KEY-CHANNEL", (key, channel) => `${bare(key)}-${channel}`],
    ["KEY-CHANNEL-anything", (key, channel) => `${bare(key)}-${channel}-anything`],
  ])("%s goes to that channel for an administrator", async (_, form) => {
    const answer = await ask({ authorization: form(adminKey, channels.second) });
    expect(understand("chat", false, answer.text).text).not.toBe("");
    expect(stage.upstream.requests[0]?.headers.authorization).toBe("Bearer second-key");
  });

  it("goes to that channel from x-api-key too", async () => {
    const answer = await ask({ "x-api-key": `${adminKey}-${channels.second}` }, PATHS.messages);
    expect(answer.status).toBe(200);
    expect(stage.upstream.requests[0]?.headers.authorization).toBe("Bearer second-key");
  });

  it.each([
    ["no number", "abc", 400, "无效的渠道 Id"],
    ["nobody's", "999999", 400, "无效的渠道 Id"],
    ["zero", "0", 400, "无效的渠道 Id"],
    ["too long", "9".repeat(40), 400, "无效的渠道 Id"],
  ])("whose id is %s is refused", async (_, id, status, sentence) => {
    const answer = await ask({ authorization: `Bearer ${adminKey}-${id}` });
    expect(answer.status).toBe(status);
    expect(readError("chat", JSON.parse(answer.text)).message).toContain(sentence);
  });

  it("that is disabled is refused", async () => {
    const answer = await ask({ authorization: `Bearer ${adminKey}-${channels.disabled}` });
    expect(answer.status).toBe(403);
    expect(readError("chat", JSON.parse(answer.text)).message).toContain("该渠道已被禁用");
  });

  it("is refused for an ordinary user, whatever the channel", async () => {
    for (const id of [channels.first, channels.second, channels.disabled, 999_999]) {
      const answer = await ask({ authorization: `Bearer ${account.key}-${id}` });
      expect(answer.status).toBe(403);
      expect(readError("chat", JSON.parse(answer.text)).message).toContain("普通用户不支持指定渠道");
    }
    expect(stage.upstream.requests).toHaveLength(0);
  });

  it("is not replaced by another channel when it fails", async () => {
    await stage.setOption("RetryTimes", "3");
    stage.upstream.script({ fault: "500" }, {});
    const answer = await ask({ authorization: `Bearer ${adminKey}-${channels.second}` });
    await stage.setOption("RetryTimes", "0");
    expect(answer.status).toBe(502);
    expect(stage.upstream.requests).toHaveLength(1);
  });
});

describe("a page of another origin", () => {
  const ORIGIN = "https://chat.example.com";

  it.each([PATHS.chat, PATHS.messages, "/v1/models"])("may ask for %s", async (path) => {
    const preflight = await fetch(stage.server.url + path, {
      method: "OPTIONS",
      headers: {
        origin: ORIGIN,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("*");
    expect(preflight.headers.get("access-control-max-age")).toBe("43200");
  });

  it("reads answers, streams and refusals", async () => {
    const url = stage.server.url + PATHS.chat;
    const headers = { authorization: `Bearer ${account.key}`, origin: ORIGIN };
    const answers = [
      await sendRaw(url, headers, smallRequest(MODEL)),
      await sendRaw(url, headers, smallRequest(MODEL, { stream: true })),
      await sendRaw(url, { origin: ORIGIN }, smallRequest(MODEL)),
      await sendRaw(url, headers, "{"),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 401, 400]);
    for (const answer of answers) expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("cannot use the management API", async () => {
    const answer = await fetch(`${stage.server.url}/api/status`, { headers: { origin: ORIGIN } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a path with and without a slash at its end", () => {
  it.each([PATHS.chat, `${PATHS.chat}/`])("%s answers", async (path) => {
    expect((await ask({ authorization: account.key }, path)).status).toBe(200);
  });

  it.each([PATHS.messages, `${PATHS.messages}/`])("%s answers", async (path) => {
    expect((await ask({ "x-api-key": account.key }, path)).status).toBe(200);
  });

  it.each([
    "/v1/models",
    "/v1/models/",
    `/v1/models/${MODEL}`,
    `/v1/models/${MODEL}/`,
    "/dashboard/billing/subscription",
    "/v1/dashboard/billing/usage",
  ])("GET %s answers", async (path) => {
    const answer = await sendRaw(stage.server.url + path, { authorization: account.key }, undefined, "GET");
    expect(answer.status, answer.text).toBe(200);
  });

  it("answers with a query too", async () => {
    expect((await ask({ authorization: account.key }, `${PATHS.chat}?beta=true`)).status).toBe(200);
  });
});
