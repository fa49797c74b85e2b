import { KEY_SETTINGS } from "@tollgate/contract/api/api-keys";
import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { ApiKeyRecord } from "@tollgate/contract/records/api-key-record";
import type { Change } from "@tollgate/contract/records/change";
import type { SessionUse } from "@tollgate/contract/records/people-store";
import type { Session } from "@tollgate/contract/records/session";
import type { UserRecord } from "@tollgate/contract/records/user-record";
import { unsetSettings } from "@tollgate/contract/resource/settings";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import {
  LOG_MANAGE,
  LOG_SYSTEM,
  TOKEN_DISABLED,
  TOKEN_ENABLED,
  TOKEN_EXHAUSTED,
} from "@tollgate/contract/values/statuses";
import { describe, expect, it } from "vitest";
import { createMemoryMoney } from "./account-money";
import { createAccounts, loadAccounts } from "./accounts";
import { MAX_KEYS_PER_USER } from "./api-keys";
import type { BalanceMove } from "./balances";
import { ChangeFeed } from "./change-feed";
import type { AccountStore } from "./ports";
import { hashSessionId, Sessions } from "./sessions";

const userRecord = (id: number, more: Partial<UserRecord["user"]> = {}): UserRecord => ({
  user: {
    id,
    username: `user ${id}`,
    displayName: "",
    role: 1,
    status: 1,
    email: "",
    identities: {},
    quota: 100,
    usedQuota: 0,
    requestCount: 0,
    group: "default",
    affCode: "",
    inviterId: 0,
    ...more,
  },
  planGroups: "",
  planLimits: undefined,
  passwordHash: "hash",
  accessTokenHash: `#access ${id}`,
});

const keyRecord = (id: number, userId: number, more: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  id,
  userId,
  keyHash: `#key ${id}`,
  former: undefined,
  status: 1,
  name: `key ${id}`,
  expiredTime: -1,
  remainQuota: 50,
  unlimitedQuota: false,
  ...unsetSettings(KEY_SETTINGS),
  limits: undefined,
  ...more,
});

const NEWCOMER = {
  username: "carol",
  passwordHash: "hash",
  displayName: "",
  role: 1,
  group: "default",
  email: "",
  affCode: "",
  accessToken: undefined,
  createdTime: 1,
};

async function* pages<T>(...rows: T[]): AsyncGenerator<T[]> {
  for (const row of rows) yield [row];
}

const GIFTS = { newUser: 30, invitee: 7, inviter: 25 };

