import { createHmac } from "node:crypto";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeReceiver, startFakeReceiver } from "@tollgate/testkit/fake-receiver";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callApi, saveOptions, signIn, succeed } from "./client";
import { type Mailbox, startMailbox } from "./mailbox";
import { type ManagementWorld, startManagementWorld } from "./management-world";

let world: ManagementWorld;
let mailbox: Mailbox;
let upstream: FakeUpstream;
let receiver: FakeReceiver;

const bindEmail = async (person: ManagementWorld["root"], email: string): Promise<void> => {
  await succeed(callApi(world.url, "GET", `/api/verification?email=${email}`));
  const code = />([0-9a-f]{6})</.exec((await mailbox.first()).html)?.[1];
  await succeed(person.api("GET", `/api/oauth/email/bind?email=${email}&code=${code}`));
  mailbox.mails.length = 0;
};

const ask = (key: string) =>
  callApi(
    world.url,
    "POST",
    "/v1/chat/completions",
    { model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }], max_tokens: 5 },
    { token: `Bearer sk-${key}` },
  );

beforeAll(async () => {
  [world, mailbox, upstream, receiver] = await Promise.all([
    startManagementWorld(),
    startMailbox(),
    startFakeUpstream(),
    startFakeReceiver(),
  ]);
  world.secrets.push("mail-secret", "hook-secret-1", "robot-key-693a91f6", "bark-device-key");
  await saveOptions(world.root, {
    SMTPServer: "127.0.0.1",
    SMTPPort: String(mailbox.port),
    SMTPAccount: "gate@example.com",
    SMTPToken: "mail-secret",
    ServerAddress: "https://gate.example.com",
  });
});

afterAll(async () => {
  await world?.stop();
  await mailbox?.close();
  await upstream?.close();
  await receiver?.close();
});

beforeEach(() => {
  mailbox.mails.length = 0;
  upstream.reset();
});

