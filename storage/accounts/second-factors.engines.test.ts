import type { SecondFactor } from "@tollgate/contract/records/second-factor-record";
import { afterEach, beforeEach, expect, it } from "vitest";
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

const SECRET = "JBSWY3DPEHPK3PXP";

const addUser = async (username: string, role = 1): Promise<number> =>
  (
    await opened.changes.users.create(
      newUser({ username, role, affCode: username, identity: undefined }),
      0,
      [],
    )
  ).user.id;

const factorOf = (userId: number, more: Partial<SecondFactor> = {}): SecondFactor => ({
  ...{ userId, secret: SECRET, backupCodes: ["ABCDE-FGHJK"], confirmedTime: 0, lastStep: 0, version: "" },
  ...more,
});

it("a factor is kept sealed, replaced only as it was read, and goes with its user", async () => {
  const { changes, queries } = opened;
  const userId = await addUser("alice");
  expect(await queries.secondFactors.find(userId)).toBeUndefined();
  expect(await changes.secondFactors.replace(undefined, factorOf(userId))).toBe(true);
  // Another set-up of the same moment.
  expect(await changes.secondFactors.replace(undefined, factorOf(userId, { secret: "OTHER" }))).toBe(false);
  const seen = await queries.secondFactors.find(userId);
  expect(seen).toMatchObject({ ...factorOf(userId), version: expect.stringMatching(/./) });
  expect(seen?.version).not.toContain(SECRET);
  const taken = await Promise.all(
    [1, 2, 3].map((lastStep) => changes.secondFactors.replace(seen, factorOf(userId, { lastStep }))),
  );
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect((await queries.secondFactors.find(userId))?.lastStep).toBe(taken.indexOf(true) + 1);
  await changes.users.remove(userId);
  expect(await queries.secondFactors.find(userId)).toBeUndefined();
});

it("one that was removed and set up again is another one", async () => {
  const { changes, queries } = opened;
  const userId = await addUser("alice");
  await changes.secondFactors.replace(undefined, factorOf(userId));
  const seen = await queries.secondFactors.find(userId);
  expect(await changes.secondFactors.remove(userId)).toBe(true);
  expect(await changes.secondFactors.remove(userId)).toBe(false);
  await changes.secondFactors.replace(undefined, factorOf(userId));
  expect(await changes.secondFactors.replace(seen, factorOf(userId, { lastStep: 9 }))).toBe(false);
  expect(await changes.secondFactors.replace(seen, undefined)).toBe(false);
  const now = await queries.secondFactors.find(userId);
  expect(await changes.secondFactors.replace(now, undefined)).toBe(true);
  expect(await queries.secondFactors.find(userId)).toBeUndefined();
});

it("goes with everything else that was bound when root gets its first password", async () => {
  const { changes, queries } = opened;
  const userId = await addUser("root", 100);
  await changes.secondFactors.replace(undefined, factorOf(userId, { confirmedTime: 1 }));
  await changes.users.change(userId, { passwordHash: "new", unbindsAll: true });
  expect(await queries.secondFactors.find(userId)).toBeUndefined();
});

it("ends the sessions of those of a role or above who have confirmed none", async () => {
  const { changes, queries } = opened;
  const people = { user: 1, safe: 10, begun: 10, without: 10, root: 100 };
  const ids: Record<string, number> = {};
  for (const [name, role] of Object.entries(people)) {
    const userId = await addUser(name, role);
    ids[name] = userId;
    await changes.sessions.create({
      ...{ idHash: name, userId, createdTime: 1, expiresTime: 1000, lastUsedTime: 1 },
      ...{ address: "::1", userAgent: "" },
    });
  }
  await changes.secondFactors.replace(undefined, factorOf(ids.safe ?? 0, { confirmedTime: 1 }));
  await changes.secondFactors.replace(undefined, factorOf(ids.begun ?? 0));
  expect((await changes.sessions.removeOfOneFactor(10)).sort()).toEqual(["begun", "root", "without"]);
  expect((await queries.sessions.live(2)).map(({ idHash }) => idHash).sort()).toEqual(["safe", "user"]);
  expect(await changes.sessions.removeOfOneFactor(1)).toEqual(["user"]);
});
