import { demand } from "@tollgate/demo/build-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, succeed } from "./client";
import { type ManagementWorld, startManagementWorld } from "./management-world";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

interface Terms {
  version: number;
  user_agreement: string;
  privacy_policy: string;
}
interface OwnTerms {
  version: number;
  is_due: boolean;
  accepted_version: number;
  accepted_at: number;
}

const guest: ManagementWorld["user"]["api"] = (method, at, body) =>
  callApi(world.server.url, method, at, body);
const current = () => succeed<Terms>(guest("GET", "/api/terms"));

const publish = async (more: object = {}) => {
  const { version } = await current();
  const body = { version, user_agreement: "Be kind", privacy_policy: "", asks_again: false, ...more };
  return succeed<Terms>(world.root.api("POST", "/api/terms", body));
};

let names = 0;
const register = (more: object = {}) => {
  names += 1;
  const body = { username: `guest${names}`, password: "password-1", ...more };
  return guest("POST", "/api/user/register", body);
};

const dueOf = async (api: ManagementWorld["user"]["api"]) => succeed<OwnTerms>(api("GET", "/api/user/terms"));
const newKey = (api: ManagementWorld["user"]["api"]) =>
  api("POST", "/api/token/", { name: "k", unlimited_quota: true, expired_time: -1, remain_quota: 0 });

describe("terms of the site", () => {
  it("ask nothing before the first version", async () => {
    expect(await current()).toEqual({ version: 0, user_agreement: "", privacy_policy: "", published_at: 0 });
    expect(await dueOf(world.user.api)).toMatchObject({ version: 0, is_due: false });
    await demand(register());
    expect(await succeed<object>(guest("GET", "/api/status"))).not.toHaveProperty("terms_version");
  });

  it("are accepted by a registration, in the version that the newcomer saw", async () => {
    const first = await publish({
      user_agreement: "# Agreement",
      privacy_policy: "https://example.com/privacy",
    });
    expect(await succeed(guest("GET", "/api/status"))).toMatchObject({
      terms_version: first.version,
      user_agreement: true,
      privacy_policy: true,
    });
    const { body: without } = await register();
    expect(without).toMatchObject({ success: false, field: "terms_version" });
    await publish();
    const { body: old } = await register({ terms_version: first.version });
    expect(old).toMatchObject({ success: false, field: "terms_version" });
    const { version } = await current();
    await demand(register({ terms_version: version }));
    const username = `guest${names}`;
    const [found] = await succeed<{ id: number }[]>(
      world.root.api("GET", `/api/user/search?keyword=${username}`),
    );
    expect(await succeed(world.admin.api("GET", `/api/user/${found?.id}/terms`))).toMatchObject([
      { version },
    ]);
  });

  it("keep new keys and payments from a user who has not accepted them; keys that exist go on", async () => {
    const { api } = await world.newUser({});
    expect((await dueOf(api)).is_due).toBe(true);
    for (const [path, body] of [
      ["/api/token/", { name: "k", unlimited_quota: true, expired_time: -1, remain_quota: 0 }],
      ["/api/token/many", { name: "k", count: 2, unlimited_quota: true, expired_time: -1, remain_quota: 0 }],
    ] as const)
      expect((await api("POST", path, body)).body.message).toContain("条款");
    expect((await api("POST", "/api/user/topup", { key: "no-such-code" })).body.message).toContain("条款");
    expect((await api("POST", "/api/subscription/", { plan_id: 1 })).body.message).toContain("条款");
    const { version } = await current();
    expect((await api("POST", "/api/user/terms", { version: version + 1 })).body.success).toBe(false);
    expect((await api("POST", "/api/user/terms", { version: version - 1 })).body.success).toBe(false);
    await demand(api("POST", "/api/user/terms", { version }));
    expect(await dueOf(api)).toMatchObject({ is_due: false, accepted_version: version });
    await demand(newKey(api));
  });

  it("ask users again only where their author says so", async () => {
    const { api } = await world.newUser({});
    await demand(api("POST", "/api/user/terms", { version: (await current()).version }));
    await publish({ user_agreement: "Be kind!" });
    expect((await dueOf(api)).is_due).toBe(false);
    const { version } = await publish({ user_agreement: "Be kinder", asks_again: true });
    expect(await dueOf(api)).toMatchObject({ is_due: true, version });
    expect((await newKey(api)).body.success).toBe(false);
    // Administrators offer the terms: nothing is asked of them.
    expect((await dueOf(world.admin.api)).is_due).toBe(false);
  });

  it("stop asking when both texts are withdrawn, and ask all users when new ones are published", async () => {
    const { api } = await world.newUser({});
    await publish({ user_agreement: "", privacy_policy: " " });
    expect(await dueOf(api)).toMatchObject({ version: 0, is_due: false });
    await demand(register());
    await publish();
    expect((await dueOf(api)).is_due).toBe(true);
  });

  it("are published by root in a session, one version at a time, within bounds", async () => {
    const { version } = await current();
    const body = { version, user_agreement: "a", privacy_policy: "b", asks_again: false };
    for (const wrong of [
      { user_agreement: "a".repeat(50_001) },
      { user_agreement: "a\u0007" },
      { version: version - 1 },
      { version: version + 1 },
      { asks_again: "yes" },
    ])
      expect((await world.root.api("POST", "/api/terms", { ...body, ...wrong })).body.success).toBe(false);
    expect((await current()).version).toBe(version);
    const both = await Promise.all([1, 2].map(() => world.root.api("POST", "/api/terms", body)));
    expect(both.filter((answer) => answer.body.success === true)).toHaveLength(1);
    const versions = await succeed<Terms[]>(world.root.api("GET", "/api/terms/versions"));
    expect(versions[0]).toMatchObject({ version: version + 1, author: "root", acceptances: 0 });
    expect(await succeed(guest("GET", "/api/terms?version=1"))).toMatchObject({
      user_agreement: "# Agreement",
    });
    for (const unknown of ["0.5", "-1", "99999", "1e400", "x"])
      expect((await guest("GET", `/api/terms?version=${unknown}`)).body.success).toBe(false);
    const audit = await succeed<object[]>(world.root.api("GET", "/api/audit?action=terms"));
    expect(audit[0]).toMatchObject({ action: "terms.publish", target: String(version + 1) });
    expect(JSON.stringify(audit)).not.toContain("Be kinder");
  });
});
