import type { ApiKeyWire } from "@tollgate/contract/api/api-keys";
import { addApiKey } from "@tollgate/demo/build-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callAtOnce } from "./at-once";
import { saveOptions, succeed } from "./client";
import { describeRows } from "./describe-rows";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";
import type { Row } from "./row-runner";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

const refused = (method: string, body: unknown, says: string, query = ""): Row => ({
  who: "user",
  method,
  path: `/api/token/${query}`,
  body,
  success: false,
  says,
});

describeRows("making a key is refused", () => world, [
  refused("POST", { name: "x".repeat(31) }, "令牌名称过长"),
  refused("POST", { name: "👋".repeat(31) }, "令牌名称过长"),
  refused("POST", { name: "x".repeat(1_000_000) }, "令牌名称过长"),
  refused("POST", { name: 7 }, "无效的参数"),
  refused("POST", { name: ["x"] }, "无效的参数"),
  refused("POST", { name: "a\u0000b" }, "无效的参数"),
  ...["-1", "1.5", '"5"', "1e300", "9007199254740993", "-0.5", "[]", "true"].map((quota) =>
    refused("POST", `{"name":"n","remain_quota":${quota}}`, "无效的参数"),
  ),
  ...["-2", "-9007199254740991", "1.5", '"never"', "1e300", "{}"].map((expiry) =>
    refused("POST", `{"name":"n","expired_time":${expiry}}`, "无效的参数"),
  ),
  ...['"true"', "1", "[]"].map((unlimited) =>
    refused("POST", `{"name":"n","unlimited_quota":${unlimited}}`, "无效的参数"),
  ),
]);

describeRows("a key is made", () => world, [
  ...[
    {},
    { name: "" },
    { name: null, remain_quota: null, expired_time: null, unlimited_quota: null },
    { name: "👋".repeat(30), remain_quota: 0, expired_time: 0 },
    { name: "<b>'\"--;</b>", remain_quota: Number.MAX_SAFE_INTEGER, expired_time: -1, unlimited_quota: true },
    {
      name: "unknown fields",
      key: "chosen-by-the-client",
      status: 2,
      user_id: 1,
      used_quota: -5,
      id: 1,
      models: "",
    },
  ].map(
    (body): Row => ({
      who: "user",
      method: "POST",
      path: "/api/token/",
      body,
      success: true,
      changes: body.remain_quota ? ["audit", "ledger_entries", "tokens"] : ["audit", "tokens"],
    }),
  ),
  {
    title: "with the contract's defaults, and never with a key that the client chose",
    who: "user",
    method: "GET",
    path: "/api/token/search?keyword=unknown",
    success: true,
    data: [
      {
        name: "unknown fields",
        user_id: "{userId}",
        status: 1,
        expired_time: -1,
        remain_quota: 0,
        used_quota: 0,
        unlimited_quota: false,
      },
    ],
    hides: ["chosen-by-the-client"],
  },
  {
    who: "user",
    method: "GET",
    path: `/api/token/search?keyword=${encodeURIComponent("<b>'")}`,
    success: true,
    data: [{ name: "<b>'\"--;</b>", remain_quota: Number.MAX_SAFE_INTEGER, unlimited_quota: true }],
  },
  { who: "user", method: "GET", path: "/api/token/search?keyword=%25", success: true, data: [] },
  { who: "user", method: "GET", path: "/api/token/search?keyword=m_ne", success: true, data: [] },
  { who: "user", method: "GET", path: "/api/token/search?keyword=%00", success: true },
  { who: "user", method: "GET", path: "/api/token/?p=-5", success: true, shows: ['"name":"mine"'] },
  { who: "user", method: "GET", path: "/api/token/?p=x", success: true, shows: ['"name":"mine"'] },
  { who: "user", method: "GET", path: "/api/token/?p=7", success: true, data: [] },
  { who: "user", method: "GET", path: "/api/token/?p=9007199254740991", success: true, data: [] },
]);