describe("a mail by itself", () => {
  it("tells a user once that the balance is low", async () => {
    const person = await world.newUser({ quota: 1010 });
    await bindEmail(person, "low@example.com");
    await addChannel(world.root, { base_url: upstream.url, models: "gpt-3.5-turbo" });
    const { key } = await addApiKey(person, { unlimited_quota: true });
    expect((await ask(key)).status).toBe(200);
    const mail = await mailbox.first();
    expect([mail.to, mail.subject]).toEqual([["low@example.com"], "你的额度即将用尽"]);
    expect(mail.html).toContain("992");
    expect(mail.html).toContain("https://gate.example.com/topup");
    expect((await ask(key)).status).toBe(200);
    expect(mailbox.mails).toHaveLength(1);
  });

  it("tells the owner at the former address that password or address changed (S9)", async () => {
    const person = await world.newUser();
    await bindEmail(person, "owner@example.com");
    await succeed(person.api("PUT", "/api/user/self", { password: "password-2" }));
    const aboutPassword = await mailbox.first();
    expect(aboutPassword.to).toEqual(["owner@example.com"]);
    expect(aboutPassword.html).toContain("密码已修改");
    expect(aboutPassword.html).toContain("its password was changed");
    mailbox.mails.length = 0;
    await succeed(world.root.api("PUT", "/api/user/", { id: person.id, password: "password-3" }));
    expect((await mailbox.first()).to).toEqual(["owner@example.com"]);
    mailbox.mails.length = 0;
    const again = await signIn(world.url, person.username, "password-3");
    await succeed(callApi(world.url, "GET", "/api/verification?email=second@example.com"));
    const code = />([0-9a-f]{6})</.exec((await mailbox.first()).html)?.[1];
    mailbox.mails.length = 0;
    await succeed(again.api("GET", `/api/oauth/email/bind?email=second@example.com&code=${code}`));
    const aboutAddress = await mailbox.first();
    expect(aboutAddress.to).toEqual(["owner@example.com"]);
    expect(aboutAddress.html).toContain("绑定的邮箱地址已更换");
    expect(aboutAddress.html).not.toContain("second@example.com");
  });

  it("tells root that a channel was switched off because its key is dead", async () => {
    await bindEmail(world.root, "root@example.com");
    await saveOptions(world.root, { AutomaticDisableChannelEnabled: "true" });
    const person = await world.newUser({ quota: 1_000_000 });
    const { key } = await addApiKey(person, { unlimited_quota: true });
    upstream.script({ fault: "401" });
    expect((await ask(key)).status).toBe(503);
    const mail = await mailbox.first();
    expect(mail.to).toEqual(["root@example.com"]);
    expect(mail.subject).toMatch(/^通道「.+」（#\d+）已被禁用$/);
    const [channel] = await succeed<{ status: number }[]>(world.root.api("GET", "/api/channel/?p=0"));
    expect(channel?.status).toBe(3);
    // Switched off at once: the next request finds no channel.
    expect((await ask(key)).text).toContain("无可用渠道");
  });
});

interface Target {
  id: number;
  fields: Record<string, string>;
  secrets: string[];
}

describe("a target", () => {
  it("of the site receives events, signed, and no answer shows its secrets", async () => {
    const { root } = world;
    receiver.answer({ status: 204, body: "" });
    const body = {
      kind: "webhook",
      name: "ops",
      language: "en",
      events: ["user-created"],
      fields: { address: `${receiver.url}/hook`, secret: "hook-secret-1" },
    };
    const target = (await succeed(root.api("POST", "/api/notice/way", body))) as Target;
    expect([target.fields, target.secrets]).toEqual([{ address: `${receiver.url}/hook` }, ["secret"]]);
    const person = await world.newUser();
    await expect.poll(() => receiver.received.length).toBe(1);
    const [told] = receiver.received;
    const {
      "webhook-id": id,
      "webhook-timestamp": time,
      "webhook-signature": signature,
    } = told?.headers ?? {};
    const expected = createHmac("sha256", "hook-secret-1").update(`${id}.${time}.${told?.body}`);
    expect(signature).toBe(`v1,${expected.digest("base64")}`);
    expect(JSON.parse(told?.body ?? "")).toMatchObject({
      type: "user-created",
      data: { id: person.id, username: person.username },
    });
    const robot = {
      kind: "wecom",
      fields: { address: `${receiver.url}/send?key=robot-key-693a91f6` },
      events: [],
    };
    const { id: robotId } = (await succeed(root.api("POST", "/api/notice/way", robot))) as Target;
    receiver.answer({ body: '{"errcode":93000,"errmsg":"robot-key-693a91f6 is not valid"}' });
    expect(await succeed(root.api("POST", `/api/notice/way/${robotId}/test`))).toEqual({
      state: "failed",
      fault: "refused",
      status: 200,
      detail: "93000 *** is not valid",
    });
    // Each answer is looked through for the world's secrets.
    expect(await succeed<object[]>(root.api("GET", "/api/notice/way"))).toHaveLength(2);
    const lines = await succeed<{ event: string; state: string }[]>(root.api("GET", "/api/notice/log"));
    expect(lines.slice(0, 2).map(({ event, state }) => [event, state])).toEqual([
      ["test", "failed"],
      ["user-created", "sent"],
    ]);
    await succeed(root.api("GET", "/api/audit"));
    for (const each of [target.id, robotId]) await succeed(root.api("DELETE", `/api/notice/way/${each}`));
  });

  it("of a user leads to no address of this machine, and is the user's alone", async () => {
    receiver.received.length = 0;
    const [person, other] = [await world.newUser(), await world.newUser()];
    const body = { kind: "webhook", fields: { address: `${receiver.url}/hook` } };
    const { id } = (await succeed(person.api("POST", "/api/user/notice/way", body))) as Target;
    expect(await succeed(person.api("POST", `/api/user/notice/way/${id}/test`))).toMatchObject({
      state: "failed",
      fault: "unreachable",
    });
    expect(receiver.received).toEqual([]);
    for (const [method, path] of [
      ["POST", `/api/user/notice/way/${id}/test`],
      ["PUT", `/api/user/notice/way/${id}`],
      ["DELETE", `/api/user/notice/way/${id}`],
    ] as const)
      expect((await other.api(method, path, { kind: "webhook" })).body).toMatchObject({ success: false });
    expect(await succeed(other.api("GET", "/api/user/notice/log"))).toEqual([]);
    const moved = { kind: "bark", fields: { key: "bark-device-key" } };
    const { id: barkId } = (await succeed(person.api("POST", "/api/user/notice/way", moved))) as Target;
    const stolen = { kind: "bark", fields: { address: "https://elsewhere.example.com" } };
    expect((await person.api("PUT", `/api/user/notice/way/${barkId}`, stolen)).body.message).toContain(
      "重新填写",
    );
  });
});

describe("a soft budget", () => {
  it("tells its owner, and root of a group's, once each, and refuses nothing", async () => {
    const { root } = world;
    receiver.received.length = 0;
    receiver.answer({ status: 204, body: "" });
    const site = { kind: "webhook", events: ["group-budget"], fields: { address: `${receiver.url}/hook` } };
    const { id } = (await succeed(root.api("POST", "/api/notice/way", site))) as Target;
    const person = await world.newUser();
    await succeed(root.api("PUT", "/api/user/", { id: person.id, quota: 1_000_000 }));
    const own = {
      kind: "bark",
      events: ["budget-half", "budget-used-up"],
      fields: { key: "bark-device-key" },
    };
    await succeed(person.api("POST", "/api/user/notice/way", own));
    await addChannel(root, { base_url: upstream.url, models: "gpt-3.5-turbo" });
    const limits = { unlimited_quota: true, five_hour_quota: 1, soft_budgets: 1 };
    const key = await addApiKey(person, { name: "soft", ...limits });
    await saveOptions(root, { GroupLimits: '{"default":{"weekly_quota":1,"soft_budgets":1}}' });
    for (let i = 0; i < 3; i += 1) expect((await ask(key.key)).status).toBe(200);
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({
      type: "group-budget",
      data: { id: "default", limit: "weekly_quota", percent: 100, budget: 1 },
    });
    const told = await succeed<{ event: string }[]>(person.api("GET", "/api/user/notice/log"));
    expect(told.map(({ event }) => event)).toEqual(["budget-used-up"]);
    await saveOptions(root, { GroupLimits: "{}" });
    await succeed(root.api("DELETE", `/api/notice/way/${id}`));
  });
});
