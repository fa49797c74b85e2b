import { addApiKey, addChannel, addUser, demand } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type FakeReceiver, startFakeReceiver } from "@tollgate/testkit/fake-receiver";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeStoredData } from "../api/management/database";
import { type Mailbox, startMailbox } from "../api/management/mailbox";
import type { Person } from "./gateway-stage";
import { enter, fieldOf, newVisit, watchCalls } from "./visitor";

/* A ticket from the receipt of a request until silence closes it, as its user and an administrator see it. */

let server: ServerProcess;
let upstream: FakeUpstream;
let receiver: FakeReceiver;
let mailbox: Mailbox;
let browser: Browser;
let carol: Person;
/** The windows of the user and of an administrator. */
let customer: Page;
let support: Page;
let requestId: string;

const SUBJECT = "同一个请求扣费两次";
const NOTE = "internal-note-7";
const ENV = { LOG_LEVEL: "error" };
const HOUR = 3600;
const DAY = 24 * HOUR;

const setOptions = async (options: Record<string, string>): Promise<void> => {
  const root = await server.signIn();
  for (const [key, value] of Object.entries(options))
    await demand(root.api("PUT", "/api/option/", { key, value }));
};

/** Gives carol an address, to which her notices are mailed. */
const bindMail = async (): Promise<void> => {
  await demand(server.api("GET", "/api/verification?email=carol@example.com"));
  const code = />([0-9a-f]{6})</.exec((await mailbox.first()).html)?.[1];
  await demand(carol.api("GET", `/api/oauth/email/bind?email=carol@example.com&code=${code}`));
  mailbox.mails.length = 0;
};

/** Sends a chat of carol's. @returns its id. */
const chat = async (): Promise<string> => {
  const { key } = await addApiKey(carol, { unlimited_quota: true });
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }] }),
  });
  await response.text();
  return response.headers.get("x-oneapi-request-id") ?? "";
};

const signInBoth = async (): Promise<void> => {
  await enter(customer, server.url, "carol", "password-1");
  await enter(support, server.url, "manager", "password-1");
};

beforeAll(async () => {
  [server, upstream, receiver, mailbox, browser] = await Promise.all([
    startServer({ env: ENV }),
    startFakeUpstream(),
    startFakeReceiver(),
    startMailbox(),
    launchBrowser(),
  ]);
  const root = await server.signIn();
  await addChannel(root, { base_url: upstream.url, models: "gpt-3.5-turbo" });
  carol = await addUser(root, server.signIn, "carol", { quota: 5_000_000 });
  await addUser(root, server.signIn, "dave");
  await addUser(root, server.signIn, "manager");
  await demand(root.api("POST", "/api/user/manage", { username: "manager", action: "promote" }));
  await setOptions({
    TicketsEnabled: "true",
    ServerAddress: "https://gate.example.com",
    SMTPServer: "127.0.0.1",
    SMTPPort: String(mailbox.port),
    SMTPAccount: "gate@example.com",
    SMTPToken: "mail-secret",
  });
  const target = { kind: "webhook", name: "site", is_enabled: true, language: "zh-CN" };
  const fields = { address: `${receiver.url}/site` };
  await demand(root.api("POST", "/api/notice/way", { ...target, events: ["ticket-waiting"], fields }));
  await bindMail();
  requestId = await chat();
  [customer, support] = await Promise.all([newVisit(browser), newVisit(browser)]);
  await signInBoth();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await mailbox?.close();
  await receiver?.close();
  await upstream?.close();
});

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const conversation = (page: Page): Locator => page.getByRole("list", { name: "对话" });
const mailed = (subject: string) =>
  expect.poll(() => mailbox.mails.map((mail) => mail.subject), { timeout: 20_000 }).toContain(subject);

