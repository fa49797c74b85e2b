import type { AuditSort } from "@tollgate/contract/api/audit";
import { type AuditRecord, MAX_KEY_CHANGES } from "@tollgate/contract/records/audit-record";
import type { Identity } from "@tollgate/contract/records/user-record";
import type { ListSort } from "@tollgate/contract/resource/list-sort";
import { amountOf } from "@tollgate/contract/values/log-phrase";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import {
  LOG_SYSTEM,
  LOG_TOPUP,
  TOKEN_DISABLED,
  TOKEN_ENABLED,
  TOKEN_EXHAUSTED,
  TOKEN_EXPIRED,
} from "@tollgate/contract/values/statuses";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StorageConflict } from "../errors";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, moved, newChannel, newCharge, newToken, newUser } from "../testing/sample-records";
import type { Charge } from "./charges";
import type { AuditFilter } from "./site-ports";
import { type AccountsUnderTest, readWaiting, type StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const OTHER_KEY = new Uint8Array(32).fill(8);

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

let store: StoreUnderTest;
let accounts: AccountsUnderTest;

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
});

afterEach(async () => {
  await accounts.close();
  await store.remove();
});

const createUser = async (username = "alice", quota = 1000) => {
  const user = newUser({ username, quota, accessToken: `access-token-of-${username}` });
  return (await accounts.changes.users.create(user, 0, [])).user;
};

const createApiKey = async (userId: number, key?: string) =>
  (await accounts.changes.tokens.create(newToken(userId, key === undefined ? {} : { key }))).token;

const channelOf = (name: string, key: string) => newChannel({ name, key });

const chargeOf = (userId: number, tokenId: number, quota: number, more: Partial<Charge> = {}): Charge =>
  newCharge({ userId, tokenId, quota, ...more });

const lines = async () => readWaiting(await accounts.waiting());

describe("users", () => {
  it("refuses a second user of the same name", async () => {
    await createUser();
    const again = accounts.changes.users.create(newUser(), 0, []);
    await expect(again).rejects.toEqual(new StorageConflict("username-taken"));
  });

  it("have their address to themselves, where they have one", async () => {
    const { users } = accounts.changes;
    await users.create(newUser({ username: "alice", email: "same" }), 0, []);
    const { user } = await users.create(newUser({ username: "bob" }), 0, []);
    await users.create(newUser({ username: "carol" }), 0, []);
    const taken = new StorageConflict("email-taken");
    await expect(users.change(user.id, { email: "same" })).rejects.toEqual(taken);
    const again = users.create(newUser({ username: "dave", email: "same" }), 0, []);
    await expect(again).rejects.toEqual(taken);
  });

  it("rewards an inviter with the part that fits into a balance, and reports it", async () => {
    const inviter = await createUser("alice", MAX_QUOTA - 10);
    const { users } = accounts.changes;
    const invited = async (username: string) =>
      (await users.create(newUser({ username, inviterId: inviter.id }), 7, [])).rewardedQuota;
    expect([await invited("bob"), await invited("carol"), await invited("dave")]).toEqual([7, 3, 0]);
    expect((await accounts.queries.users.find(inviter.id))?.quota).toBe(MAX_QUOTA);
  });

  it("returns the access token to its owner, and stores it unreadable", async () => {
    const user = await createUser();
    expect(await accounts.queries.users.accessToken(user.id)).toBe("access-token-of-alice");
    const hash = await accounts.changes.users.setAccessToken(user.id, "another-access-token");
    expect(await accounts.queries.users.accessToken(user.id)).toBe("another-access-token");
    expect((await accounts.queries.users.after(0, 10))[0]?.accessTokenHash).toBe(hash);
    const stored = await accounts.stored();
    expect(stored.includes("alice")).toBe(true);
    expect(stored.includes("access-token")).toBe(false);
  });

  it("changes the named fields and no others", async () => {
    const user = await createUser();
    await accounts.changes.users.change(user.id, { displayName: "Alice A." });
    expect(await accounts.queries.users.find(user.id)).toEqual({ ...user, displayName: "Alice A." });
    const unknown = accounts.changes.users.change(user.id + 1, { displayName: "Nobody" });
    await expect(unknown).rejects.toEqual(new StorageConflict("not-found"));
  });

  it("changes nothing where the password is another one than was seen", async () => {
    const { users } = accounts.changes;
    const user = await createUser();
    const hashOf = async () => (await accounts.queries.users.withIds([user.id]))[0]?.passwordHash ?? "";
    const seen = await hashOf();
    await users.change(user.id, { passwordHash: "mine", onlyWithPasswordHash: seen });
    const late = users.change(user.id, { passwordHash: "yours", onlyWithPasswordHash: seen, email: "" });
    await expect(late).rejects.toEqual(new StorageConflict("not-found"));
    expect(await hashOf()).toBe("mine");
  });

  it("writes the lines of a change with it, or neither", async () => {
    const line = {
      createdAt: 5,
      userId: 0,
      username: "alice",
      type: LOG_SYSTEM,
      phrase: { code: "redeemed", amount: amountOf(5, 500_000, false) },
    } as const;
    const { user } = await accounts.changes.users.create(newUser(), 0, [line]);
    const tooMuch = { quotaMove: moved(-1001) };
    await expect(accounts.changes.users.change(user.id, tooMuch, [line])).rejects.toThrow();
    await accounts.changes.users.change(user.id, { quotaMove: moved(-1000) }, [{ ...line, userId: 9 }]);
    expect(await accounts.queries.users.find(user.id)).toMatchObject({ quota: 0 });
    expect(await lines()).toMatchObject([{ userId: user.id, type: LOG_SYSTEM }, { userId: 9 }]);
  });

  it("are found by id, by their unique fields, and by the literal beginning of a name", async () => {
    const { users } = accounts.changes;
    const one = (
      await users.create(newUser({ username: "Émile", email: "a_b@example.org", role: 10 }), 0, [])
    ).user;
    const two = (
      await users.create(newUser({ username: "bob", displayName: "Ann_A", affCode: "code" }), 0, [])
    ).user;
    const { users: queries } = accounts.queries;
    const found = async (keyword: string) =>
      (await queries.page(0, 10, undefined, {}, keyword)).map(({ id }) => id);
    expect(await found("a")).toEqual([two.id, one.id]);
    expect(await found("ANN_")).toEqual([two.id]);
    expect(await found("a_")).toEqual([one.id]);
    expect(await found("a%")).toEqual([]);
    expect(await found("Ém")).toEqual([one.id]);
    // Letters beyond ASCII match in their own case only.
    expect(await found("ém")).toEqual([]);
    expect(await found(String(two.id))).toEqual([two.id]);
    expect(await found("999999999999999")).toEqual([]);
    const before = async (id: number, limit: number, keyword?: string) =>
      (await queries.before(id, limit, keyword)).map((user) => user.id);
    expect(await before(Number.MAX_SAFE_INTEGER, 1)).toEqual([two.id]);
    expect(await before(two.id, 9)).toEqual([one.id]);
    expect(await before(Number.MAX_SAFE_INTEGER, 9, "a")).toEqual(await found("a"));
    expect(await before(two.id, 9, "ANN_")).toEqual([]);
    expect((await queries.findBy("aff_code", "code"))?.id).toBe(two.id);
    expect(await queries.findBy("aff_code", "")).toBeUndefined();
    expect((await queries.findBy("email", "a_b@example.org"))?.id).toBe(one.id);
    expect((await queries.findByRole(10))?.id).toBe(one.id);
    expect(await queries.count()).toBe(2);
    expect((await queries.page(0, 10)).map(({ id }) => id)).toEqual([two.id, one.id]);
    expect((await queries.after(one.id, 10)).map(({ user }) => user.id)).toEqual([two.id]);
  });

  it("find an address in either case, and give it to one user", async () => {
    const { users } = accounts.changes;
    const make = async (username: string, email: string) =>
      (await users.create(newUser({ username, affCode: username, email }), 0, [])).user.id;
    const ann = await make("ann", "Ann@Example.com");
    const bob = await make("bob", "bob@example.com");
    const idOf = async (email: string) => (await accounts.queries.users.findBy("email", email))?.id;
    expect([await idOf("ann@example.com"), await idOf("BOB@example.com")]).toEqual([ann, bob]);
    const taken = { kind: "email-taken" };
    await expect(make("eve", "ann@example.com")).rejects.toMatchObject(taken);
    await expect(users.change(bob, { email: "ANN@example.com" })).rejects.toMatchObject(taken);
    expect((await users.change(ann, { email: "ann@example.com" })).user.email).toBe("ann@example.com");
    // An older version stored both: each is found as it is written, and the older one otherwise.
    await store.alter("users", "email", "Ann@example.com", bob);
    expect(await idOf("ann@example.com")).toBe(ann);
    expect(await idOf("Ann@example.com")).toBe(bob);
    expect(await idOf("ANN@example.com")).toBe(ann);
  });

  it("take their keys and sessions with them", async () => {
    const user = await createUser();
    const token = await createApiKey(user.id);
    await accounts.changes.sessions.create({
      idHash: "hash",
      userId: user.id,
      createdTime: 1,
      expiresTime: 100,
      address: "127.0.0.1",
      userAgent: "browser",
      lastUsedTime: 0,
    });
    await accounts.changes.users.remove(user.id);
    expect(await accounts.queries.tokens.find(user.id, token.id)).toBeUndefined();
    expect(await accounts.queries.sessions.live(1)).toEqual([]);
    expect((await createUser()).id).toBeGreaterThan(user.id);
  });
});

