import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BodyWire } from "@tollgate/contract/api/bodies";
import type { Receipt } from "@tollgate/contract/api/receipts";
import type { SignedIn } from "@tollgate/demo/api-client";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import Database from "libsql";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callApi, saveOptions, signIn, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

let world: ManagementWorld;
let upstream: FakeUpstream;
let owner: Person;
let key: string;

const MODELS = "gpt-3.5-turbo,tts-1,whisper-1";
const CHAT = { model: "gpt-3.5-turbo", messages: [{ role: "user", content: "the secret of 你好 & <b>" }] };

const keyOf = async (person: SignedIn): Promise<string> =>
  `sk-${(await addApiKey(person, { unlimited_quota: true })).key}`;

/** Sends a request of the owner's. @returns its id and the answer's text. */
const ask = async (path: string, body: unknown, url = world.url, token = key) => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
  return {
    requestId: response.headers.get("x-oneapi-request-id") ?? "",
    status: response.status,
    text: await response.text(),
  };
};

const own = (requestId: string, who: SignedIn = owner) =>
  who.api("GET", `/api/log/self/body?request_id=${requestId}`);
const anybodys = (requestId: string, who: SignedIn) =>
  who.api("GET", `/api/log/body?request_id=${requestId}`);
const storedOf = (requestId: string): Promise<BodyWire> => succeed<BodyWire>(own(requestId));

const auditLines = (): { action: string; target: string; username: string; detail: string }[] =>
  world.stored.all(
    "SELECT action, target, username, detail FROM audit WHERE action LIKE 'body.%' ORDER BY id",
  );

beforeAll(async () => {
  [world, upstream] = await Promise.all([startManagementWorld(), startFakeUpstream()]);
  await addChannel(world.root, { type: 1, base_url: upstream.url, models: MODELS });
  owner = await world.newUser({ quota: 100_000_000 });
  key = await keyOf(owner);
});

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
});

beforeEach(() => upstream.reset());

const bodyFile = (dataDir: string): string => join(dataDir, "bodies.sqlite");

describe("bodies, while the option is off", () => {
  it("are not stored: there is not even a file", async () => {
    const { requestId, status } = await ask("/v1/chat/completions", CHAT);
    expect(status).toBe(200);
    const receipt = await succeed<Receipt>(owner.api("GET", `/api/log/self/receipt?request_id=${requestId}`));
    expect(receipt.has_body).toBe(false);
    expect((await own(requestId)).body).toMatchObject({ success: false, message: "记录不存在" });
    expect(existsSync(bodyFile(world.server.dataDir))).toBe(false);
    const { data } = (await world.root.api("GET", "/api/status")).body;
    expect(data).not.toHaveProperty("body_log");
  });
});

