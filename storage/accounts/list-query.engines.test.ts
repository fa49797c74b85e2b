import {
  API_KEY_FILTERS,
  API_KEY_SORTS,
  type ApiKey,
  type ApiKeySort,
} from "@tollgate/contract/api/api-keys";
import {
  balanceOf,
  CHANNEL_FILTERS,
  CHANNEL_SORTS,
  type Channel,
  type ChannelFilter,
  type ChannelSort,
} from "@tollgate/contract/api/channels";
import {
  REDEMPTION_FILTERS,
  REDEMPTION_SORTS,
  type Redemption,
  type RedemptionSort,
} from "@tollgate/contract/api/redemptions";
import type { User } from "@tollgate/contract/api/user";
import { USER_FILTERS, USER_SORTS, type UserSort } from "@tollgate/contract/api/users";
import type { FilterKinds, ListFilter } from "@tollgate/contract/resource/list-filter";
import type { ListSort } from "@tollgate/contract/resource/list-sort";
import { createRandom } from "@tollgate/testkit/random";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, moved, newChannel, newToken, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

/*
 * Every column that a list is sorted by, up and down, over rows of which many are equal: the pages together have each row once,
 * in the order of the values that people see. And every column that a list is narrowed by, with values that rows have and others.
 */

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

const ROWS = 37;
const PER_PAGE = 5;
const QUOTA_PER_UNIT = 500_000;
const NAMES = ["east", "East 2", "west", "北京", "a", "Z", ""];

let store: StoreUnderTest;
let accounts: AccountsUnderTest;
let owner: number;

const random = createRandom(7);
const below = (count: number): number => Math.floor(random() * count);
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;

beforeAll(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  const { users, tokens, channels, redemptions } = accounts.changes;
  const ids: number[] = [];
  for (let row = 0; row < ROWS; row += 1) {
    const username = `${oneOf(["ann", "Bob", "carl"])}-${row}`;
    const fields = {
      username,
      quota: below(4) * 100,
      role: row === 0 ? 100 : oneOf([1, 10]),
      group: oneOf(["default", "vip"]),
    };
    ids.push((await users.create(newUser({ ...fields, affCode: `a${row}` }), 0, [])).user.id);
  }
  owner = ids[0] as number;
  for (let row = 0; row < ROWS; row += 1) {
    const fields = { name: oneOf(NAMES), remainQuota: below(4) * 10, createdTime: below(5) };
    const ends = { unlimitedQuota: random() < 0.3, expiredTime: oneOf([-1, 50, 60]) };
    await tokens.create(newToken(owner, { ...fields, ...ends, key: `k${row}`.padEnd(48, "k") }));
  }
  const made = await channels.create(
    Array.from({ length: ROWS }, () =>
      newChannel({
        name: oneOf(NAMES),
        type: oneOf([1, 3, 14]),
        status: oneOf([1, 2]),
        priority: below(3) - 1,
        weight: below(3),
        groups: oneOf([["default"], ["vip", "default"], ["VIP"]]),
        models: oneOf([["gpt-4o"], ["gpt-4o-mini", "GPT-4o"], ["a_b", "gpt-4o"]]),
        tag: oneOf(["", "east", "East"]),
      }),
    ),
  );
  for (const { channel } of made) {
    await channels.saveTest(channel.id, 1, oneOf([0, 0, 20, 900]));
    await channels.saveBalance(channel.id, oneOf([0, 1.5, 12]), 1);
    if (random() < 0.3) await channels.saveTypedBalance(channel.id, oneOf([0.5, 7]), 1);
  }
  await redemptions.create(
    Array.from({ length: ROWS }, (_, row) => ({
      userId: owner,
      key: `code-${row}`,
      name: oneOf(NAMES),
      quota: 1 + below(4),
      createdTime: below(3),
    })),
  );
});

afterAll(async () => {
  await accounts?.close();
  await store?.remove();
});

type Value = number | string;