describe("a ticket about a request", () => {
  it("begins at the line of the log or at its receipt, which is attached", async () => {
    await customer.goto(`${server.url}/log`);
    await customer.getByRole("link", { name: `报告请求 ${requestId} 的问题` }).click();
    await customer.waitForURL(`**/ticket/add?request=${requestId}`);
    await customer.goto(`${server.url}/log/receipt/${requestId}`);
    await customer.getByRole("link", { name: "报告问题" }).click();
    await customer.waitForURL(`**/ticket/add?request=${requestId}`);
    expect(await fieldOf(customer, "请求 ID").inputValue()).toBe(requestId);
    await fieldOf(customer, "标题").fill(SUBJECT);
    await fieldOf(customer, "内容").fill("请核对");
    await press(customer, "提交");
    await customer.waitForURL("**/ticket/1");
    await conversation(customer).getByText("请核对").waitFor();
    await customer.getByRole("link", { name: "查看回执" }).waitFor();
  });

  it("raises a notice for root and a matter in the cockpit, which leads to the list", async () => {
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(1);
    expect(receiver.received[0]?.body).toContain(`工单等待回复：${SUBJECT}`);
    await support.goto(`${server.url}/cockpit`);
    const matter = support.getByRole("listitem").filter({ hasText: "1 个工单等待回复" });
    await matter.getByText("carol").waitFor();
    await matter.getByRole("link", { name: "回复工单" }).click();
    await support.waitForURL(({ pathname }) => pathname === "/ticket/manage");
    await support.getByRole("row").filter({ hasText: SUBJECT }).getByText("等待管理员回复").waitFor();
    await support.getByRole("link", { name: SUBJECT }).click();
    await support.waitForURL("**/ticket/manage/1");
    await support.getByRole("link", { name: "查看回执" }).click();
    const receipt = support.getByRole("complementary", { name: "请求回执" });
    await receipt.getByText(requestId).first().waitFor();
    await receipt.getByRole("button", { name: "关闭" }).click();
  });

  it("gets a note that its user never sees, and an answer that is mailed to the user", async () => {
    const text = support.getByRole("textbox", { name: /回复用户|添加备注/ });
    await support.getByRole("switch", { name: /内部备注/ }).click();
    await text.fill(NOTE);
    await press(support, "添加备注");
    await conversation(support).getByText(NOTE).waitFor();
    await support.getByRole("switch", { name: /内部备注/ }).click();
    await text.fill("已核对：两次是两个请求。");
    await press(support, "回复用户");
    await conversation(support).getByText("已核对").waitFor();
    await mailed(`你的工单有新回复：${SUBJECT}`);
    expect(mailbox.mails).toHaveLength(1);
    expect(JSON.stringify(mailbox.mails)).not.toContain(NOTE);
    const answers: Promise<string>[] = [];
    customer.on("response", (response) => {
      if (response.url().includes("/api/ticket/")) answers.push(response.text().catch(() => ""));
    });
    await customer.goto(`${server.url}/ticket`);
    const row = customer.getByRole("row").filter({ hasText: SUBJECT });
    await row.getByText("等待你回复").waitFor();
    await row.getByRole("link", { name: SUBJECT }).click();
    await conversation(customer).getByText("已核对").waitFor();
    expect(await conversation(customer).getByRole("listitem").count()).toBe(2);
    const sent = (await Promise.all(answers)).join();
    expect(sent).toContain("已核对");
    expect(sent).not.toMatch(/internal-note-7|manager/);
  });

  it("is refused to another user, in the page and in the call", async () => {
    const other = await newVisit(browser);
    await enter(other, server.url, "dave", "password-1");
    const calls = watchCalls(other);
    for (const path of ["/ticket/1", "/ticket/2"]) {
      await other.goto(server.url + path);
      await other.locator("#content").getByText("记录不存在").waitFor();
      expect(await other.getByText(SUBJECT).count()).toBe(0);
      expect(await other.getByRole("textbox").count()).toBe(0);
    }
    expect(calls).toContain("GET /api/ticket/self/1");
    await other.context().close();
  });

  it("is closed after days of silence, which is mailed to its user, whose reply opens it again", async () => {
    const { dataDir } = server;
    await server.stop();
    changeStoredData(dataDir, "UPDATE tickets SET changed_at = changed_at - ?", 7 * DAY - HOUR);
    server = await startServer({ env: ENV, dataDir });
    await signInBoth();
    await customer.goto(`${server.url}/ticket/1`);
    await customer.getByText("等待你回复").waitFor();
    await server.stop();
    changeStoredData(dataDir, "UPDATE tickets SET changed_at = changed_at - ?", 2 * HOUR);
    server = await startServer({ env: ENV, dataDir });
    await signInBoth();
    await mailed(`你的工单已关闭：${SUBJECT}`);
    await customer.goto(`${server.url}/ticket/1`);
    await conversation(customer).getByText("长时间没有回复，工单自动关闭").waitFor();
    await customer.getByRole("textbox", { name: "回复" }).fill("还有一个问题");
    await press(customer, "发送");
    await conversation(customer).getByText("还有一个问题").waitFor();
    await support.goto(`${server.url}/ticket/manage/1`);
    await conversation(support).getByText("用户没有回复，工单自动关闭").waitFor();
    await conversation(support).getByText("还有一个问题").waitFor();
  });
});