/** Accounts over a store that does what is asked, unless it is out of order; two users and two keys of the first. */
const setUp = async () => {
  const state = {
    isBroken: false,
    keyCount: 2,
    marks: [] as string[],
    marked: undefined as number | undefined,
    room: Number.POSITIVE_INFINITY,
    now: 77,
    booked: new Set<string>(),
  };
  const lines: AccountLine[] = [];
  const users = new Map([1, 2].map((id) => [id, userRecord(id)]));
  const keys = new Map([11, 12].map((id) => [id, keyRecord(id, 1)]));
  const turn = async (): Promise<void> => {
    await Promise.resolve();
    if (state.isBroken) throw new Error("disk full");
  };
  const storeSecrets = (record: ApiKeyRecord, key: string) => {
    keys.set(record.id, record);
    const token = { ...record, key, createdTime: 0, accessedTime: 0, usedQuota: 0 };
    return { record, token: { ...token, formerUntil: record.former?.until } };
  };
  const store: AccountStore = {
    users: {
      async create(user, inviterReward, written) {
        await turn();
        lines.push(...written);
        const inviter = users.get(user.inviterId)?.user;
        // What is stored may have less room than memory, in which calls under way have taken something.
        const rewardedQuota = inviter ? Math.min(inviterReward, state.room) : 0;
        if (inviter) inviter.quota += rewardedQuota;
        const record = userRecord(3, {
          username: user.username,
          quota: Math.min(MAX_QUOTA, user.quota + (user.inviteeQuota ?? 0)),
        });
        users.set(3, record);
        return { ...record, rewardedQuota };
      },
      async change(id, { quotaMove, ...change }, written = []) {
        await turn();
        lines.push(...written);
        const known = users.get(id)?.user;
        if (!known) throw new Error("not-found");
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
        const record = userRecord(id, {
          ...known,
          ...given,
          quota: known.quota + (quotaMove?.difference ?? 0),
        });
        users.set(id, record);
        return record;
      },
      async grant(id, quota) {
        await turn();
        const known = users.get(id)?.user;
        if (known) known.quota += quota;
        return quota;
      },
      async take(id, most) {
        await turn();
        const known = users.get(id)?.user;
        if (known) known.quota -= most;
        return most;
      },
      async transferCommission(id, quota) {
        await turn();
        const known = users.get(id)?.user;
        if (known) known.quota += quota;
        return quota;
      },
      async removeManagementKeys() {
        await turn();
      },
      async setAccessToken(_, accessToken) {
        await turn();
        return `#${accessToken}`;
      },
      async remove(id) {
        await turn();
        users.delete(id);
      },
      async redeem(code, userId) {
        await turn();
        const known = users.get(userId)?.user;
        if (!known || code !== "code") throw new Error("redemption-unknown");
        known.quota += 500;
        return 500;
      },
    },
    keys: {
      async count() {
        await turn();
        return state.keyCount;
      },
      async create({ userId, key, name }) {
        await turn();
        state.keyCount += 1;
        return { record: keyRecord(10 + state.keyCount, userId, { keyHash: `#${key}`, name }) };
      },
      async createAll(created) {
        await turn();
        return created.map(({ userId, key, name, createdTime }) => {
          state.keyCount += 1;
          const record = keyRecord(10 + state.keyCount, userId, { keyHash: `#${key}`, name });
          return { record, token: { ...record, key, createdTime, accessedTime: 0, usedQuota: 0 } };
        });
      },
      async grant(_userId, id, quota, { reference = "" }) {
        await turn();
        const known = keys.get(id);
        if (!known || state.booked.has(reference)) return 0;
        state.booked.add(reference);
        keys.set(id, { ...known, remainQuota: known.remainQuota + quota });
        return quota;
      },
      async change(userId, id, { remainQuotaMove, access, ...change }) {
        await turn();
        const known = keys.get(id);
        if (!known) return undefined;
        const remainQuota = known.remainQuota + (remainQuotaMove?.difference ?? 0);
        const record = { ...known, ...change, remainQuota };
        keys.set(id, record);
        return {
          ...record,
          ...(access?.models ? { models: access.models } : {}),
          userId,
          key: "",
          createdTime: 0,
          accessedTime: 0,
          usedQuota: 0,
        };
      },
      async rotate(userId, id, { key, formerUntil }) {
        await turn();
        const known = keys.get(id);
        if (!known) return undefined;
        const former = formerUntil === 0 ? undefined : { hash: known.keyHash, until: formerUntil };
        return storeSecrets({ ...known, userId, keyHash: `#${key}`, former }, key);
      },
      async endFormer(_, id) {
        await turn();
        const known = keys.get(id);
        return known && storeSecrets({ ...known, former: undefined }, "");
      },
      async forgetFormer() {
        await turn();
      },
      async markStatus(id, { status }, to) {
        await turn();
        state.marks.push(`${id}: ${status} to ${to}`);
        return state.marked;
      },
      async remove(_, id) {
        await turn();
        return keys.delete(id);
      },
    },
    sessions: {
      create: turn,
      noteUse: turn,
      remove: turn,
      removeOthers: async () => [],
      removeOfOneFactor: async () => [],
      removeExpired: turn,
    },
  };
  const errors: string[] = [];
  const moves: BalanceMove[] = [];
  const tools = {
    hash: (text: string) => `#${text}`,
    now: () => state.now,
    amountUnit: () => ({ quotaPerUnit: 500_000, isCurrency: false }),
    reportError: (error: Error) => errors.push(error.message),
  };
  const accounts = createAccounts(
    store,
    tools,
    createMemoryMoney((move) => moves.push(move)),
  );
  await loadAccounts(accounts, {
    users: pages(...users.values()),
    keys: pages(...keys.values()),
    sessions: [],
  });
  const changes: Change[] = [];
  accounts.changes.subscribe((change) => changes.push(change));
  const begin = (userId: number) =>
    accounts.sessions.begin({ userId, createdTime: 0, expiresTime: 100, address: "", userAgent: "" });
  return { state, users, keys, accounts, changes, errors, lines, moves, begin };
};