describeRows(
  "another user's key does not exist",
  () => world,
  ["user", "admin", "root"].flatMap((who): Row[] => {
    const missing = { who, success: false, says: "记录不存在" };
    return [
      { ...missing, method: "GET", path: "/api/token/{otherApiKey}" },
      { ...missing, method: "PUT", path: "/api/token/", body: { id: "{otherApiKey}", name: "stolen" } },
      { ...missing, method: "PUT", path: "/api/token/", body: { id: "{otherApiKey}", remain_quota: 1 } },
      {
        ...missing,
        method: "PUT",
        path: "/api/token/?status_only=true",
        body: { id: "{otherApiKey}", status: 2 },
      },
      { ...missing, method: "DELETE", path: "/api/token/{otherApiKey}" },
      { who, method: "GET", path: "/api/token/search?keyword=theirs", success: true, data: [] },
    ];
  }),
);

describeRows("changing a key is refused", () => world, [
  ...['"1"', "0", "-1", "1.5", "null", "1e20"].map((id) =>
    refused("PUT", `{"id":${id},"name":"n"}`, "无效的参数"),
  ),
  refused("PUT", { name: "n" }, "无效的参数"),
  refused("PUT", { id: "{userApiKey}", name: "x".repeat(31) }, "令牌名称过长"),
  refused("PUT", { id: "{userApiKey}", name: {} }, "无效的参数"),
  refused("PUT", { id: "{userApiKey}", remain_quota: -1 }, "无效的参数"),
  refused("PUT", { id: "{userApiKey}", remain_quota: 1.5 }, "无效的参数"),
  refused("PUT", { id: "{userApiKey}", remain_quota: "5" }, "无效的参数"),
  refused("PUT", { id: "{userApiKey}", expired_time: -2 }, "无效的参数"),
  refused("PUT", { id: "{userApiKey}", unlimited_quota: "yes" }, "无效的参数"),
  // What is right beside what is wrong is not written either.
  refused("PUT", { id: "{userApiKey}", name: "half", remain_quota: -1 }, "无效的参数"),
  ...[0, 3, 4, -1, 5, 99].map((status) =>
    refused("PUT", { id: "{userApiKey}", status }, "无效的状态", "?status_only=true"),
  ),
  refused("PUT", { id: "{userApiKey}" }, "无效的状态", "?status_only=true"),
  refused("PUT", { id: "{userApiKey}", status: "2" }, "无效的参数", "?status_only=true"),
  ...["abc", "0", "-1", "1.5", "99999999999999999999", "%00"].flatMap((id): Row[] => [
    { who: "user", method: "GET", path: `/api/token/${id}`, success: false, says: "记录不存在" },
    { who: "user", method: "DELETE", path: `/api/token/${id}`, success: false, says: "记录不存在" },
  ]),
]);

describeRows("a key is changed", () => world, [
  {
    title: "what is absent or null stays",
    who: "user",
    method: "PUT",
    path: "/api/token/",
    body: { id: "{userApiKey}", name: null, remain_quota: null },
    success: true,
    data: { name: "mine", remain_quota: 500_000, expired_time: -1, status: 1 },
  },
  {
    title: "the whole object as the console sends it; counters, owner and key are ignored",
    who: "user",
    method: "PUT",
    path: "/api/token/",
    body: {
      id: "{userApiKey}",
      user_id: 1,
      key: "other",
      status: 2,
      name: "renamed",
      created_time: 1,
      accessed_time: 1,
      expired_time: 4_000_000_000,
      remain_quota: 7,
      unlimited_quota: true,
      used_quota: 99,
    },
    success: true,
    data: {
      user_id: "{userId}",
      status: 1,
      name: "renamed",
      expired_time: 4_000_000_000,
      remain_quota: 7,
      unlimited_quota: true,
      used_quota: 0,
    },
    changes: ["audit", "ledger_entries", "tokens"],
  },
  {
    title: "an expiry of 0 means never",
    who: "user",
    method: "PUT",
    path: "/api/token/",
    body: { id: "{userApiKey}", expired_time: 0 },
    success: true,
    data: { expired_time: -1, name: "renamed" },
    changes: ["audit", "tokens"],
  },
  {
    title: "with status_only nothing but the status",
    who: "user",
    method: "PUT",
    path: "/api/token?status_only=true",
    body: { id: "{userApiKey}", status: 2, name: "not now", remain_quota: 1 },
    success: true,
    data: { status: 2, name: "renamed", remain_quota: 7 },
    changes: ["audit", "tokens"],
  },
  {
    who: "user",
    method: "PUT",
    path: "/api/token/?status_only=1",
    body: { id: "{userApiKey}", status: 1 },
    success: true,
    data: { status: 1 },
    changes: ["audit", "tokens"],
  },
]);

