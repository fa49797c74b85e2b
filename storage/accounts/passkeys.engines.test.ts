import type { Passkey } from "@tollgate/contract/records/passkey-record";
import { afterEach, beforeEach, expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newPasskey, newUser } from "../testing/sample-records";
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

const addUser = async (username: string, role = 1): Promise<number> =>
  (
    await opened.changes.users.create(
      newUser({ username, role, affCode: username, identity: undefined }),
      0,
      [],
    )
  ).user.id;

const LIMITS = { max: 3, isFirst: false };

const add = async (userId: number, credentialId: string, lastChallenge: number): Promise<Passkey> => {
  const added = await opened.changes.passkeys.add(
    newPasskey(userId, { credentialId, lastChallenge }),
    LIMITS,
  );
  if (typeof added === "string") throw new Error(added);
  return added;
};

it("stores the passkeys of a user, and removes them with the user", async () => {
  const { changes, queries } = opened;
  const userId = await addUser("alice");
  const phone = await add(userId, "phone", 1);
  const laptop = await add(userId, "laptop", 2);
  expect(await queries.passkeys.ofUser(userId)).toEqual([phone, laptop]);
  expect(phone).toEqual({ id: phone.id, ...newPasskey(userId, { credentialId: "phone", lastChallenge: 1 }) });
  expect(await queries.passkeys.find("laptop")).toEqual(laptop);
  expect(await queries.passkeys.find("other")).toBeUndefined();
  expect(await changes.passkeys.rename(userId, phone.id, "手机")).toBe(true);
  expect((await queries.passkeys.find("phone"))?.name).toBe("手机");
  await changes.users.remove(userId);
  expect(await queries.passkeys.find("phone")).toBeUndefined();
});

it("refuses the credential of another user, one too many, and a second answer to a challenge", async () => {
  const { changes, queries } = opened;
  const [alice, bob] = [await addUser("alice"), await addUser("bob")];
  await add(alice, "one", 1);
  const tryAdd = (userId: number, credentialId: string, lastChallenge: number, isFirst = false) =>
    changes.passkeys.add(newPasskey(userId, { credentialId, lastChallenge }), { ...LIMITS, isFirst });
  expect(await tryAdd(bob, "one", 9)).toBe("taken");
  expect(await tryAdd(alice, "two", 1)).toBe("challenge-used");
  expect(await tryAdd(alice, "two", 2, true)).toBe("not-first");
  await changes.secondFactors.replace(undefined, {
    ...{ userId: bob, secret: "JBSWY3DPEHPK3PXP", backupCodes: [], version: "" },
    ...{ confirmedTime: 1, lastStep: 1 },
  });
  expect(await tryAdd(bob, "two", 2, true)).toBe("not-first");
  // Two of them are beyond the limit, however they meet; one challenge counts once.
  const all = await Promise.all([2, 2, 3, 4, 5].map((at, index) => tryAdd(alice, `next ${index}`, at)));
  expect(all.filter((each) => typeof each !== "string").length).toBeLessThanOrEqual(2);
  expect((await queries.passkeys.ofUser(alice)).length).toBeLessThanOrEqual(3);
  const times = (await queries.passkeys.ofUser(alice)).map(({ lastChallenge }) => lastChallenge);
  expect(new Set(times).size).toBe(times.length);
});

it("stores one of two uses of the same moment, and none of a passkey that is gone", async () => {
  const { changes, queries } = opened;
  const userId = await addUser("alice");
  const seen = await add(userId, "one", 1);
  const use = { counter: 4, lastUsedTime: 5, lastChallenge: 6 };
  const all = await Promise.all([1, 2, 3].map(() => changes.passkeys.use(seen, use)));
  expect(all.filter(Boolean)).toHaveLength(1);
  const used = { ...seen, ...use };
  expect(await queries.passkeys.find("one")).toEqual(used);
  const other = await addUser("bob");
  expect(await changes.passkeys.rename(other, seen.id, "mine")).toBe(false);
  expect(await changes.passkeys.remove(other, seen.id)).toBe(false);
  expect(await changes.passkeys.remove(userId, seen.id)).toBe(true);
  expect(await changes.passkeys.remove(userId, seen.id)).toBe(false);
  expect(await changes.passkeys.use(used, { ...use, lastChallenge: 7 })).toBe(false);
  await add(userId, "two", 8);
  expect(await changes.passkeys.removeAll(userId)).toBe(1);
  expect(await changes.passkeys.removeAll(userId)).toBe(0);
});

it("keeps the sessions of users with a passkey where others must set up a second factor", async () => {
  const { changes, queries } = opened;
  for (const username of ["with", "without"]) {
    const userId = await addUser(username, 100);
    await changes.sessions.create({
      ...{ idHash: username, userId, createdTime: 1, expiresTime: 1000, lastUsedTime: 1 },
      ...{ address: "::1", userAgent: "" },
    });
    if (username === "with") await add(userId, "one", 1);
  }
  expect(await changes.sessions.removeOfOneFactor(1)).toEqual(["without"]);
  const [session] = await queries.sessions.live(2);
  await changes.users.change(session?.userId ?? 0, { passwordHash: "new", unbindsAll: true });
  expect(await queries.passkeys.find("one")).toBeUndefined();
});
