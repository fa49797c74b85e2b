import type { IncomingMessage } from "node:http";
import { createAccounts } from "@tollgate/accounts/accounts";
import { ChangeFeed } from "@tollgate/accounts/change-feed";
import type { AccountStore } from "@tollgate/accounts/ports";
import { Sessions } from "@tollgate/accounts/sessions";
import type { SessionChanges } from "@tollgate/contract/records/people-store";
import type { Session } from "@tollgate/contract/records/session";
import { Limiter } from "@tollgate/relay/limits/limiter";
import type { ChannelStore } from "@tollgate/relay/ports/directory";
import { Channels, type ChannelTools } from "@tollgate/relay/routing/channels";
import { Circuits } from "@tollgate/relay/routing/circuits";
import { conversationOf, StickySessions, sessionOf } from "@tollgate/relay/routing/sticky-sessions";
import { createSecrets } from "@tollgate/storage/secrets";
import { createRandom } from "@tollgate/testkit/random";
import { caseCount } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { RateLimit } from "./http/rate-limit";
import { SignInLimits } from "./management-api/sign-in/sign-in-limits";
import { RefusalLimits } from "./relay-api/refusal-limits";

/** How many entries and characters the maps, sets and lists below an object hold. */
const weigh = (object: unknown, seen = new Set<unknown>()): { entries: number; characters: number } => {
  const sum = { entries: 0, characters: 0 };
  const add = (value: unknown): void => {
    if (typeof value === "string") sum.characters += value.length;
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    const parts = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : undefined;
    if (parts) sum.entries += value instanceof Map ? parts.length / 2 : parts.length;
    for (const part of parts ?? Object.values(value)) add(part);
  };
  add(object);
  return sum;
};

/** The maximum size of any table with data from strangers. */
const MAX_ENTRIES = 21_000;
/** Calls with a name of their own each: more than may be held. */
const HAMMER = MAX_ENTRIES + caseCount(39_000);
const MAX_CHARACTERS_EACH = 120;

const NO_STORE = {} as AccountStore;

/** Every table in memory whose keys strangers choose, and a call with such a key. */
const TABLES: Record<string, () => { table: object; call(key: string, nowMs: number): unknown }> = {
  "calls by address": () => {
    const table = new RateLimit(20, 1_200_000);
    return { table, call: (key, nowMs) => table.take(key, nowMs) };
  },
  "refused requests by address": () => {
    let now = 0;
    const table = new RefusalLimits({
      perMinute: () => 100,
      now: () => now,
      // An address is no longer.
      subscriberOf: ({ headers }) => String(headers.host).slice(0, 45),
    });
    return {
      table,
      call(key, nowMs) {
        now = nowMs;
        const request = { headers: { host: key } } as unknown as IncomingMessage;
        table.ended(1, request, 403);
        return table.check(1, request);
      },
    };
  },
  "guesses at names that nobody has": () => {
    const table = new SignInLimits(new RateLimit(0, 1), 20, 1_200_000);
    return {
      table,
      call: (key, nowMs) =>
        table.begin(
          { username: key, subscriber: key, userId: undefined, deviceId: undefined, isKnownAddress: false },
          nowMs,
        ),
    };
  },
  "keys, cookies and access tokens that are looked for": () => {
    const { hash } = createSecrets(new Uint8Array(32));
    const accounts = createAccounts(NO_STORE, {
      hash,
      now: () => 0,
      amountUnit: () => ({ quotaPerUnit: 1, isCurrency: false }),
      reportError: () => undefined,
    });
    const channels = new Channels({} as ChannelStore, {} as ChannelTools);
    return {
      table: { accounts, channels },
      call(key, nowMs) {
        accounts.keys.find(key);
        accounts.sessions.find(key, nowMs);
        accounts.users.findByAccessToken(key);
        accounts.users.findByName(key);
        channels.candidates(key, key);
      },
    };
  },
  "conversations by the client's own names": () => {
    const table = new StickySessions(() => 0);
    return {
      table,
      call: (key) =>
        table.remember(sessionOf(1, "model", conversationOf({ prompt_cache_key: key }, key)), "1/a"),
    };
  },
};

describe("S3: a table in memory that strangers name things in", () => {
  it.each(Object.keys(TABLES))("stays small: %s", (name) => {
    const { table, call } = TABLES[name]?.() ?? { table: {}, call: () => undefined };
    const random = createRandom(3);
    for (let i = 0; i < HAMMER; i += 1) call(`${i} ${"x".repeat(Math.floor(random() * 300))}`, i);
    call("y".repeat(1_000_000), HAMMER);
    const { entries, characters } = weigh(table);
    expect(entries).toBeLessThanOrEqual(MAX_ENTRIES);
    expect(characters).toBeLessThanOrEqual(MAX_ENTRIES * MAX_CHARACTERS_EACH);
  });
});

