import { addApiKey } from "@tollgate/demo/build-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, signIn } from "./client";
import { describeRows } from "./describe-rows";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";
import type { Row } from "./row-runner";

let world: ManagementWorld;
let spare: Person;
let peer: Person;

beforeAll(async () => {
  world = await startManagementWorld();
  spare = await world.newUser();
  peer = await world.newAdmin();
  Object.assign(world.names, {
    spareId: spare.id,
    spare: spare.username,
    peerId: peer.id,
    peer: peer.username,
  });
});

afterAll(() => world?.stop());

interface ShownUser {
  group: string;
  id: number;
  username: string;
  quota: number;
  role: number;
  status: number;
  access_token: string;
}

const shown = async (id: number): Promise<ShownUser> =>
  (await world.root.api("GET", `/api/user/${id}`)).body.data as ShownUser;

const account = { username: "newcomer", password: "password-1", display_name: "Newcomer" };

const refused = (method: string, body: unknown, says: string | RegExp, who = "root"): Row => ({
  who,
  method,
  path: "/api/user/",
  body,
  success: false,
  says,
});

describeRows("adding a user is refused", () => world, [
  refused("POST", { ...account, username: "thirteen-long" }, "用户名最多 12 个字符"),
  refused("POST", { ...account, username: "a b" }, "空白或控制字符"),
  refused("POST", { ...account, username: "a\tb" }, "空白或控制字符"),
  refused("POST", { ...account, username: "a\u0000b" }, "无效的参数"),
  refused("POST", { ...account, username: "a\u202eb" }, "空白或控制字符"),
  refused("POST", { ...account, username: "" }, "无效的参数"),
  refused("POST", { ...account, username: 7 }, "无效的参数"),
  refused("POST", { ...account, username: null }, "无效的参数"),
  refused("POST", { ...account, username: ["x"] }, "无效的参数"),
  refused("POST", { ...account, username: "x".repeat(100_000) }, "用户名最多"),
  refused("POST", { ...account, username: "user" }, "用户名已被占用"),
  refused("POST", { ...account, password: "1234567" }, "密码长度"),
  refused("POST", { ...account, password: "x".repeat(21) }, "密码长度"),
  refused("POST", { ...account, password: "" }, "无效的参数"),
  refused("POST", { ...account, password: 12345678 }, "无效的参数"),
  refused("POST", { ...account, display_name: "x".repeat(21) }, "显示名称最多 20 个字符"),
  refused("POST", { ...account, display_name: {} }, "无效的参数"),
  refused("POST", { ...account, role: 10 }, "无法创建权限大于等于自己的用户", "admin"),
  refused("POST", { ...account, role: 100 }, "无法创建权限大于等于自己的用户", "admin"),
  refused("POST", { ...account, role: 100 }, "无法创建权限大于等于自己的用户"),
  refused("POST", { ...account, role: "1" }, "无效的参数"),
]);

describeRows("a user is added", () => world, [
  {
    title: "as an ordinary user, whatever else is sent",
    who: "root",
    method: "POST",
    path: "/api/user/",
    body: { ...account, username: "plain", role: 10, quota: 5_000_000, group: "svip", access_token: "x" },
    success: true,
    changes: ["users", "audit"],
  },
  {
    who: "root",
    method: "GET",
    path: "/api/user/search?keyword=plain",
    success: true,
    data: [
      { username: "plain", role: 1, status: 1, quota: 0, group: "default", access_token: "", password: "" },
    ],
  },
  {
    title: "whose names are counted in characters, and may look like markup",
    who: "admin",
    method: "POST",
    path: "/api/user/",
    body: {
      username: "👋👋👋👋👋👋👋👋👋👋👋👋",
      password: "密码密码密码密码",
      display_name: "<script>alert(1)</sc",
    },
    success: true,
    changes: ["users", "audit"],
  },
  {
    who: "admin",
    method: "GET",
    path: `/api/user/search?keyword=${encodeURIComponent("<script>")}`,
    success: true,
    data: [{ username: "👋👋👋👋👋👋👋👋👋👋👋👋", display_name: "<script>alert(1)</sc" }],
  },
  {
    title: "without a display name it is the user name",
    who: "admin",
    method: "POST",
    path: "/api/user/",
    body: { username: "nameless", password: "password-1", display_name: null },
    success: true,
    changes: ["users", "audit"],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/user/search?keyword=nameless",
    success: true,
    data: [{ display_name: "nameless" }],
  },
]);

