import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { clipBytes, type DeliveryTools, type NoticeMessage } from "./deliver";
import { DELIVERIES } from "./deliveries";
import { eventsFor, NOTICE_EVENTS } from "./notice-events";
import { isSecretField, NOTICE_TARGET_NAMES, targetFieldsOf } from "./notice-targets";

const NOW = 1_700_000_000_123;

const tools: DeliveryTools = {
  nowMs: NOW,
  hmac: (key, text, form = "utf8") =>
    createHmac("sha256", Buffer.from(key, form)).update(text).digest("base64"),
};

const message = (more: Partial<NoticeMessage> = {}): NoticeMessage => ({
  id: "msg_1",
  event: "channel-disabled",
  phase: "opened",
  title: "Channel off",
  text: "It said: 401",
  link: "https://gate.example.com/channel/edit/7",
  site: "Gate",
  at: 1_699_999_000,
  params: { id: 7 },
  ...more,
});

/** Names that would do something in Markdown, HTML or as a mention. */
const HOSTILE = '**x** [y](https://evil.test) <at user_id="all">all</at> <b>&amp; <@all> `z` @everyone';

const send = (
  kind: keyof typeof DELIVERIES,
  fields: Record<string, string>,
  said: Partial<NoticeMessage> = {},
) => {
  const request = DELIVERIES[kind].request({ secret: "", ...fields }, message(said), tools);
  return { ...request, json: JSON.parse(request.body) };
};

describe("a webhook", () => {
  it("is signed over id, time and the bytes of the body, and names the event", () => {
    const { url, headers, body, json } = send("webhook", {
      address: "https://a.test/hook?x=1",
      secret: "s3cret",
    });
    const signature = createHmac("sha256", "s3cret").update(`msg_1.1700000000.${body}`).digest("base64");
    expect(url).toBe("https://a.test/hook?x=1");
    expect(headers).toEqual({
      "webhook-id": "msg_1",
      "webhook-timestamp": "1700000000",
      "webhook-signature": `v1,${signature}`,
    });
    expect(json).toEqual({
      type: "channel-disabled",
      timestamp: "2023-11-14T21:56:40.000Z",
      data: {
        title: "Channel off",
        text: "It said: 401",
        link: "https://gate.example.com/channel/edit/7",
        site: "Gate",
        id: 7,
      },
    });
    expect(send("webhook", { address: "https://a.test" }, { phase: "recovered" }).json.type).toBe(
      "channel-disabled.recovered",
    );
  });

  // https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/index.test.ts: the key is base64.
  it("takes secrets in the form of Standard Webhooks, and sends no signature without one", () => {
    const { headers, body } = send("webhook", {
      address: "https://a.test",
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    });
    const key = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
    const signature = createHmac("sha256", key).update(`msg_1.1700000000.${body}`).digest("base64");
    expect(headers?.["webhook-signature"]).toBe(`v1,${signature}`);
    expect(send("webhook", { address: "https://a.test" }).headers).not.toHaveProperty("webhook-signature");
  });
});

describe("requests", () => {
  it("to Telegram have the token in the path and no parse mode", () => {
    const { url, json } = send(
      "telegram",
      { token: "1:a", chat: "-5", address: "https://t.test" },
      { text: HOSTILE },
    );
    expect(url).toBe("https://t.test/bot1:a/sendMessage");
    expect(json).toEqual({
      chat_id: "-5",
      text: `Channel off\n${HOSTILE}\nhttps://gate.example.com/channel/edit/7`,
      link_preview_options: { is_disabled: true },
    });
  });

  it("to Bark and Gotify have plain texts", () => {
    expect(send("bark", { key: "k", address: "https://b.test" })).toMatchObject({
      url: "https://b.test/push",
      json: { device_key: "k", title: "Channel off", body: "It said: 401", group: "Gate" },
    });
    expect(send("gotify", { token: "t", address: "https://g.test" })).toMatchObject({
      url: "https://g.test/message",
      headers: { "x-gotify-key": "t" },
      json: { title: "Channel off", extras: { "client::display": { contentType: "text/plain" } } },
    });
  });

  it("to WeCom are texts of at most 2048 bytes in which nothing is a mention", () => {
    const { json } = send(
      "wecom",
      { address: "https://w.test/send?key=k" },
      { text: HOSTILE + "字".repeat(2000) },
    );
    expect(json.msgtype).toBe("text");
    expect(json.text.content).not.toMatch(/[<>]/);
    expect(Buffer.byteLength(json.text.content)).toBeLessThanOrEqual(2048);
  });

  it("to DingTalk are signed in their address, with milliseconds and the secret as the key", () => {
    const { url, json } = send("dingtalk", { address: "https://d.test/send?access_token=t", secret: "SECx" });
    const query = new URL(url).searchParams;
    expect(Object.fromEntries(query)).toEqual({
      access_token: "t",
      timestamp: String(NOW),
      sign: createHmac("sha256", "SECx").update(`${NOW}\nSECx`).digest("base64"),
    });
    expect(json).toMatchObject({ msgtype: "text", at: { isAtAll: false } });
    expect(send("dingtalk", { address: "https://d.test/send?access_token=t" }).url).toBe(
      "https://d.test/send?access_token=t",
    );
  });

  it("to Feishu are signed in their body, with seconds and the secret in the key, and have plain parts alone", () => {
    const { json } = send("feishu", { address: "https://f.test/hook/1", secret: "abc" }, { text: HOSTILE });
    expect(json).toMatchObject({
      timestamp: "1700000000",
      sign: createHmac("sha256", "1700000000\nabc").update("").digest("base64"),
      msg_type: "post",
    });
    expect(json.content.post.zh_cn.content).toEqual([
      [{ tag: "text", text: HOSTILE }],
      [{ tag: "text", text: "https://gate.example.com/channel/edit/7" }],
    ]);
    expect(send("feishu", { address: "https://f.test/hook/1" }).json).not.toHaveProperty("sign");
  });
});

