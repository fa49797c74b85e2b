import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeReceiver, startFakeReceiver } from "@tollgate/testkit/fake-receiver";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

interface ShownTicket {
  id: number;
  username: string;
  state: string;
  request_id: string;
  assignee_id: number;
  assignee_name: string;
  changed_time: number;
}

interface ShownPage extends ShownTicket {
  closes_time: number;
  entries: { kind: string; side: string; author_name: string; text: string }[];
}

let world: ManagementWorld;
let upstream: FakeUpstream;
let receiver: FakeReceiver;

beforeAll(async () => {
  [world, upstream, receiver] = await Promise.all([
    startManagementWorld(),
    startFakeUpstream(),
    startFakeReceiver(),
  ]);
  await saveOptions(world.root, { TicketsEnabled: "true", ServerAddress: "https://gate.example.com" });
});

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
  await receiver?.close();
});

const openTicket = (person: Pick<Person, "api">, more: object = {}) =>
  person.api("POST", "/api/ticket/self", {
    ...{ subject: "扣费有误", category: "billing", text: "扣了两次", ...more },
  });

const opened = async (person: Pick<Person, "api"> = world.user, more: object = {}): Promise<ShownTicket> =>
  succeed(openTicket(person, more));

const own = (person: Pick<Person, "api">, id: number): Promise<ShownPage> =>
  succeed(person.api("GET", `/api/ticket/self/${id}`));

const seen = (id: number, by: Pick<Person, "api"> = world.admin): Promise<ShownPage> =>
  succeed(by.api("GET", `/api/ticket/${id}`));

const answer = (id: number, body: object, by: Pick<Person, "api"> = world.admin) =>
  by.api("POST", `/api/ticket/${id}/messages`, body);

const refused = async (call: ReturnType<Person["api"]>) => {
  const { body } = await call;
  return { ...body, isRefused: !body.success };
};

const NOT_FOUND = { isRefused: true };