describeRows("changing a user is refused", () => world, [
  ...['"2"', "2.5", "-1", "0", "null", "1e20", "[]", "9007199254740993"].map((id) =>
    refused("PUT", `{"id":${id},"quota":5}`, "无效的参数"),
  ),
  refused("PUT", { quota: 5 }, "无效的参数"),
  ...["-1", '"5"', "1.5", "1e300", "9007199254740992", "true", "{}"].map((quota) =>
    refused("PUT", `{"id":3,"quota":${quota}}`, "无效的参数"),
  ),
  refused("PUT", { id: "{spareId}", group: "x".repeat(33) }, "分组名称不合法"),
  refused("PUT", { id: "{spareId}", group: "a\u0007" }, "分组名称不合法"),
  refused("PUT", { id: "{spareId}", username: "user" }, "用户名已被占用"),
  refused("PUT", { id: "{spareId}", username: "thirteen-long" }, "用户名最多"),
  refused("PUT", { id: "{spareId}", display_name: "x".repeat(21) }, "显示名称最多"),
  refused("PUT", { id: "{spareId}", password: "short" }, "密码长度"),
  refused("PUT", { id: "{spareId}", role: 2 }, "无效的参数"),
  refused("PUT", { id: "{spareId}", role: -1 }, "无效的参数"),
  refused("PUT", { id: "{spareId}", role: 100 }, "无权将其他用户权限等级提升到大于等于自己的权限等级"),
  refused(
    "PUT",
    { id: "{spareId}", role: 10 },
    "无权将其他用户权限等级提升到大于等于自己的权限等级",
    "admin",
  ),
  refused("PUT", { id: "{rootId}", role: 1 }, "无效的参数"),
  // A refusal in the middle must not leave the half before it.
  refused("PUT", { id: "{spareId}", quota: 7, username: "user" }, "用户名已被占用"),
]);

describeRows("a user is changed", () => world, [
  {
    title: "what is empty, null or absent stays",
    who: "root",
    method: "PUT",
    path: "/api/user/",
    body: { id: "{spareId}", username: "", display_name: null, password: "", group: "", quota: null },
    success: true,
    changes: ["audit"],
  },
  {
    title: "credentials, identities, counters and status in the body are ignored",
    who: "root",
    method: "PUT",
    path: "/api/user/",
    body: {
      id: "{spareId}",
      access_token: "0123456789abcdef0123456789abcdef",
      aff_code: "ABCD",
      github_id: "1",
      wechat_id: "w",
      email: "stolen@example.com",
      inviter_id: 1,
      status: 2,
      used_quota: 9,
      request_count: 9,
      verification_code: "123456",
      groups: ["x"],
    },
    success: true,
    changes: ["audit"],
  },
  {
    title: "quota, with a line in the log",
    who: "admin",
    method: "PUT",
    path: "/api/user/",
    body: { id: "{spareId}", quota: 1_000_000 },
    success: true,
    changes: ["users", "ledger_entries", "logs", "audit"],
  },
  {
    title: "to the same quota: nothing to log",
    who: "admin",
    method: "PUT",
    path: "/api/user/",
    body: { id: "{spareId}", quota: 1_000_000 },
    success: true,
    changes: ["audit"],
  },
  {
    title: "to no quota at all",
    who: "admin",
    method: "PUT",
    path: "/api/user/",
    body: { id: "{spareId}", quota: 0 },
    success: true,
    changes: ["users", "ledger_entries", "logs", "audit"],
  },
  { who: "admin", method: "GET", path: "/api/user/{spareId}", success: true, data: { quota: 0 } },
  {
    who: "admin",
    method: "GET",
    path: "/api/log/?type=3",
    success: true,
    data: [
      { content: "管理员将用户额度从 ＄2.000000 额度修改为 ＄0.000000 额度", user_id: "{spareId}", quota: 0 },
      { content: "管理员将用户额度从 ＄0.000000 额度修改为 ＄2.000000 额度", user_id: "{spareId}", quota: 0 },
    ],
  },
  {
    title: "to the largest quota",
    who: "admin",
    method: "PUT",
    path: "/api/user/",
    body: { id: "{spareId}", quota: Number.MAX_SAFE_INTEGER, group: "vip" },
    success: true,
    changes: ["users", "ledger_entries", "logs", "audit"],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/user/{spareId}",
    success: true,
    data: { quota: Number.MAX_SAFE_INTEGER, group: "vip", access_token: "", password: "" },
  },
]);