describe("users", () => {
  it("are found by id, name and access token, and by new ones once they are changed", async () => {
    const { accounts, changes } = await setUp();
    const { users } = accounts;
    const user = users.find(1);
    expect(users.findByName("user 1")).toBe(user);
    expect(users.findByAccessToken("access 1")).toBe(user);
    await users.change(1, { username: "alice", role: 10, group: "vip,default", limits: { rpm: 5 } });
    expect(users.findByName("user 1")).toBeUndefined();
    expect(users.findByName("alice")).toBe(user);
    expect(user).toMatchObject({ role: 10, groups: ["vip", "default"], limits: { rpm: 5 } });
    const accessToken = await users.replaceAccessToken(1);
    expect(users.findByAccessToken("access 1")).toBeUndefined();
    expect(users.findByAccessToken(accessToken)).toBe(user);
    expect(changes).toEqual([
      { of: "user", id: 1, what: "changed" },
      { of: "user", id: 1, what: "changed" },
    ]);
  });

  it("stay unchanged and the gateway announces no change when the store fails", async () => {
    const { accounts, changes, state } = await setUp();
    state.isBroken = true;
    await expect(accounts.users.change(1, { username: "alice", quota: 7 })).rejects.toThrow("disk full");
    await expect(accounts.users.remove(1)).rejects.toThrow("disk full");
    await expect(accounts.users.replaceAccessToken(1)).rejects.toThrow("disk full");
    expect(accounts.users.findByName("user 1")?.account.quota).toBe(100);
    expect(accounts.users.findByAccessToken("access 1")?.id).toBe(1);
    expect(changes).toEqual([]);
  });

  it("have a balance that an edit moves by the difference, of which the log has a line", async () => {
    const { accounts, users, lines, moves } = await setUp();
    await accounts.users.change(1, { quota: 40 });
    await accounts.users.change(1, { quota: 40, displayName: "A" });
    await accounts.users.change(1, { displayName: "B" });
    expect(accounts.users.find(1)?.account.quota).toBe(40);
    expect(users.get(1)?.user).toMatchObject({ quota: 40, displayName: "B" });
    const phrase = { code: "quota-changed", before: { quota: 100 }, after: { quota: 40 } };
    expect(lines).toEqual([{ createdAt: 77, userId: 1, username: "user 1", type: LOG_MANAGE, phrase }]);
    expect(moves).toEqual([{ id: 1, quota: -60, cause: "quota-changed" }]);
  });

  it("are given gifts, and their inviter once they are stored", async () => {
    const { accounts, users, state, changes, lines, moves } = await setUp();
    const inviter = { id: 2, username: "user 2" };
    state.isBroken = true;
    await expect(accounts.users.create(NEWCOMER, GIFTS, inviter)).rejects.toThrow();
    expect(accounts.users.find(2)?.account.quota).toBe(100);
    expect(moves).toEqual([]);
    state.isBroken = false;
    const created = await accounts.users.create(NEWCOMER, GIFTS, inviter);
    expect(created.account.quota).toBe(37);
    expect(accounts.users.findByName("carol")).toBe(created);
    expect(accounts.users.find(2)?.account.quota).toBe(125);
    expect(users.get(2)?.user.quota).toBe(125);
    expect(lines).toMatchObject([
      {
        userId: 0,
        username: "carol",
        type: LOG_SYSTEM,
        phrase: { code: "new-user-gift", amount: { quota: 30 } },
      },
      {
        userId: 0,
        username: "carol",
        type: LOG_SYSTEM,
        phrase: { code: "invitee-gift", amount: { quota: 7 } },
      },
      {
        userId: 2,
        username: "user 2",
        type: LOG_SYSTEM,
        phrase: { code: "inviter-gift", amount: { quota: 25 } },
      },
    ]);
    expect(moves).toEqual([{ id: 2, quota: 25, cause: "inviter-gift" }]);
    expect(changes).toEqual([
      { of: "user", id: 3, what: "created" },
      { of: "user", id: 2, what: "changed" },
    ]);
  });

  it("reward their inviter in memory with the stored amount when not all of it fitted", async () => {
    const { accounts, users, state } = await setUp();
    state.room = 4;
    await accounts.users.create(NEWCOMER, GIFTS, { id: 2, username: "user 2" });
    expect(users.get(2)?.user.quota).toBe(104);
    expect(accounts.users.find(2)?.account.quota).toBe(104);
  });

  it("are given no more than a balance may be", async () => {
    const { accounts } = await setUp();
    const gifts = { newUser: MAX_QUOTA - 1, invitee: 2, inviter: 0 };
    const created = await accounts.users.create(NEWCOMER, gifts, { id: 2, username: "user 2" });
    expect(created.account.quota).toBe(MAX_QUOTA);
  });

  it("without an inviter receive only the gift for new users", async () => {
    const { accounts, lines } = await setUp();
    expect((await accounts.users.create(NEWCOMER, GIFTS, undefined)).account.quota).toBe(30);
    expect(lines.map(({ phrase }) => phrase.code)).toEqual(["new-user-gift"]);
  });

  it("redeem a code: its quota is in memory once it is stored", async () => {
    const { accounts, changes, moves } = await setUp();
    const user = accounts.users.find(1);
    if (!user) throw new Error("the user is missing");
    await expect(accounts.users.redeem(user, "wrong")).rejects.toThrow("redemption-unknown");
    expect(user.account.quota).toBe(100);
    expect(await accounts.users.redeem(user, "code")).toBe(500);
    expect(user.account.quota).toBe(600);
    expect(moves).toEqual([{ id: 1, quota: 500, cause: "redeemed" }]);
    expect(changes).toEqual([{ of: "user", id: 1, what: "changed" }]);
  });

  it("take their keys and sessions with them", async () => {
    const { accounts, changes, begin } = await setUp();
    const key = accounts.keys.find("key 11");
    const [session, other] = [await begin(1), await begin(2)];
    changes.length = 0;
    await accounts.users.remove(1);
    expect(accounts.users.find(1)).toBeUndefined();
    expect(accounts.users.findByName("user 1")).toBeUndefined();
    expect(accounts.users.findByAccessToken("access 1")).toBeUndefined();
    expect(accounts.keys.find("key 11")).toBeUndefined();
    expect(accounts.keys.findById(12)).toBeUndefined();
    // A request under way still has it, and must not go on.
    expect(key?.status).toBe(TOKEN_DISABLED);
    expect(accounts.sessions.find(session, 0)).toBeUndefined();
    expect(accounts.sessions.find(other, 0)).toBeDefined();
    expect(changes).toEqual([{ of: "user", id: 1, what: "removed" }]);
  });
});