describe("an answer", () => {
  it.each([
    ["telegram", { ok: true, result: {} }, "accepted"],
    ["telegram", { ok: false, error_code: 400, description: "chat not found" }, "refused"],
    ["telegram", { ok: false, error_code: 429 }, "later"],
    ["bark", { code: 200, message: "success" }, "accepted"],
    ["bark", { code: 400, message: "failed to get device token" }, "refused"],
    ["gotify", { id: 3, appid: 1 }, "accepted"],
    ["gotify", { error: "Unauthorized" }, undefined],
    ["wecom", { errcode: 0, errmsg: "ok" }, "accepted"],
    ["wecom", { errcode: 93000, errmsg: "invalid webhook url" }, "refused"],
    ["wecom", { errcode: 45009, errmsg: "api freq out of limit" }, "later"],
    ["dingtalk", { errcode: 0, errmsg: "ok" }, "accepted"],
    ["dingtalk", { errcode: 310000, errmsg: "sign not match" }, "refused"],
    ["dingtalk", { errcode: 130101, errmsg: "send too fast" }, "later"],
    ["feishu", { code: 0, msg: "success", data: {} }, "accepted"],
    ["feishu", { StatusCode: 0, StatusMessage: "success" }, "accepted"],
    ["feishu", { code: 19021, msg: "sign match fail or timestamp is not within one hour" }, "refused"],
    ["feishu", { code: 11232, msg: "frequency limited" }, "later"],
  ] as const)("of %s that is %j is %s", (kind, answer, expected) => {
    expect(DELIVERIES[kind].judge(answer)?.kind).toBe(expected);
  });

  it.each(Object.keys(DELIVERIES).filter((kind) => kind !== "webhook") as (keyof typeof DELIVERIES)[])(
    "of %s that is none of its own is not taken for one",
    (kind) => {
      for (const answer of [undefined, null, "ok", [], {}, { errcode: "0", code: "0", ok: "true", id: "1" }])
        expect(DELIVERIES[kind].judge(answer)).toBeUndefined();
    },
  );
});

describe("the declaration of events", () => {
  it("names each target once, and its secrets", () => {
    expect(new Set(NOTICE_TARGET_NAMES).size).toBe(NOTICE_TARGET_NAMES.length);
    expect(
      NOTICE_TARGET_NAMES.map((name) => [
        name,
        targetFieldsOf(name)
          .filter(([, field]) => isSecretField(field))
          .map(([field]) => field)
          .join(),
      ]),
    ).toEqual([
      ["email", ""],
      ["webhook", "secret"],
      ["telegram", "token"],
      ["bark", "key"],
      ["gotify", "token"],
      ["wecom", "address"],
      ["dingtalk", "address,secret"],
      ["feishu", "address,secret"],
    ]);
  });

  it("offers each event to the site or to a user", () => {
    const offered = new Set([...eventsFor("site"), ...eventsFor("user")]);
    expect(offered.size).toBe(Object.keys(NOTICE_EVENTS).length);
  });
});

it.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "…"],
  ["abcdef", 5, "ab…"],
  ["字字字", 9, "字字字"],
  ["字字字字", 9, "字字…"],
  ["😀😀", 7, "😀…"],
])("%s cut to %i bytes is %s", (text, bytes, expected) => {
  expect(clipBytes(text, bytes)).toBe(expected);
});
