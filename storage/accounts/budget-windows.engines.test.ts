import type { BudgetWindow } from "@tollgate/contract/records/budget-window";
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

const HOUR = 3600;
const window = (startHour: number, more: Partial<BudgetWindow> = {}): BudgetWindow => ({
  scope: "key",
  subject: "7",
  hours: 5,
  started: startHour * HOUR,
  ...more,
});

describe("windows of budgets", () => {
  it("belong to the first caller until they have ended", async () => {
    const { budgetWindows } = accounts.changes;
    expect(await budgetWindows.open(window(100))).toEqual(window(100));
    for (const hour of [99, 101, 104]) expect(await budgetWindows.open(window(hour))).toEqual(window(100));
    expect(await budgetWindows.open(window(105))).toEqual(window(105));
    // A slow caller finds the window that followed.
    expect(await budgetWindows.open(window(100))).toEqual(window(105));
    expect(await accounts.queries.budgetWindows.find([window(0)])).toEqual([window(105)]);
  });

  it("are separate for each key, user and group, and for each length", async () => {
    const { queries, changes } = accounts;
    const all = [
      window(100),
      window(101, { hours: 720 }),
      window(102, { scope: "user" }),
      window(103, { scope: "group", subject: 'vip\'s "users"' }),
    ];
    for (const each of all) expect(await changes.budgetWindows.open(each)).toEqual(each);
    for (const each of all) expect(await queries.budgetWindows.find([each])).toEqual([each]);
    const others = [window(0, { subject: "8" }), window(0, { hours: 6 }), window(0, { scope: "group" })];
    expect(await queries.budgetWindows.find(others)).toEqual([]);
    const many = Array.from({ length: 1000 }, (_, id) => window(0, { subject: `other ${id}` }));
    const found = await queries.budgetWindows.find([...many, ...others, ...all.slice(0, 3)]);
    expect(found).toHaveLength(3);
    expect(found).toEqual(expect.arrayContaining(all.slice(0, 3)));
    expect(await queries.budgetWindows.open(107 * HOUR)).toHaveLength(2);
    await changes.budgetWindows.removeEnded(107 * HOUR + 1);
    expect(await queries.budgetWindows.open(0)).toHaveLength(2);
  });
});