describe("API keys", () => {
  it("are changed in place, for requests that have them", async () => {
    const { accounts, changes } = await setUp();
    const key = accounts.keys.find("key 11");
    await accounts.keys.change(1, 11, { name: "mine", remainQuota: 80, access: { models: ["m"] } });
    expect(key).toMatchObject({ name: "mine", account: { quota: 80 }, models: new Set(["m"]) });
    expect(accounts.keys.find("key 11")).toBe(key);
    expect(changes).toEqual([{ of: "api-key", id: 11, what: "changed" }]);
  });

  it("may be used from where they say, and from nowhere where that cannot be read", async () => {
    const { accounts, keys } = await setUp();
    const networksOf = async (subnet: string) => {
      keys.set(11, keyRecord(11, 1, { subnet }));
      await accounts.keys.change(1, 11, {});
      return accounts.keys.findById(11)?.networks;
    };
    expect((await networksOf("10.0.0.0/8"))?.has("10.1.1.1")).toBe(true);
    expect((await networksOf("10.0.0.0/8"))?.has("11.1.1.1")).toBe(false);
    expect((await networksOf("10.0.0.0/88"))?.has("10.1.1.1")).toBe(false);
    expect(await networksOf("")).toBeUndefined();
  });

  it("go on with a new secret; the one before holds until its time is over", async () => {
    const { accounts, state, changes } = await setUp();
    const { keys } = accounts;
    const key = keys.find("key 11");
    const { key: second = "" } = (await keys.rotate(1, 11, 100)) ?? {};
    expect(changes).toEqual([{ of: "api-key", id: 11, what: "changed" }]);
    expect([keys.find(second), keys.find("key 11"), keys.findById(11)]).toEqual([key, key, key]);
    state.now = 176;
    expect(keys.find("key 11")).toBe(key);
    state.now = 177;
    expect(keys.find("key 11")).toBeUndefined();
    expect(keys.find(second)).toBe(key);
    await keys.forgetFormer();
    state.now = 77;
    expect(keys.find("key 11")).toBeUndefined();
  });

  it("of which a secret leaked are found by it no more, at once", async () => {
    const { keys } = (await setUp()).accounts;
    keys.find("key 11");
    const { key: second = "" } = (await keys.rotate(1, 11, 0)) ?? {};
    expect(keys.find("key 11")).toBeUndefined();
    const { key: third = "" } = (await keys.rotate(1, 11, 100)) ?? {};
    expect([keys.find(second)?.id, keys.find(third)?.id]).toEqual([11, 11]);
    // The one before the last ends with the next one, whatever time it had.
    const { key: fourth = "" } = (await keys.rotate(1, 11, 100)) ?? {};
    expect([keys.find(second), keys.find(third)?.id, keys.find(fourth)?.id]).toEqual([undefined, 11, 11]);
    await keys.endFormer(1, 11);
    expect([keys.find(third), keys.find(fourth)?.id]).toEqual([undefined, 11]);
    await keys.remove(1, 11);
    expect(keys.find(fourth)).toBeUndefined();
  });

  it("have one secret and one former after many rotations at once", async () => {
    const { keys } = (await setUp()).accounts;
    const rotated = await Promise.all(Array.from({ length: 5 }, () => keys.rotate(1, 11, 100)));
    const secrets = ["key 11", ...rotated.map((token) => token?.key ?? "")];
    expect(secrets.filter((secret) => keys.find(secret))).toEqual(secrets.slice(-2));
  });

  it("keep their secret where no new one can be stored, and for another user", async () => {
    const { accounts, state, changes } = await setUp();
    expect(await accounts.keys.rotate(2, 11, 100)).toBeUndefined();
    expect(await accounts.keys.endFormer(2, 11)).toBeUndefined();
    state.isBroken = true;
    await expect(accounts.keys.rotate(1, 11, 0)).rejects.toThrow("disk full");
    expect(accounts.keys.find("key 11")?.id).toBe(11);
    expect(changes).toEqual([]);
  });

  it("of another user, or deleted, cannot be changed", async () => {
    const { accounts, keys, changes } = await setUp();
    expect(await accounts.keys.change(2, 11, { name: "mine" })).toBeUndefined();
    expect(keys.get(11)?.name).toBe("key 11");
    keys.delete(11);
    expect(await accounts.keys.change(1, 11, { remainQuota: 3 })).toBeUndefined();
    expect(accounts.keys.findById(11)?.account.quota).toBe(50);
    expect(changes).toEqual([]);
  });

  it("are made up to a number, also by many calls at once", async () => {
    const { accounts, state } = await setUp();
    state.keyCount = MAX_KEYS_PER_USER - 2;
    const key = {
      userId: 2,
      name: "n",
      createdTime: 1,
      expiredTime: -1,
      remainQuota: 0,
      unlimitedQuota: false,
    };
    const made = await Promise.all(Array.from({ length: 5 }, () => accounts.keys.create(key)));
    expect(made.map((id) => id !== undefined)).toEqual([true, true, false, false, false]);
    expect(accounts.keys.findById(10 + MAX_KEYS_PER_USER)?.user.id).toBe(2);
  });

  it("are made all or none", async () => {
    const { accounts, state, changes } = await setUp();
    const key = { name: "n", createdTime: 1, expiredTime: -1, remainQuota: 5, unlimitedQuota: false };
    state.keyCount = MAX_KEYS_PER_USER - 2;
    expect(await accounts.keys.createAll(2, [key, key, key])).toBeUndefined();
    expect(changes).toEqual([]);
    const made = await accounts.keys.createAll(2, [key, key]);
    expect(made?.map(({ key: secret }) => accounts.keys.find(secret)?.user.id)).toEqual([2, 2]);
    expect(changes).toHaveLength(2);
  });

  it("are given quota once for an operation, and not for another user", async () => {
    const { accounts } = await setUp();
    expect(await accounts.keys.grant(1, 11, 30, "operation-1")).toBe(30);
    expect(await accounts.keys.grant(1, 11, 30, "operation-1")).toBe(0);
    expect(await accounts.keys.grant(2, 11, 30, "operation-2")).toBeUndefined();
    expect(accounts.keys.findById(11)?.account.quota).toBe(80);
  });

  it("are marked at once, and stored after", async () => {
    const { accounts, state, changes } = await setUp();
    const key = accounts.keys.findById(11);
    if (!key) throw new Error("the key is missing");
    accounts.keys.mark(key, TOKEN_EXHAUSTED);
    expect(key.status).toBe(TOKEN_EXHAUSTED);
    await expect.poll(() => changes).toEqual([{ of: "api-key", id: 11, what: "changed" }]);
    expect(state.marks).toEqual([`11: 1 to ${TOKEN_EXHAUSTED}`]);
  });

  it("are not marked over an edit that was under way, which has said something else", async () => {
    const { accounts, state, changes } = await setUp();
    const key = accounts.keys.findById(11);
    if (!key) throw new Error("the key is missing");
    const edit = accounts.keys.change(1, 11, { remainQuota: 80, status: TOKEN_ENABLED });
    accounts.keys.mark(key, TOKEN_EXHAUSTED);
    expect(key.status).toBe(TOKEN_EXHAUSTED);
    await edit;
    await accounts.keys.change(1, 11, { name: "after" });
    expect(key).toMatchObject({ status: TOKEN_ENABLED, account: { quota: 80 } });
    expect(state.marks).toEqual([]);
    expect(changes).toHaveLength(2);
  });

  it("are not found any more once they are removed, nor before", async () => {
    const { accounts, state } = await setUp();
    expect(accounts.keys.find("key 11")).toBeDefined();
    state.isBroken = true;
    await expect(accounts.keys.remove(1, 11)).rejects.toThrow("disk full");
    expect(accounts.keys.find("key 11")).toBeDefined();
    state.isBroken = false;
    expect(await accounts.keys.remove(1, 11)).toBe(true);
    expect(accounts.keys.find("key 11")).toBeUndefined();
    expect(await accounts.keys.remove(1, 11)).toBe(false);
  });
});

