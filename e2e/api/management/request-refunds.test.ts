import type { Receipt } from "@tollgate/contract/api/receipts";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

let world: ManagementWorld;
let upstream: FakeUpstream;
let owner: Person;
let key: { id: number; key: string };

const BALANCE = 1_000_000;
const LIMIT = 500_000;

beforeAll(async () => {
  [world, upstream] = await Promise.all([startManagementWorld(), startFakeUpstream()]);
  await addChannel(world.root, { type: 1, base_url: upstream.url, models: "gpt-3.5-turbo" });
  owner = await world.newUser({ quota: BALANCE });
  key = await addApiKey(owner, { name: "limited", remain_quota: LIMIT });
});

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
});

/** Sends a request of the owner's. @returns its id. */
const ask = async (model = "gpt-3.5-turbo"): Promise<string> => {
  const response = await fetch(`${world.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer sk-${key.key}` },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "hello" }] }),
  });
  await response.text();
  return response.headers.get("x-oneapi-request-id") ?? "";
};

const refund = (requestId: string, more: object = {}) =>
  world.admin.api("POST", "/api/log/receipt/refund", {
    request_id: requestId,
    reason: "the answer was wrong",
    ...more,
  });

const receiptOf = (requestId: string, path = "/api/log/self/receipt", who: Pick<Person, "api"> = owner) =>
  succeed<Receipt>(who.api("GET", `${path}?request_id=${requestId}`));

interface Stand {
  quota: number;
  used_quota: number;
}

/** The user's and the key's figures, and the revenue of the user's requests. */
const stand = async () => {
  const user = await succeed<Stand>(owner.api("GET", "/api/user/self"));
  const token = await succeed<{ remain_quota: number; used_quota: number }>(
    owner.api("GET", `/api/token/${key.id}`),
  );
  const { total } = await succeed<{ total: { revenue: number; requests: number } }>(
    world.root.api("GET", `/api/profit?username=${owner.username}`),
  );
  return {
    balance: user.quota,
    used: user.used_quota,
    key: [token.remain_quota, token.used_quota],
    revenue: [total.revenue, total.requests],
  };
};

describe("the refund of a request", () => {
  it("returns a part of the charge once, and everything shows it", async () => {
    const requestId = await ask();
    const { quota: charged } = await receiptOf(requestId);
    expect(charged).toBeGreaterThan(1);
    const back = charged - 1;
    expect((await refund(requestId, { quota: charged + 1 })).body).toMatchObject({
      success: false,
      field: "quota",
    });
    const tried = await Promise.all([refund(requestId, { quota: back }), refund(requestId, { quota: back })]);
    expect(tried.map(({ body }) => body.success).sort()).toEqual([false, true]);
    expect((await refund(requestId)).body.message).toContain("admin");
    expect(await stand()).toEqual({
      balance: BALANCE - 1,
      used: 1,
      key: [LIMIT - 1, 1],
      revenue: [1, 1],
    });
    const own = await receiptOf(requestId);
    expect(own).toMatchObject({ quota: charged, refund: { quota: back, reason: "the answer was wrong" } });
    expect(own.refund).not.toHaveProperty("actor_name");
    const all = await receiptOf(requestId, "/api/log/receipt", world.admin);
    expect(all.refund).toMatchObject({ actor_name: "admin", key_quota: back });
    const entries = await succeed<object[]>(owner.api("GET", "/api/ledger/self?cause=request-refund"));
    expect(entries).toMatchObject([{ amount: back, request_id: requestId, actor_name: "" }]);
    const generation = await fetch(`${world.url}/v1/generation?id=${requestId}`, {
      headers: { authorization: `Bearer sk-${key.key}` },
    });
    expect(await generation.json()).toMatchObject({
      data: { quota: charged, refund: { quota: back, reason: "the answer was wrong" } },
    });
    const audited = await succeed<object[]>(world.root.api("GET", "/api/audit?p=0"));
    expect(audited).toContainEqual(
      expect.objectContaining({ action: "request.refund", target: requestId, beneficiary: owner.username }),
    );
    const month = new Date().toISOString().slice(0, 7);
    expect(await succeed(owner.api("GET", `/api/statement/self?month=${month}`))).toMatchObject({
      closing: BALANCE - 1,
      charged,
      movements: expect.arrayContaining([{ cause: "request-refund", entries: 1, quota: back }]),
    });
  });

  it("is refused for requests that were not charged, that nothing is known of, and of deleted users", async () => {
    upstream.reset();
    const failed = await ask("gpt-unknown");
    expect((await refund(failed)).body.success).toBe(false);
    expect((await refund("20200101000000000000000nothing")).body.success).toBe(false);
    const gone = await world.newUser({ quota: BALANCE });
    const before = key;
    key = await addApiKey(gone, { unlimited_quota: true });
    const requestId = await ask();
    key = before;
    await succeed(world.root.api("DELETE", `/api/user/${gone.id}`));
    expect((await refund(requestId)).body.success).toBe(false);
    expect((await callApi(world.url, "POST", "/api/log/receipt/refund", {})).body.success).not.toBe(true);
  });
});