/** The actions that each role may take on each other role. */
describeRows("the role matrix", () => world, [
  ...(["{rootId}", "{adminId}", "{peerId}"] as const).flatMap((id): Row[] => [
    ...["", "/tokens"].map(
      (of): Row => ({
        who: "admin",
        method: "GET",
        path: `/api/user/${id}${of}`,
        success: false,
        says: "无权获取同级或更高等级用户的信息",
      }),
    ),
    refused("PUT", { id, quota: 1 }, "无权更新同权限等级或更高权限等级的用户信息", "admin"),
    refused("PUT", { id, password: "password-2" }, "无权更新同权限等级或更高权限等级的用户信息", "admin"),
    {
      who: "admin",
      method: "DELETE",
      path: `/api/user/${id}`,
      success: false,
      says: "无权删除同权限等级或更高权限等级的用户",
    },
  ]),
  { who: "root", method: "DELETE", path: "/api/user/{rootId}", success: false, says: "无权删除同权限等级" },
  ...["root", "admin", "{peer}"].flatMap((username): Row[] =>
    ["disable", "enable", "delete", "promote", "demote"].map((action) => ({
      who: "admin",
      method: "POST",
      path: "/api/user/manage",
      body: { username, action },
      success: false,
      says: "无权更新同权限等级或更高权限等级的用户信息",
    })),
  ),
  ...(
    [
      ["disable", "无法禁用超级管理员用户"],
      ["delete", "无法删除超级管理员用户"],
      ["promote", "该用户已经是管理员"],
      ["demote", "无法降级超级管理员用户"],
    ] as const
  ).map(
    ([action, says]): Row => ({
      who: "root",
      method: "POST",
      path: "/api/user/manage",
      body: { username: "root", action },
      success: false,
      says,
    }),
  ),
  ...(
    [
      ["{spare}", "promote", "普通管理员用户无法提升其他用户为管理员", "admin"],
      ["{spare}", "demote", "该用户已经是普通用户", "admin"],
      ["{peer}", "promote", "该用户已经是管理员", "root"],
      ["{spare}", "explode", "无效的参数", "root"],
      ["{spare}", "", "无效的参数", "root"],
      ["{spare}", null, "无效的参数", "root"],
      ["", "disable", "无效的参数", "root"],
      ["", "delete", "无效的参数", "root"],
      ["roo", "disable", "用户不存在", "root"],
      ["ROOT", "disable", "用户不存在", "root"],
      ["%", "delete", "用户不存在", "root"],
      [7, "disable", "无效的参数", "root"],
    ] as const
  ).map(
    ([username, action, says, who]): Row => ({
      who,
      method: "POST",
      path: "/api/user/manage",
      body: { username, action },
      success: false,
      says,
    }),
  ),
  ...(
    [
      ["promote", { role: 10, status: 1 }, "root"],
      ["demote", { role: 1, status: 1 }, "root"],
      ["disable", { role: 1, status: 2 }, "admin"],
      ["enable", { role: 1, status: 1 }, "admin"],
    ] as const
  ).map(
    ([action, data, who]): Row => ({
      title: `${action} answers role and status, and nothing of the user`,
      who,
      method: "POST",
      path: "/api/user/manage",
      body: { username: "{spare}", action },
      success: true,
      data: { ...data, id: 0, username: "", quota: 0, access_token: "" },
      changes: ["users", "audit"],
    }),
  ),
  {
    title: "root promotes by the whole object, too",
    who: "root",
    method: "PUT",
    path: "/api/user/",
    body: { id: "{spareId}", role: 10 },
    success: true,
    changes: ["users", "audit"],
  },
  {
    who: "root",
    method: "PUT",
    path: "/api/user/",
    body: { id: "{spareId}", role: 1 },
    success: true,
    changes: ["users", "audit"],
  },
]);

