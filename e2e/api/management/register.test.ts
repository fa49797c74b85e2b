import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callApi, saveOptions, signIn, succeed } from "./client";
import { describeRows } from "./describe-rows";
import { type Mailbox, startMailbox } from "./mailbox";
import { type ManagementWorld, PASSWORD, startManagementWorld } from "./management-world";
import type { Row } from "./row-runner";

let world: ManagementWorld;
let mailbox: Mailbox;

const get = (path: string) => callApi(world.url, "GET", path);
const post = (path: string, body: unknown) => callApi(world.url, "POST", path, body);
const askCode = (email: string) => get(`/api/verification?email=${encodeURIComponent(email)}&turnstile=`);
const codeIn = (html: string): string => />([0-9a-f]{6})</.exec(html)?.[1] ?? "";

beforeAll(async () => {
  [world, mailbox] = await Promise.all([startManagementWorld(), startMailbox()]);
  world.secrets.push("mail-secret");
  await saveOptions(world.root, {
    SMTPServer: "127.0.0.1",
    SMTPPort: String(mailbox.port),
    SMTPAccount: "gate@example.com",
    SMTPToken: "mail-secret",
    SystemName: "Gate & <b>Co</b>",
  });
});

afterAll(async () => {
  await world?.stop();
  await mailbox?.close();
});

beforeEach(() => {
  mailbox.mails.length = 0;
});

const register = (body: Record<string, unknown>, says: string): Row => ({
  who: "guest",
  method: "POST",
  path: "/api/user/register?turnstile=",
  body: {
    username: "fresh",
    password: PASSWORD,
    password2: PASSWORD,
    email: "",
    verification_code: "",
    aff_code: null,
    ...body,
  },
  success: false,
  says,
});

describeRows("registering is refused", () => world, [
  register({ username: "" }, "用户名不能为空"),
  register({ username: "thirteen-long" }, "用户名最多 12 个字符"),
  register({ username: "a b" }, "空白或控制字符"),
  register({ username: "user" }, "用户名已被占用"),
  register({ username: null }, "无效的参数"),
  register({ username: 7 }, "无效的参数"),
  register({ username: "a\u0000" }, "无效的参数"),
  register({ password: "1234567" }, "密码长度"),
  register({ password: "x".repeat(21) }, "密码长度"),
  register({ password: null }, "无效的参数"),
  register({ email: 7 }, "无效的参数"),
  register({ aff_code: 7 }, "无效的参数"),
]);

const NO_ADDRESSES = [
  "",
  "nowhere",
  "a@b",
  "a b@example.com",
  "a@b@example.com",
  `${"x".repeat(60)}@example.com`,
];
const INJECTIONS = [
  "a@example.com,b@example.com",
  "a@example.com\r\nBcc: b@example.com",
  "<a@example.com>",
  '"a"@example.com;x',
];

describeRows(
  "no mail is sent",
  () => world,
  [...NO_ADDRESSES, ...INJECTIONS].flatMap((email): Row[] => [
    {
      who: "guest",
      method: "GET",
      path: `/api/verification?email=${encodeURIComponent(email)}`,
      success: false,
    },
    {
      who: "guest",
      method: "GET",
      path: `/api/reset_password?email=${encodeURIComponent(email)}`,
      success: false,
    },
  ]),
);