/** Texts of these rows in the order of their bytes, which is that of their letters' numbers. */
const compare = (a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const USER_VALUES: Record<UserSort, (user: User) => Value> = {
  id: ({ id }) => id,
  username: ({ username }) => lower(username),
  role: ({ role }) => role,
  status: ({ status }) => status,
  group: ({ group }) => group,
  quota: ({ quota }) => quota,
  used_quota: ({ usedQuota }) => usedQuota,
  request_count: ({ requestCount }) => requestCount,
};

const TOKEN_VALUES: Record<ApiKeySort, (token: ApiKey) => Value> = {
  id: ({ id }) => id,
  name: ({ name }) => lower(name),
  status: ({ status }) => status,
  used_quota: ({ usedQuota }) => usedQuota,
  remain_quota: ({ unlimitedQuota, remainQuota }) =>
    unlimitedQuota ? Number.POSITIVE_INFINITY : remainQuota,
  created_time: ({ createdTime }) => createdTime,
  accessed_time: ({ accessedTime }) => accessedTime,
  expired_time: ({ expiredTime }) => (expiredTime === -1 ? Number.POSITIVE_INFINITY : expiredTime),
};

const channelValues = (isDescending: boolean): Record<ChannelSort, (channel: Channel) => Value> => ({
  id: ({ id }) => id,
  name: ({ name }) => lower(name),
  group: ({ groups }) => groups.join(","),
  type: ({ type }) => type,
  status: ({ status }) => status,
  response_time: ({ responseTimeMs }) =>
    responseTimeMs === 0 && !isDescending ? Number.POSITIVE_INFINITY : responseTimeMs,
  balance: (channel) => balanceOf(channel, QUOTA_PER_UNIT),
  priority: ({ priority }) => priority,
  weight: ({ weight }) => weight,
  used_quota: ({ usedQuota }) => usedQuota,
});

const REDEMPTION_VALUES: Record<RedemptionSort, (code: Redemption) => Value> = {
  id: ({ id }) => id,
  name: ({ name }) => lower(name),
  status: ({ status }) => status,
  quota: ({ quota }) => quota,
  created_time: ({ createdTime }) => createdTime,
  redeemed_time: ({ redeemedTime }) => redeemedTime,
};

/** Reads all pages of a list, and compares their rows with those of the list in its own order, sorted here. */
const trySort = async <Row extends { id: number }, Column extends string>(
  readPage: (offset: number, limit: number, sort?: ListSort<Column>) => Promise<Row[]>,
  column: Column,
  toValue: (isDescending: boolean) => (row: Row) => Value,
): Promise<void> => {
  const all = await readPage(0, 1000);
  expect(all).toHaveLength(ROWS);
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
  for (const isDescending of [false, true]) {
    const value = toValue(isDescending);
    const sign = isDescending ? -1 : 1;
    const wanted = all.toSorted((a, b) => sign * compare(value(a), value(b)) || b.id - a.id);
    const read: Row[] = [];
    for (let offset = 0; offset < ROWS; offset += PER_PAGE)
      read.push(...(await readPage(offset, PER_PAGE, { column, isDescending })));
    expect(read.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  }
};

describe("pages in an order", () => {
  it.each(USER_SORTS)("of users, by %s", (column) =>
    trySort<User, UserSort>(accounts.queries.users.page, column, () => USER_VALUES[column]),
  );

  it("of users, by a balance that was changed meanwhile", async () => {
    await accounts.changes.users.change(owner, { quotaMove: moved(5000) });
    const [richest] = await accounts.queries.users.page(0, 1, { column: "quota", isDescending: true });
    expect(richest?.id).toBe(owner);
  });

  it.each(API_KEY_SORTS)("of API keys, by %s", (column) =>
    trySort<ApiKey, ApiKeySort>(
      (offset, limit, sort) => accounts.queries.tokens.page(owner, offset, limit, sort),
      column,
      () => TOKEN_VALUES[column],
    ),
  );

  it.each(CHANNEL_SORTS)("of channels, by %s", (column) =>
    trySort<Channel, ChannelSort>(
      (offset, limit, sort) =>
        accounts.queries.channels.page(offset, limit, sort && { ...sort, quotaPerUnit: QUOTA_PER_UNIT }),
      column,
      (isDescending) => channelValues(isDescending)[column],
    ),
  );

  it.each(REDEMPTION_SORTS)("of redemption codes, by %s", (column) =>
    trySort<Redemption, RedemptionSort>(
      accounts.queries.redemptions.page,
      column,
      () => REDEMPTION_VALUES[column],
    ),
  );
});

const CHANNEL_WIRE = (channel: Channel, column: keyof typeof CHANNEL_FILTERS): unknown =>
  column === "group"
    ? channel.groups.join(",")
    : column === "models"
      ? channel.models.join(",")
      : channel[column === "ids" ? "id" : column];

/** Values that no row has, or only one that is compared loosely. */
const STRANGE = ["", "%", "_", "a_c", "VIP", "vip,default", "default,", "' OR 1=1 --", "北京", "EAST", "\\"];

/** Reads what each column leaves for each value that a row has or none has, and compares it with what fits here. */
/** Whether a row fits a filter. @param readValue the row's value in a column, as it travels. */
const fitsFilter = <Column extends string>(
  filter: ListFilter<Column>,
  kinds: FilterKinds<Column>,
  readValue: (column: Column) => unknown,
): boolean =>
  (Object.keys(filter) as Column[]).every((column) => {
    const value = readValue(column);
    if (kinds[column] === "ids") return String(filter[column]).split(",").includes(String(value));
    return kinds[column] === "entry"
      ? String(value).split(",").includes(String(filter[column]))
      : value === filter[column];
  });

const tryFilter = async <Row extends { id: number }, Column extends string>(
  read: (filter: ListFilter<Column>) => Promise<Row[]>,
  kinds: FilterKinds<Column>,
  readValue: (row: Row, column: Column) => unknown,
): Promise<void> => {
  const all = await read({});
  expect(all).toHaveLength(ROWS);
  for (const column of Object.keys(kinds) as Column[]) {
    const present = new Set(all.flatMap((row) => String(readValue(row, column)).split(",")));
    const values = {
      number: [...present, "0", "99"].map(Number),
      ids: ["0", ...present, [...present].slice(1, 4).join()],
      text: [...present, ...STRANGE],
      entry: [...present, ...STRANGE],
    }[kinds[column]];
    for (const value of values) {
      const filter = { [column]: value } as ListFilter<Column>;
      const fitting = all.filter((row) => fitsFilter(filter, kinds, (each) => readValue(row, each)));
      expect([value, (await read(filter)).map(({ id }) => id)]).toEqual([value, fitting.map(({ id }) => id)]);
    }
  }
};

describe("rows that a filter leaves", () => {
  it("of users", () =>
    tryFilter(
      (filter) => accounts.queries.users.page(0, 1000, undefined, filter),
      USER_FILTERS,
      (user, column) => user[column],
    ));

  it("of API keys", () =>
    tryFilter(
      (filter) => accounts.queries.tokens.page(owner, 0, 1000, undefined, filter),
      API_KEY_FILTERS,
      (token, column) => token[column],
    ));

  it("of channels, as a list and as a file", async () => {
    const { page, before } = accounts.queries.channels;
    await tryFilter((filter) => page(0, 1000, undefined, filter), CHANNEL_FILTERS, CHANNEL_WIRE);
    const ofFile = (filter: ChannelFilter) => before(1e9, 1000, undefined, undefined, filter);
    await tryFilter(ofFile, CHANNEL_FILTERS, CHANNEL_WIRE);
  });

  it("of redemption codes", () =>
    tryFilter(
      (filter) => accounts.queries.redemptions.page(0, 1000, undefined, filter),
      REDEMPTION_FILTERS,
      (code, column) => code[column],
    ));

  it("have all of several values, in the order that is asked for", async () => {
    const filter = { status: 1, group: "vip", type: 3 };
    const sort = { column: "name", isDescending: false, quotaPerUnit: QUOTA_PER_UNIT } as const;
    const found = await accounts.queries.channels.page(0, 1000, sort, filter);
    const all = await accounts.queries.channels.page(0, 1000, sort);
    const fits = (channel: Channel) =>
      fitsFilter(filter, CHANNEL_FILTERS, (column) => CHANNEL_WIRE(channel, column as "group"));
    expect(found.map(({ id }) => id)).toEqual(all.filter(fits).map(({ id }) => id));
  });

  it("are found by a keyword, too, in the order that is asked for, page by page", async () => {
    const { page } = accounts.queries.users;
    const sort = { column: "quota", isDescending: true } as const;
    const ids = (users: readonly { id: number }[]) => users.map(({ id }) => id);
    const found = new Set(ids(await page(0, 1000, undefined, {}, "bo")));
    const wanted = ids(await page(0, 1000, sort, { status: 1 })).filter((id) => found.has(id));
    expect(wanted.length).toBeGreaterThan(2);
    const first = await page(0, 2, sort, { status: 1 }, "bo");
    const rest = await page(2, 1000, sort, { status: 1 }, "bo");
    expect(ids([...first, ...rest])).toEqual(wanted);
  });
});
