import type { Receipt } from "@tollgate/contract/api/receipts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "./stage";

let stage: Stage;
let alice: Account;

beforeAll(async () => {
  stage = await startStage();
  alice = await stage.addAccount("alice", 5_000_000);
  await stage.setOption("FallbackModelRatio", "1");
  const models = "gpt-3.5-turbo,text-embedding-3-small,whisper-1,dall-e-2";
  await addChannel(stage.root, { base_url: stage.upstream.url, models });
  await addChannel(stage.root, { base_url: stage.upstream.url, models: "secret-model", group: "vip" });
});

afterAll(() => stage.close());

beforeEach(() => stage.upstream.reset());

const setKey = (aliases: object, more: Record<string, unknown> = {}) =>
  alice.owner.data("PUT", "/api/token/", { id: alice.id, model_aliases: JSON.stringify(aliases), ...more });

const setSelf = (aliases: object) =>
  alice.owner.data("PUT", "/api/user/self", { model_aliases: JSON.stringify(aliases) });

const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${stage.server.url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${alice.key}`,
      ...(body instanceof FormData ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
  return {
    status: response.status,
    id: response.headers.get("x-request-id") ?? "",
    text: await response.text(),
  };
};

const read = async (path: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(`${stage.server.url}${path}`, {
    headers: { authorization: `Bearer ${alice.key}` },
  });
  return { status: response.status, text: await response.text() };
};

const messages = [{ role: "user", content: "hi" }];
const chat = (model: string) => send("/v1/chat/completions", { model, messages });

describe("an alias", () => {
  it("of a key works at every endpoint, also in an address and a form", async () => {
    await setKey({
      mine: "gpt-3.5-turbo",
      vectors: "text-embedding-3-small",
      ears: "whisper-1",
      "claude-*": "gpt-3.5-turbo",
    });
    const form = new FormData();
    form.set("model", "ears");
    form.set("file", new Blob([new Uint8Array(64)]), "a.wav");
    const answers = [
      await chat("mine"),
      await send("/v1/responses", { model: "mine", input: "hi" }),
      await send("/v1/completions", { model: "mine", prompt: "hi" }),
      await send("/v1/messages", { model: "claude-sonnet-4-5", max_tokens: 9, messages }),
      await send("/v1/messages/count_tokens", { model: "claude-sonnet-4-5", messages }),
      await send("/v1beta/models/mine:generateContent", {
        contents: [{ role: "user", parts: [{ text: "hi" }] }],
      }),
      await send("/v1/embeddings", { model: "vectors", input: "hi" }),
      await send("/v1/audio/transcriptions", form),
    ];
    expect(answers.map(({ status, text }) => (status === 200 ? "" : text))).toEqual(answers.map(() => ""));
    const sent = stage.upstream.requests
      .map(({ path, body }) => `${path} ${JSON.stringify(body)}`)
      .join("\n");
    expect(sent).not.toMatch(/mine|vectors|"ears"|claude/);
  });

  it("is on the receipt and the log line beside its model, whose price is charged", async () => {
    await setKey({ mine: "gpt-3.5-turbo" });
    const { id } = await chat("mine");
    await expect
      .poll(() =>
        alice.owner.data<Receipt>("GET", `/api/log/self/receipt?request_id=${id}`).catch(() => undefined),
      )
      .toMatchObject({ alias: "mine", model_name: "gpt-3.5-turbo", upstream_model: "gpt-3.5-turbo" });
    const [line] = await alice.usage();
    expect(line?.content).toContain("mine");
    expect(line?.model_name).toBe("gpt-3.5-turbo");
  });

  it("is listed with its model's facts, and can be retrieved", async () => {
    await setKey({ mine: "gpt-3.5-turbo", gone: "no-such-model", "claude-*": "gpt-3.5-turbo" });
    const listed = JSON.parse((await read("/v1/models")).text) as {
      data: { id: string; owned_by: string }[];
    };
    const ids = listed.data.map((model) => model.id);
    expect(ids).toContain("mine");
    expect(ids).not.toContain("gone");
    const own = listed.data.find((model) => model.id === "gpt-3.5-turbo");
    expect(listed.data.find((model) => model.id === "mine")).toEqual({ ...own, id: "mine", root: "mine" });
    expect(JSON.parse((await read("/v1/models/claude-opus-4-1")).text)).toMatchObject({
      id: "claude-opus-4-1",
    });
    expect((await read("/v1/models/gone")).status).toBe(404);
  });

  it("reaches no model that the key or its group may not use, and the refusal names both", async () => {
    await setKey({ mine: "gpt-3.5-turbo", hidden: "secret-model" }, { models: "mine" });
    const forbidden = await chat("mine");
    expect(forbidden.status).toBe(403);
    expect(forbidden.text).toMatch(/gpt-3\.5-turbo.*mine/);
    await setKey({ hidden: "secret-model" }, { models: "" });
    const unknown = await chat("hidden");
    expect(unknown.status).toBe(404);
    expect(unknown.text).toMatch(/secret-model.*hidden/);
    expect(stage.upstream.requests).toEqual([]);
  });

  it("of a user applies to all keys, unless the key has its own", async () => {
    await setKey({});
    await setSelf({ mine: "no-such-model", other: "gpt-3.5-turbo" });
    expect((await chat("other")).status).toBe(200);
    expect((await chat("mine")).status).toBe(404);
    await setKey({ mine: "gpt-3.5-turbo" });
    expect((await chat("mine")).status).toBe(200);
    expect(await alice.owner.data("GET", "/api/user/self")).toMatchObject({
      model_aliases: '{"mine":"no-such-model","other":"gpt-3.5-turbo"}',
    });
    // Another edit of the account leaves them as they are.
    await alice.owner.data("PUT", "/api/user/self", { display_name: "Alice" });
    expect((await chat("other")).status).toBe(200);
    await alice.owner.data("PUT", "/api/user/self", { model_aliases: "" });
    expect((await chat("other")).status).toBe(404);
  });

  it("of a user may be set by an administrator, alone and for many users", async () => {
    await setKey({});
    const { id } = await alice.owner.data<{ id: number }>("GET", "/api/user/self");
    await stage.root.data("PUT", "/api/user/", { id, model_aliases: '{"given":"gpt-3.5-turbo"}' });
    expect((await chat("given")).status).toBe(200);
    // Another edit leaves them as they are.
    await stage.root.data("PUT", "/api/user/", { id, display_name: "Alice" });
    expect((await chat("given")).status).toBe(200);
    const many = (model_aliases: string) =>
      stage.root.api("POST", "/api/user/batch", { ids: [id], action: "edit", change: { model_aliases } });
    expect((await many('{"a":"b","b":"c"}')).body).toMatchObject({ success: false });
    expect((await many('{"all":"gpt-3.5-turbo"}')).body).toMatchObject({ data: { done: 1, failed: [] } });
    expect([(await chat("given")).status, (await chat("all")).status]).toEqual([404, 200]);
    expect((await many("")).body).toMatchObject({ data: { done: 1, failed: [] } });
    expect((await chat("all")).status).toBe(404);
    const audit = await stage.root.data<{ detail: string }[]>("GET", `/api/audit?target=${id}`);
    expect(audit.map(({ detail }) => JSON.parse(detail).model_aliases)).toEqual(
      expect.arrayContaining(["", '{"all":"gpt-3.5-turbo"}', '{"given":"gpt-3.5-turbo"}']),
    );
  });

  it("may lead to a name with an effort, as clients of new-api use them", async () => {
    await addChannel(stage.root, { base_url: stage.upstream.url, models: "gpt-5" });
    await setKey({ "claude-*": "gpt-5-high" });
    for (const model of ["gpt-5-low", "claude-opus-4-1"]) expect((await chat(model)).status).toBe(200);
    expect(stage.upstream.requests.map(({ body }) => body)).toMatchObject([
      { model: "gpt-5", reasoning_effort: "low" },
      { model: "gpt-5", reasoning_effort: "high" },
    ]);
    await stage.setOption("EffortNames", "false");
    expect((await chat("gpt-5-low")).status).toBe(404);
    await stage.setOption("EffortNames", "true");
  });

  it.each([
    [{ a: "b", b: "c" }, /a.*b/],
    [{ "": "m" }, /1/],
    [{ a: 1 }, /a/],
  ])("is refused at its field: %j", async (aliases, message) => {
    const body = { id: alice.id, model_aliases: JSON.stringify(aliases) };
    for (const path of ["/api/token/", "/api/user/self"])
      expect(await alice.owner.api("PUT", path, body)).toMatchObject({
        body: { success: false, field: "model_aliases", message: expect.stringMatching(message) },
      });
  });
});