describe("registering", () => {
  it("makes an ordinary user that is not signed in, whatever else the body says", async () => {
    const answer = await post("/api/user/register/", {
      username: "plain",
      password: PASSWORD,
      password2: "different",
      email: "ignored@example.com",
      verification_code: "",
      aff_code: "",
      role: 100,
      quota: 1e9,
      group: "svip",
    });
    expect(answer.body).toEqual({ success: true, message: "" });
    expect(answer.headers.getSetCookie()).toEqual([]);
    const person = await signIn(world.url, "plain", PASSWORD);
    expect(await succeed(person.api("GET", "/api/user/self"))).toMatchObject({
      role: 1,
      status: 1,
      quota: 0,
      group: "default",
      email: "",
      display_name: "plain",
      inviter_id: 0,
    });
  });

  it("gives the grants of the options with their lines, and knows who invited", async () => {
    await saveOptions(world.root, { QuotaForNewUser: "1000", QuotaForInvitee: "200", QuotaForInviter: "30" });
    const affCode = await succeed<string>(world.user.api("GET", "/api/user/aff"));
    await succeed(post("/api/user/register", { username: "invited", password: PASSWORD, aff_code: affCode }));
    await succeed(
      post("/api/user/register", { username: "uninvited", password: PASSWORD, aff_code: "no-such-code" }),
    );
    await saveOptions(world.root, { QuotaForNewUser: "0", QuotaForInvitee: "0", QuotaForInviter: "0" });
    const invited = await signIn(world.url, "invited", PASSWORD);
    const uninvited = await signIn(world.url, "uninvited", PASSWORD);
    expect(await succeed(invited.api("GET", "/api/user/self"))).toMatchObject({
      quota: 1200,
      inviter_id: world.user.id,
    });
    expect(await succeed(uninvited.api("GET", "/api/user/self"))).toMatchObject({
      quota: 1000,
      inviter_id: 0,
    });
    expect(await succeed(world.user.api("GET", "/api/user/self"))).toMatchObject({ quota: 30 });
    const lines = async (who: typeof invited) =>
      (await succeed<{ content: string; type: number }[]>(who.api("GET", "/api/log/self"))).map(
        ({ type, content }) => `${type} ${content}`,
      );
    expect(await lines(invited)).toEqual([
      "4 使用邀请码赠送 ＄0.000400 额度",
      "4 新用户注册赠送 ＄0.002000 额度",
    ]);
    expect(await lines(world.user)).toEqual(["4 邀请用户赠送 ＄0.000060 额度"]);
  });

  it("of the same name at the same time succeeds once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post("/api/user/register", { username: "twin", password: PASSWORD })),
    );
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.message === "用户名已被占用")).toHaveLength(5);
  });

  it("can be switched off", async () => {
    await saveOptions(world.root, { PasswordRegisterEnabled: "false" });
    const off = await post("/api/user/register", { username: "late", password: PASSWORD });
    expect(off.body.message).toContain("管理员关闭了通过密码进行注册");
    await saveOptions(world.root, { RegisterEnabled: "false", PasswordRegisterEnabled: "true" });
    const closed = await post("/api/user/register", { username: "late", password: PASSWORD });
    expect(closed.body.message).toBe("管理员关闭了新用户注册");
    await saveOptions(world.root, { RegisterEnabled: "true" });
  });
});

