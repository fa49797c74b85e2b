import { COMMISSION_SORTS, INVITED_SORTS, PAYOUT_SORTS } from "@tollgate/contract/api/invitations";
import { LEDGER_SORTS } from "@tollgate/contract/api/ledger";
import { ORDER_SORTS } from "@tollgate/contract/api/orders";
import { SUBSCRIPTION_SORTS } from "@tollgate/contract/api/plans";
import { RECONCILIATION_SORTS } from "@tollgate/contract/api/reconciliations";
import { REDEMPTION_USE_SORTS } from "@tollgate/contract/api/redemptions";
import type { ListSort } from "@tollgate/contract/resource/list-sort";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { createRandom } from "@tollgate/testkit/random";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

/*
 * Every column that a list about money is sorted by, up and down: the pages together have each row once, in the order of the values
 * that people see, and the newest first among rows that are equal.
 */

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

const NAMES = ["boss", "Ann", "bob", "Carl", "dora", "Eve", "fred", "Gil", "hal", "Ida"];
const PEOPLE = NAMES.length;
const ORDERS = 23;
const PER_PAGE = 4;

let store: StoreUnderTest;
let accounts: AccountsUnderTest;
let people: number[];
let codeId: number;

const random = createRandom(11);
const below = (count: number): number => Math.floor(random() * count);
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;

const makePeople = async () => {
  const ids: number[] = [];
  for (const [row, name] of NAMES.entries()) {
    const inviterId = row === 0 ? 0 : (ids[row > 7 ? 1 : 0] ?? 0);
    const user = newUser({
      username: name,
      affCode: name,
      quota: 1000 * row,
      inviterId,
      createdTime: below(3),
    });
    ids.push((await accounts.changes.users.create(user, 0, [])).user.id);
  }
  return ids;
};

const payOrders = async () => {
  const { orders } = accounts.changes;
  for (let row = 0; row < ORDERS; row += 1) {
    const place = (row * 3) % PEOPLE;
    const provider = oneOf(["stripe", "epay"]);
    const number = `order-${row}`;
    const amount = oneOf([730, 1460]);
    await orders.create(
      {
        number,
        userId: people[place] ?? 0,
        username: NAMES[place] ?? "",
        provider,
        method: "",
        usd: "1",
        amount,
        currency: "CNY",
        quota: oneOf([500_000, 600_000]),
        bonus: 0,
        factor: "1",
        createdAt: 1000 + below(4),
        expiresAt: 3100,
      },
      50,
    );
    if (row % 5 === 0) continue;
    await orders.step(
      number,
      { kind: "paid", provider, amount, currency: "CNY", payment: `pi_${row}` },
      {
        at: 2000 + below(3),
        unit: { quotaPerUnit: 500_000, isCurrency: true },
        commission: { basisPoints: oneOf([500, 1000]), isOfEach: true },
      },
    );
  }
};

const makePlans = async () => {
  for (let row = 0; row < 9; row += 1) {
    const userId = people[below(PEOPLE)] ?? 0;
    await accounts.changes.plans.subscribe(
      {
        userId,
        planId: 1,
        terms: {
          title: oneOf(["Basic", "Pro", "年费"]),
          price: 0,
          durationUnit: "month",
          durationCount: 1,
          quota: 500,
          reset: "day",
          group: "",
          beyond: "balance",
        },
        startsAt: 10 * below(3),
        endsAt: 1000 + below(3),
        source: oneOf(["gift", "balance"]),
        reference: `given-${row}`,
        renews: false,
        actorId: userId,
        now: 0,
        price: 0,
        mostPerUser: undefined,
      },
      MAX_QUOTA,
      { quotaPerUnit: 500_000, isCurrency: true },
    );
  }
};

beforeAll(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  people = await makePeople();
  await payOrders();
  await makePlans();
  const { commissions, redemptions, reconciliations } = accounts.changes;
  for (let row = 0; row < 12; row += 1) {
    const userId = oneOf(people.slice(0, 2));
    const id = await commissions.ask(userId, 10 * (1 + below(3)), "", below(4));
    if (row % 3 === 0)
      await commissions.decide(id, oneOf(["paid", "declined"]), { actorId: 1, reason: "x", at: 9 });
  }
  await redemptions.create([
    { userId: 1, key: "code", name: "gift", quota: 5, createdTime: 1, mostUses: PEOPLE },
  ]);
  codeId = (await accounts.queries.redemptions.page(0, 1))[0]?.id ?? 0;
  const unit = { quotaPerUnit: 500_000, isCurrency: true };
  for (const id of people) await redemptions.redeem("code", id, 10 + below(2), "name", unit);
  for (let row = 0; row < 9; row += 1)
    await reconciliations.add({
      channelId: 1,
      createdAt: below(3),
      createdBy: "root",
      content: {
        source: "csv",
        channel_name: "east",
        first_at: 1,
        last_at: 2,
        threshold_percent: 1,
        unreadable: 0,
        rows: [],
      },
    });
});