describe("numbers and texts", () => {
  it("are exact up to the largest quota", async () => {
    const user = await createUser("alice", MAX_QUOTA);
    expect(await accounts.queries.users.find(user.id)).toMatchObject({ quota: MAX_QUOTA });
    await accounts.changes.users.change(user.id, { quotaMove: moved(-MAX_QUOTA) });
    expect(await accounts.queries.users.find(user.id)).toMatchObject({ quota: 0 });
  });

  it("keep every character, and end at a NUL", async () => {
    const { user } = await accounts.changes.users.create(
      newUser({ displayName: "模型 😀 'q' \\ \"" }),
      0,
      [],
    );
    expect(user.displayName).toBe("模型 😀 'q' \\ \"");
    const { token } = await accounts.changes.tokens.create(newToken(user.id, { name: "lap\0top" }));
    expect(token.name).toBe("lap");
    expect(await accounts.queries.tokens.page(user.id, 0, 10, undefined, {}, "lap")).toHaveLength(1);
  });
});

describe("sessions", () => {
  it("live until they expire, end with the others of their user, and are forgotten", async () => {
    const user = await createUser();
    const { sessions } = accounts.changes;
    const session = (idHash: string, createdTime: number, expiresTime: number) => ({
      ...{ idHash, userId: user.id, createdTime, expiresTime },
      ...{ address: "127.0.0.1", userAgent: "browser", lastUsedTime: 0 },
    });
    for (const [id, created, expires] of [
      ["c", 3, 100],
      ["a", 1, 100],
      ["b", 2, 50],
    ] as const)
      await sessions.create(session(id, created, expires));
    const live = async (now: number) =>
      (await accounts.queries.sessions.live(now)).map(({ idHash }) => idHash);
    expect(await accounts.queries.sessions.live(60)).toEqual([session("a", 1, 100), session("c", 3, 100)]);
    expect(await live(1)).toEqual(["a", "b", "c"]);
    expect(await accounts.queries.sessions.ofUser(user.id, 60)).toHaveLength(2);
    expect(await accounts.queries.sessions.ofUser(user.id + 1, 60)).toEqual([]);
    await sessions.removeExpired(50);
    expect(await live(1)).toEqual(["a", "c"]);
    expect(await sessions.removeOthers(user.id, "a")).toEqual(["c"]);
    await sessions.remove("a");
    expect(await live(1)).toEqual([]);
  });

  it("keep the latest of their uses, whichever node notes it last", async () => {
    const user = await createUser();
    const { sessions } = accounts.changes;
    const session = { userId: user.id, createdTime: 1, expiresTime: 900, address: "", userAgent: "" };
    for (const idHash of ["a", "b"]) await sessions.create({ ...session, idHash, lastUsedTime: 1 });
    await sessions.noteUse([
      { idHash: "a", lastUsedTime: 70 },
      { idHash: "gone", lastUsedTime: 70 },
    ]);
    await sessions.noteUse([{ idHash: "a", lastUsedTime: 60 }]);
    const stored = await accounts.queries.sessions.withIds(["a", "b", "gone"]);
    expect(Object.fromEntries(stored.map(({ idHash, lastUsedTime }) => [idHash, lastUsedTime]))).toEqual({
      a: 70,
      b: 1,
    });
  });
});