describe("bodies, while the option is on", () => {
  beforeAll(() => saveOptions(world.root, { BodyLogEnabled: "true", BodyMaxKilobytes: "256" }));

  it("are announced as stored in the public status", async () => {
    const { data } = (await callApi(world.url, "GET", "/api/status")).body;
    expect(data).toMatchObject({ body_log: true });
    await saveOptions(world.root, { LogConsumeEnabled: "false" });
    expect((await callApi(world.url, "GET", "/api/status")).body.data).not.toHaveProperty("body_log");
    const { requestId } = await ask("/v1/chat/completions", CHAT);
    expect((await own(requestId)).body.success).toBe(false);
    await saveOptions(world.root, { LogConsumeEnabled: "true" });
  });

  it("are both sides of a chat, in the very bytes, and nothing of the key", async () => {
    const { requestId, text } = await ask("/v1/chat/completions", CHAT);
    const answer = await own(requestId);
    const body = answer.body.data as BodyWire;
    expect(body.request).toEqual({
      content_type: "application/json",
      size_bytes: Buffer.byteLength(JSON.stringify(CHAT)),
      text: JSON.stringify(CHAT),
      is_cut: false,
    });
    expect(body.answer).toMatchObject({ status: 200, content_type: "application/json", text, is_cut: false });
    expect(answer.text).not.toContain(key.slice(3));
    const receipt = await succeed<Receipt>(owner.api("GET", `/api/log/self/receipt?request_id=${requestId}`));
    expect(receipt.has_body).toBe(true);
    const file = readFileSync(`${bodyFile(world.server.dataDir)}-wal`);
    expect(file.includes("the secret of")).toBe(false);
  });

  it("are the events of a stream, as its client got them", async () => {
    const { requestId, text } = await ask("/v1/messages", { ...CHAT, max_tokens: 50, stream: true });
    expect(text).toContain("event: message_stop");
    const { answer } = await storedOf(requestId);
    expect(answer).toMatchObject({ status: 200, content_type: "text/event-stream", text });
  });

  it("are the growing array that a Gemini client gets", async () => {
    const { requestId, text } = await ask("/v1beta/models/gpt-3.5-turbo:streamGenerateContent", {
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
    });
    expect(JSON.parse(text)).toBeInstanceOf(Array);
    expect((await storedOf(requestId)).answer.text).toBe(text);
  });

  it("are the refusal, where the upstream failed", async () => {
    upstream.script({ fault: "500" });
    const { requestId, status, text } = await ask("/v1/chat/completions", CHAT);
    expect(status).toBeGreaterThanOrEqual(500);
    expect((await storedOf(requestId)).answer).toMatchObject({ status, text });
  });

  it("are cut where they are longer than is to be kept, and say so", async () => {
    await saveOptions(world.root, { BodyMaxKilobytes: "1" });
    upstream.script({ text: "好".repeat(2000) });
    const long = { ...CHAT, messages: [{ role: "user", content: "长".repeat(2000) }] };
    const { requestId, text } = await ask("/v1/chat/completions", long);
    await saveOptions(world.root, { BodyMaxKilobytes: "256" });
    const body = await storedOf(requestId);
    const whole = JSON.stringify(long);
    expect(body.request).toMatchObject({ size_bytes: Buffer.byteLength(whole), is_cut: true });
    expect(body.answer).toMatchObject({ size_bytes: Buffer.byteLength(text), is_cut: true });
    for (const [kept = "", all] of [
      [body.request.text, whole],
      [body.answer.text, text],
    ] as const) {
      // No more than a kilobyte, and no half character at its end.
      expect(all.startsWith(kept)).toBe(true);
      expect(1024 - Buffer.byteLength(kept)).toBeLessThan(3);
    }
  });

  it("are a type and a size where they are no text", async () => {
    const form = new FormData();
    form.set("model", "whisper-1");
    form.set("file", new Blob([new Uint8Array(3000)]), "words.wav");
    const transcript = await ask("/v1/audio/transcriptions", form);
    expect(transcript.status, transcript.text).toBe(200);
    const heard = await storedOf(transcript.requestId);
    expect(heard.request).toMatchObject({ content_type: "multipart/form-data", is_cut: false });
    expect(heard.request.size_bytes).toBeGreaterThan(3000);
    expect(heard.request).not.toHaveProperty("text");
    expect(heard.answer.text).toBe(transcript.text);

    const speech = await ask("/v1/audio/speech", { model: "tts-1", input: "Hello", voice: "alloy" });
    const spoken = await storedOf(speech.requestId);
    expect(spoken.request.text).toContain("Hello");
    expect(spoken.answer.content_type).toMatch(/^audio\//);
    expect(spoken.answer.size_bytes).toBeGreaterThan(0);
    expect(spoken.answer).not.toHaveProperty("text");
  });

  it("are their owner's: others do not see them, root does, and that is written down", async () => {
    const { requestId } = await ask("/v1/chat/completions", CHAT);
    for (const who of [world.other, world.admin, world.root]) {
      const { text, body } = await own(requestId, who);
      expect(body).toMatchObject({ success: false, message: "记录不存在" });
      expect(text).not.toContain("secret");
    }
    for (const who of [owner, world.admin]) {
      const { text, body } = await anybodys(requestId, who);
      expect(body).toMatchObject({ success: false, message: "无权进行此操作，权限不足" });
      expect(text).not.toContain("secret");
    }
    expect(auditLines()).toEqual([]);
    const read = await succeed<BodyWire>(anybodys(requestId, world.root));
    expect(read.request.text).toBe(JSON.stringify(CHAT));
    expect(auditLines()).toEqual([
      {
        action: "body.read",
        target: requestId,
        username: "root",
        detail: JSON.stringify({ user_id: owner.id }),
      },
    ]);
    await own(requestId);
    const rootsOwn = await ask("/v1/chat/completions", CHAT, world.url, await keyOf(world.root));
    await succeed(anybodys(rootsOwn.requestId, world.root));
    expect(auditLines()).toHaveLength(1);
  });

  it("are not opened by another site's page", async () => {
    const { requestId } = await ask("/v1/chat/completions", CHAT);
    const before = auditLines().length;
    const answer = await world.root.api("GET", `/api/log/body?request_id=${requestId}`, undefined, {
      headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    });
    expect(answer.status).toBe(403);
    expect(auditLines()).toHaveLength(before);
  });

  it("go with their owner, and only with theirs", async () => {
    const leaver = await world.newUser({ quota: 100_000_000 });
    const removed = await world.newUser({ quota: 100_000_000 });
    const stayed = await ask("/v1/chat/completions", CHAT);
    const left = await ask("/v1/chat/completions", CHAT, world.url, await keyOf(leaver));
    const gone = await ask("/v1/chat/completions", CHAT, world.url, await keyOf(removed));
    await succeed(anybodys(left.requestId, world.root));
    await succeed(leaver.api("DELETE", "/api/user/self"));
    await succeed(world.admin.api("DELETE", `/api/user/${removed.id}`));
    for (const { requestId } of [left, gone]) {
      expect((await anybodys(requestId, world.root)).body.success).toBe(false);
    }
    await storedOf(stayed.requestId);
  });

  it("stay when it is switched off, until root deletes all of them", async () => {
    const { requestId } = await ask("/v1/chat/completions", CHAT);
    await saveOptions(world.root, { BodyLogEnabled: "false" });
    const later = await ask("/v1/chat/completions", CHAT);
    expect((await own(later.requestId)).body.success).toBe(false);
    await storedOf(requestId);
    const count = await succeed<number>(world.root.api("DELETE", "/api/log/body"));
    expect(count).toBeGreaterThan(5);
    expect(auditLines().at(-1)).toMatchObject({ action: "body.clear", detail: JSON.stringify({ count }) });
    expect((await own(requestId)).body.success).toBe(false);
    await saveOptions(world.root, { BodyLogEnabled: "true" });
  });

  it("go with the lines of the log that are cleared", async () => {
    const { requestId } = await ask("/v1/chat/completions", CHAT);
    const past = Math.floor(Date.now() / 1000) - 3600;
    await succeed(world.admin.api("DELETE", `/api/log/?target_timestamp=${past}`));
    await storedOf(requestId);
    await succeed(world.admin.api("DELETE", `/api/log/?target_timestamp=${past + 7200}`));
    expect((await own(requestId)).body.success).toBe(false);
  });
});

describe("the store of bodies", () => {
  const dataDir = createDataDir();
  let server: ServerProcess;
  let root: SignedIn;
  let token: string;

  const start = async (): Promise<void> => {
    server = await startServer({ dataDir, env: { LOG_LEVEL: "error" } });
    root = await signIn(server.url, "root", "123456");
  };
  const isStored = async (requestId: string): Promise<boolean> =>
    (await own(requestId, root)).body.success === true;
  const chat = async (body: unknown = CHAT): Promise<string> =>
    (await ask("/v1/chat/completions", body, server.url, token)).requestId;

  beforeAll(async () => {
    await start();
    await addChannel(root, { type: 1, base_url: upstream.url, models: MODELS });
    await succeed(root.api("PUT", "/api/user/", { id: 1, quota: 100_000_000 }));
    token = await keyOf(root);
  });

  afterAll(() => server?.stop());

  it("outlives a restart, and goes after its days even where nothing more is stored", async () => {
    await saveOptions(root, { BodyLogEnabled: "true", BodyRetentionDays: "3" });
    const old = await chat();
    const young = await chat();
    await saveOptions(root, { BodyLogEnabled: "false" });
    await server.stop();
    const file = new Database(bodyFile(dataDir));
    file.prepare("UPDATE bodies SET created_at = created_at - ? WHERE request_id = ?").run(4 * 86_400, old);
    file.close();
    await start();
    await expect.poll(() => isStored(old)).toBe(false);
    expect(await isStored(young)).toBe(true);
  });

  it("has a bound: where there is more, the oldest go", async () => {
    await saveOptions(root, { BodyLogEnabled: "true", BodyStoreMegabytes: "1", BodyMaxKilobytes: "1024" });
    // Nothing that could be compressed much.
    const noise = (): string =>
      Array.from({ length: 50_000 }, () => Math.random().toString(36).slice(2, 10)).join("");
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.push(await chat({ ...CHAT, max_tokens: 5, messages: [{ role: "user", content: noise() }] }));
    }
    expect(await isStored(ids[0] ?? "")).toBe(false);
    expect(await isStored(ids[4] ?? "")).toBe(true);
  });

  it("takes no receipt away where it is damaged, and can be deleted", async () => {
    const requestId = await chat();
    await server.stop();
    const file = new Database(bodyFile(dataDir));
    file.exec("UPDATE bodies SET sealed = zeroblob(100)");
    file.close();
    await start();
    const receipt = await succeed<Receipt>(root.api("GET", `/api/log/self/receipt?request_id=${requestId}`));
    expect(receipt.has_body).toBe(true);
    expect((await own(requestId, root)).status).toBe(500);
    await succeed(root.api("DELETE", "/api/log/body"));
    const again = await chat();
    expect(await isStored(again)).toBe(true);
  });
});