describe("an e-mail code", () => {
  const enter = (username: string, email: string, code: string) =>
    post("/api/user/register", { username, password: PASSWORD, email, verification_code: code });

  it("arrives, opens the door once, and only for its address", async () => {
    await saveOptions(world.root, { EmailVerificationEnabled: "true" });
    expect((await enter("mail-1", "", "")).body.message).toContain("请输入邮箱地址和验证码");
    expect((await askCode("one@example.com")).body).toEqual({ success: true, message: "" });
    const [mail] = mailbox.mails;
    expect(mail).toMatchObject({
      to: ["one@example.com"],
      account: "gate@example.com",
      subject: "Gate & <b>Co</b>邮箱验证邮件",
    });
    expect(mail?.from).toContain("gate@example.com");
    expect(mail?.html).toContain("10 分钟");
    // The site's name is text in a mail, too.
    expect(mail?.html).not.toContain("<b>Co</b>");
    const code = codeIn(mail?.html ?? "");
    expect(code).toMatch(/^[0-9a-f]{6}$/);
    expect((await enter("mail-1", "two@example.com", code)).body.message).toBe("验证码错误或已过期");
    expect((await enter("mail-1", "one@example.com", code)).body.success).toBe(true);
    expect((await enter("mail-2", "one@example.com", code)).body.success).toBe(false);
    const person = await signIn(world.url, "mail-1", PASSWORD);
    expect(await succeed(person.api("GET", "/api/user/self"))).toMatchObject({ email: "one@example.com" });
    await saveOptions(world.root, { EmailVerificationEnabled: "false" });
  });

  it("is not sent to an address that has an account", async () => {
    // The answer does not tell; only the address's owner learns of it.
    expect((await askCode("one@example.com")).body).toEqual((await askCode("free@example.com")).body);
    const [owner, free] = mailbox.mails;
    expect([owner?.to, codeIn(owner?.html ?? "")]).toEqual([["one@example.com"], ""]);
    expect(codeIn(free?.html ?? "")).not.toBe("");
  });

  it("is for an address in any case, and the address is stored in one", async () => {
    await askCode("Cased@Example.com");
    const code = codeIn(mailbox.mails[0]?.html ?? "");
    const person = await world.newUser();
    await succeed(person.api("GET", `/api/oauth/email/bind?email=caseD@example.com&code=${code}`));
    expect(await succeed(person.api("GET", "/api/user/self"))).toMatchObject({ email: "cased@example.com" });
    mailbox.mails.length = 0;
    await askCode("CASED@example.com");
    expect([mailbox.mails[0]?.to, codeIn(mailbox.mails[0]?.html ?? "")]).toEqual([["cased@example.com"], ""]);
  });

  it("is void after five wrong attempts", async () => {
    await askCode("guess@example.com");
    const code = codeIn(mailbox.mails[0]?.html ?? "");
    const bind = (guess: string) =>
      world.user.api("GET", `/api/oauth/email/bind?email=guess@example.com&code=${guess}`);
    for (let i = 0; i < 5; i += 1) expect((await bind("000000")).body.message).toBe("验证码错误或已过期");
    expect((await bind(code)).body.message).toBe("验证码错误或已过期");
  });

  it("that could not be mailed does not exist", async () => {
    mailbox.isFull = true;
    const before = world.snapshot();
    const answer = await askCode("full@example.com");
    mailbox.isFull = false;
    expect(answer.body).toMatchObject({ success: false });
    // What the mail server says may name accounts: it is for the operator.
    expect(answer.text).not.toMatch(/full@|gate@|127\.0\.0\.1|Mailbox/);
    expect(world.snapshot()).toEqual(before);
  });

  it("is replaced by the next one", async () => {
    await askCode("twice@example.com");
    await askCode("twice@example.com");
    const [first, second] = mailbox.mails.map(({ html }) => codeIn(html));
    const bind = (code = "") =>
      world.other.api("GET", `/api/oauth/email/bind?email=twice@example.com&code=${code}`);
    expect((await bind(first)).body.success).toBe(false);
    expect((await bind(second)).body).toEqual({ success: true, message: "" });
    expect(await succeed(world.other.api("GET", "/api/user/self"))).toMatchObject({
      email: "twice@example.com",
    });
  });

  it("does not bind an address that was taken meanwhile", async () => {
    await askCode("raced@example.com");
    const code = codeIn(mailbox.mails[0]?.html ?? "");
    const winner = await world.newUser();
    await askCode("raced@example.com");
    const second = codeIn(mailbox.mails[1]?.html ?? "");
    await succeed(winner.api("GET", `/api/oauth/email/bind?email=raced@example.com&code=${second}`));
    const answer = await world.user.api("GET", `/api/oauth/email/bind?email=raced@example.com&code=${code}`);
    expect(answer.body.success).toBe(false);
    const owners = world.stored.all("SELECT id FROM users WHERE email = 'raced@example.com'");
    expect(owners).toHaveLength(1);
  });

  it("goes to the allowed domains only, when there is a list", async () => {
    await saveOptions(world.root, {
      EmailDomainWhitelist: "allowed.com, second.org",
      EmailDomainRestrictionEnabled: "true",
    });
    expect((await askCode("a@other.com")).body.message).toContain("邮箱域名白名单");
    expect((await askCode("a@notallowed.com")).body.message).toContain("邮箱域名白名单");
    expect((await askCode("a@allowed.com.evil.org")).body.message).toContain("邮箱域名白名单");
    expect((await askCode("a@ALLOWED.com")).body.success).toBe(true);
    expect((await askCode("a@second.org")).body.success).toBe(true);
    expect(mailbox.mails).toHaveLength(2);
    await saveOptions(world.root, { EmailDomainRestrictionEnabled: "false" });
  });
});