describe("accounts elsewhere", () => {
  const github = (subject: string): Identity => ({ method: "github", subject });
  const TAKEN = new StorageConflict("identity-taken");

  it("are found by their owner, and returned with every user", async () => {
    const { users } = accounts.changes;
    const asked = accounts.queries.users;
    const { user: alice } = await users.create(newUser({ identity: github("1") }), 0, []);
    const bob = await createUser("bob");
    await users.change(bob.id, { identity: { method: "wechat", subject: "1" } });
    await users.change(bob.id, { identity: github("2") });
    expect(alice.identities).toEqual({ github: "1" });
    const both = { github: "2", wechat: "1" };
    expect((await asked.findByIdentity(github("1")))?.id).toBe(alice.id);
    expect(await asked.findByIdentity({ method: "wechat", subject: "1" })).toMatchObject({
      identities: both,
    });
    expect(await asked.findByIdentity(github("3"))).toBeUndefined();
    const lists = [
      [await asked.find(bob.id), await asked.find(alice.id)],
      await asked.page(0, 9),
      (await asked.after(0, 9)).map(({ user }) => user).reverse(),
    ];
    for (const list of lists) expect(list.map((user) => user?.identities)).toEqual([both, { github: "1" }]);
    expect((await asked.page(0, 9, undefined, {}, "bo")).map(({ identities }) => identities)).toEqual([both]);
  });

  it("belong to one user each, and a user has one of a method", async () => {
    const { users } = accounts.changes;
    await users.create(newUser({ identity: github("1") }), 0, []);
    const bob = await createUser("bob");
    await expect(users.change(bob.id, { displayName: "B", identity: github("1") })).rejects.toEqual(TAKEN);
    expect(await accounts.queries.users.find(bob.id)).toEqual(bob);
    await users.change(bob.id, { identity: github("2") });
    const { user } = await users.change(bob.id, { identity: github("3") });
    expect(user.identities).toEqual({ github: "3" });
    const carol = await users.create(newUser({ username: "carol", identity: github("2") }), 0, []);
    expect(carol.user.identities).toEqual({ github: "2" });
  });

  it("that are another user's create neither an account nor a reward", async () => {
    const { users } = accounts.changes;
    const { user } = await users.create(newUser({ identity: github("1") }), 0, []);
    const again = newUser({ username: "bob", inviterId: user.id, identity: github("1") });
    await expect(users.create(again, 50, [])).rejects.toEqual(TAKEN);
    expect(await accounts.queries.users.page(0, 9)).toEqual([user]);
  });

  it("are one user's when two are to have it at once", async () => {
    const [alice, bob] = [await createUser("alice"), await createUser("bob")];
    const bound = await Promise.allSettled(
      [alice, bob].map(({ id }) => accounts.changes.users.change(id, { identity: github("1") })),
    );
    expect(bound.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const owners = (await accounts.queries.users.page(0, 9)).filter(({ identities }) => identities.github);
    expect(owners).toHaveLength(1);
    expect(await accounts.queries.users.findByIdentity(github("1"))).toEqual(owners[0]);
  });

  it("are free again when they are let go of, or their user is deleted", async () => {
    const { users } = accounts.changes;
    const { user } = await users.create(newUser({ identity: github("1") }), 0, []);
    await users.change(user.id, { identity: { method: "wechat", subject: "w" } });
    expect((await users.change(user.id, { unbindsAll: true })).user.identities).toEqual({});
    await users.change(user.id, { identity: github("1") });
    await users.remove(user.id);
    const { user: next } = await users.create(newUser({ identity: github("1") }), 0, []);
    expect((await accounts.queries.users.findByIdentity(github("1")))?.id).toBe(next.id);
  });

  it("are never empty: an empty one would match any user", async () => {
    const { users } = accounts.changes;
    await expect(users.create(newUser({ identity: github("") }), 0, [])).rejects.toThrow(/check/i);
    expect(await accounts.queries.users.findByIdentity(github(""))).toBeUndefined();
  });
});

describe("tokens", () => {
  it("finds only the user's own, the newest first, by the literal beginning of the name", async () => {
    const alice = await createUser("alice");
    const bob = await createUser("bob");
    const first = await createApiKey(alice.id, "a".repeat(48));
    const second = await createApiKey(alice.id, "b".repeat(48));
    await createApiKey(bob.id, "c".repeat(48));
    const { tokens } = accounts.queries;
    expect((await tokens.page(alice.id, 0, 10)).map((token) => token.id)).toEqual([second.id, first.id]);
    expect(await tokens.find(bob.id, first.id)).toBeUndefined();
    expect(await tokens.page(alice.id, 0, 10, undefined, {}, "lap")).toHaveLength(2);
    expect(await tokens.page(alice.id, 0, 1, undefined, {}, "LAP")).toHaveLength(1);
    expect(await tokens.page(alice.id, 0, 10, undefined, {}, "l%p")).toHaveLength(0);
    expect(await tokens.count(alice.id)).toBe(2);
    expect((await tokens.after(first.id, 1)).map((token) => token.id)).toEqual([second.id]);
    expect(first.key).toBe("a".repeat(48));
  });

  it("edits the quota by a difference, so that a charge made meanwhile stays", async () => {
    const user = await createUser();
    const token = await createApiKey(user.id);
    await accounts.commit(chargeOf(user.id, token.id, 100));
    const changed = await accounts.changes.tokens.change(user.id, token.id, { remainQuotaMove: moved(50) });
    expect(changed).toMatchObject({ remainQuota: 450, usedQuota: 100 });
  });

  it("keep their limits, and lose them by zeros", async () => {
    const user = await createUser();
    const token = await createApiKey(user.id);
    const limits = { rpm: 5, dailyQuota: 100 };
    const { tokens } = accounts.changes;
    const limited = await tokens.change(user.id, token.id, {
      access: { models: ["gpt-4", "gpt-4o"], subnet: "10.0.0.0/8", limits },
    });
    expect(limited).toMatchObject({ models: ["gpt-4", "gpt-4o"], subnet: "10.0.0.0/8", limits });
    const free = await tokens.change(user.id, token.id, { access: { limits: { rpm: 0, dailyQuota: 0 } } });
    expect(free).toMatchObject({ models: ["gpt-4", "gpt-4o"], limits: undefined });
    expect(free).toMatchObject({ hasNoFallbacks: false });
    const off = await tokens.change(user.id, token.id, { access: { hasNoFallbacks: true } });
    expect(off).toMatchObject({ hasNoFallbacks: true, subnet: "10.0.0.0/8" });
    expect(await accounts.queries.tokens.withIds([token.id])).toMatchObject([{ hasNoFallbacks: true }]);
    expect(off).toMatchObject({ unsupportedFields: "" });
    await tokens.change(user.id, token.id, { access: { unsupportedFields: "refuse" } });
    const strict = { hasNoFallbacks: true, unsupportedFields: "refuse" } as const;
    expect(await accounts.queries.tokens.withIds([token.id])).toMatchObject([strict]);
  });

  it("are created together, all or none", async () => {
    const user = await createUser();
    const { tokens } = accounts.changes;
    const made = await tokens.createAll([
      newToken(user.id, { key: "a", name: "one" }),
      newToken(user.id, { key: "b", name: "two", remainQuota: 0, unlimitedQuota: true }),
    ]);
    expect(made.map(({ token: { key, name, remainQuota } }) => [key, name, remainQuota])).toEqual([
      ["a", "one", 500],
      ["b", "two", 0],
    ]);
    expect(await accounts.queries.tokens.withIds(made.map(({ record }) => record.id))).toEqual(
      made.map(({ record }) => record),
    );
    // The last one has the secret of the first.
    const again = [newToken(user.id, { key: "c" }), newToken(user.id, { key: "a" })];
    await expect(tokens.createAll(again)).rejects.toThrow();
    expect(await accounts.queries.tokens.count(user.id)).toBe(2);
  });

  it("are given new secrets, of which the one before is kept until its time is over", async () => {
    const user = await createUser();
    const token = await createApiKey(user.id);
    const { tokens } = accounts.changes;
    const record = async () => (await accounts.queries.tokens.withIds([token.id]))[0];
    const before = await record();
    expect(before?.former).toBeUndefined();
    const rotated = await tokens.rotate(user.id, token.id, { key: "second", formerUntil: 500 });
    expect(rotated?.token).toMatchObject({ ...token, key: "second", formerUntil: 500 });
    expect(await record()).toEqual(rotated?.record);
    expect(rotated?.record.former).toEqual({ hash: before?.keyHash, until: 500 });
    expect(rotated?.record.keyHash).not.toBe(before?.keyHash);
    await tokens.forgetFormer(499);
    expect((await record())?.former).toBeDefined();
    await tokens.forgetFormer(500);
    expect((await record())?.former).toBeUndefined();
    expect(await accounts.queries.tokens.find(user.id, token.id)).toMatchObject({ key: "second" });
    await tokens.rotate(user.id, token.id, { key: "third", formerUntil: 500 });
    const ended = await tokens.endFormer(user.id, token.id);
    expect(ended).toMatchObject({ token: { key: "third" }, record: { former: undefined } });
    const last = await tokens.rotate(user.id, token.id, { key: "fourth", formerUntil: 0 });
    expect(last?.record.former).toBeUndefined();
    expect(await tokens.rotate(user.id + 1, token.id, { key: "stolen", formerUntil: 0 })).toBeUndefined();
    expect(await tokens.endFormer(user.id + 1, token.id)).toBeUndefined();
  });

  it("change their status only from the one that was seen", async () => {
    const user = await createUser();
    const token = await createApiKey(user.id);
    const { tokens } = accounts.changes;
    const status = async () => (await accounts.queries.tokens.find(user.id, token.id))?.status;
    const { expiredTime } = token;
    await tokens.markStatus(token.id, { status: TOKEN_DISABLED, expiredTime }, TOKEN_EXPIRED);
    expect(await status()).toBe(TOKEN_ENABLED);
    // An administrator has given it more time meanwhile.
    await tokens.markStatus(token.id, { status: TOKEN_ENABLED, expiredTime: 5 }, TOKEN_EXPIRED);
    expect(await status()).toBe(TOKEN_ENABLED);
    await tokens.markStatus(token.id, { status: TOKEN_ENABLED, expiredTime }, TOKEN_EXPIRED);
    expect(await status()).toBe(TOKEN_EXPIRED);
    expect(await tokens.change(user.id + 1, token.id, { name: "stolen" })).toBeUndefined();
    expect(await tokens.remove(user.id + 1, token.id)).toBe(false);
  });

  it("never gives the id of a deleted one to another", async () => {
    const user = await createUser();
    const token = await createApiKey(user.id, "a".repeat(48));
    expect(await accounts.changes.tokens.remove(user.id, token.id)).toBe(true);
    expect((await createApiKey(user.id, "b".repeat(48))).id).toBeGreaterThan(token.id);
  });
});

describe("the largest balance", () => {
  const TOO_LARGE = new StorageConflict("balance-too-large");

  it("is not exceeded by an edit, of a user or of a key", async () => {
    const user = await createUser("alice", MAX_QUOTA - 5);
    const { users, tokens } = accounts.changes;
    const { token } = await tokens.create(newToken(user.id, { remainQuota: MAX_QUOTA - 5 }));
    await expect(users.change(user.id, { quotaMove: moved(6), role: 10 })).rejects.toEqual(TOO_LARGE);
    await expect(tokens.change(user.id, token.id, { remainQuotaMove: moved(6) })).rejects.toEqual(TOO_LARGE);
    expect((await accounts.queries.users.find(user.id))?.role).toBe(1);
    expect((await users.change(user.id, { quotaMove: moved(5) })).user.quota).toBe(MAX_QUOTA);
    const changed = await tokens.change(user.id, token.id, { remainQuotaMove: moved(5) });
    expect(changed?.remainQuota).toBe(MAX_QUOTA);
    await expect(users.change(9, { quotaMove: moved(1) })).rejects.toEqual(new StorageConflict("not-found"));
    expect(await tokens.change(user.id, 9, { remainQuotaMove: moved(1) })).toBeUndefined();
  });

  it("is also the most that is ever given: beyond it the account could not be proved to the unit", async () => {
    const user = await createUser("alice", MAX_QUOTA);
    const { users, tokens, redemptions } = accounts.changes;
    const { token } = await tokens.create(newToken(user.id, { remainQuota: MAX_QUOTA }));
    await accounts.commit(chargeOf(user.id, token.id, 1002));
    await expect(users.change(user.id, { quotaMove: moved(1002) })).rejects.toEqual(TOO_LARGE);
    await expect(tokens.change(user.id, token.id, { remainQuotaMove: moved(1) })).rejects.toEqual(TOO_LARGE);
    await redemptions.create([{ userId: 1, key: "code", name: "", quota: 5, createdTime: 1 }]);
    const unit = { quotaPerUnit: 500_000, isCurrency: false };
    await expect(redemptions.redeem("code", user.id, 2, "alice", unit)).rejects.toEqual(TOO_LARGE);
    expect((await users.create(newUser({ username: "bob", inviterId: user.id }), 7, [])).rewardedQuota).toBe(
      0,
    );
    expect((await users.change(user.id, { quotaMove: moved(-2) })).user.quota).toBe(MAX_QUOTA - 1004);
    await expect(redemptions.redeem("code", user.id, 2, "alice", unit)).rejects.toEqual(TOO_LARGE);
  });

  it("is the most that a channel counts, which several users may use up more of: charges do not fail over it", async () => {
    const [alice, bob] = [await createUser("alice", MAX_QUOTA), await createUser("bob", MAX_QUOTA)];
    const [record] = await accounts.changes.channels.create([channelOf("one", "upstream-secret")]);
    const channelId = record?.channel.id ?? 0;
    const spent = (userId: number, quota: number) => chargeOf(userId, 0, quota, { channelId, tokenQuota: 0 });
    await accounts.commit(spent(alice.id, MAX_QUOTA - 7), spent(bob.id, MAX_QUOTA - 7));
    await accounts.commit(spent(alice.id, 7), spent(bob.id, 7));
    for (const { id } of [alice, bob])
      expect(await accounts.queries.users.find(id)).toMatchObject({ quota: 0, usedQuota: MAX_QUOTA });
    expect(await accounts.queries.channels.page(0, 1)).toMatchObject([{ usedQuota: MAX_QUOTA }]);
  });
});

describe("channels", () => {
  it("are given a secret for the way alone that it was meant for", async () => {
    const { channels } = accounts.changes;
    const [record] = await channels.create([channelOf("moved", "sk-first")]);
    const { id = 0, type = 0, baseUrl = "", other = "", proxy = "" } = record?.channel ?? {};
    const way = { type, baseUrl, other, proxy };
    const secret = { requestChanges: { headers: { "x-own": "hunter2" } } };
    for (const elsewhere of [
      { baseUrl: "https://mine.test" },
      { type: type + 1 },
      { other: "x" },
      { proxy: "http://p.test" },
    ]) {
      const change = { ...secret, ifRouteUnchanged: { ...way, ...elsewhere } };
      expect(await channels.change(id, change)).toBeUndefined();
    }
    expect((await accounts.queries.channels.withIds([id]))[0]).not.toHaveProperty("requestChanges.headers");
    expect(await channels.change(id, { ...secret, ifRouteUnchanged: way })).toMatchObject(secret);
  });

  it("keeps keys sealed and out of every list", async () => {
    const [record] = await accounts.changes.channels.create([channelOf("one", "upstream-secret")]);
    expect(record?.key).toBe("upstream-secret");
    const listed = JSON.stringify(await accounts.queries.channels.page(0, 10));
    expect(listed).toContain("one");
    expect(listed).not.toContain("upstream-secret");
    expect((await accounts.stored()).includes("upstream-secret")).toBe(false);
    expect(await accounts.queries.channels.after(0, 10)).toEqual([record]);
  });

  it("T4: are found by any of their keys, whole, and by no part of one", async () => {
    const { channels } = accounts.changes;
    const [one] = await channels.create([channelOf("one", "sk-first")]);
    await channels.create([channelOf("several", "sk-second\nsk-third")]);
    const found = async (keyword: string, key?: string) =>
      (await accounts.queries.channels.page(0, 10, undefined, {}, keyword, key)).map(
        (channel) => channel.name,
      );
    const before = async (id: number, keyword?: string, key?: string) =>
      (await accounts.queries.channels.before(id, 9, keyword, key)).map((channel) => channel.name);
    expect(await before(Number.MAX_SAFE_INTEGER)).toEqual(["several", "one"]);
    const [newest] = await accounts.queries.channels.page(0, 1);
    expect(await before(newest!.id)).toEqual(["one"]);
    expect(await before(Number.MAX_SAFE_INTEGER, "sk-third")).toEqual(["several"]);
    expect(await before(Number.MAX_SAFE_INTEGER, "other", "sk-first")).toEqual(["one"]);
    expect(await found("sk-first")).toEqual(["one"]);
    expect(await found("sk-second")).toEqual(["several"]);
    expect(await found("sk-third")).toEqual(["several"]);
    expect(await found("one", "sk-third")).toEqual(["several", "one"]);
    for (const part of [
      "sk-",
      "first",
      "sk-firs",
      "sk-first\n",
      "SK-FIRST",
      "sk-second\nsk-third",
      ",",
      "",
    ]) {
      expect(await found(part === "" ? "nothing" : part, part)).toEqual([]);
    }
    await channels.change(one!.channel.id, { key: "sk-newer" });
    expect(await found("sk-first")).toEqual([]);
    expect(await found("sk-newer")).toEqual(["one"]);
    await channels.remove(one!.channel.id);
    expect(await found("sk-newer")).toEqual([]);
  });

  it("creates all of a batch, pages and finds by id and name", async () => {
    await accounts.changes.channels.create([channelOf("east 1", "x"), channelOf("east 2", "y")]);
    const { channels } = accounts.queries;
    expect((await channels.page(0, 1)).map((channel) => channel.name)).toEqual(["east 2"]);
    expect((await channels.page(1, 1)).map((channel) => channel.name)).toEqual(["east 1"]);
    expect(await channels.page(0, 10, undefined, {}, "east")).toHaveLength(2);
    expect((await channels.page(0, 10, undefined, {}, "1")).map((channel) => channel.name)).toEqual([
      "east 1",
    ]);
  });

  it("remember a test's time, the upstream's balance, and dead keys", async () => {
    const [record] = await accounts.changes.channels.create([channelOf("one", "x\ny")]);
    const { id } = record!.channel;
    await accounts.changes.channels.saveTest(id, 50, 230);
    await accounts.changes.channels.saveBalance(id, 12.375, 60);
    await accounts.changes.channels.change(id, {
      deadKeys: ["first"],
      proxy: "http://u:p@proxy.example:80",
    });
    expect(await accounts.queries.channels.find(id)).toMatchObject({
      testTime: 50,
      responseTimeMs: 230,
      balance: 12.375,
      balanceUpdatedTime: 60,
      keyCount: 2,
      deadKeyCount: 1,
      proxy: "http://u:***@proxy.example",
    });
    expect(await accounts.changes.channels.change(id + 1, { name: "nothing" })).toBeUndefined();
  });

  it("keep the limits of their keys, and lose them with 0", async () => {
    const [record] = await accounts.changes.channels.create([
      { ...channelOf("one", "x"), rpm: 60, keyTpm: 0 },
    ]);
    const { id } = record!.channel;
    expect(record!.channel).toMatchObject({ rpm: 60 });
    expect(record!.channel).not.toHaveProperty("keyTpm");
    await accounts.changes.channels.change(id, { keyConcurrency: 2, tpm: 9_007_199_254_740_991 });
    await accounts.changes.channels.change(id, { name: "still", rpm: 0 });
    const found = await accounts.queries.channels.find(id);
    expect(found).toMatchObject({ name: "still", keyConcurrency: 2, tpm: 9_007_199_254_740_991 });
    expect(found).not.toHaveProperty("rpm");
  });

  it("keep their overrides sealed, show them without headers' values, and lose them whole", async () => {
    const [record] = await accounts.changes.channels.create([channelOf("one", "x")]);
    const { id } = record!.channel;
    expect(await accounts.queries.channels.find(id)).not.toHaveProperty("overrides");
    const requestChanges = { body: { set: { a: 1 } }, headers: { "x-a": "header-secret" } };
    const changed = await accounts.changes.channels.change(id, { requestChanges });
    expect(changed?.requestChanges).toEqual(requestChanges);
    await accounts.changes.channels.change(id, { name: "two" });
    const [stored] = await accounts.queries.channels.withIds([id]);
    expect(stored?.requestChanges).toEqual(requestChanges);
    const shown = await accounts.queries.channels.find(id);
    expect(JSON.parse(shown?.overrides ?? "")).toEqual({
      body: requestChanges.body,
      headers: { "x-a": "***" },
    });
    expect(JSON.stringify(shown)).not.toContain("header-secret");
    const removed = await accounts.changes.channels.change(id, { requestChanges: undefined });
    expect(removed?.requestChanges).toBeUndefined();
  });

  it("deletes those that are switched off", async () => {
    const records = await accounts.changes.channels.create([channelOf("a", "x"), channelOf("b", "y")]);
    await accounts.changes.channels.change(records[0]!.channel.id, { status: 3 });
    expect(await accounts.changes.channels.removeDisabled()).toEqual([records[0]!.channel.id]);
    expect(await accounts.queries.channels.page(0, 10)).toHaveLength(1);
  });
});

describe("charges", () => {
  it("count down a typed balance: by their cost, or by the charge when the cost is unknown", async () => {
    const user = await createUser("alice", 1000);
    const token = await createApiKey(user.id);
    const [channel] = await accounts.changes.channels.create([channelOf("one", "x")]);
    const channelId = channel!.channel.id;
    const charge = (cost?: number) => accounts.commit(chargeOf(user.id, token.id, 10, { channelId, cost }));
    await charge(7500);
    expect(await accounts.queries.channels.typed()).toEqual([]);
    expect(await accounts.changes.channels.saveTypedBalance(channelId, 12.5, 60)).toBe(true);
    expect(await accounts.changes.channels.saveTypedBalance(channelId + 1, 1, 60)).toBe(false);
    await charge(7500);
    await charge(0);
    await charge();
    expect(await accounts.queries.channels.typed()).toMatchObject([
      { id: channelId, typedBalance: 12.5, spentSinceTyped: 17_500, balanceUpdatedTime: 60 },
    ]);
    await accounts.changes.channels.saveTypedBalance(channelId, undefined, 70);
    expect(await accounts.queries.channels.find(channelId)).toMatchObject({ typedBalance: undefined });
  });

  it("move no window of a calendar, whose place is kept until there is another calendar", async () => {
    const windows = [{ hours: 5, limit: 1, unit: "requests" }] as const;
    const [channel] = await accounts.changes.channels.create([channelOf("one", "x")]);
    const { id } = channel!.channel;
    await accounts.changes.channels.change(id, { calendar: { windows: [...windows] } });
    const states = [{ startedAt: 5, from: 3 }];
    await accounts.changes.channels.change(id, { windows: { states, closedUntil: 99 } });
    expect(await accounts.queries.channels.windowed()).toMatchObject([{ id, states, closedUntil: 99 }]);
    await accounts.changes.channels.change(id, { calendar: {} });
    expect(await accounts.queries.channels.find(id)).toMatchObject({ closedUntil: 0, calendar: {} });
    expect(await accounts.queries.channels.windowed()).toEqual([]);
  });

  it("takes from user and token, adds to the counters, and writes the log line", async () => {
    const user = await createUser("alice", 1000);
    const token = await createApiKey(user.id);
    const [channel] = await accounts.changes.channels.create([channelOf("one", "x")]);
    const channelId = channel!.channel.id;
    await accounts.commit(
      chargeOf(user.id, token.id, 18, { channelId }),
      chargeOf(user.id, token.id, 2, { channelId, tokenQuota: 0, isLogged: false, createdAt: 90 }),
    );
    expect(await accounts.queries.users.find(user.id)).toMatchObject({
      quota: 980,
      usedQuota: 20,
      requestCount: 2,
    });
    expect(await accounts.queries.tokens.find(user.id, token.id)).toMatchObject({
      remainQuota: 482,
      usedQuota: 20,
      accessedTime: 100,
    });
    expect(await accounts.queries.channels.find(channelId)).toMatchObject({
      usedQuota: 20,
      usedRequests: 2,
      typedBalance: undefined,
    });
    expect(await lines()).toMatchObject([
      { quota: 18, promptTokens: 13, completionTokens: 5, channelId, content: "why", isLogged: true },
      { quota: 2, isLogged: false },
    ]);
  });

  it("stores nothing of a batch that would make a balance negative", async () => {
    const user = await createUser("alice", 30);
    const token = await createApiKey(user.id);
    const charge = chargeOf(user.id, token.id, 18);
    await expect(accounts.commit(charge, charge)).rejects.toThrow();
    expect(await accounts.queries.users.find(user.id)).toMatchObject({ quota: 30, requestCount: 0 });
    expect(await lines()).toEqual([]);
  });

  it("of the journal are stored once, also when they are sent again, and never over a gap", async () => {
    const user = await createUser();
    const token = await createApiKey(user.id);
    const batch = (id: number) => ({
      id,
      charges: [chargeOf(user.id, token.id, 10, { requestId: `r-${id}` })],
    });
    const used = async () => (await accounts.queries.users.find(user.id))?.usedQuota;
    await accounts.commitJournal([batch(1)]);
    await accounts.commitJournal([batch(1), batch(2)]);
    expect(await used()).toBe(20);
    await accounts.commitJournal([batch(2)]);
    await expect(accounts.commitJournal([batch(4)])).rejects.toThrow("does not follow on 2");
    expect(await used()).toBe(20);
    expect(await accounts.newestBatch()).toBe(2);
    expect(await lines()).toMatchObject([{ requestId: "r-1" }, { requestId: "r-2" }]);
  });
});

describe("options", () => {
  it("seals secrets and leaves the rest readable", async () => {
    const { options } = accounts.changes;
    await options.put("Notice", "hello all", false);
    await options.put("Notice", "hello everyone", false);
    await options.put("SMTPToken", "mail-password", true);
    expect((await accounts.queries.options.all()).sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      { key: "Notice", value: "hello everyone" },
      { key: "SMTPToken", value: "mail-password" },
    ]);
    const stored = await accounts.stored();
    expect(stored.includes("hello everyone")).toBe(true);
    expect(stored.includes("mail-password")).toBe(false);
  });
});