describe("a ticket", () => {
  it("is checked at its fields", async () => {
    for (const [more, field] of [
      [{ subject: " " }, "subject"],
      [{ subject: "a\nb" }, "subject"],
      [{ subject: "x".repeat(101) }, "subject"],
      [{ text: "" }, "text"],
      [{ text: "x".repeat(5001) }, "text"],
      [{ text: "a\u0007b" }, "text"],
      [{ category: "praise" }, "category"],
      [{ request_id: "unknown" }, "request_id"],
    ] as const)
      expect([more, await refused(openTicket(world.user, more))]).toMatchObject([
        more,
        { isRefused: true, field },
      ]);
    expect(await succeed(world.user.api("GET", "/api/ticket/self"))).toEqual([]);
  });

  it("goes to and fro between its user and an administrator, whose name the user does not see", async () => {
    const { id } = await opened();
    await succeed(answer(id, { text: "哪个请求？\n请附上编号。" }));
    const page = await own(world.user, id);
    expect(page).toMatchObject({ state: "waiting-for-customer", username: "user" });
    expect(page.closes_time).toBe(page.changed_time + 7 * 86_400);
    expect(page.entries).toMatchObject([
      { side: "customer", author_name: "user", text: "扣了两次" },
      { side: "support", author_name: "", text: "哪个请求？\n请附上编号。" },
    ]);
    expect((await seen(id)).entries[1]).toMatchObject({ author_name: "admin" });
    await succeed(world.user.api("POST", `/api/ticket/self/${id}/messages`, { text: "这个" }));
    expect(await seen(id)).toMatchObject({ state: "waiting-for-support", closes_time: 0 });
    await succeed(world.admin.api("POST", `/api/ticket/${id}/close`));
    expect(await refused(world.user.api("POST", `/api/ticket/self/${id}/close`))).toMatchObject({
      message: expect.stringContaining("已关闭"),
    });
    await succeed(world.user.api("POST", `/api/ticket/self/${id}/messages`, { text: "还没有解决" }));
    expect(await own(world.user, id)).toMatchObject({ state: "waiting-for-support" });
    await succeed(world.user.api("POST", `/api/ticket/self/${id}/close`));
  });

  it("has notes that no call shows to its user", async () => {
    const { id, changed_time: before } = await opened();
    await succeed(answer(id, { text: "secret-note-7", is_note: true }));
    await succeed(world.admin.api("POST", `/api/ticket/${id}/assign`, { is_mine: true }));
    expect(await seen(id)).toMatchObject({
      ...{ state: "waiting-for-support", changed_time: before, assignee_name: "admin" },
      entries: [{ kind: "message" }, { kind: "note", text: "secret-note-7" }],
    });
    const shown = [await own(world.user, id), await succeed(world.user.api("GET", "/api/ticket/self"))];
    expect(JSON.stringify(shown)).not.toMatch(/secret-note-7|"note"|"admin"/);
    expect(await own(world.user, id)).toMatchObject({ assignee_id: 0, message_count: 1 });
    const audit = await succeed<object[]>(world.root.api("GET", "/api/audit/?p=0"));
    expect(JSON.stringify(audit)).toContain("ticket.note");
    expect(JSON.stringify(audit)).not.toContain("secret-note-7");
    await succeed(world.admin.api("POST", `/api/ticket/${id}/assign`, { is_mine: false }));
    expect(await seen(id)).toMatchObject({ assignee_id: 0, assignee_name: "" });
    await succeed(world.user.api("POST", `/api/ticket/self/${id}/close`));
  });

  it("of another user is not found, and one of an administrator is root's", async () => {
    const { id } = await opened();
    const { other, admin, root } = world;
    for (const call of [
      other.api("GET", `/api/ticket/self/${id}`),
      other.api("POST", `/api/ticket/self/${id}/messages`, { text: "mine" }),
      other.api("POST", `/api/ticket/self/${id}/close`),
      admin.api("GET", `/api/ticket/self/${id}`),
    ])
      expect(await refused(call)).toMatchObject({ message: "记录不存在", ...NOT_FOUND });
    expect((await own(world.user, id)).entries).toHaveLength(1);
    const fellow = await world.newAdmin();
    const ofAdmin = await opened(fellow);
    for (const by of [admin, fellow])
      for (const call of [
        by.api("GET", `/api/ticket/${ofAdmin.id}`),
        answer(ofAdmin.id, { text: "mine" }, by),
        by.api("POST", `/api/ticket/${ofAdmin.id}/close`),
        by.api("POST", `/api/ticket/${ofAdmin.id}/assign`, { is_mine: true }),
      ])
        expect(await refused(call)).toMatchObject({ isRefused: true });
    const listed = async (by: Pick<Person, "api">) =>
      (await succeed<ShownTicket[]>(by.api("GET", `/api/ticket?user_id=${fellow.id}`))).map(
        (each) => each.id,
      );
    expect([await listed(admin), await listed(root)]).toEqual([[], [ofAdmin.id]]);
    await succeed(answer(ofAdmin.id, { text: "done" }, root));
    await succeed(world.user.api("POST", `/api/ticket/self/${id}/close`));
  });

  it("carries a receipt of its user's own request, which an administrator refunds", async () => {
    await addChannel(world.root, { base_url: upstream.url, models: "gpt-3.5-turbo" });
    const buyer = await world.newUser({ quota: 1_000_000 });
    const { key } = await addApiKey(buyer, { name: "k", unlimited_quota: true });
    const chat = { model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }], max_tokens: 5 };
    const token = `Bearer sk-${key}`;
    const { headers } = await callApi(world.url, "POST", "/v1/chat/completions", chat, { token });
    const requestId = headers.get("x-request-id") ?? "";
    const receiptOf = () => buyer.api("GET", `/api/log/self/receipt?request_id=${requestId}`);
    await expect.poll(async () => (await receiptOf()).body.success, { timeout: 10_000 }).toBe(true);
    expect(await refused(openTicket(world.user, { request_id: requestId }))).toMatchObject({
      ...{ isRefused: true, field: "request_id" },
    });
    const ticket = await opened(buyer, { request_id: requestId });
    expect(await seen(ticket.id)).toMatchObject({ request_id: requestId });
    const body = { request_id: requestId, reason: `#${ticket.id}` };
    await succeed(world.admin.api("POST", "/api/log/receipt/refund", body));
    const found = await succeed<ShownTicket[]>(world.admin.api("GET", `/api/ticket?keyword=${requestId}`));
    expect(found.map(({ id }) => id)).toEqual([ticket.id]);
  });

  it("is deleted with its user", async () => {
    const person = await world.newUser();
    const { id } = await opened(person);
    await succeed(
      world.root.api("POST", "/api/user/manage", { username: person.username, action: "delete" }),
    );
    expect(await refused(world.admin.api("GET", `/api/ticket/${id}`))).toMatchObject(NOT_FOUND);
    const list = await succeed<ShownTicket[]>(world.root.api("GET", `/api/ticket?user_id=${person.id}`));
    expect(list).toEqual([]);
  });
});