describe("a session", () => {
  it("is over when its time is", async () => {
    const { accounts, begin } = await setUp();
    const id = await begin(1);
    expect(accounts.sessions.find(id, 99)?.userId).toBe(1);
    expect(accounts.sessions.find(id, 100)).toBeUndefined();
  });
});

describe("one session too many", () => {
  const setUpSessions = async () => {
    const stored = new Set<string>();
    const state = { isBroken: false };
    const changes = new ChangeFeed(() => {});
    const told: string[] = [];
    const noted: number[] = [];
    changes.subscribe(({ what }) => told.push(what));
    const store = {
      create: async ({ idHash }: Session) => void stored.add(idHash),
      async remove(idHash: string) {
        if (state.isBroken) throw new Error("disk full");
        stored.delete(idHash);
      },
      removeOthers: async () => [],
      removeOfOneFactor: async () => [],
      removeExpired: async () => {},
      async noteUse(uses: readonly SessionUse[]) {
        if (state.isBroken) throw new Error("disk full");
        for (const { lastUsedTime } of uses) noted.push(lastUsedTime);
      },
    };
    const sessions = new Sessions(store, changes, 1);
    const begin = () =>
      sessions.begin({ userId: 1, createdTime: 0, expiresTime: 100, address: "", userAgent: "" });
    return { state, stored, noted, sessions, begin, told, first: await begin() };
  };

  it("notes its uses by the minute, and no more once it is over", async () => {
    const { sessions, noted, first } = await setUpSessions();
    const use = async (now: number) => {
      sessions.find(first, now);
      await sessions.storeUses();
    };
    for (const now of [0, 59, 60, 61, 90]) await use(now);
    expect([...noted, sessions.lastUse(hashSessionId(first))]).toEqual([60, 60]);
    sessions.find(first, 130);
    await sessions.storeUses();
    expect(noted).toEqual([60]);
  });

  it("keeps a use that could not be stored", async () => {
    const { state, sessions, noted, first } = await setUpSessions();
    state.isBroken = true;
    sessions.find(first, 60);
    await expect(sessions.storeUses()).rejects.toThrow("disk full");
    state.isBroken = false;
    await sessions.storeUses();
    expect(noted).toEqual([60]);
  });

  it("is ended by its name for its owner alone", async () => {
    const { sessions, first, told } = await setUpSessions();
    const name = hashSessionId(first);
    expect(await sessions.endOf(2, name)).toBe(false);
    expect(sessions.find(first, 0)).toBeDefined();
    expect(await sessions.endOf(1, name)).toBe(true);
    expect(await sessions.endOf(1, name)).toBe(false);
    expect(sessions.find(first, 0)).toBeUndefined();
    expect(told).toEqual(["created", "removed"]);
  });

  it("takes the place of another one, in memory and stored", async () => {
    const { sessions, stored, begin, told, first } = await setUpSessions();
    const second = await begin();
    expect(sessions.find(first, 0)).toBeUndefined();
    expect(sessions.find(second, 0)).toBeDefined();
    expect(stored.size).toBe(1);
    expect(told).toEqual(["created", "removed", "created"]);
  });

  it("is not begun where the other one cannot be ended", async () => {
    const { state, sessions, stored, begin, told, first } = await setUpSessions();
    state.isBroken = true;
    await expect(begin()).rejects.toThrow("disk full");
    expect(sessions.find(first, 0)).toBeDefined();
    expect(stored.size).toBe(1);
    expect(told).toEqual(["created"]);
  });
});

