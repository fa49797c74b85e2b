import type { PermissionSet } from "@tollgate/contract/api/permission-sets";
import type { UserWire } from "@tollgate/contract/api/user";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, signIn, succeed } from "./client";
import { type ManagementWorld, PASSWORD, type Person, startManagementWorld } from "./management-world";

/* Sets of permissions: what they narrow is in guards.test.ts; here is how root makes, gives and takes them. */

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

const give = (person: Person, permissionSet: string) =>
  world.root.api("PUT", "/api/user/", { id: person.id, permission_set: permissionSet });

const newAdminWith = async (permissionSet: string): Promise<Person> => {
  const person = await world.newAdmin();
  await succeed(give(person, permissionSet));
  return person;
};

let serial = 0;
const makeSet = async (...permissions: string[]): Promise<PermissionSet> => {
  serial += 1;
  return succeed(world.root.api("POST", "/api/permission-set", { name: `Team ${serial}`, permissions }));
};

const listSets = () => succeed<PermissionSet[]>(world.root.api("GET", "/api/permission-set"));
const messageOf = async (call: Promise<{ body: { message?: string } }>) => (await call).body.message ?? "";

describe("a set of permissions", () => {
  it("narrows the administrator's next request, and its access token", async () => {
    const person = await world.newAdmin();
    const token = await succeed<string>(person.api("GET", "/api/user/token"));
    const listAs = (credentials: { cookie?: string; token?: string }) =>
      callApi(world.url, "GET", "/api/channel/", undefined, credentials);
    expect((await listAs(person)).body.success).toBe(true);
    await succeed(give(person, "support"));
    for (const credentials of [{ cookie: person.cookie }, { token }]) {
      const answer = await listAs(credentials);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        success: false,
        message: "无权进行此操作：你的权限集不包含 channels:read，可联系 root 调整",
      });
    }
    await succeed(give(person, ""));
    expect((await listAs(person)).body.success).toBe(true);
  });

  it("is checked before the body is read", async () => {
    const person = await newAdminWith("support");
    expect(await messageOf(person.api("POST", "/api/channel/", "{"))).toContain("channels:change");
  });

  it("changes for all its administrators at their next request", async () => {
    const { id, name } = await makeSet("logs:read");
    const person = await newAdminWith(id);
    expect((await person.api("GET", "/api/log/")).body.success).toBe(true);
    await succeed(world.root.api("PUT", `/api/permission-set/${id}`, { name, permissions: ["orders:read"] }));
    expect((await person.api("GET", "/api/log/")).body.success).toBe(false);
    expect((await person.api("GET", "/api/payment/orders")).body.success).toBe(true);
  });

  it("is told to the administrator alone, with its rights", async () => {
    const person = await newAdminWith("operations");
    const told = { permission_set: "operations", permissions: "channels:change,usage:read,prices:read" };
    expect(await succeed(person.api("GET", "/api/user/self"))).toMatchObject(told);
    const signedIn = await callApi(world.url, "POST", "/api/user/login", {
      username: person.username,
      password: PASSWORD,
    });
    expect(signedIn.body.data).toMatchObject(told);
    const user = await succeed<UserWire>(world.root.api("GET", `/api/user/${person.id}`));
    expect(user.permission_set).toBe("operations");
    expect(user.permissions ?? "").toBe("");
    expect(await succeed(world.root.api("GET", "/api/user/self"))).not.toHaveProperty("permission_set");
  });

  it("ends with the rank of an administrator", async () => {
    const person = await newAdminWith("support");
    const manage = (action: string) =>
      succeed(world.root.api("POST", "/api/user/manage", { username: person.username, action }));
    await manage("demote");
    await manage("promote");
    expect((await person.api("GET", "/api/channel/")).body.success).toBe(true);
  });

  it("cannot be given when it is unknown or deleted", async () => {
    const { id } = await makeSet("users:read");
    const person = await world.newAdmin();
    await succeed(world.root.api("DELETE", `/api/permission-set/${id}`));
    for (const unknown of [id, "gone", "constructor", "__proto__"])
      expect((await give(person, unknown)).body.success, unknown).toBe(false);
  });
});

