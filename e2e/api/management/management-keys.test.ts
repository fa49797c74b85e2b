import type { ManagementKey } from "@tollgate/contract/api/management-keys";
import { MAX_MANAGEMENT_KEYS } from "@tollgate/contract/management/management-key";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

/* Management keys: what each reaches, what none reaches, and when they end. */

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

const PATH = "/api/user/management-key";
const ALL = ["own:change", "users:change", "channels:change", "logs:change", "options:change"];

type Made = ManagementKey & { key: string };

const make = (
  person: Pick<Person, "api">,
  permissions: readonly string[],
  more: object = {},
): Promise<Made> => succeed(person.api("POST", PATH, { name: "script", permissions, ...more }));

const callWith = (token: string, method: string, path: string, body?: unknown) =>
  callApi(world.url, method, path, body, { token });

const isTaken = async (key: string, method: string, path: string, body?: unknown): Promise<boolean> =>
  (await callWith(key, method, path, body)).body.success === true;

describe("a management key", () => {
  it("reaches the calls of its rights, with and without Bearer, and no others", async () => {
    const { key } = await make(world.admin, ["channels:read", "own:read"]);
    expect(key).toMatch(/^mk-[0-9A-Za-z]{48}$/);
    for (const token of [key, `Bearer ${key}`, `bearer ${key}`])
      expect((await callWith(token, "GET", "/api/channel/")).body.success).toBe(true);
    expect(await isTaken(key, "GET", "/api/token/")).toBe(true);
    expect(await isTaken(key, "POST", "/api/token/", { name: "x" })).toBe(false);
    expect(await isTaken(key, "GET", "/api/log/")).toBe(false);
    const refused = await callWith(key, "DELETE", "/api/channel/disabled");
    expect(refused.body.message).toBe("无权进行此操作：此管理密钥不包含 channels:change");
  });

  it("that only reads makes no GET that changes something", async () => {
    const { key } = await make(world.admin, ["channels:read", "own:read"]);
    for (const path of ["/api/channel/test", "/api/channel/update_balance", "/api/channel/test/1"])
      expect(await isTaken(key, "GET", path), path).toBe(false);
    expect(await isTaken(key, "GET", "/api/user/token")).toBe(false);
  });

  it("makes no call of root's, and none of the account's security", async () => {
    const { key, id } = await make(world.root, ALL);
    const calls = [
      ["GET", "/api/audit"],
      ["GET", "/api/node"],
      ["POST", "/api/permission-set", { name: "x", permissions: [] }],
      ["GET", PATH],
      ["POST", PATH, { name: "x", permissions: ["own:read"] }],
      ["DELETE", `${PATH}/${id}`],
      ["GET", "/api/user/token"],
      ["GET", "/api/user/sessions"],
      ["DELETE", "/api/user/sessions"],
      ["PUT", "/api/user/self", { display_name: "x" }],
      ["DELETE", "/api/user/self"],
      ["POST", "/api/user/2fa/setup"],
      ["GET", "/api/user/2fa/status"],
      ["GET", "/api/oauth/email/bind?email=a@example.com&code=1"],
    ] as const;
    for (const [method, path, body] of calls)
      expect((await callWith(key, method, path, body)).body.message, path).toBe(
        "管理密钥不能进行此操作，请登录后操作",
      );
  });

  it("reveals no access token, and changes no administrator", async () => {
    const admin = await world.newAdmin();
    const user = await world.newUser();
    await succeed(world.root.api("GET", "/api/user/token"));
    const { key } = await make(world.root, ALL);
    const { body } = await callWith(key, "GET", "/api/user/self");
    expect(body.data).toMatchObject({ username: "root", access_token: "" });
    expect(await isTaken(key, "PUT", "/api/user/", { id: admin.id, password: "password-9" })).toBe(false);
    expect(await isTaken(key, "PUT", "/api/user/", { id: admin.id, permission_set: "support" })).toBe(false);
    expect(await isTaken(key, "PUT", "/api/user/", { id: user.id, role: 10 })).toBe(false);
    const promote = { username: user.username, action: "promote" };
    expect(await isTaken(key, "POST", "/api/user/manage", promote)).toBe(false);
    expect(await isTaken(key, "PUT", "/api/user/", { id: user.id, display_name: "Kim" })).toBe(true);
  });

  it("never has more than its owner: role, set and status count at each request", async () => {
    const admin = await world.newAdmin();
    const { key } = await make(admin, ["users:read", "channels:read", "own:read"]);
    expect(await isTaken(key, "GET", "/api/channel/")).toBe(true);
    await succeed(world.root.api("PUT", "/api/user/", { id: admin.id, permission_set: "support" }));
    expect(await isTaken(key, "GET", "/api/channel/")).toBe(false);
    expect(await isTaken(key, "GET", "/api/user/")).toBe(true);
    expect(await isTaken(key, "GET", "/api/log/")).toBe(false);
    const manage = (action: string) =>
      succeed(world.root.api("POST", "/api/user/manage", { username: admin.username, action }));
    await manage("demote");
    expect(await isTaken(key, "GET", "/api/user/")).toBe(false);
    expect(await isTaken(key, "GET", "/api/token/")).toBe(true);
    await manage("disable");
    expect(await isTaken(key, "GET", "/api/token/")).toBe(false);
    await manage("delete");
    expect((await callWith(key, "GET", "/api/token/")).status).toBe(401);
  });

  it("cannot be made with rights that its owner does not have", async () => {
    const support = await world.newAdmin();
    await succeed(world.root.api("PUT", "/api/user/", { id: support.id, permission_set: "support" }));
    const tryToMake = (person: Person, right: string) =>
      person.api("POST", PATH, { name: "x", permissions: [right] });
    for (const right of ["channels:read", "users:change", "options:read"])
      expect((await tryToMake(support, right)).body.message).toContain(right);
    expect((await tryToMake(world.user, "users:read")).body.success).toBe(false);
    expect((await tryToMake(world.user, "root:change")).body.success).toBe(false);
    expect((await tryToMake(support, "users:read")).body.success).toBe(true);
  });

  it("is made with a session alone", async () => {
    const person = await world.newUser();
    const token = await succeed<string>(person.api("GET", "/api/user/token"));
    const answer = await callWith(token, "POST", PATH, { name: "x", permissions: ["own:read"] });
    expect(answer.body.message).toBe("请登录后再创建管理密钥，系统访问令牌不能创建");
  });

  it("ends when it expires, is revoked, or its owner has another password", async () => {
    const person = await world.newUser();
    const expiresTime = Math.floor(Date.now() / 1000) + 2;
    const short = await make(person, ["own:read"], { expires_time: expiresTime });
    const revoked = await make(person, ["own:read"]);
    const last = await make(person, ["own:read"]);
    for (const { key } of [short, revoked, last]) expect(await isTaken(key, "GET", "/api/token/")).toBe(true);
    await succeed(person.api("DELETE", `${PATH}/${revoked.id}`));
    const refused = await callWith(revoked.key, "GET", "/api/token/");
    expect([refused.status, refused.body.message]).toEqual([
      401,
      "无权进行此操作，管理密钥不存在、已吊销或已过期",
    ]);
    expect((await world.other.api("DELETE", `${PATH}/${last.id}`)).body.success).toBe(false);
    await succeed(world.root.api("PUT", "/api/user/", { id: person.id, password: "password-2" }));
    expect(await isTaken(last.key, "GET", "/api/token/")).toBe(false);
    await expect.poll(() => isTaken(short.key, "GET", "/api/token/"), { timeout: 5000 }).toBe(false);
  });

  it("that is revoked while it is used makes no call afterwards", async () => {
    const { key, id } = await make(world.user, ["own:change"]);
    const calls = Array.from({ length: 20 }, () => isTaken(key, "GET", "/api/token/"));
    await succeed(world.user.api("DELETE", `${PATH}/${id}`));
    await Promise.all(calls);
    expect(await isTaken(key, "GET", "/api/token/")).toBe(false);
  });

  it("is used from its addresses alone", async () => {
    const far = await make(world.user, ["own:read"], { networks: "192.0.2.0/24" });
    expect((await callWith(far.key, "GET", "/api/token/")).body.message).toContain("此管理密钥不允许从");
    const near = await make(world.user, ["own:read"], { networks: "127.0.0.0/8, ::1" });
    expect(await isTaken(near.key, "GET", "/api/token/")).toBe(true);
  });

  it("is listed without its secret, with its last use, and stored as a hash", async () => {
    const person = await world.newUser();
    const { key, id } = await make(person, ["own:read"], { name: "backup" });
    await callWith(key, "GET", "/api/token/");
    const list = async () => succeed<ManagementKey[]>(person.api("GET", PATH));
    await expect.poll(async () => (await list())[0]?.last_used_time).toBeGreaterThan(0);
    const [shown] = await list();
    expect(shown).toMatchObject({ id, name: "backup", start: key.slice(0, 9), permissions: ["own:read"] });
    expect(shown?.last_address).not.toBe("");
    expect(JSON.stringify([shown, world.stored.snapshot()])).not.toContain(key.slice(9));
  });

  it("counts in the header alone", async () => {
    const { key } = await make(world.user, ["own:read"]);
    for (const name of ["key", "token", "access_token", "authorization"])
      expect((await callApi(world.url, "GET", `/api/token/?${name}=${key}`)).status, name).toBe(401);
    const relayed = await callApi(world.url, "GET", "/v1/models", undefined, { token: `Bearer ${key}` });
    expect(relayed.status).toBe(401);
  });

  it("of a user are bounded in number, with calls at a time as well", async () => {
    const person = await world.newUser();
    const tries = Array.from({ length: MAX_MANAGEMENT_KEYS + 5 }, () =>
      person.api("POST", PATH, { name: "x", permissions: ["own:read"] }),
    );
    const answers = await Promise.all(tries);
    expect(answers.filter(({ body }) => body.success)).toHaveLength(MAX_MANAGEMENT_KEYS);
    expect(answers.find(({ body }) => !body.success)?.body.message).toContain("已达上限 20 个");
  });
});