describe("a change stored by another node", () => {
  const session = (idHash: string) => ({
    idHash,
    userId: 1,
    createdTime: 0,
    expiresTime: 100,
    lastUsedTime: 0,
    address: "",
    userAgent: "",
  });
  const hashOf = (changes: readonly Change[]) => String(changes.findLast(({ of }) => of === "session")?.id);

  it("is taken over in place, but for balances, and announced", async () => {
    const { accounts, changes } = await setUp();
    const { users, keys } = accounts;
    const [user, key] = [users.find(1), keys.findById(11)];
    users.refresh([1, 2, 3], [userRecord(1, { status: 2, quota: 7, role: 10 }), userRecord(3)]);
    keys.refresh([11, 12, 13], [keyRecord(11, 1, { status: 2, remainQuota: 1 }), keyRecord(13, 3)]);
    expect(users.find(1)).toBe(user);
    expect(user).toMatchObject({ status: 2, role: 10, account: { quota: 100 } });
    expect(keys.findById(11)).toBe(key);
    expect(key).toMatchObject({ status: 2, account: { quota: 50 } });
    expect([users.find(2), keys.findById(12)]).toEqual([undefined, undefined]);
    expect(keys.find("key 13")?.user).toBe(users.find(3));
    expect(changes.map(({ of, id, what }) => `${of} ${id} ${what}`)).toEqual([
      "user 2 removed",
      "user 1 changed",
      "user 3 created",
      "api-key 12 removed",
      "api-key 11 changed",
      "api-key 13 created",
    ]);
  });

  it("lets two users have changed their names with each other", async () => {
    const { users } = (await setUp()).accounts;
    users.refresh([1, 2], [userRecord(1, { username: "user 2" }), userRecord(2, { username: "user 1" })]);
    expect(["user 1", "user 2"].map((name) => users.findByName(name)?.id)).toEqual([2, 1]);
  });

  it("takes the place of a key that had its number before another history of the database", async () => {
    const { keys } = (await setUp()).accounts;
    const before = keys.findById(11);
    keys.refresh([11], [keyRecord(11, 2, { keyHash: "#other" })]);
    expect(before?.status).toBe(TOKEN_DISABLED);
    expect([keys.find("key 11"), keys.find("other")?.user.id]).toEqual([undefined, 2]);
  });

  it("gives a key the secrets that another node has stored, in place: requests under way go on", async () => {
    const { keys } = (await setUp()).accounts;
    const key = keys.find("key 11");
    keys.refresh([11], [keyRecord(11, 1, { keyHash: "#second", former: { hash: "#key 11", until: 100 } })]);
    expect([keys.find("second"), keys.find("key 11")]).toEqual([key, key]);
    expect(key?.status).toBe(1);
    keys.refresh([11], [keyRecord(11, 1, { keyHash: "#third" })]);
    expect([keys.find("third"), keys.find("second"), keys.find("key 11")]).toEqual([
      key,
      undefined,
      undefined,
    ]);
  });

  it("does not undo a mark that is on its way, and decides when that has arrived", async () => {
    const { accounts, state } = await setUp();
    const key = accounts.keys.findById(11);
    if (!key) throw new Error("there is no key");
    accounts.keys.mark(key, TOKEN_EXHAUSTED);
    accounts.keys.refresh([11], [keyRecord(11, 1, { status: 1 })]);
    expect(key.status).toBe(TOKEN_EXHAUSTED);
    // Another person had disabled it before: the mark changed nothing.
    state.marked = TOKEN_DISABLED;
    await new Promise((resolve) => setImmediate(resolve));
    expect(key.status).toBe(TOKEN_DISABLED);
    accounts.keys.refresh([11], [keyRecord(11, 1, { status: 1 })]);
    expect(key.status).toBe(1);
  });

  it("stands where a mark cannot be stored", async () => {
    const { accounts, state, errors } = await setUp();
    const key = accounts.keys.findById(11);
    if (!key) throw new Error("there is no key");
    state.isBroken = true;
    accounts.keys.mark(key, TOKEN_EXHAUSTED);
    accounts.keys.refresh([11], [keyRecord(11, 1, { status: TOKEN_DISABLED })]);
    await new Promise((resolve) => setImmediate(resolve));
    expect([key.status, errors]).toEqual([TOKEN_DISABLED, ["disk full"]]);
  });

  it("begins and ends sessions, and brings back none that is being ended here", async () => {
    const { accounts, begin, changes } = await setUp();
    const { sessions } = accounts;
    const cookie = await begin(1);
    const own = hashOf(changes);
    sessions.refresh([own, "elsewhere"], [session(own), session("elsewhere")]);
    expect(sessions.idHashes()).toEqual([own, "elsewhere"]);
    const ended = sessions.end(cookie);
    sessions.refresh([own], [session(own)]);
    expect(sessions.find(cookie, 1)).toBeUndefined();
    await ended;
    sessions.refresh(["elsewhere"], []);
    expect(sessions.idHashes()).toEqual([]);
  });
});

describe("who listens for changes", () => {
  it("is told of sessions that begin and end", async () => {
    const { accounts, changes, begin } = await setUp();
    const id = await begin(1);
    await accounts.sessions.end(id);
    expect(changes).toMatchObject([
      { of: "session", what: "created" },
      { of: "session", what: "removed" },
    ]);
    expect(changes[0]?.id).not.toBe(id);
  });

  it("breaks no change by failing", async () => {
    const { accounts, errors, changes } = await setUp();
    accounts.changes.subscribe(() => {
      throw new Error("deaf");
    });
    await accounts.users.change(1, { role: 10 });
    expect(errors).toEqual(["deaf"]);
    expect(changes).toHaveLength(1);
  });
});
