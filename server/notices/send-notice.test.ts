import type { NoticeMessage } from "@tollgate/contract/notices/deliver";
import { postText } from "@tollgate/relay/transport/guarded-fetch";
import { type FakeReceiver, startFakeReceiver } from "@tollgate/testkit/fake-receiver";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SendingTarget, sendNotice } from "./send-notice";

let receiver: FakeReceiver;

beforeAll(async () => {
  receiver = await startFakeReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
});

const MESSAGE: NoticeMessage = {
  id: "msg_1",
  event: "test",
  phase: "test",
  title: "Test",
  text: "It works",
  link: "",
  site: "Gate",
  at: 1_700_000_000,
  params: {},
};

const send = (target: SendingTarget, reach: "guarded" | "public" = "guarded", timeoutMs = 5000) =>
  sendNotice(target, MESSAGE, reach, {
    mailer: {
      async send() {
        throw new Error("the mail server said: sk-mail-password");
      },
    },
    nowMs: () => 1_700_000_000_000,
    post: (url, request, bounds) => postText(url, request, { ...bounds, timeoutMs }),
  });

const webhook = (address = `${receiver.url}/hook`): SendingTarget => ({
  kind: "webhook",
  fields: { address, secret: "s3cret-of-hook" },
});
const KEY = "693a91f6-7aaa-4bc4-97a0-0ec2sifa5aaa";
const wecom = (): SendingTarget => ({
  kind: "wecom",
  fields: { address: `${receiver.url}/cgi-bin/webhook/send?key=${KEY}` },
});

describe("a receiver", () => {
  it("that takes it has it, and nothing of the target's secrets but the signature", async () => {
    receiver.answer({ status: 204, body: "" });
    expect(await send(webhook())).toEqual({
      fault: undefined,
      isWorthAnother: false,
      status: 204,
      detail: "",
    });
    expect(receiver.received).toHaveLength(1);
    expect(JSON.stringify(receiver.received)).not.toContain("s3cret-of-hook");
    expect(receiver.received[0]?.headers["webhook-signature"]).toMatch(/^v1,/);
  });

  it.each([
    ["says 500", { status: 500, body: "no" }, "status", true, 500],
    ["says 404", { status: 404, body: "no" }, "status", false, 404],
    ["says 429", { status: 429, body: "slower" }, "status", true, 429],
    ["drops the connection", "drops", "unreachable", true, 0],
    ["says nothing", "silent", "unreachable", true, 0],
    [
      "sends elsewhere",
      { status: 302, body: "", headers: { location: "http://169.254.169.254/latest/meta-data/" } },
      "status",
      false,
      302,
    ],
  ] as const)("that %s is noted so", async (_, answer, fault, isWorthAnother, status) => {
    receiver.answer(answer);
    const timeoutMs = answer === "silent" ? 300 : 5000;
    expect(await send(webhook(), "guarded", timeoutMs)).toEqual({
      fault,
      isWorthAnother,
      status,
      detail: "",
    });
    expect(receiver.received).toHaveLength(1);
  });

  it.each([
    ["HTML for JSON", { body: "<html>login</html>" }, "unreadable"],
    ["an empty success", { body: "" }, "unreadable"],
    ["another service's JSON", { body: '{"ok":true}' }, "unreadable"],
    ["JSON without an end", { body: "[".repeat(60_000) }, "unreadable"],
    ["an answer without an end", "endless", "unreadable"],
    ["a success that is none", { body: '{"errcode":93000,"errmsg":"invalid webhook url"}' }, "refused"],
    ["a success that asks to wait", { body: '{"errcode":45009,"errmsg":"freq"}' }, "later"],
  ] as const)("that gives %s is not believed", async (_, answer, fault) => {
    receiver.answer(answer);
    expect((await send(wecom(), "guarded", 2000)).fault).toBe(fault);
  });

  it("that repeats the target's key is cut and told without it", async () => {
    const errmsg = `key ${KEY} of ${receiver.url}/cgi-bin/webhook/send?key=${KEY}\n${"long ".repeat(200)}`;
    receiver.answer({ body: JSON.stringify({ errcode: 93000, errmsg }) });
    const { detail } = await send(wecom());
    expect(detail).toContain("93000 key *** of");
    expect(detail).not.toContain(KEY);
    expect(detail).not.toContain("\n");
    expect(detail.length).toBeLessThanOrEqual(200);
  });

  it("that says why with its status is heard", async () => {
    receiver.answer({ status: 400, body: '{"ok":false,"error_code":400,"description":"chat not found"}' });
    const telegram: SendingTarget = {
      kind: "telegram",
      fields: { token: "123:abcdefgh", chat: "1", address: `${receiver.url}/` },
    };
    expect(await send(telegram)).toEqual({
      fault: "refused",
      isWorthAnother: false,
      status: 400,
      detail: "400 chat not found",
    });
    expect(receiver.received[0]?.path).toBe("/bot123:abcdefgh/sendMessage");
  });
});

describe("an address", () => {
  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://metadata.google.internal/",
    "http://[::ffff:169.254.169.254]/",
  ])("of a metadata service is never called: %s", async (address) => {
    expect((await send(webhook(address))).fault).toBe("unreachable");
    expect((await send(webhook(address), "public")).fault).toBe("unreachable");
  });

  it.each(["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "2130706433", "0x7f.1"])(
    "that a user typed does not lead into this machine: %s",
    async (host) => {
      receiver.answer({ body: "{}" });
      const { port } = new URL(receiver.url);
      expect((await send(webhook(`http://${host}:${port}/hook`), "public")).fault).toBe("unreachable");
      expect(receiver.received).toEqual([]);
    },
  );

  it.each(["10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1"])(
    "that a user typed does not lead into a private network: %s",
    async (host) => {
      expect((await send(webhook(`http://${host}/`), "public")).fault).toBe("unreachable");
    },
  );
});

it("without a mailbox is not mailed, and a mail server's words stay with the operator", async () => {
  expect(await send({ kind: "email", fields: { to: "" } })).toMatchObject({ fault: "no-address" });
  expect(await send({ kind: "email", fields: { to: "a@b.test" } })).toEqual({
    fault: "mail-failed",
    isWorthAnother: true,
    status: 0,
    detail: "",
  });
});