describeRows("finding users", () => world, [
  { who: "admin", method: "GET", path: "/api/user/?p=-1", success: true, shows: ['"username":"root"'] },
  { who: "admin", method: "GET", path: "/api/user/?p=abc", success: true, shows: ['"username":"root"'] },
  { who: "admin", method: "GET", path: "/api/user/?p=999", success: true, data: [] },
  { who: "admin", method: "GET", path: "/api/user/?p=9007199254740991", success: true, data: [] },
  {
    who: "admin",
    method: "GET",
    path: "/api/user/?p=99999999999999999999",
    success: true,
    shows: ['"root"'],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/user/search?keyword=1",
    success: true,
    shows: ['"username":"root"'],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/user/search?keyword=",
    success: true,
    shows: ['"username":"root"'],
  },
  { who: "admin", method: "GET", path: "/api/user/search", success: true, shows: ['"username":"root"'] },
  { who: "admin", method: "GET", path: "/api/user/search?keyword=%25", success: true, data: [] },
  { who: "admin", method: "GET", path: "/api/user/search?keyword=_oot", success: true, data: [] },
  { who: "admin", method: "GET", path: "/api/user/search?keyword=oot", success: true, data: [] },
  { who: "admin", method: "GET", path: "/api/user/search?keyword=%00", success: true },
  {
    who: "admin",
    method: "GET",
    path: `/api/user/search?keyword=${"9".repeat(5000)}`,
    success: true,
    data: [],
  },
  {
    who: "admin",
    method: "GET",
    path: `/api/user/search?keyword=${encodeURIComponent("' OR 1=1 --")}`,
    success: true,
    data: [],
  },
  ...["abc", "0", "-1", "1.5", "99999999999999999999", "%00", "'"].map(
    (id): Row => ({
      who: "root",
      method: "GET",
      path: `/api/user/${id}`,
      success: false,
      says: "记录不存在",
    }),
  ),
  ...["abc", "0", "-1", "1.5", "99999999999999999999"].map(
    (id): Row => ({
      who: "root",
      method: "DELETE",
      path: `/api/user/${id}`,
      success: false,
      says: "记录不存在",
    }),
  ),
]);