describe("a forgotten password", () => {
  const ask = (email: string) => get(`/api/reset_password?email=${encodeURIComponent(email)}&turnstile=`);
  const linkIn = (html: string): URL =>
    new URL((/href="([^"]*)"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&").replaceAll("&#38;", "&"));

  it("is reset for an address in another case, by a mail to the account's own", async () => {
    const person = await world.newUser();
    await askCode("other@example.com");
    const code = codeIn(mailbox.mails[0]?.html ?? "");
    await succeed(person.api("GET", `/api/oauth/email/bind?email=other@example.com&code=${code}`));
    mailbox.mails.length = 0;
    await ask("OTHER@example.com");
    const mail = await mailbox.first();
    expect(mail.to).toEqual(["other@example.com"]);
    const token = linkIn(mail.html).searchParams.get("token");
    mailbox.mails.length = 0;
    const password = await succeed<string>(post("/api/user/reset", { email: "Other@example.com", token }));
    expect(password).toMatch(/^[0-9A-Za-z]{12}$/);
    // The owner is told.
    await mailbox.first();
  });

  it("is replaced by a random one through a mailed link that works once", async () => {
    await saveOptions(world.root, { ServerAddress: "https://gate.example.com/" });
    const person = await signIn(world.url, "mail-1", PASSWORD);
    expect((await ask("one@example.com")).body).toEqual({ success: true, message: "" });
    const mail = await mailbox.first();
    expect(mail.subject).toBe("Gate & <b>Co</b>密码重置");
    const link = linkIn(mail.html);
    expect(link.origin + link.pathname).toBe("https://gate.example.com/user/reset");
    const email = link.searchParams.get("email");
    const token = link.searchParams.get("token");
    expect([email, token]).toEqual(["one@example.com", expect.stringMatching(/^[0-9a-f]{32}$/)]);
    // S17: a token cannot be guessed, and no number of wrong ones takes the right one away.
    for (let i = 0; i < 7; i += 1) {
      const wrong = await post("/api/user/reset", { email, token: `${i}`.repeat(32) });
      expect(wrong.body.message).toBe("重置链接非法或已过期");
    }
    mailbox.mails.length = 0;
    const accessToken = await succeed<string>(person.api("GET", "/api/user/token"));
    const password = await succeed<string>(post("/api/user/reset", { email, token }));
    // S9: the owner is told, and who found the access token has it no more.
    const notice = await mailbox.first();
    expect([notice.to, notice.subject]).toEqual([
      ["one@example.com"],
      "Gate & <b>Co</b>账户变更提醒 / Your account was changed",
    ]);
    const byToken = await callApi(world.url, "GET", "/api/user/self", undefined, { token: accessToken });
    expect(byToken.body.message).toContain("access token 无效");
    expect(password).toMatch(/^[0-9A-Za-z]{12}$/);
    expect((await post("/api/user/reset", { email, token })).body.message).toBe("重置链接非法或已过期");
    // Sessions of the old password have ended.
    expect((await person.api("GET", "/api/user/self")).status).toBe(401);
    await expect(signIn(world.url, "mail-1", PASSWORD)).rejects.toThrow();
    await signIn(world.url, "mail-1", password);
  });

  it("has a link that leads somewhere also before the server's address was saved", async () => {
    await saveOptions(world.root, { ServerAddress: "" });
    await succeed(ask("one@example.com"));
    const href = /href="([^"]*)"/.exec((await mailbox.first()).html)?.[1] ?? "";
    expect(href).toMatch(/^http:\/\/localhost:3000\/user\/reset\?/);
  });

  it("of an address without an account is answered alike, and nothing is sent", async () => {
    const unknown = await ask("unknown@example.com");
    const known = await ask("one@example.com");
    expect(unknown.body).toEqual(known.body);
    await mailbox.first();
    expect(mailbox.mails.map(({ to }) => to)).toEqual([["one@example.com"]]);
  });

  it("of an unknown and a known address is answered alike also while no mail can be sent", async () => {
    await saveOptions(world.root, { SMTPServer: "" });
    const [unknown, known] = [await ask("unknown@example.com"), await ask("one@example.com")];
    await saveOptions(world.root, { SMTPServer: "127.0.0.1" });
    expect(unknown.body).toEqual(known.body);
  });

  it("cannot be reset with an e-mail code", async () => {
    await askCode("mixed@example.com");
    const code = codeIn(mailbox.mails[0]?.html ?? "");
    const answer = await post("/api/user/reset", { email: "mixed@example.com", token: code });
    expect(answer.body.message).toBe("重置链接非法或已过期");
  });
});

describe("mail", () => {
  it("says that no server is configured", async () => {
    await saveOptions(world.root, { SMTPServer: "" });
    expect((await askCode("nobody@example.com")).body.message).toBe("SMTP 服务器未配置");
    await saveOptions(world.root, { SMTPServer: "127.0.0.1" });
  });

  it("is not sent, nor is the password, to a server without a trusted certificate", async () => {
    const impostor = await startMailbox(true);
    await saveOptions(world.root, { SMTPPort: String(impostor.port) });
    const answer = await askCode("nobody@example.com");
    await saveOptions(world.root, { SMTPPort: String(mailbox.port) });
    await impostor.close();
    expect(answer.body).toEqual({ success: false, message: "邮件发送失败，请稍后重试或联系管理员" });
    expect([impostor.mails, impostor.passwords]).toEqual([[], []]);
  });

  it("keeps the mail server's words about a wrong password to the operator", async () => {
    await saveOptions(world.root, { SMTPToken: "wrong-secret" });
    const answer = await askCode("nobody@example.com");
    expect(answer.body.message).toBe("邮件发送失败，请稍后重试或联系管理员");
    expect(answer.text).not.toMatch(/wrong-secret|gate@example/);
    await saveOptions(world.root, { SMTPToken: "mail-secret" });
  });
});
