import { expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const open = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

const keyOf = (userId: number, name: string) => ({
  ...{ userId, name, start: "mk-abc", permissions: "own:read,users:read", networks: "" },
  ...{ createdTime: 5, expiresTime: 0 },
});

it("finds a key by its secret until it is revoked, and only its owner revokes it", async () => {
  const store = await open();
  const { changes, queries, close } = await store.open(MASTER_KEY);
  const { user } = await changes.users.create(newUser(), 0, []);
  const made = await changes.managementKeys.create(keyOf(user.id, "backup"), "mk-secret", 20);
  const expected = { ...keyOf(user.id, "backup"), id: made?.id, lastUsedTime: 0, lastAddress: "" };
  expect(await queries.managementKeys.findBySecret("mk-secret")).toEqual(expected);
  expect(await queries.managementKeys.findBySecret("mk-Secret")).toBeUndefined();
  await changes.managementKeys.noteUse(made?.id ?? 0, 90, "192.0.2.1");
  await changes.managementKeys.noteUse(made?.id ?? 0, 80, "192.0.2.2");
  const used = { ...expected, lastUsedTime: 90, lastAddress: "192.0.2.1" };
  expect(await queries.managementKeys.ofUser(user.id)).toEqual([used]);
  expect(await changes.managementKeys.remove(user.id + 1, made?.id ?? 0)).toBeUndefined();
  expect(await changes.managementKeys.remove(user.id, made?.id ?? 0)).toEqual(used);
  expect(await queries.managementKeys.findBySecret("mk-secret")).toBeUndefined();
  await close();
  await store.remove();
});

it("keeps at most so many keys of a user, and none of a user who is gone", async () => {
  const store = await open();
  const { changes, queries, close } = await store.open(MASTER_KEY);
  const { user } = await changes.users.create(newUser(), 0, []);
  const made = await Promise.all(
    ["a", "b", "c", "d"].map((name) => changes.managementKeys.create(keyOf(user.id, name), `mk-${name}`, 2)),
  );
  expect(made.filter((key) => key !== undefined)).toHaveLength(2);
  expect(await queries.managementKeys.ofUser(user.id)).toHaveLength(2);
  await changes.managementKeys.removeAll(user.id);
  expect(await queries.managementKeys.ofUser(user.id)).toEqual([]);
  await changes.managementKeys.create(keyOf(user.id, "e"), "mk-e", 2);
  await changes.users.remove(user.id);
  expect(await queries.managementKeys.findBySecret("mk-e")).toBeUndefined();
  expect(await changes.managementKeys.create(keyOf(user.id, "f"), "mk-f", 2)).toBeUndefined();
  await close();
  await store.remove();
});