/** Tables of objects that administrators and users create and delete, with the use of each object. */
const PASSING_TABLES: Record<string, () => { table: object; use(id: number, nowMs: number): unknown }> = {
  "limits of keys that are gone": () => {
    const clock = { nowMs: 0 };
    const state = { newest: 0 };
    // A user has some keys at a time, and keeps making others in their place.
    const isLive = (id: number) => id > state.newest - 10;
    const table = new Limiter(() => clock.nowMs, { hasKey: isLive, hasUser: isLive });
    const account = { id: 1, quota: 1, held: 0, isUnlimited: false };
    return {
      table,
      use(id, nowMs) {
        clock.nowMs = nowMs;
        state.newest = id;
        const user = {
          id,
          username: "u",
          role: 1,
          status: 1,
          groups: ["default"],
          account,
          limits: { rpm: 9 },
        };
        const key = { id, user, name: "k", status: 1, expiredTime: -1, account, limits: { rpm: 9 } };
        const pass = table.enter(key, { promptTokens: 1 }, () => ({}));
        table.charge(key, 5, 5);
        if (pass && "leave" in pass) pass.leave();
      },
    };
  },
  "failures of keys that were exchanged": () => {
    const table = new Circuits(() => 0);
    return {
      table,
      use: (id) => table.fail(`1/${id}`, "m", { kind: "dead-key", status: 401, message: "", code: "" }),
    };
  },
};

describe("a table in memory of short-lived entries", () => {
  it.each(Object.keys(PASSING_TABLES))("does not grow with the time: %s", (name) => {
    const { table, use } = PASSING_TABLES[name]?.() ?? { table: {}, use: () => undefined };
    // A second apart, within one day.
    for (let i = 0; i < HAMMER; i += 1) use(i, i * 1000);
    expect(weigh(table).entries).toBeLessThanOrEqual(MAX_ENTRIES);
  });
});

describe("S3: the sessions of one user", () => {
  const sessionOf = (more: Partial<Session> = {}): Omit<Session, "idHash" | "lastUsedTime"> => ({
    userId: 1,
    createdTime: 0,
    expiresTime: 1000,
    address: "203.0.113.1",
    userAgent: "script",
    ...more,
  });

  const setUp = (most?: number) => {
    const stored = new Set<string>();
    const store: SessionChanges = {
      create: async ({ idHash }) => void stored.add(idHash),
      noteUse: async () => {},
      remove: async (idHash) => void stored.delete(idHash),
      removeOthers: async () => [],
      removeOfOneFactor: async () => [],
      removeExpired: async () => {},
    };
    const sessions = new Sessions(store, new ChangeFeed(() => undefined), most);
    const isOpen = (id: string) => sessions.find(id, 0) !== undefined;
    return { stored, sessions, isOpen, begin: (more?: Partial<Session>) => sessions.begin(sessionOf(more)) };
  };

  it("are so many at most: one more ends the oldest of the same program and place, else the oldest", async () => {
    const { stored, sessions, isOpen, begin } = setUp(3);
    const browser = await begin({ userAgent: "browser" });
    const other = await begin({ userId: 2 });
    const [first, second] = [await begin(), await begin()];
    const third = await begin();
    expect([browser, first, second, third].map(isOpen)).toEqual([true, false, true, true]);
    const fourth = await begin();
    expect([browser, second, third, fourth].map(isOpen)).toEqual([true, false, true, true]);
    const phone = await begin({ address: "198.51.100.1" });
    expect([browser, third, fourth, phone, other].map(isOpen)).toEqual([false, true, true, true, true]);
    expect(stored.size).toBe(4);
    for (let i = 0; i < 1000; i += 1) await begin();
    expect(weigh(sessions).entries).toBeLessThan(20);
    expect(stored.size).toBe(4);
  });

  it("are known by their address as long as they last", async () => {
    const { sessions, begin } = setUp();
    const id = await begin();
    await begin({ address: "198.51.100.1" });
    expect(sessions.isSignedInFrom(1, "203.0.113.1", 999)).toBe(true);
    expect(sessions.isSignedInFrom(1, "203.0.113.1", 1000)).toBe(false);
    expect(sessions.isSignedInFrom(2, "203.0.113.1", 0)).toBe(false);
    expect(sessions.isSignedInFrom(1, "203.0.113.2", 0)).toBe(false);
    await sessions.end(id);
    expect(sessions.isSignedInFrom(1, "203.0.113.1", 0)).toBe(false);
  });

  it("leave nothing behind when their time is over", async () => {
    const { sessions, begin } = setUp();
    for (let userId = 1; userId <= 100; userId += 1) await begin({ userId });
    const before = weigh(sessions).entries;
    await sessions.removeExpired(1000);
    expect(before - weigh(sessions).entries).toBeGreaterThanOrEqual(300);
  });
});