afterAll(async () => {
  await accounts?.close();
  await store?.remove();
});

type Value = number | string;

const compare = (a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);

/** Reads all pages of a list in an order, and compares them with the whole list, sorted here. */
const trySort = async <Row extends { id: number }, Column extends string>(
  readPage: (offset: number, limit: number, sort?: ListSort<Column>) => Promise<Row[]>,
  column: Column,
  toValue: (row: Row) => Value,
): Promise<void> => {
  const all = await readPage(0, 1000);
  expect(all.length).toBeGreaterThan(5);
  for (const isDescending of [false, true]) {
    const sign = isDescending ? -1 : 1;
    const wanted = all.toSorted((a, b) => sign * compare(toValue(a), toValue(b)) || b.id - a.id);
    const read: Row[] = [];
    for (let offset = 0; offset < all.length; offset += PER_PAGE)
      read.push(...(await readPage(offset, PER_PAGE, { column, isDescending })));
    expect(read.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  }
};

describe("pages in an order", () => {
  it.each(LEDGER_SORTS)("of the ledger, by %s, also of one user", async (column) => {
    const { page } = accounts.queries.ledger;
    const toValue = (entry: Awaited<ReturnType<typeof page>>[number]): Value =>
      column === "created_at" ? entry.createdAt : entry[column];
    await trySort((offset, limit, sort) => page({}, offset, limit, sort), column, toValue);
    const own = await page({ userId: people[0] }, 0, 1000, { column, isDescending: true });
    expect(new Set(own.map(({ userId }) => userId))).toEqual(new Set([people[0]]));
  });

  it.each(ORDER_SORTS)("of orders, by %s, also of one user", async (column) => {
    const { page } = accounts.queries.orders;
    const toValue = (order: Awaited<ReturnType<typeof page>>[number]): Value => {
      if (column === "created_time") return order.createdAt;
      return column === "username" ? order.username.toLowerCase() : order[column];
    };
    await trySort((offset, limit, sort) => page({}, offset, limit, sort), column, toValue);
    const own = await page({ userId: people[1] }, 0, 1000, { column, isDescending: false });
    expect(new Set(own.map(({ userId }) => userId))).toEqual(new Set([people[1]]));
  });

  it.each(COMMISSION_SORTS)("of commissions, by %s", (column) =>
    trySort(accounts.queries.commissions.commissions, column, (commission) => {
      switch (column) {
        case "created_time":
          return commission.createdAt;
        case "basis_points":
          return commission.basisPoints;
        case "taken_back":
          return commission.takenBack;
        case "inviter":
        case "username":
          return commission[column].toLowerCase();
        default:
          return commission[column];
      }
    }),
  );

  it.each(PAYOUT_SORTS)("of payouts, by %s", (column) =>
    trySort(
      (offset, limit, sort) => accounts.queries.commissions.payouts({}, offset, limit, sort),
      column,
      (payout) => {
        if (column === "created_time") return payout.createdAt;
        return column === "username" ? payout.username.toLowerCase() : payout[column];
      },
    ),
  );

  it.each(INVITED_SORTS)("of the users that one invited, by %s", (column) =>
    trySort(
      (offset, limit, sort) => accounts.queries.commissions.invited(people[0] ?? 0, offset, limit, sort),
      column,
      (invited) => (column === "earned" ? invited.earned : invited.createdAt),
    ),
  );

  it.each(SUBSCRIPTION_SORTS)("of subscriptions, by %s, also of one plan", async (column) => {
    const { page } = accounts.queries.plans;
    const nameOf = (id: number) => NAMES[people.indexOf(id)]?.toLowerCase() ?? "";
    const toValue = (row: Awaited<ReturnType<typeof page>>[number]): Value => {
      if (column === "username") return nameOf(row.userId);
      if (column === "starts_at") return row.startsAt;
      return column === "ends_at" ? row.endsAt : row[column];
    };
    await trySort((offset, limit, sort) => page(offset, limit, {}, sort), column, toValue);
    const ofPlan = await page(0, 1000, { planId: 2 }, { column, isDescending: false });
    expect(ofPlan).toEqual([]);
  });

  it.each(REDEMPTION_USE_SORTS)("of the uses of a code, by %s", (column) =>
    trySort(
      (offset, limit, sort) => accounts.queries.redemptions.uses(codeId, offset, limit, sort),
      column,
      (use) =>
        column === "used_time" ? use.usedAt : column === "quota" ? use.quota : use.username.toLowerCase(),
    ),
  );

  it.each(RECONCILIATION_SORTS)("of reconciliations, by %s", (column) =>
    trySort(accounts.queries.reconciliations.page, column, ({ createdAt }) => createdAt),
  );
});