describe("an option that must equal the value an administrator saw", () => {
  const READ = { value: "{}", fallback: "{}" };
  const COUNTED = { key: "Version", before: "{}" };

  it("is left as it is where it is another by now, and not counted", async () => {
    const { options } = accounts.changes;
    const first = await options.put("Lists", '{"a":1}', false, COUNTED, READ);
    const late = await options.put("Lists", '{"b":1}', false, COUNTED, READ);
    for (const all of [first, late])
      expect(Object.fromEntries(all.map(({ key, value }) => [key, value]))).toMatchObject({
        Lists: '{"a":1}',
        Version: "2",
      });
    expect(await accounts.queries.options.all()).toEqual(late);
  });

  it("is not saved as its default where it never was saved and is to be something else", async () => {
    const { options } = accounts.changes;
    await options.put("Never", "x", false, undefined, { value: "other", fallback: "{}" });
    expect((await accounts.queries.options.all()).map(({ key }) => key)).not.toContain("Never");
  });

  it("is changed by one of those who have seen the same", async () => {
    const { options } = accounts.changes;
    const texts = [1, 2, 3, 4].map((value) => `{"a":${value}}`);
    const answers = await Promise.all(
      texts.map((text) => options.put("Lists", text, false, undefined, READ)),
    );
    const winners = texts.filter(
      (text, at) => answers[at]?.find(({ key }) => key === "Lists")?.value === text,
    );
    expect(winners).toHaveLength(1);
  });
});

