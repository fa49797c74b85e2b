import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

interface Done {
  done: number;
  failed: { id: number; name: string; reason: string }[];
}

interface ShownKey {
  id: number;
  key: string;
  name: string;
  status: number;
  remain_quota: number;
  group?: string;
  rpm?: number;
  expired_time: number;
}

const OPERATION = "operation-0123456789";

const batch = async (person: Person, of: "user" | "token", body: object): Promise<Done> => {
  const { body: answer } = await person.api("POST", `/api/${of}/batch`, body);
  expect(answer).toMatchObject({ success: true, message: "" });
  return answer.data as Done;
};

const refusal = async (person: Person, path: string, body: object) =>
  (await person.api("POST", path, body)).body;

const create = async (person: Person, body: object): Promise<ShownKey[]> =>
  (await person.api("POST", "/api/token/many", body)).body.data as ShownKey[];

const keyOf = async (person: Person, id: number): Promise<ShownKey> =>
  (await person.api("GET", `/api/token/${id}`)).body.data as ShownKey;

const quotaOf = async (id: number): Promise<number> =>
  ((await world.root.api("GET", `/api/user/${id}`)).body.data as { quota: number }).quota;

const manageLinesOf = async (username: string): Promise<string[]> => {
  const { body } = await world.root.api("GET", `/api/log/?p=0&type=3&username=${username}`);
  return (body.data as { content: string }[]).map(({ content }) => content);
};

const entriesOf = async (id: number) =>
  (await world.root.api("GET", `/api/ledger?user_id=${id}&cause=quota-changed`)).body.data as {
    amount: number;
    reason: string;
  }[];

describe("many keys", () => {
  it("are created together with numbered names and secrets of their own, all or none", async () => {
    const person = await world.newUser();
    const made = await create(person, { name: "pupil {n}", count: 12, remain_quota: 700, rpm: 3 });
    expect(made.map(({ name }) => name).slice(0, 2)).toEqual(["pupil 01", "pupil 02"]);
    expect(new Set(made.map(({ key }) => key)).size).toBe(12);
    expect(await keyOf(person, made[11]?.id ?? 0)).toMatchObject({
      key: made[11]?.key,
      remain_quota: 700,
      rpm: 3,
    });
    for (const [body, says] of [
      [{ name: "x", count: 501 }, "500"],
      [{ name: "x", count: 0 }, "1"],
      [{ name: "x".repeat(30), count: 2 }, "令牌名称过长"],
      [{ name: "x", count: 2, group: "no such group" }, "no such group"],
    ] as const) {
      const answer = await refusal(person, "/api/token/many", body);
      expect(answer).toMatchObject({ success: false });
      expect(answer.message).toContain(says);
    }
    expect(await create(person, { name: "x", count: 500 })).toHaveLength(500);
    const tooMany = await refusal(person, "/api/token/many", { name: "y", count: 489 });
    expect(tooMany.message).toContain("1000");
    expect(await create(person, { name: "y", count: 488 })).toHaveLength(488);
  });

  it("are changed as each of them would be, and the others are named with a reason", async () => {
    const person = await world.newUser();
    const other = await world.newUser();
    const [a, b] = await create(person, { name: "k", count: 2, remain_quota: 5 });
    const [foreign] = await create(other, { name: "secret name", count: 1 });
    const ids = [a?.id, b?.id, foreign?.id] as number[];
    const change = { rpm: 7, expired_time: 2_000_000_000 };
    expect(await batch(person, "token", { ids, action: "edit", change })).toEqual({
      done: 2,
      failed: [{ id: foreign?.id, name: "", reason: "记录不存在" }],
    });
    expect(await keyOf(person, ids[0] ?? 0)).toMatchObject({
      rpm: 7,
      expired_time: 2_000_000_000,
      name: "k-1",
    });
    expect(await keyOf(other, ids[2] ?? 0)).toMatchObject({ expired_time: -1 });
    expect((await batch(person, "token", { ids, action: "disable" })).done).toBe(2);
    expect(await keyOf(person, ids[1] ?? 0)).toMatchObject({ status: 2, remain_quota: 5 });
    expect((await batch(person, "token", { ids, action: "delete" })).done).toBe(2);
    expect(await keyOf(other, ids[2] ?? 0)).toMatchObject({ status: 1 });
  });

  it("get quota once for an operation, however often it is sent at the same time", async () => {
    const person = await world.newUser();
    const [a, b] = await create(person, { name: "k", count: 2, remain_quota: 5 });
    const [free] = await create(person, { name: "free", count: 1, unlimited_quota: true });
    const ids = [a?.id, b?.id, free?.id];
    const body = { ids, action: "add-quota", quota: 100, operation: OPERATION };
    const answers = await Promise.all([1, 2, 3].map(() => batch(person, "token", body)));
    for (const { done, failed } of answers)
      expect([done, failed]).toEqual([2, [{ id: free?.id, name: "free-1", reason: expect.any(String) }]]);
    expect(await keyOf(person, a?.id ?? 0)).toMatchObject({ remain_quota: 105 });
    for (const missing of [
      { quota: undefined },
      { quota: -5 },
      { operation: undefined },
      { operation: "short" },
    ])
      expect(await refusal(person, "/api/token/batch", { ...body, ...missing })).toMatchObject({
        success: false,
      });
  });
});

