import type { NewAnnouncement } from "@tollgate/contract/records/announcement-record";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

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

const NOW = 1000;

const add = (title: string, more: Partial<NewAnnouncement> = {}, most = 10) =>
  accounts.changes.announcements.create(
    {
      title,
      body: "",
      level: "info",
      isPinned: false,
      groups: "",
      isPublic: false,
      startsAt: 100,
      endsAt: 0,
      author: "root",
      createdTime: 1,
      updatedTime: 1,
      ...more,
    },
    most,
  );

const titles = (rows: readonly { title: string }[]): string[] => rows.map(({ title }) => title);

describe("announcements", () => {
  it("are shown from their start until their end, pinned ones first, then the newest", async () => {
    await add("old", { startsAt: 10 });
    await add("pinned", { startsAt: 20, isPinned: true });
    await add("new", { startsAt: NOW });
    await add("scheduled", { startsAt: NOW + 1 });
    await add("ends now", { startsAt: 30, endsAt: NOW });
    await add("ends soon", { startsAt: 40, endsAt: NOW + 1 });
    const { announcements } = accounts.queries;
    expect(titles(await announcements.live([], NOW, 10))).toEqual(["pinned", "new", "ends soon", "old"]);
    expect(titles(await announcements.live([], NOW, 2))).toEqual(["pinned", "new"]);
    expect(titles(await announcements.started([], NOW, 0, 3))).toEqual(["new", "ends soon", "ends now"]);
    expect(titles(await announcements.started([], NOW, 3, 3))).toEqual(["pinned", "old"]);
  });

  it("reach the users of their groups, by whole names, and guests only where they are public", async () => {
    await add("all");
    await add("public", { isPublic: true });
    await add("vip", { groups: "default,vip" });
    // The rules of the routes allow no such announcement; guests do not see it either.
    await add("public for svip", { groups: "svip", isPublic: true });
    const shownTo = async (readers: readonly string[] | undefined) =>
      titles(await accounts.queries.announcements.live(readers, NOW, 10)).sort();
    expect(await shownTo(undefined)).toEqual(["public"]);
    expect(await shownTo(["other"])).toEqual(["all", "public"]);
    expect(await shownTo(["VIP", "vi", "%"])).toEqual(["all", "public"]);
    expect(await shownTo(["other", "vip"])).toEqual(["all", "public", "vip"]);
    expect(await shownTo(["svip"])).toEqual(["all", "public", "public for svip"]);
  });

  it("are changed field by field, deleted once, and no more than allowed", async () => {
    const made = await add("first", { groups: "vip" }, 1);
    if (!made) throw new Error("not stored");
    expect(await add("second", {}, 1)).toBeUndefined();
    const { announcements } = accounts.changes;
    const changed = await announcements.change(made.id, { title: "renamed", updatedTime: 9 });
    expect(changed).toEqual({ ...made, title: "renamed", updatedTime: 9 });
    expect(await accounts.queries.announcements.find(made.id)).toEqual(changed);
    expect(await announcements.change(made.id + 1, { updatedTime: 9 })).toBeUndefined();
    expect(await announcements.remove(made.id)).toBe(true);
    expect(await announcements.remove(made.id)).toBe(false);
  });

  it("are listed in the order and of the group that is asked for", async () => {
    await add("b", { level: "warning" });
    await add("A", { groups: "vip" });
    const { announcements } = accounts.queries;
    expect(titles(await announcements.page(0, 10))).toEqual(["A", "b"]);
    expect(titles(await announcements.page(0, 10, { column: "title", isDescending: true }))).toEqual([
      "b",
      "A",
    ]);
    expect(titles(await announcements.page(0, 10, undefined, { groups: "vip" }))).toEqual(["A"]);
    expect(titles(await announcements.page(0, 10, undefined, { level: "warning" }))).toEqual(["b"]);
  });
});