describe("options whose changes are counted", () => {
  const COUNTED = { key: "Version", before: "{}" };

  it("are answered with all present options, numbered from 1 on", async () => {
    const { options } = accounts.changes;
    await options.put("SMTPToken", "mail-password", true);
    const put = async (value: string) =>
      Object.fromEntries(
        (await options.put("ModelRatio", value, false, COUNTED)).map(({ key, value: stored }) => [
          key,
          stored,
        ]),
      );
    expect(await put("{}")).toEqual({ SMTPToken: "mail-password", ModelRatio: "{}", Version: "1" });
    expect(await put('{"a":1}')).toMatchObject({ ModelRatio: '{"a":1}', Version: "2" });
    expect(await put('{"a":1}')).toMatchObject({ Version: "2" });
    expect(await put("{}")).toMatchObject({ ModelRatio: "{}", Version: "3" });
  });

  it("have a number each, saved at the same time", async () => {
    const { options } = accounts.changes;
    const saved = await Promise.all(
      [1, 2, 3].map((value) => options.put(`Ratio ${value}`, `{"a":${value}}`, false, COUNTED)),
    );
    const versions = saved.map((all) => all.find(({ key }) => key === COUNTED.key)?.value);
    expect(versions).toEqual(["2", "3", "4"]);
  });
});