describe("limits", () => {
  it("bound the open tickets and the messages of a user, also of parallel calls", async () => {
    const person = await world.newUser();
    const outcomes = await Promise.all(Array.from({ length: 14 }, () => openTicket(person)));
    const tickets = outcomes.filter(({ body }) => body.success);
    expect(tickets).toHaveLength(10);
    const [{ id } = { id: 0 }] = await succeed<ShownTicket[]>(person.api("GET", "/api/ticket/self"));
    const replies = await Promise.all(
      Array.from({ length: 24 }, () => person.api("POST", `/api/ticket/self/${id}/messages`, { text: "x" })),
    );
    expect(replies.filter(({ body }) => body.success)).toHaveLength(20);
  });

  it("hold while tickets are off: open ones continue, and no new one is opened", async () => {
    const { id } = await opened(world.other);
    const { id: closed } = await opened(world.other);
    await succeed(world.other.api("POST", `/api/ticket/self/${closed}/close`));
    await saveOptions(world.root, { TicketsEnabled: "false" });
    const reply = (to: number) => world.other.api("POST", `/api/ticket/self/${to}/messages`, { text: "x" });
    expect(await refused(openTicket(world.other))).toMatchObject({ message: "本站未开放新工单！" });
    expect(await refused(reply(closed))).toMatchObject({ message: "本站未开放新工单！" });
    await succeed(reply(id));
    await succeed(answer(id, { text: "x" }));
    await saveOptions(world.root, { TicketsEnabled: "true" });
  });
});

describe("notices", () => {
  it("go to the site once per answer, and to the user, without the texts", async () => {
    const person = await world.newUser();
    const target = (events: string[], name: string) => ({
      ...{ kind: "webhook", name, is_enabled: true, language: "zh-CN", events },
      fields: { address: `${receiver.url}/${name}` },
    });
    await succeed(world.root.api("POST", "/api/notice/way", target(["ticket-waiting"], "site")));
    const { id } = await opened(person, { subject: "通知我" });
    const reply = () => person.api("POST", `/api/ticket/self/${id}/messages`, { text: "private-text" });
    await succeed(reply());
    await succeed(person.api("POST", `/api/ticket/self/${id}/close`));
    await succeed(reply());
    const sent = async () =>
      (await succeed<{ event: string; subject: string }[]>(world.root.api("GET", "/api/notice/log?p=0")))
        .filter(({ event, subject }) => event === "ticket-waiting" && subject.startsWith(`${id}:`))
        .map(({ subject }) => subject);
    await expect.poll(sent).toEqual([`${id}:0`]);
    await succeed(answer(id, { text: "private-text" }));
    await succeed(reply());
    await expect.poll(async () => (await sent()).length).toBe(2);
    await expect.poll(() => receiver.received.length).toBe(2);
    const texts = JSON.stringify(receiver.received);
    expect(texts).toContain(`https://gate.example.com/ticket/manage/${id}`);
    expect(texts).toContain("通知我");
    expect(texts).not.toContain("private-text");
  });
});
