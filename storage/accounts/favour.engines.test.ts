import { DECIDED_BY, LEDGER_CAUSES, type LedgerCause } from "@tollgate/contract/records/ledger-entry";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StorageConflict } from "../errors";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

/* The rule for money between people, where entries of the ledger are made (docs/money.md#money-between-people). */

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });
const AMOUNT = { quotaPerUnit: 500_000, isCurrency: false };
const REFUSED = new StorageConflict("favour-refused");

let store: StoreUnderTest;
let accounts: AccountsUnderTest;

const PEOPLE = {
  root: ROLE_ROOT,
  admin: ROLE_ADMIN,
  fellow: ROLE_ADMIN,
  customer: ROLE_USER,
  other: ROLE_USER,
} as const;
type Name = keyof typeof PEOPLE;
const NAMES = Object.keys(PEOPLE) as Name[];

/** The id of a deleted account. */
const GONE = 99;
let ids: Record<Name, number>;

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  const made = await Promise.all(
    NAMES.map(async (username) => {
      const user = newUser({ username, affCode: username, role: PEOPLE[username] });
      return [username, (await accounts.changes.users.create(user, 0, [])).user.id] as const;
    }),
  );
  ids = Object.fromEntries(made) as Record<Name, number>;
});

afterEach(async () => {
  await accounts.close();
  await store.remove();
});

const balances = () =>
  Promise.all(NAMES.map(async (name) => (await accounts.queries.users.find(ids[name]))?.quota));

/** The rule written a second time, from its document and not from its code. */
const isAllowed = (cause: LedgerCause, actorId: number, name: Name): boolean => {
  const isOrdinary = PEOPLE[name] === ROLE_USER;
  if (isOrdinary || actorId === ids.root) return true;
  if (actorId === 0) return DECIDED_BY[cause] !== "person";
  return DECIDED_BY[cause] === "owner" && actorId === ids[name];
};

describe("an entry of the ledger", () => {
  it.each(LEDGER_CAUSES)("of %s is refused where root alone decides", async (cause) => {
    const actors = [0, GONE, ...NAMES.map((name) => ids[name])];
    for (const actorId of actors)
      for (const name of NAMES) {
        const movement = { cause, actorId, at: 5, reference: `${actorId} ${name}` };
        const before = await balances();
        const moved = accounts.changes.users.grant(ids[name], 7, movement);
        if (isAllowed(cause, actorId, name)) expect([actorId, name, await moved]).toEqual([actorId, name, 7]);
        else {
          await expect(moved).rejects.toEqual(REFUSED);
          expect(await balances()).toEqual(before);
        }
      }
  });
});

describe("a person's own account", () => {
  it("is edited by root alone where it is an administrator's, before anything is stored", async () => {
    for (const name of ["admin", "fellow", "root"] as const)
      await expect(
        accounts.changes.users.change(ids[name], { group: "free", actorId: ids.admin }, []),
      ).rejects.toEqual(REFUSED);
    expect((await accounts.queries.users.find(ids.admin))?.group).toBe("default");
    await accounts.changes.users.change(ids.customer, { group: "free", actorId: ids.admin }, []);
    await accounts.changes.users.change(ids.admin, { group: "free", actorId: ids.root }, []);
    expect((await accounts.queries.users.find(ids.customer))?.group).toBe("free");
  });
});

describe("a code", () => {
  const code = { key: "code", name: "gift", quota: 5, createdTime: 1 };
  const redeem = (name: Name) => accounts.changes.redemptions.redeem("code", ids[name], 2, name, AMOUNT);

  it.each([
    ["admin", ["customer"]],
    ["root", ["root", "customer"]],
    ["customer", ["customer"]],
  ] as const)("of %s is redeemed by %j", async (maker, redeemers) => {
    await accounts.changes.redemptions.create([{ ...code, userId: ids[maker], mostUses: 9 }]);
    const taken: string[] = [];
    for (const name of ["admin", "fellow", "root", "customer"] as const)
      await redeem(name).then(
        () => taken.push(name),
        (error: unknown) => expect(error).toEqual(REFUSED),
      );
    expect(taken).toEqual(redeemers);
  });

  it("answers to the administrator who changed it last", async () => {
    await accounts.changes.redemptions.create([{ ...code, userId: ids.root }]);
    await accounts.changes.redemptions.change(1, { quota: 500, makerId: ids.admin });
    await expect(redeem("root")).rejects.toEqual(REFUSED);
    expect(await redeem("customer")).toBe(500);
    const [entry] = await accounts.queries.ledger.page({}, 0, 1);
    expect(entry).toMatchObject({ actorName: "admin", username: "customer" });
  });
});