describe("records by their ids", () => {
  it("are those that there are, as they stand", async () => {
    const { queries, changes } = accounts;
    const [one, two] = [await createUser("alice"), await createUser("bob")];
    const [first, second] = [await createApiKey(one.id), await createApiKey(two.id, "another")];
    const [channel] = await changes.channels.create([channelOf("upstream", "secret")]);
    const session = {
      userId: one.id,
      createdTime: 1,
      expiresTime: 2,
      address: "a",
      userAgent: "b",
      lastUsedTime: 0,
    };
    for (const idHash of ["x", "y"]) await changes.sessions.create({ ...session, idHash });
    await changes.users.change(two.id, { status: 2 });
    const ids = [one.id, two.id, 999];
    const users = await queries.users.withIds(ids);
    expect(users.map(({ user }) => [user.username, user.status]).sort()).toEqual([
      ["alice", 1],
      ["bob", 2],
    ]);
    expect(users).toEqual(expect.arrayContaining(await queries.users.after(0, 10)));
    expect(await queries.tokens.withIds([second.id, 999])).toMatchObject([{ id: second.id, userId: two.id }]);
    expect((await queries.tokens.withIds([first.id, second.id])).length).toBe(2);
    expect(await queries.channels.withIds([channel?.channel.id ?? 0, 999])).toEqual([channel]);
    expect(await queries.sessions.withIds(["y", "z"])).toEqual([{ ...session, idHash: "y" }]);
    await changes.users.remove(one.id);
    expect((await queries.users.withIds(ids)).map(({ user }) => user.username)).toEqual(["bob"]);
  });

  it("say of a mark which status holds after it", async () => {
    const { tokens } = accounts.changes;
    const { id } = await createUser();
    const { token } = await tokens.create(newToken(id, { remainQuota: 0 }));
    const seen = { status: TOKEN_ENABLED, expiredTime: token.expiredTime };
    expect(await tokens.markStatus(token.id, seen, TOKEN_EXHAUSTED)).toBe(TOKEN_EXHAUSTED);
    expect(await tokens.markStatus(token.id, seen, TOKEN_EXPIRED)).toBe(TOKEN_EXHAUSTED);
    expect(await tokens.markStatus(999, seen, TOKEN_EXPIRED)).toBeUndefined();
  });
});

