import type { BodyWire } from "@tollgate/contract/api/bodies";
import type { Translation } from "@tollgate/contract/api/translations";
import type { SignedIn } from "@tollgate/demo/api-client";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

let world: ManagementWorld;
let upstream: FakeUpstream;
let owner: Person;
let key: string;

const OVERRIDES = { system_prompt: { text: "Private words of the operator", mode: "prepend" } };

beforeAll(async () => {
  [world, upstream] = await Promise.all([startManagementWorld(), startFakeUpstream()]);
  await saveOptions(world.root, { BodyLogEnabled: "true", BodyMaxKilobytes: "4" });
  await addChannel(world.root, {
    ...{ type: 14, base_url: upstream.url, models: "claude-2" },
    overrides: JSON.stringify(OVERRIDES),
  });
  owner = await world.newUser({ quota: 100_000_000 });
  key = (await addApiKey(owner, { unlimited_quota: true })).key;
});

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
});

/** @returns the request's id. */
const ask = async (more: object = {}, path = "/v1/chat/completions"): Promise<string> => {
  const body = { model: "claude-2", messages: [{ role: "user", content: "Good morning" }], seed: 7, ...more };
  const response = await fetch(world.url + path, {
    method: "POST",
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify(body),
  });
  await response.text();
  const requestId = response.headers.get("x-oneapi-request-id") ?? "";
  await expect
    .poll(async () => (await owner.api("GET", `/api/log/self/receipt?request_id=${requestId}`)).body)
    .toMatchObject({ success: true });
  await expect
    .poll(async () => (await owner.api("GET", `/api/log/self/body?request_id=${requestId}`)).body)
    .toMatchObject({ success: true });
  return requestId;
};

const ownOf = (requestId: string, who: SignedIn = owner) =>
  who.api("GET", `/api/log/self/translation?request_id=${requestId}`);
const anyOf = (requestId: string, who: SignedIn) =>
  who.api("GET", `/api/log/translation?request_id=${requestId}`);

describe("what the translation changed", () => {
  it("is shown to root field by field, as the upstream had it, and is audited", async () => {
    const requestId = await ask();
    const { rows } = await succeed<Translation>(anyOf(requestId, world.root));
    expect(rows).toContainEqual(
      expect.objectContaining({ kind: "removed", from: "seed", before: "7", count: 1 }),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({ kind: "moved", from: "messages[0].content", after: '"Good morning"' }),
    );
    expect(JSON.stringify(rows)).toContain("Private words");
    const [line] = world.stored.all<{ target: string; username: string }>(
      "SELECT target, username FROM audit WHERE action = 'body.read' ORDER BY id DESC",
    );
    expect(line).toEqual({ target: requestId, username: "root" });
  });

  it("is shown to its owner without the site's additions, the upstream's names and its channel", async () => {
    const requestId = await ask();
    const { text } = await ownOf(requestId);
    const { rows } = await succeed<Translation>(ownOf(requestId));
    expect(rows).toContainEqual({ kind: "removed", from: "seed", before: "7", count: 1 });
    expect(
      rows.some(({ kind, to, after }) => kind === "added" || to !== undefined || after !== undefined),
    ).toBe(false);
    for (const secret of ["Private words", "system", "upstream", key]) expect(text).not.toContain(secret);
  });

  it("is closed to guests, other users and administrators, as the content is", async () => {
    const requestId = await ask();
    const other = await world.newUser();
    const admin = await world.newAdmin();
    for (const answer of [await ownOf(requestId, other), await ownOf(requestId, admin)])
      expect(answer.body).toMatchObject({ success: false, message: "记录不存在" });
    for (const who of [owner, other, admin]) expect((await anyOf(requestId, who)).body.success).toBe(false);
    const guest = await callApi(world.url, "GET", `/api/log/self/translation?request_id=${requestId}`);
    expect(guest.status).toBe(401);
  });

  it("sends nothing to the upstream", async () => {
    const requestId = await ask();
    upstream.reset();
    await succeed(anyOf(requestId, world.root));
    expect(upstream.requests).toEqual([]);
  });

  it("is not guessed from a part of the request", async () => {
    const requestId = await ask({ messages: [{ role: "user", content: "word ".repeat(2000) }] });
    expect(await succeed<Translation>(ownOf(requestId))).toMatchObject({ reason: "cut", rows: [] });
  });

  it("is found by the address, which is stored without the key", async () => {
    const requestId = await ask({ max_tokens: 5 }, `/v1/messages?key=sk-${key}`);
    const stored = await succeed<BodyWire>(owner.api("GET", `/api/log/self/body?request_id=${requestId}`));
    expect(stored.path).toBe("/v1/messages");
    expect((await succeed<Translation>(ownOf(requestId))).reason).toBeUndefined();
  });
});
