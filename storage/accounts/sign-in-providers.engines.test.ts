import { type NewSignInProvider, providerKeyOf } from "@tollgate/contract/records/sign-in-provider-record";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

let store: Awaited<ReturnType<typeof newStore>>;
let opened: Awaited<ReturnType<typeof store.open>>;

beforeEach(async () => {
  store = await newStore();
  opened = await store.open(MASTER_KEY);
});
afterEach(async () => {
  await opened.close();
  await store.remove();
});

const newProvider = (more: Partial<NewSignInProvider> = {}): NewSignInProvider => ({
  ...{ slug: "acme", name: "Acme", issuer: "https://id.example.com", clientId: "tollgate" },
  ...{ clientSecret: "provider-secret", scopes: "openid email", emailDomains: "example.com" },
  ...{ groupClaim: "groups", requiredGroups: "staff", isEnabled: true, mayRegister: false, createdTime: 7 },
  ...more,
});

const addProvider = async (more: Partial<NewSignInProvider> = {}) => {
  const created = await opened.changes.signInProviders.create(newProvider(more), 9);
  if (!created) throw new Error("too many providers");
  return created;
};

const addUser = async (username: string, more: Parameters<typeof newUser>[0] = {}) =>
  (await opened.changes.users.create(newUser({ username, affCode: username, ...more }), 0, [])).user;

describe("a sign-in provider", () => {
  it("is stored with its secret sealed, and changed in part", async () => {
    const { changes, queries } = opened;
    const { id } = await addProvider();
    expect(await queries.signInProviders.all()).toEqual([{ id, ...newProvider() }]);
    const changed = await changes.signInProviders.change(id, { name: "Acme Ltd", isEnabled: false });
    expect(changed).toEqual({ id, ...newProvider({ name: "Acme Ltd", isEnabled: false }) });
    await changes.signInProviders.change(id, { clientSecret: "another" });
    expect((await queries.signInProviders.all())[0]).toMatchObject({ clientSecret: "another" });
    expect(await changes.signInProviders.change(99, { name: "x" })).toBeUndefined();
  });

  it("has a short name of its own, and a limited number beside it", async () => {
    const { changes } = opened;
    await addProvider();
    await expect(addProvider({ name: "Other" })).rejects.toMatchObject({ kind: "provider-slug-taken" });
    expect(await changes.signInProviders.create(newProvider({ slug: "other" }), 1)).toBeUndefined();
  });

  it("takes the accounts that are bound along, and leaves its id to no other", async () => {
    const { changes, queries } = opened;
    const provider = await addProvider();
    const method = providerKeyOf(provider);
    const alice = await addUser("alice", { identity: { method, subject: "1" } });
    await addUser("bob", { identity: { method: "github", subject: "1" } });
    expect((await queries.users.find(alice.id))?.identities).toEqual({ [method]: "1" });
    expect(await queries.signInProviders.bound()).toEqual(
      new Map([
        [method, 1],
        ["github", 1],
      ]),
    );
    expect(await changes.signInProviders.remove(provider.id)).toBe(1);
    expect(await changes.signInProviders.remove(provider.id)).toBeUndefined();
    expect((await queries.users.find(alice.id))?.identities).toEqual({});
    expect(await queries.users.findByIdentity({ method: "github", subject: "1" })).toBeDefined();
    expect((await addProvider()).id).toBeGreaterThan(provider.id);
  });
});

describe("an account elsewhere", () => {
  const methodsOf = async (id: number) =>
    Object.keys((await opened.queries.users.find(id))?.identities ?? {});

  it("is let go, and its person is known as a former user", async () => {
    const { id } = await addUser("alice", { identity: { method: "github", subject: "1" } });
    await opened.changes.users.change(id, { unbinds: { method: "github" } });
    expect(await methodsOf(id)).toEqual([]);
    const again = await addUser("newcomer", { quota: 500, identity: { method: "github", subject: "1" } });
    expect(again.quota).toBe(0);
  });

  it("is kept where it is the last of those that sign in, also by two changes at once", async () => {
    const { id } = await addUser("alice", { identity: { method: "github", subject: "1" } });
    const { users } = opened.changes;
    await users.change(id, { identity: { method: "oidc_1", subject: "1" } });
    await users.change(id, { identity: { method: "wechat", subject: "1" } });
    const both = await Promise.allSettled([
      users.change(id, { unbinds: { method: "github", keepsOneOf: ["oidc_1"] } }),
      users.change(id, { unbinds: { method: "oidc_1", keepsOneOf: ["github"] } }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await methodsOf(id)).toHaveLength(2);
    await expect(users.change(id, { unbinds: { method: "wechat", keepsOneOf: [] } })).rejects.toMatchObject({
      kind: "last-identity",
    });
    expect(await methodsOf(id)).toContain("wechat");
  });
});
