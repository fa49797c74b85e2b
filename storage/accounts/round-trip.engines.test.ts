import { KEY_SETTINGS } from "@tollgate/contract/api/api-keys";
import { CREATED_KEY_FIELDS, EDITED_KEY_FIELDS } from "@tollgate/contract/records/api-key-record";
import type { NewChannel } from "@tollgate/contract/records/channel-record";
import { CREATED_USER_FIELDS, EDITED_USER_FIELDS } from "@tollgate/contract/records/user-record";
import { unsetSettings } from "@tollgate/contract/resource/settings";
import { afterEach, beforeEach, expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newChannel, newToken, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

/* Every declared field of users, API keys and channels is created, read, changed, listed and found on both engines. */

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

type Values = Readonly<Record<string, unknown>>;

/** Another value of the same kind. */
const otherThan = (value: unknown): unknown => {
  if (typeof value === "boolean") return !value;
  return typeof value === "number" ? value + 1 : `${value} 往返 "'%,`;
};

const pick = (values: Values, fields: object): Values =>
  Object.fromEntries(Object.keys(fields).map((inner) => [inner, values[inner]]));

/** Fields of a user that a reader of the record finds beside the user. */
const toUserValues = ({ user, ...record }: { readonly user: object }): Values => ({ ...record, ...user });

it("keeps each field of a user, and changes it alone", async () => {
  const { changes, queries } = accounts;
  const created = newUser({ affCode: "code", email: "a@b", displayName: "名", group: "vip", role: 10 });
  const { user } = await changes.users.create(created, 0, []);
  const read = async (): Promise<Values> => {
    const [record] = await queries.users.withIds([user.id]);
    expect(await queries.users.find(user.id)).toEqual(record?.user);
    expect(await queries.users.page(0, 9)).toEqual([record?.user]);
    return record ? toUserValues(record) : {};
  };
  const { createdTime: _, ...shown } = CREATED_USER_FIELDS;
  let values = await read();
  expect(pick(values, shown)).toEqual(pick({ ...created }, shown));
  for (const inner of Object.keys(EDITED_USER_FIELDS)) {
    values = { ...values, [inner]: otherThan(values[inner]) };
    await changes.users.change(user.id, { [inner]: values[inner] });
    expect([inner, await read()]).toEqual([inner, values]);
  }
});

it("keeps each field of an API key, and changes it alone", async () => {
  const { changes, queries } = accounts;
  const { user } = await changes.users.create(newUser(), 0, []);
  const created = newToken(user.id, { name: "名", expiredTime: 9, unlimitedQuota: true, createdTime: 7 });
  const { token } = await changes.tokens.create(created);
  const { id } = token;
  const read = async (): Promise<Values> => {
    const [record] = await queries.tokens.withIds([id]);
    const found = await queries.tokens.find(user.id, id);
    const { keyHash: _hash, former: _former, ...kept } = { ...record };
    expect(found).toMatchObject(kept);
    expect(await queries.tokens.page(user.id, 0, 9)).toEqual([found]);
    return { ...found };
  };
  let values = await read();
  const wanted = { ...pick({ ...created }, CREATED_KEY_FIELDS), ...unsetSettings(KEY_SETTINGS) };
  expect(values).toMatchObject(wanted);
  const change = async (inner: string, then: unknown, edit: object): Promise<void> => {
    values = { ...values, [inner]: then };
    await changes.tokens.change(user.id, id, edit);
    expect([inner, await read()]).toEqual([inner, values]);
  };
  for (const inner of Object.keys(EDITED_KEY_FIELDS)) {
    const then = otherThan(values[inner]);
    await change(inner, then, { [inner]: then });
  }
  const settings: Record<string, unknown> = {};
  for (const [inner, { kind, options }] of Object.entries(KEY_SETTINGS)) {
    const then = {
      ...{ flag: true, choice: options.at(-1), list: ["a", "b"] },
      ...{ text: "text", lines: "a\nb", json: '{"a":"b"}' },
    }[kind];
    settings[inner] = then;
    await change(inner, then, { access: { [inner]: then } });
  }
  const another = await changes.tokens.create(newToken(user.id, { key: "another", ...settings }));
  expect(another.token).toMatchObject(settings);
});

/** A value of each field of a channel: without one of a new field this does not compile. */
const CHANNEL: Required<Omit<NewChannel, "createdTime">> = {
  ...{ type: 8, key: "first\nsecond", status: 2, name: "往返 %", weight: 3, priority: -4 },
  ...{ baseUrl: "https://two.example", other: "other", models: ["a", "b"], groups: ["default", "vip"] },
  ...{ modelMapping: { a: "b" }, proxy: "http://proxy.example:3128", tag: "tag", testModel: "a" },
  buyingPrices: '{"default":{"of":"list","factor":0.5},"rules":[]}',
  skipsTests: true,
  calendar: {
    timeZone: "Asia/Shanghai",
    hours: [{ days: [1, 2], from: "08:00", to: "24:00" }],
  },
  requestChanges: { body: { set: { seed: 1 } } },
  ...{ rpm: 1, tpm: 2, concurrency: 3, keyRpm: 4, keyTpm: 5, keyConcurrency: 6 },
  ...{
    headersSeconds: 7,
    firstTokenSeconds: 8,
    tokenGapSeconds: 9,
    thinkingSeconds: 10,
    wholeAnswerSeconds: 11,
  },
};

it("keeps each field of a channel, and changes it alone", async () => {
  const { changes, queries } = accounts;
  const [created] = await changes.channels.create([newChannel()]);
  const id = created?.channel.id ?? 0;
  /** The overrides and prices in clear stand beside the channel, as do its secrets. */
  const read = async (of = id): Promise<Values> => {
    const [record] = await queries.channels.withIds([of]);
    const found = await queries.channels.find(of);
    expect(found).toEqual(record?.channel);
    expect(await queries.channels.page(0, 9)).toContainEqual(found);
    const { key, proxy, requestChanges } = { ...record };
    return { ...found, key, proxy, requestChanges };
  };
  let values = await read();
  for (const [inner, then] of Object.entries(CHANNEL)) {
    const before = values;
    await changes.channels.change(id, { [inner]: then });
    values = await read();
    expect([inner, values[inner]]).toEqual([inner, then]);
    // Keys are counted, and overrides are shown.
    const shown = { keyCount: values.keyCount, overrides: values.overrides };
    expect([inner, values]).toEqual([inner, { ...before, ...shown, [inner]: then }]);
  }
  const [another] = await changes.channels.create([{ ...CHANNEL, createdTime: 5 }]);
  expect(pick(await read(another?.channel.id), CHANNEL)).toEqual(CHANNEL);
});