describe("codes", () => {
  const AMOUNT = { quotaPerUnit: 500_000, isCurrency: false };
  const create = (...keys: string[]) =>
    accounts.changes.redemptions.create(
      keys.map((key) => ({ userId: 1, key, name: `gift ${key}`, quota: 50, createdTime: 1 })),
    );

  it("are redeemed once, with their line, also concurrently", async () => {
    const user = await createUser();
    await create("one");
    const { redemptions } = accounts.changes;
    const tries = await Promise.allSettled(
      [1, 2, 3].map((now) => redemptions.redeem("one", user.id, now, "alice", AMOUNT)),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toEqual([
      { status: "fulfilled", value: 50 },
    ]);
    for (const each of tries)
      if (each.status === "rejected") expect(each.reason).toEqual(new StorageConflict("redemption-used"));
    expect(await accounts.queries.users.find(user.id)).toMatchObject({ quota: 1050 });
    expect(await lines()).toMatchObject([{ userId: user.id, type: LOG_TOPUP }]);
    const [code] = await accounts.queries.redemptions.page(0, 10);
    await expect(redemptions.change(code!.id, { quota: 1 })).rejects.toEqual(
      new StorageConflict("redemption-used"),
    );
    await expect(redemptions.change(code!.id + 1, { quota: 1 })).rejects.toEqual(
      new StorageConflict("not-found"),
    );
  });

  it("stay unused where they are switched off, unknown, or more than the account can hold", async () => {
    const user = await createUser("alice", MAX_QUOTA - 49);
    await create("one", "two");
    const { redemptions } = accounts.changes;
    const [two] = await accounts.queries.redemptions.page(0, 10, undefined, {}, "gift t");
    expect(two).toMatchObject({ key: "two", status: 1 });
    const before = async (id: number, keyword?: string) =>
      (await accounts.queries.redemptions.before(id, 9, keyword)).map(({ key }) => key);
    expect(await before(Number.MAX_SAFE_INTEGER)).toEqual(["two", "one"]);
    expect(await before(two!.id)).toEqual(["one"]);
    expect(await before(Number.MAX_SAFE_INTEGER, "gift t")).toEqual(["two"]);
    expect(await redemptions.change(two!.id, { status: 2 })).toMatchObject({ status: 2 });
    const redeem = (key: string) => redemptions.redeem(key, user.id, 5, "alice", AMOUNT);
    await expect(redeem("two")).rejects.toEqual(new StorageConflict("redemption-disabled"));
    await expect(redeem("three")).rejects.toEqual(new StorageConflict("redemption-unknown"));
    await expect(redeem("one")).rejects.toEqual(new StorageConflict("balance-too-large"));
    const [one] = await accounts.queries.redemptions.page(0, 10, undefined, {}, "gift o");
    expect(one).toMatchObject({ status: 1, redeemedTime: 0 });
    expect(await lines()).toEqual([]);
    expect([await redemptions.remove(one!.id), await redemptions.remove(one!.id)]).toEqual([true, false]);
    expect(await accounts.queries.redemptions.find(one!.id)).toBeUndefined();
  });

  it("that were mailed work once, and after five wrong tries no more; those of a reset stay", async () => {
    const { verifications } = accounts.changes;
    const use = (code: string, now = 5) => verifications.use("email", "a@b.org", code, now);
    await verifications.put("email", "a@b.org", "earlier", 10);
    await verifications.put("email", "a@b.org", "right", 10);
    expect(await use("earlier")).toBe(false);
    expect(await use("right", 10)).toBe(false);
    const uses = await Promise.all([use("right"), use("right"), use("right")]);
    expect(uses.filter(Boolean)).toHaveLength(1);
    for (const purpose of ["email", "password-reset"] as const) {
      await verifications.put(purpose, "a@b.org", "right", 10);
      for (let tries = 0; tries < 5; tries += 1)
        expect(await verifications.use(purpose, "a@b.org", "wrong", 5)).toBe(false);
      expect(await verifications.use(purpose, "a@b.org", "right", 5)).toBe(purpose === "password-reset");
    }
    await verifications.put("email", "a@b.org", "right", 10);
    await verifications.removeExpired(10);
    expect(await use("right")).toBe(false);
  });
});

describe("the audit", () => {
  const record = (target: string, more: Partial<AuditRecord> = {}): AuditRecord => ({
    ...{ createdAt: 1, userId: 1, username: "root", address: "127.0.0.1", action: "option.update" },
    ...{ target, detail: '{"value":1}' },
    ...more,
  });

  it("pages, the newest first", async () => {
    for (const target of ["one", "two", "three"]) await accounts.changes.audit.add(record(target));
    expect(await accounts.queries.audit.page({}, 0, 1)).toMatchObject([record("three")]);
    expect((await accounts.queries.audit.page({}, 1, 5)).map(({ target }) => target)).toEqual(["two", "one"]);
  });

  it("sorts all lines, those of a filter too, by names without regard to case", async () => {
    for (const username of ["bob", "Alice", "carol", "alice"])
      await accounts.changes.audit.add(record(username, { username }));
    await accounts.changes.audit.add(record("other", { action: "user.update", username: "aaron" }));
    const sorted = async (sort: ListSort<AuditSort>, offset = 0) =>
      (await accounts.queries.audit.page({ action: "option" }, offset, 3, sort)).map(({ target }) => target);
    expect(await sorted({ column: "username", isDescending: false })).toEqual(["alice", "Alice", "bob"]);
    expect(await sorted({ column: "username", isDescending: false }, 3)).toEqual(["carol"]);
    expect(await sorted({ column: "username", isDescending: true })).toEqual(["carol", "bob", "alice"]);
  });

  it("has the lines of an action, a subject, a thing, a person and a time, and of several at once", async () => {
    const alice = { id: 7, username: "alice" };
    for (const line of [
      record("made", { action: "user.create", beneficiary: alice, createdAt: 10 }),
      record("7", { action: "user.update", beneficiary: alice, createdAt: 20, username: "admin" }),
      record("7", { action: "channel.update", createdAt: 30 }),
      record("rule", { action: "prices.publish", createdAt: 40 }),
      record("rule", { action: "price-rule.create", createdAt: 50, username: "admin" }),
    ])
      await accounts.changes.audit.add(line);
    const actions = async (filter: AuditFilter) =>
      (await accounts.queries.audit.page(filter, 0, 9)).map(({ action }) => action).reverse();
    expect(await actions({ action: "user" })).toEqual(["user.create", "user.update"]);
    expect(await actions({ action: "prices" })).toEqual(["prices.publish"]);
    expect(await actions({ action: "price-rule" })).toEqual(["price-rule.create"]);
    expect(await actions({ action: "user.update" })).toEqual(["user.update"]);
    expect(await actions({ target: "7" })).toEqual(["user.update", "channel.update"]);
    expect(await actions({ action: "channel", target: "7" })).toEqual(["channel.update"]);
    expect(await actions({ username: "admin" })).toEqual(["user.update", "price-rule.create"]);
    expect(await actions({ beneficiary: "alice" })).toEqual(["user.create", "user.update"]);
    expect(await actions({ from: 20, to: 40 })).toEqual(["user.update", "channel.update", "prices.publish"]);
    expect(await actions({ username: "%" })).toEqual([]);
  });
});

describe("the audit of keys", () => {
  it("keeps about the newest changes of each user's keys, and every other line", async () => {
    const byHand = await store.byHand();
    await byHand.run(`INSERT INTO audit
      (created_at, user_id, username, address, action, target, detail, beneficiary_id, beneficiary)
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MAX_KEY_CHANGES + 40})
      SELECT n, 7, 'alice', '', CASE WHEN n > 30 THEN 'token.update' ELSE 'user.update' END, '1', '{}', 7, 'alice'
      FROM numbers`);
    await byHand.close();
    const add = (userId: number) =>
      accounts.changes.audit.add({
        ...{ createdAt: 1, userId, username: "", address: "", action: "token.rotate", target: "1" },
        ...{ detail: "{}", beneficiary: { id: userId, username: "" } },
      });
    // Another user's lines take nothing of hers.
    for (let added = 0; added < 100; added += 1) await add(8);
    const count = async (action: "token" | "user", beneficiaryId: number) =>
      (await accounts.queries.audit.page({ action, beneficiaryId }, 0, 2 * MAX_KEY_CHANGES)).length;
    expect(await count("token", 7)).toBe(MAX_KEY_CHANGES + 10);
    for (let added = 0; added < 64; added += 1) await add(7);
    const kept = await count("token", 7);
    expect(kept).toBeGreaterThanOrEqual(MAX_KEY_CHANGES);
    expect(kept).toBeLessThan(MAX_KEY_CHANGES + 64);
    expect(await count("user", 7)).toBe(30);
    expect(await count("token", 8)).toBe(100);
    expect(await accounts.queries.audit.page({ action: "token.update", to: 41 }, 0, 9)).toEqual([]);
  });
});

describe("the master key (S17)", () => {
  it("is recognized as wrong by the sealed secrets, even when one secret was altered", async () => {
    await accounts.changes.redemptions.create(
      [1, 2].map((count) => ({ userId: 1, key: `code ${count}`, name: "gift", quota: 5, createdTime: 1 })),
    );
    const reopen = async (masterKey: Uint8Array) => (await store.open(masterKey)).close();
    await accounts.close();
    await expect(reopen(OTHER_KEY)).rejects.toThrow(/other-master-key/);
    await store.alter("redemptions", "key_sealed", "x", 1);
    await reopen(MASTER_KEY);
    accounts = await store.open(MASTER_KEY);
  });
});