describe("an administrator who manages users", () => {
  const manage = (username: string, action: string) =>
    world.root.api("POST", "/api/user/manage", { username, action });

  it("lists pages of ten, the newest first, without access tokens", async () => {
    for (let i = 0; i < 4; i += 1) await world.newUser();
    const first = (await world.admin.api("GET", "/api/user/?p=0")).body.data as ShownUser[];
    const second = (await world.admin.api("GET", "/api/user/?p=1")).body.data as ShownUser[];
    const ids = [...first, ...second].map(({ id }) => id);
    expect(first).toHaveLength(10);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set([...first, ...second].map((each) => each.access_token))).toEqual(new Set([""]));
  });

  it("bans at once: the open session, the access token, the keys, and signing in", async () => {
    const person = await world.newUser({ quota: 1000 });
    const accessToken = (await person.api("GET", "/api/user/token")).body.data as string;
    const key = await addApiKey(person);
    const models = () =>
      fetch(`${world.url}/v1/models`, { headers: { authorization: `Bearer sk-${key.key}` } });
    expect((await models()).status).toBe(200);
    await manage(person.username, "disable");
    expect((await person.api("GET", "/api/user/self")).body.message).toBe("用户已被封禁");
    const byToken = await callApi(world.url, "GET", "/api/user/self", undefined, { token: accessToken });
    expect(byToken.body).toMatchObject({ success: false, message: "用户已被封禁" });
    expect((await models()).status).toBe(403);
    await expect(signIn(world.url, person.username, "password-1")).rejects.toThrow("用户已被封禁");
    await manage(person.username, "enable");
    expect((await person.api("GET", "/api/user/self")).body.success).toBe(true);
    expect((await models()).status).toBe(200);
  });

  it("demotes at once", async () => {
    const person = await world.newAdmin();
    expect((await person.api("GET", "/api/user/")).body.success).toBe(true);
    await manage(person.username, "demote");
    expect((await person.api("GET", "/api/user/")).body).toMatchObject({
      success: false,
      message: "无权进行此操作，权限不足",
    });
  });

  it.each(["DELETE", "manage"])(
    "deletes at once with sessions and keys (%s), and never gives the id away",
    async (way) => {
      const person = await world.newUser({ quota: 1000 });
      const accessToken = (await person.api("GET", "/api/user/token")).body.data as string;
      const key = await addApiKey(person);
      const answer =
        way === "DELETE"
          ? await world.root.api("DELETE", `/api/user/${person.id}`)
          : await manage(person.username, "delete");
      expect(answer.body).toMatchObject({ success: true, message: "" });
      expect((await person.api("GET", "/api/user/self")).status).toBe(401);
      const byToken = await callApi(world.url, "GET", "/api/user/self", undefined, { token: accessToken });
      expect(byToken.body.message).toContain("access token 无效");
      const models = await fetch(`${world.url}/v1/models`, {
        headers: { authorization: `Bearer ${key.key}` },
      });
      expect(models.status).toBe(401);
      expect(world.stored.all("SELECT id FROM tokens WHERE user_id = ?", person.id)).toEqual([]);
      expect(world.stored.all("SELECT id_hash FROM sessions WHERE user_id = ?", person.id)).toEqual([]);
      // The log lines stay: they are the account of what was given.
      expect(world.stored.all("SELECT id FROM logs WHERE user_id = ?", person.id)).toHaveLength(1);
      expect((await world.newUser()).id).toBeGreaterThan(person.id);
    },
  );

  it("changes a password and ends the user's sessions", async () => {
    const person = await world.newUser();
    await world.root.api("PUT", "/api/user/", { id: person.id, password: "password-2" });
    expect((await person.api("GET", "/api/user/self")).status).toBe(401);
    await expect(signIn(world.url, person.username, "password-1")).rejects.toThrow("用户名或密码错误");
    await signIn(world.url, person.username, "password-2");
  });

  it("T5: keeps a quota that the administrator left unedited, whatever was used since", async () => {
    const person = await world.newUser({ quota: 5000 });
    const save = (form: Record<string, unknown>) =>
      world.root.api("PUT", "/api/user/", { id: person.id, display_name: "shown", ...form });
    // 9,000 is what the form had shown before a person spent 4,000.
    expect((await save({ quota: 9000, original_quota: 9000 })).body.success).toBe(true);
    expect((await shown(person.id)).quota).toBe(5000);
    await save({ quota: 9500, original_quota: 9000 });
    expect((await shown(person.id)).quota).toBe(9500);
    await save({ quota: 100 });
    expect((await shown(person.id)).quota).toBe(100);
  });

  it("T8: takes several groups, and refuses a name that is too long", async () => {
    const person = await world.newUser();
    const save = (group: string) => world.root.api("PUT", "/api/user/", { id: person.id, group });
    const list = Array.from({ length: 10 }, (_, index) => `group-number-${index}`).join(",");
    expect((await save(list)).body.success).toBe(true);
    expect((await shown(person.id)).group).toBe(list);
    expect((await save(`vip,${"g".repeat(33)}`)).body.success).toBe(false);
  });

  it("keeps both of two concurrent changes of administrators", async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await world.newUser();
      const act = (by: typeof world.root, action: string) =>
        by.api("POST", "/api/user/manage", { username: person.username, action });
      const [promoted, disabled] = await Promise.all([
        act(world.root, "promote"),
        act(world.admin, "disable"),
      ]);
      expect(promoted.body.success).toBe(true);
      const { role, status } = await shown(person.id);
      // A user who has become an administrator is out of the other administrator's reach.
      expect([role, status]).toEqual([10, disabled.body.success ? 2 : 1]);
    }
  });

  it("raises a quota once, however often the same form is sent at the same time", async () => {
    const person = await world.newUser();
    const form = { id: person.id, quota: 5000, password: "password-2" };
    await Promise.all(Array.from({ length: 6 }, () => world.root.api("PUT", "/api/user/", form)));
    expect((await shown(person.id)).quota).toBe(5000);
  });

  it("lowers a quota once, however often the same form is sent at the same time", async () => {
    const person = await world.newUser({ quota: 5000 });
    const form = { id: person.id, quota: 100, password: "password-2" };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => world.root.api("PUT", "/api/user/", form)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await shown(person.id)).quota).toBe(100);
  });
});
