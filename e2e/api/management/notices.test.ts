import { addChannel, addToken } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callApi, saveOptions, signIn, succeed } from "./client";
import { type Mailbox, startMailbox } from "./mailbox";
import { type ManagementWorld, startManagementWorld } from "./management-world";

let world: ManagementWorld;
let mailbox: Mailbox;
let upstream: FakeUpstream;

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
  [world, mailbox, upstream] = await Promise.all([
    startManagementWorld(),
    startMailbox(),
    startFakeUpstream(),
  ]);
  world.secrets.push("mail-secret");
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
    const { key } = await addToken(person, { unlimited_quota: true });
    expect((await ask(key)).status).toBe(200);
    const mail = await mailbox.first();
    expect([mail.to, mail.subject]).toEqual([["low@example.com"], "您的额度即将用尽"]);
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
    const { key } = await addToken(person, { unlimited_quota: true });
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