describe("many users", () => {
  it("get, lose and have quota with a reason, once for an operation", async () => {
    const [one, two] = [await world.newUser(), await world.newUser()];
    const before = await quotaOf(one.id);
    // An id that is sent twice counts once.
    const ids = [one.id, two.id, one.id];
    const gift = { ids, action: "add-quota", quota: 900, reason: "holiday", operation: OPERATION };
    await Promise.all([1, 2, 3].map(() => batch(world.admin, "user", gift)));
    expect(await quotaOf(one.id)).toBe(before + 900);
    expect(await entriesOf(two.id)).toMatchObject([{ amount: 900, reason: "holiday" }]);
    const loss = { ...gift, action: "take-quota", quota: before + 5000, operation: `${OPERATION}-2` };
    expect(await batch(world.admin, "user", loss)).toEqual({ done: 2, failed: [] });
    // No user of that number exists, and no number is too large to look for.
    const strangers = [99_999_999, Number.MAX_SAFE_INTEGER];
    const { done, failed } = await batch(world.admin, "user", { ...gift, ids: strangers });
    expect([done, failed.map(({ id, name }) => [id, name])]).toEqual([0, strangers.map((id) => [id, ""])]);
    expect(await quotaOf(one.id)).toBe(0);
    const set = {
      ...gift,
      action: "set-quota",
      quota: 50,
      reason: "fresh start",
      operation: `${OPERATION}-3`,
    };
    expect((await batch(world.admin, "user", set)).done).toBe(2);
    expect(await quotaOf(two.id)).toBe(50);
    // The balance moves in between; the repeated call neither gives that back nor takes it.
    await batch(world.admin, "user", { ...loss, quota: 20, ids: [one.id], operation: `${OPERATION}-4` });
    await Promise.all([1, 2].map(() => batch(world.admin, "user", set)));
    expect(await quotaOf(one.id)).toBe(30);
    // Another operation that changes nothing leaves no trace either, and is done once as well.
    const idle = { ...set, ids: [two.id], operation: `${OPERATION}-5` };
    expect((await batch(world.admin, "user", idle)).done).toBe(1);
    const [still, empty] = [await world.newUser(), await world.newUser()];
    const each = (change: object, { id }: { id: number }, at: number) =>
      batch(world.admin, "user", { ...set, ...change, ids: [id], operation: `${OPERATION}-${at}` });
    await each({ quota: 100 }, still, 6);
    await each({ quota: 100 }, still, 7);
    await each({ action: "take-quota", quota: 20 }, still, 8);
    expect(await each({ quota: 100 }, still, 7)).toEqual({ done: 1, failed: [] });
    expect(await quotaOf(still.id)).toBe(80);
    await each({ quota: 0 }, empty, 9);
    await each({ action: "take-quota", quota: 20 }, empty, 10);
    await each({ action: "add-quota", quota: 900 }, empty, 11);
    await each({ action: "take-quota", quota: 20 }, empty, 10);
    expect(await quotaOf(empty.id)).toBe(900);
    const entries = await entriesOf(two.id);
    expect(entries.map(({ amount }) => amount)).toEqual([50, -(before + 900), 900]);
    expect(await manageLinesOf(two.username)).toEqual([
      "管理员将用户额度从 ＄0.000000 额度修改为 ＄0.000100 额度",
      `管理员扣减用户额度 ＄${((before + 900) / 500_000).toFixed(6)} 额度`,
      "管理员增加用户额度 ＄0.001800 额度",
    ]);
    expect((await entriesOf(two.id))[0]).toMatchObject({ amount: 50, reason: "fresh start" });
    const audit = (await world.root.api("GET", `/api/audit?action=user.update&target=${two.id}`)).body
      .data as {
      detail: string;
    }[];
    // A repeated call moved nothing, so it is not written down again.
    expect(audit.map(({ detail }) => JSON.parse(detail))).toEqual([
      { quota: 50, reason: "fresh start" },
      { quota_moved: -(before + 900), reason: "holiday" },
      { quota_moved: 900, reason: "holiday" },
    ]);
    for (const missing of [{ reason: " " }, { reason: undefined }, { quota: 0 }, { operation: undefined }])
      expect(await refusal(world.admin, "/api/user/batch", { ...gift, ...missing })).toMatchObject({
        success: false,
      });
  });

  it("are changed by administrators below their own rank alone, as one at a time", async () => {
    const spare = await world.newUser();
    const peer = await world.newAdmin();
    const ids = [spare.id, peer.id, 1, world.admin.id];
    for (const action of ["disable", "enable", "delete"]) {
      const { failed } = await batch(world.admin, "user", { ids: ids.slice(1), action });
      expect(failed.map(({ id }) => id)).toEqual(ids.slice(1));
    }
    const quota = { quota: 10, reason: "r", operation: OPERATION };
    for (const action of ["add-quota", "take-quota", "set-quota"]) {
      const { failed } = await batch(world.admin, "user", { ids: ids.slice(1), action, ...quota });
      expect(failed.map(({ id }) => id)).toEqual(ids.slice(1));
    }
    const edit = { ids, action: "edit", change: { group: "vip", rpm: 9 } };
    expect((await batch(world.admin, "user", edit)).failed.map(({ id }) => id)).toEqual(ids.slice(1));
    expect((await world.root.api("GET", `/api/user/${spare.id}`)).body.data).toMatchObject({
      group: "vip",
      rpm: 9,
    });
    expect(await batch(world.admin, "user", { ids: [spare.id], action: "delete" })).toEqual({
      done: 1,
      failed: [],
    });
    expect((await world.root.api("GET", `/api/user/${spare.id}`)).body).toMatchObject({ success: false });
  });

  it("are refused at the wrong field inside of the change", async () => {
    for (const [of, change, field] of [
      ["token", { group: "unknown" }, "change.group"],
      ["token", { model_aliases: "no json" }, "change.model_aliases"],
      ["token", { rpm: -1 }, "change.rpm"],
      ["user", { group: "a\u0007" }, "change.group"],
      ["user", { model_aliases: "no json" }, "change.model_aliases"],
      ["user", { daily_quota: -1 }, "change.daily_quota"],
    ] as const)
      expect([
        of,
        change,
        await refusal(world.admin, `/api/${of}/batch`, { ids: [1], action: "edit", change }),
      ]).toMatchObject([of, change, { success: false, field }]);
  });

  it("are at most a thousand in a call", async () => {
    const ids = Array.from({ length: 1001 }, (_, index) => index + 1);
    expect(await refusal(world.admin, "/api/user/batch", { ids, action: "enable" })).toMatchObject({
      success: false,
    });
  });
});