describe("a key", () => {
  const present = async (key: string): Promise<number> =>
    (await fetch(`${world.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })).status;
  const setStatus = (owner: Person, id: number, status: number) =>
    owner.api("PUT", "/api/token/?status_only=true", { id, status });
  const read = async (owner: Person, id: number): Promise<ApiKeyWire> =>
    (await owner.api("GET", `/api/token/${id}`)).body.data as ApiKeyWire;

  it("has 48 letters and digits, works at once, and stops at once when switched off or deleted", async () => {
    const owner = await world.newUser();
    const token = await addApiKey(owner);
    expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/);
    expect(await present(token.key)).toBe(200);
    await setStatus(owner, token.id, 2);
    expect(await present(token.key)).toBe(401);
    await setStatus(owner, token.id, 1);
    expect(await present(token.key)).toBe(200);
    expect((await owner.api("DELETE", `/api/token/${token.id}/`)).body).toEqual({
      success: true,
      message: "",
    });
    expect(await present(token.key)).toBe(401);
    expect((await owner.api("GET", `/api/token/${token.id}`)).body.success).toBe(false);
  });

  it("whose time is over is marked when used, and is enabled only after its time was changed", async () => {
    const owner = await world.newUser();
    const token = await addApiKey(owner, { expired_time: 1_600_000_000 });
    expect(await present(token.key)).toBe(401);
    await expect.poll(async () => (await read(owner, token.id)).status).toBe(3);
    expect((await setStatus(owner, token.id, 1)).body.message).toContain("令牌已过期，无法启用");
    await owner.api("PUT", "/api/token/", { id: token.id, expired_time: -1 });
    expect((await setStatus(owner, token.id, 1)).body.success).toBe(true);
    expect(await present(token.key)).toBe(200);
  });

  it("whose quota is used up is marked when used, and is enabled only after it was given more", async () => {
    const owner = await world.newUser();
    const token = await addApiKey(owner, { remain_quota: 0 });
    expect(await present(token.key)).toBe(401);
    await expect.poll(async () => (await read(owner, token.id)).status).toBe(4);
    expect((await setStatus(owner, token.id, 1)).body.message).toContain("令牌可用额度已用尽，无法启用");
    await owner.api("PUT", "/api/token/", { id: token.id, remain_quota: 5 });
    expect((await read(owner, token.id)).status).toBe(4);
    expect((await setStatus(owner, token.id, 1)).body.success).toBe(true);
    expect(await present(token.key)).toBe(200);
  });

  it("is listed in pages of ten, the newest first, and only to its owner", async () => {
    const owner = await world.newUser();
    for (let i = 0; i < 12; i += 1) await addApiKey(owner, { name: `t${i}` });
    const first = (await owner.api("GET", "/api/token/?p=0")).body.data as { name: string }[];
    const second = (await owner.api("GET", "/api/token/?p=1")).body.data as { name: string }[];
    const third = (await owner.api("GET", "/api/token/?p=2")).body.data;
    expect([...first, ...second].map(({ name }) => name)).toEqual(
      Array.from({ length: 12 }, (_, i) => `t${11 - i}`),
    );
    expect(first).toHaveLength(10);
    expect(third).toEqual([]);
    const everything = (await owner.api("GET", "/api/token/search?keyword=t")).body.data as unknown[];
    expect(everything).toHaveLength(12);
  });

  it("keeps a quota that its owner left unedited, whatever was used since", async () => {
    const owner = await world.newUser();
    const token = await addApiKey(owner, { remain_quota: 5000 });
    const save = (form: object) => owner.api("PUT", "/api/token/", { id: token.id, ...form });
    await save({ remain_quota: 9000, original_remain_quota: 9000 });
    expect((await read(owner, token.id)).remain_quota).toBe(5000);
    await save({ remain_quota: 9500, original_remain_quota: 9000 });
    expect((await read(owner, token.id)).remain_quota).toBe(9500);
  });

  it.each([
    ["raised", 100, 5000],
    ["lowered", 5000, 100],
  ])("has its quota %s once, however often the same form is sent at the same time", async (_, from, to) => {
    const owner = await world.newUser();
    // Whether two of them overlap is a matter of microseconds: several rounds, so that it cannot be missed.
    for (let round = 0; round < 4; round += 1) {
      const token = await addApiKey(owner, { remain_quota: from });
      const form = { id: token.id, remain_quota: to };
      const answers = await callAtOnce(world.url, owner.cookie, 8, "PUT", "/api/token/", form);
      expect(answers.filter((answer) => !answer.includes('"success":true'))).toEqual([]);
      expect((await read(owner, token.id)).remain_quota).toBe(to);
    }
  });
});

describe("the models of a key", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`).join(",");

  it("are at most a thousand, because the gateway keeps them in memory for each key", async () => {
    const made = await addApiKey(world.user, { name: "many", models: names(1000) });
    const many = { name: "many", models: names(1001) };
    for (const refused of [
      await world.user.api("POST", "/api/token/", many),
      await world.user.api("POST", "/api/token/many", { ...many, count: 2 }),
      await world.user.api("PUT", "/api/token/", { ...many, id: made.id }),
    ])
      expect(refused.body).toMatchObject({
        success: false,
        message: "最多可指定 1000 个模型",
        ...{ field: "models" },
      });
  });
});

describe("a key's secret", () => {
  const models = (key: string): Promise<number> =>
    fetch(`${world.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } }).then(
      ({ status }) => status,
    );
  const rotate = async (owner: Pick<Person, "api">, id: number, body: object) =>
    (await owner.api("POST", `/api/token/${id}/rotate`, body)).body;

  it("is replaced with everything else as it was; the one before holds for as long as was said", async () => {
    const limits = { rpm: 7, models: "gpt-4", subnet: "127.0.0.0/8" };
    const made = await addApiKey(world.user, { name: "rotated", remain_quota: 500, ...limits });
    const { former_until: none, ...before } = (await world.user.api("GET", `/api/token/${made.id}`)).body
      .data as ApiKeyWire;
    expect(none).toBeUndefined();
    const now = Math.floor(Date.now() / 1000);
    const {
      key,
      former_until: until = 0,
      ...after
    } = (await rotate(world.user, made.id, { former_seconds: 60 })).data as ApiKeyWire;
    expect({ ...after, key: before.key }).toEqual(before);
    expect(key).toMatch(/^[0-9A-Za-z]{48}$/);
    expect(key).not.toBe(before.key);
    expect(until - now).toBeGreaterThanOrEqual(59);
    expect(until - now).toBeLessThanOrEqual(65);
    expect([await models(key), await models(before.key)]).toEqual([200, 200]);
    const ended = (await world.user.api("DELETE", `/api/token/${made.id}/former`)).body.data as ApiKeyWire;
    expect([ended.key, ended.former_until]).toEqual([key, undefined]);
    expect([await models(key), await models(before.key)]).toEqual([200, 401]);
    // Nothing is said of how long: it has leaked.
    const { key: third } = (await rotate(world.user, made.id, {})).data as ApiKeyWire;
    expect([await models(third), await models(key)]).toEqual([200, 401]);
  });

  it("ends by itself", async () => {
    const made = await addApiKey(world.user, { name: "short", unlimited_quota: true });
    const { key } = (await rotate(world.user, made.id, { former_seconds: 1 })).data as ApiKeyWire;
    expect(await models(made.key)).toBe(200);
    await expect.poll(() => models(made.key), { timeout: 5000 }).toBe(401);
    expect(await models(key)).toBe(200);
  });

  it("of a key that is disabled opens nothing, new or before", async () => {
    const made = await addApiKey(world.user, { name: "off", unlimited_quota: true });
    const { key } = (await rotate(world.user, made.id, { former_seconds: 60 })).data as ApiKeyWire;
    await world.user.api("PUT", "/api/token/?status_only=true", { id: made.id, status: 2 });
    expect([await models(key), await models(made.key)]).toEqual([401, 401]);
    await world.user.api("DELETE", `/api/token/${made.id}/`);
    expect([await models(key), await models(made.key)]).toEqual([401, 401]);
  });

  it("is replaced by its owner alone, for a time that is none too long", async () => {
    const made = await addApiKey(world.user, { name: "mine", unlimited_quota: true });
    for (const stranger of [world.other, world.root]) {
      expect((await rotate(stranger, made.id, { former_seconds: 60 })).success).toBe(false);
      expect((await stranger.api("DELETE", `/api/token/${made.id}/former`)).body.success).toBe(false);
    }
    for (const former of [-1, 0.5, 30 * 86_400 + 1, 1e300, "60", true])
      expect((await rotate(world.user, made.id, { former_seconds: former })).success).toBe(false);
    expect(await models(made.key)).toBe(200);
  });
});

describe("the limits of keys and users", () => {
  const limitsOf = (person: Pick<Person, "api">, path: string) => succeed<object[]>(person.api("GET", path));

  it("are shown to the owner without the use of others in the group, and to administrators with it", async () => {
    const person = await world.newUser({ rpm: 9 });
    const key = await addApiKey(person, { name: "limited", daily_quota: 700 });
    await saveOptions(world.root, {
      GroupLimits: '{"default":{"tpm":5000,"per_user":{"monthly_quota":80}}}',
    });
    const resets_at = expect.any(Number) as number;
    const ofUser = [
      { scope: "user", group: "", limit: "rpm", max: 9, used: 0 },
      { scope: "user", group: "", limit: "monthly_quota", max: 80, used: 0, resets_at },
    ];
    const group = { scope: "group", group: "default", limit: "tpm", max: 5000 };
    expect(await limitsOf(person, `/api/token/${key.id}/limits`)).toEqual([
      { scope: "key", group: "", limit: "daily_quota", max: 700, used: 0, resets_at },
      ...ofUser,
      group,
    ]);
    expect(await limitsOf(person, "/api/user/self/limits")).toEqual([...ofUser, group]);
    expect(await limitsOf(world.admin, `/api/user/${person.id}/limits`)).toEqual([
      ...ofUser,
      { ...group, used: 0 },
    ]);
    expect(await limitsOf(world.admin, `/api/token/${key.id}/summary/limits`)).toEqual([
      { scope: "key", group: "", limit: "daily_quota", max: 700, used: 0, resets_at },
      ...ofUser,
      { ...group, used: 0 },
    ]);
    await saveOptions(world.root, { GroupLimits: "{}" });
    for (const other of [world.other, world.admin, world.root])
      expect((await other.api("GET", `/api/token/${key.id}/limits`)).body.success).toBe(false);
    const fellow = await world.admin.api("GET", `/api/user/${(await world.newAdmin()).id}/limits`);
    expect(fellow.body.success).toBe(false);
  });

  it("tell when a budget renews, and refuse half of a window or an impossible one", async () => {
    const person = await world.newUser();
    const limits = { window_hours: 30, window_quota: 900, weekly_quota: 5000, rpd: 40, soft_budgets: 1 };
    const key = await addApiKey(person, { name: "windows", ...limits });
    const path = `/api/token/${key.id}/limits`;
    const shown = await limitsOf(person, path);
    const resets_at = expect.any(Number) as number;
    expect(shown).toEqual([
      { scope: "key", group: "", limit: "rpd", max: 40, used: 0, resets_at },
      { scope: "key", group: "", limit: "weekly_quota", max: 5000, used: 0, resets_at, soft: true },
      { scope: "key", group: "", limit: "window_quota", max: 900, used: 0, hours: 30, soft: true },
    ]);
    for (const [edit, field] of [
      [{ window_quota: 0 }, "window_quota"],
      [{ window_hours: 0 }, "window_hours"],
      [{ window_hours: 721 }, "window_hours"],
      [{ window_hours: -1 }, "window_hours"],
      [{ weekly_quota: -1 }, "weekly_quota"],
      [{ soft_budgets: 2 }, "soft_budgets"],
    ] as const) {
      const { body } = await person.api("PUT", "/api/token/", { id: key.id, ...edit });
      expect(body, JSON.stringify(edit)).toMatchObject({ success: false, field });
      const of = { id: person.id, window_hours: 5, window_quota: 5, ...edit };
      expect((await world.admin.api("PUT", "/api/user/", of)).body).toMatchObject({ success: false, field });
    }
    expect(await limitsOf(person, path)).toEqual(shown);
    await succeed(person.api("PUT", "/api/token/", { id: key.id, window_hours: 0, window_quota: 0 }));
    expect(await limitsOf(person, path)).toEqual(shown.slice(0, 2));
  });
});

describe("the keys of a user, as administrators see them", () => {
  it("are that user's alone, with state, limits and use, and without any secret", async () => {
    const person = await world.newUser();
    await addApiKey(person, { name: "first" });
    const limited = await addApiKey(person, { name: "second", rpm: 7, models: "m-1", subnet: "10.0.0.0/8" });
    await succeed(person.api("POST", `/api/token/${limited.id}/rotate`, { former_seconds: 60 }));
    const own = await succeed<ApiKeyWire[]>(person.api("GET", "/api/token/?p=0"));
    const withoutSecret = own.map(({ key, ...rest }) => {
      expect(key).toHaveLength(48);
      return rest;
    });
    for (const reader of [world.admin, world.root]) {
      const { body } = await reader.api("GET", `/api/user/${person.id}/tokens?p=0`);
      expect(body.data).toEqual(withoutSecret);
      const text = JSON.stringify(body);
      for (const secret of [limited.key, ...own.map(({ key }) => key)]) expect(text).not.toContain(secret);
    }
    expect(await succeed(world.admin.api("GET", `/api/user/${person.id}/tokens?p=1`))).toEqual([]);
    for (const reader of [person, world.other])
      expect((await reader.api("GET", `/api/user/${person.id}/tokens?p=0`)).body.success).toBe(false);
  });

  it("are each shown with their user, by the same rule", async () => {
    const person = await world.newUser();
    const { id, key } = await addApiKey(person, { name: 'a,b%"🔑', rpm: 7, models: "m-1" });
    const [own] = await succeed<ApiKeyWire[]>(person.api("GET", "/api/token/?p=0"));
    const { key: _secret, ...withoutSecret } = own as ApiKeyWire;
    for (const reader of [world.admin, world.root]) {
      const { body } = await reader.api("GET", `/api/token/${id}/summary`);
      expect(body.data).toEqual({ ...withoutSecret, username: person.username });
      expect(JSON.stringify(body)).not.toContain(key);
    }
    await succeed(person.api("DELETE", `/api/token/${id}/`));
    expect((await world.admin.api("GET", `/api/token/${id}/summary`)).body.success).toBe(false);
  });

  it("hide those of root and of other administrators, except from root", async () => {
    const fellow = await world.newAdmin();
    const ofFellow = await addApiKey(fellow, { name: "fellow's" });
    const ofRoot = await addApiKey(world.root, { name: "root's" });
    for (const call of ["summary", "summary/limits"]) {
      const reads = async (reader: Pick<Person, "api">, { id }: { id: number }) =>
        (await reader.api("GET", `/api/token/${id}/${call}`)).body.success;
      expect(await reads(world.admin, ofFellow)).toBe(false);
      expect(await reads(world.admin, ofRoot)).toBe(false);
      expect(await reads(fellow, ofRoot)).toBe(false);
      expect(await reads(world.root, ofFellow)).toBe(true);
      expect(await reads(world.other, ofFellow)).toBe(false);
    }
  });
});
