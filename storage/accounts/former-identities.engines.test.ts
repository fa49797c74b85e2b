import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { Identity, NewUser } from "@tollgate/contract/records/user-record";
import { LOG_SYSTEM } from "@tollgate/contract/values/statuses";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { moneyFaults } from "../testing/money-faults";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import { type AccountsUnderTest, readWaiting, type StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });
const HAS_LEASES = onEngine({ sqlite: false, postgres: true });

const GITHUB: Identity = { method: "github", subject: "583231" };
const MAIL = { email: "Alice@Example.com" };

let store: StoreUnderTest;
let accounts: AccountsUnderTest;
let inviterId: number;
let serial: number;

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  serial = 0;
  inviterId = (await accounts.changes.users.create(newUser({ username: "root", affCode: "root" }), 0, []))
    .user.id;
});

afterEach(async () => {
  expect(await moneyFaults(accounts.ask, HAS_LEASES)).toEqual([]);
  await accounts.close();
  await store.remove();
});

/** A newcomer who was invited, with gifts of 100 and 10, and 5 for the inviter. */
const register = async (more: Partial<NewUser> = {}) => {
  serial += 1;
  const username = `user${serial}`;
  const gift = { code: "new-user-gift", amount: { quota: 100 } } as unknown as AccountLine["phrase"];
  const line = { createdAt: 1, userId: 0, username, type: LOG_SYSTEM, phrase: gift };
  const made = newUser({ username, affCode: username, quota: 100, inviteeQuota: 10, inviterId, ...more });
  const { user, rewardedQuota } = await accounts.changes.users.create(made, 5, [line]);
  const lines = readWaiting(await accounts.waiting()).filter((entry) =>
    JSON.stringify(entry).includes(username),
  );
  return { id: user.id, given: [user.quota, rewardedQuota, lines.length] };
};

const ALL = [110, 5, 1];
const NOTHING = [0, 0, 0];

describe("a person who had an account before", () => {
  it.each<[string, Partial<NewUser>, Partial<NewUser>]>([
    ["account elsewhere", { identity: GITHUB }, { identity: GITHUB }],
    ["address", MAIL, { email: "alice@example.com" }],
    ["address, now of an account elsewhere", MAIL, { identity: GITHUB, ...MAIL }],
  ])("gets no gift again with the same %s, and has bought before", async (_, before, after) => {
    const first = await register(before);
    expect(first.given).toEqual(ALL);
    expect(await accounts.queries.promotions.hasBought(first.id)).toBe(false);
    await accounts.changes.users.remove(first.id);
    const second = await register(after);
    expect(second.given).toEqual(NOTHING);
    expect(await accounts.queries.promotions.hasBought(second.id)).toBe(true);
    await accounts.changes.users.remove(second.id);
    expect((await register(after)).given).toEqual(NOTHING);
  });

  it("is known by what the account had in the meantime as well", async () => {
    const { id } = await register({ identity: GITHUB, ...MAIL });
    await accounts.changes.users.change(id, { identity: { ...GITHUB, subject: "other" }, email: "new@x.cn" });
    expect((await register({ identity: GITHUB })).given).toEqual(NOTHING);
    expect((await register(MAIL)).given).toEqual(NOTHING);
    await accounts.changes.users.change(id, { unbindsAll: true });
    expect((await register({ identity: { ...GITHUB, subject: "other" } })).given).toEqual(NOTHING);
    await accounts.changes.users.change(id, { displayName: "Alice", email: "new@x.cn" });
    await accounts.changes.users.remove(id);
    expect((await register({ email: "new@x.cn" })).given).toEqual(NOTHING);
  });

  it("is another one with another account elsewhere, of another method, or without one", async () => {
    const { id } = await register({ identity: GITHUB });
    await accounts.changes.users.remove(id);
    const others: Partial<NewUser>[] = [
      { identity: { ...GITHUB, subject: "1" } },
      { identity: { ...GITHUB, method: "wechat" } },
      { email: GITHUB.subject },
      {},
    ];
    for (const more of others) {
      const other = await register(more);
      expect(other.given).toEqual(ALL);
      expect(await accounts.queries.promotions.hasBought(other.id)).toBe(false);
    }
  });

  it("is stored as keyed hashes alone", async () => {
    const { id } = await register({ identity: GITHUB, ...MAIL });
    await accounts.changes.users.remove(id);
    const rows = await accounts.ask("SELECT * FROM former_identities");
    expect(rows.map((row) => Object.keys(row))).toEqual([["identity_hash"], ["identity_hash"]]);
    for (const { identity_hash: hash } of rows) expect(hash).toMatch(/^[\w-]{43}$/);
  });
});