describe("root", () => {
  it("alone gives sets, to administrators alone", async () => {
    const all = await makeSet("users:change", "balances:change");
    const person = await newAdminWith(all.id);
    const user = await world.newUser();
    for (const [id, permissionSet] of [
      [person.id, ""],
      [person.id, "support"],
      [user.id, "support"],
    ] as const)
      expect(
        (await person.api("PUT", "/api/user/", { id, permission_set: permissionSet })).body.success,
      ).toBe(false);
    expect(await messageOf(give(user, "support"))).toBe("只有管理员可以设置权限集");
    expect(
      (await world.root.api("PUT", "/api/user/", { id: 1, permission_set: "support" })).body.success,
    ).toBe(false);
    // A client that sends back a whole user, as it read it, is not refused.
    await succeed(person.api("PUT", "/api/user/", { id: user.id, display_name: "Kim", permission_set: "" }));
  });

  it("counts administrators, and deletes a set when there are none", async () => {
    const { id } = await makeSet("users:read");
    const person = await newAdminWith(id);
    expect((await listSets()).find((set) => set.id === id)?.administrators).toBe(1);
    expect(await messageOf(world.root.api("DELETE", `/api/permission-set/${id}`))).toContain("1 位用户");
    await succeed(give(person, ""));
    await succeed(world.root.api("DELETE", `/api/permission-set/${id}`));
    expect((await listSets()).map((set) => set.id)).not.toContain(id);
    expect((await world.root.api("DELETE", "/api/permission-set/support")).body.success).toBe(false);
  });

  it("names each set once, with rights that exist", async () => {
    const { name } = await makeSet("users:read");
    const make = (body: object) => world.root.api("POST", "/api/permission-set", body);
    expect((await make({ name: name.toUpperCase(), permissions: [] })).body.success).toBe(false);
    expect((await make({ name: "Finance", permissions: [] })).body.success).toBe(false);
    expect((await make({ name: "other", permissions: ["everything:change"] })).body.success).toBe(false);
    expect((await make({ name: "   ", permissions: [] })).body.success).toBe(false);
  });

  it("finds each change in the audit, with what was before", async () => {
    const { id, name } = await makeSet("users:read");
    const person = await newAdminWith("finance");
    await succeed(give(person, id));
    await succeed(world.root.api("PUT", `/api/permission-set/${id}`, { name, permissions: ["logs:read"] }));
    const lines = await succeed<{ action: string; detail: string }[]>(world.root.api("GET", "/api/audit"));
    const [changed, given] = lines.map(({ action, detail }) => [action, JSON.parse(detail)]);
    expect(changed).toEqual([
      "permission-set.update",
      { name, permissions: ["logs:read"], name_before: name, permissions_before: ["users:read"] },
    ]);
    expect(given).toEqual(["user.update", { permission_set_before: "finance", permission_set: name }]);
  });
});

describe("a set that includes users", () => {
  it("changes no balance without the right for balances", async () => {
    const { id } = await makeSet("users:change");
    const person = await newAdminWith(id);
    const user = await world.newUser();
    const { quota } = await succeed<UserWire>(person.api("GET", `/api/user/${user.id}`));
    const edit = (body: object) => person.api("PUT", "/api/user/", { id: user.id, ...body });
    // The whole user as it was read, as clients of one-api send it.
    await succeed(edit({ quota, display_name: "Kim" }));
    expect(await messageOf(edit({ quota: quota + 1 }))).toContain("balances:change");
    const batch = {
      ids: [user.id],
      action: "add-quota",
      quota: 5,
      reason: "gift",
      operation: "a".repeat(32),
    };
    expect(await messageOf(person.api("POST", "/api/user/batch", batch))).toContain("balances:change");
    expect((await succeed<UserWire>(world.root.api("GET", `/api/user/${user.id}`))).quota).toBe(quota);
  });

  it("signs in as before, and reaches the user's own calls", async () => {
    const { id } = await makeSet();
    const person = await newAdminWith(id);
    const again = await signIn(world.url, person.username, PASSWORD);
    await succeed(again.api("GET", "/api/token/"));
    await succeed(again.api("PUT", "/api/user/self", { display_name: "Kim" }));
  });
});
