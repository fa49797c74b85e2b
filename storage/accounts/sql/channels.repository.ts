import { CHANNEL_FILTERS, CHANNEL_SORTS, type Channel, SPENT_UNITS } from "@tollgate/contract/api/channels";
import { decodeBuyingPrices } from "@tollgate/contract/management/buying-price";
import { encodeChannelCalendar, parseChannelCalendar } from "@tollgate/contract/management/channel-calendar";
import { CHANNEL_LIMITS, type ChannelLimits } from "@tollgate/contract/management/channel-limits";
import {
  type ChannelOverrides,
  encodeOverrides,
  hideHeaders,
  parseOverrides,
} from "@tollgate/contract/management/channel-overrides";
import { type ModelMapping, parseModelMapping } from "@tollgate/contract/management/model-mapping";
import {
  type ChannelChange,
  type ChannelRecord,
  EDITED_CHANNEL_FIELDS,
  type NewChannel,
  PLAIN_CHANNEL_FIELDS,
  type WindowState,
} from "@tollgate/contract/records/channel-record";
import type { ImportedChannel } from "@tollgate/contract/records/imported-records";
import { rowReader, toColumns } from "@tollgate/contract/resource/columns";
import { limitsFromColumns, limitsToColumns } from "@tollgate/contract/resource/limits";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { splitList } from "@tollgate/contract/values/split-list";
import { type ExpressionBuilder, type Insertable, type Kysely, sql, type Updateable } from "kysely";
import type { Secrets } from "../../secrets";
import type { SqlDialect } from "../../sql/dialect";
import { filterRows } from "../../sql/filter-rows";
import { fieldsOf, flagColumn } from "../../sql/row-names";
import { LAST, nameColumn, readPage, storedColumns } from "../../sql/sort-rows";
import type { ChannelChanges, ChannelQueries } from "../site-ports";
import { hashChannelKey, hashChannelKeys } from "./sealed-columns";
import type { Row, Tables } from "./tables";

/** In clear. They were checked before they were stored. */
const openOverrides = (
  { overrides_sealed: sealed }: Row<"channels">,
  secrets: Secrets,
): ChannelOverrides | undefined => (sealed === "" ? undefined : parseOverrides(secrets.open(sealed)));

const sealOverrides = (overrides: ChannelOverrides | undefined, secrets: Secrets): string =>
  overrides === undefined ? "" : secrets.seal(encodeOverrides(overrides));

/** Only those that are set. */
const toLimits = (row: Row<"channels">): ChannelLimits =>
  Object.fromEntries(
    Object.entries(limitsFromColumns(CHANNEL_LIMITS, row)).filter(([, limit]) => limit !== undefined),
  );

const readPlain = rowReader(PLAIN_CHANNEL_FIELDS);

const toChannel = (row: Row<"channels">, overrides: ChannelOverrides | undefined): Channel =>
  readPlain(row, {
    models: splitList(row.models),
    groups: splitList(row.group),
    modelMapping: parseModelMapping(row.model_mapping) ?? {},
    deadKeyCount: splitList(row.dead_keys).length,
    buyingPrices: row.buying_prices || undefined,
    skipsTests: row.skips_tests === 1,
    calendar: parseChannelCalendar(row.calendar) ?? {},
    ...(overrides ? { overrides: encodeOverrides(hideHeaders(overrides), 2) } : {}),
    ...toLimits(row),
    typedBalance: row.typed_balance ?? undefined,
    spentSinceTyped: row.spent - row.typed_spent,
  });

/** Parses text that only this product wrote. */
const readStates = (text: string): WindowState[] => (text === "" ? [] : JSON.parse(text));

const toRecord = (row: Row<"channels">, secrets: Secrets): ChannelRecord => {
  const overrides = openOverrides(row, secrets);
  return {
    channel: toChannel(row, overrides),
    key: secrets.open(row.key_sealed),
    deadKeys: splitList(row.dead_keys),
    proxy: row.proxy_sealed === "" ? "" : secrets.open(row.proxy_sealed),
    requestChanges: overrides,
    buyingPrices: decodeBuyingPrices(row.buying_prices, row.upstream_prices),
  };
};

/** For people. */
const toShown =
  (secrets: Secrets) =>
  (row: Row<"channels">): Channel =>
    toChannel(row, openOverrides(row, secrets));

/** The address of a proxy as people may see it: `http://user:***@host`. */
const withoutPassword = (address: string): string => {
  if (!URL.canParse(address)) return "";
  const url = new URL(address);
  if (url.password !== "") url.password = "***";
  return url.href.replace(/\/$/, "");
};

const proxyColumns = (proxy: string, secrets: Secrets) => ({
  proxy_sealed: proxy === "" ? "" : secrets.seal(proxy),
  proxy: withoutPassword(proxy),
});

const countKeys = (key: string): number => key.split("\n").length;

const encodeMapping = (mapping: ModelMapping): string =>
  Object.keys(mapping).length === 0 ? "" : JSON.stringify(mapping);

const isFoundBy =
  (keyword: string, key: string, secrets: Secrets, dialect: SqlDialect) =>
  (eb: ExpressionBuilder<Tables, "channels">) =>
    eb.or([
      eb("id", "=", /^\d{1,15}$/.test(keyword) ? Number(keyword) : 0),
      dialect.beginsWith("name", keyword),
      ...(keyword === "" ? [] : [eb("tag", "=", keyword)]),
      dialect.contains("key_hashes", `,${hashChannelKey(key, secrets)},`),
    ]);

export const channelReads = (db: Kysely<Tables>, secrets: Secrets, dialect: SqlDialect): ChannelQueries => ({
  async after(id, limit) {
    const rows = await db
      .selectFrom("channels")
      .selectAll()
      .where("id", ">", id)
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map((row) => toRecord(row, secrets));
  },

  async withIds(ids) {
    const rows = await db.selectFrom("channels").selectAll().where("id", "in", ids).execute();
    return rows.map((row) => toRecord(row, secrets));
  },

  async page(offset, limit, sort, filter = {}, keyword, key = keyword) {
    const all = filterRows(db.selectFrom("channels").selectAll(), filter, CHANNEL_FILTERS);
    const rows = await readPage(
      keyword === undefined ? all : all.where(isFoundBy(keyword, key ?? keyword, secrets, dialect)),
      sort,
      {
        ...storedColumns(CHANNEL_SORTS),
        name: nameColumn("name"),
        // One that was never tested is not the fastest: it comes last in either direction.
        response_time: sort?.isDescending
          ? sql.ref("response_time")
          : sql`CASE WHEN response_time = 0 THEN ${sql.lit(LAST)} ELSE response_time END`,
        // As contract/api/channels.ts counts a typed balance down.
        balance: sql`CASE WHEN typed_balance IS NULL THEN balance
        ELSE typed_balance - (spent - typed_spent) * 1.0 / ${SPENT_UNITS * (sort?.quotaPerUnit ?? 1)} END`,
      },
      { offset, limit },
    );
    return rows.map(toShown(secrets));
  },

  async before(id, limit, keyword, key = keyword, filter = {}) {
    const all = filterRows(db.selectFrom("channels").selectAll(), filter, CHANNEL_FILTERS);
    const found =
      keyword === undefined ? all : all.where(isFoundBy(keyword, key ?? keyword, secrets, dialect));
    return (await found.where("id", "<", id).orderBy("id", "desc").limit(limit).execute()).map(
      toShown(secrets),
    );
  },

  async find(id) {
    const row = await db.selectFrom("channels").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toShown(secrets)(row);
  },

  async typed() {
    const rows = await db
      .selectFrom("channels")
      .selectAll()
      .where("typed_balance", "is not", null)
      .orderBy("id")
      .execute();
    return rows.map((row) => toRecord(row, secrets).channel);
  },

  async windowed() {
    const rows = await db
      .selectFrom("channels")
      .select(["id", "calendar", "windows", "closed_until", "used_requests", "used_quota", "refunded_quota"])
      .where((eb) => eb.or([eb("calendar", "!=", ""), eb("windows", "!=", "")]))
      .orderBy("id")
      .execute();
    return rows.map(({ windows, used_quota: used, refunded_quota: refunded, ...row }) => ({
      ...fieldsOf(row),
      chargedQuota: Math.min(used + refunded, MAX_QUOTA),
      calendar: parseChannelCalendar(row.calendar) ?? {},
      states: readStates(windows),
    }));
  },
});

/** Four hundred days. */
const KEPT_READINGS_SECONDS = 400 * 86_400;

const keyColumns = (key: string, secrets: Secrets) => ({
  key_sealed: secrets.seal(key),
  key_hashes: hashChannelKeys(key, secrets),
  key_count: countKeys(key),
  dead_keys: "",
});

/** Returns the columns of the given fields. Columns of missing or undefined fields stay as they are. */
const givenColumns = (change: ChannelChange, secrets: Secrets) => {
  const { key, proxy, deadKeys, models, groups, modelMapping, calendar, windows } = change;
  return {
    ...toColumns(EDITED_CHANNEL_FIELDS, change),
    ...limitsToColumns(CHANNEL_LIMITS, change),
    ...(key !== undefined && keyColumns(key, secrets)),
    ...(deadKeys && { dead_keys: deadKeys.join(",") }),
    ...(proxy !== undefined && proxyColumns(proxy, secrets)),
    ...("requestChanges" in change && { overrides_sealed: sealOverrides(change.requestChanges, secrets) }),
    models: models?.join(","),
    group: groups?.join(","),
    model_mapping: modelMapping && encodeMapping(modelMapping),
    skips_tests: flagColumn(change.skipsTests),
    // Other windows are other sums: they begin again.
    ...(calendar && { calendar: encodeChannelCalendar(calendar), windows: "", closed_until: 0 }),
    ...(windows && { windows: JSON.stringify(windows.states), closed_until: windows.closedUntil }),
  } satisfies Updateable<Tables["channels"]>;
};

/** A new channel, before anything happened to it. */
const newColumns = (channel: NewChannel, secrets: Secrets): Insertable<Tables["channels"]> => {
  const nothing = {
    ...{ test_time: 0, response_time: 0, balance: 0, balance_updated_time: 0, used_quota: 0 },
    ...{ windows: "", closed_until: 0, used_requests: 0, spent: 0, typed_balance: null, typed_spent: 0 },
  };
  const given = {
    ...givenColumns({ requestChanges: undefined, ...channel }, secrets),
    ...{ created_time: channel.createdTime, buying_prices: channel.buyingPrices ?? "", upstream_prices: "" },
  };
  // A new channel has all that a change may leave out, which TypeScript does not follow through the columns.
  return { ...given, ...nothing } as Insertable<Tables["channels"]>;
};

/** A channel that another gateway had, as it is stored. */
export const importedChannelColumns = (
  channel: ImportedChannel,
  secrets: Secrets,
): Insertable<Tables["channels"]> => ({
  ...newColumns(channel, secrets),
  id: channel.id,
  test_time: channel.testTime,
  response_time: channel.responseTimeMs,
  balance: channel.balance,
  balance_updated_time: channel.balanceUpdatedTime,
  used_quota: channel.usedQuota,
  dead_keys: channel.deadKeys.join(","),
});

export const channelWrites = (db: Kysely<Tables>, secrets: Secrets): ChannelChanges => ({
  async create(channels) {
    const values = channels.map((channel): Insertable<Tables["channels"]> => newColumns(channel, secrets));
    return await db.transaction().execute(async (transaction) => {
      const records: ChannelRecord[] = [];
      for (const value of values) {
        const row = await transaction
          .insertInto("channels")
          .values(value)
          .returningAll()
          .executeTakeFirstOrThrow();
        records.push(toRecord(row, secrets));
      }
      return records;
    });
  },

  async change(id, change) {
    const update = db
      .updateTable("channels")
      .set({ id, ...givenColumns(change, secrets) })
      .where("id", "=", id);
    const { ifRouteUnchanged: way } = change;
    const held = way
      ? update
          .where("type", "=", way.type)
          .where("base_url", "=", way.baseUrl)
          .where("other", "=", way.other)
          .where("proxy", "=", way.proxy)
      : update;
    const row = await held.returningAll().executeTakeFirst();
    return row && toRecord(row, secrets);
  },

  async saveTest(id, testTime, responseTimeMs) {
    await db
      .updateTable("channels")
      .set({ test_time: testTime, response_time: responseTimeMs })
      .where("id", "=", id)
      .execute();
  },

  async saveBalance(id, balance, updatedTime) {
    await db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable("channels")
        .set({ balance, balance_updated_time: updatedTime })
        .where("id", "=", id)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      // A bill is compared with these later; older readings are of no use.
      await transaction
        .deleteFrom("balance_movements")
        .where("channel_id", "=", id)
        .where("kind", "=", "reading")
        .where("at", "<", updatedTime - KEPT_READINGS_SECONDS)
        .execute();
      await transaction
        .insertInto("balance_movements")
        .values({ channel_id: id, at: updatedTime, kind: "reading", amount: balance, note: "" })
        .execute();
    });
  },

  async saveTypedBalance(id, balance, updatedTime) {
    const result = await db
      .updateTable("channels")
      .set((eb) => ({
        typed_balance: balance ?? null,
        typed_spent: eb.ref("spent"),
        balance: 0,
        balance_updated_time: updatedTime,
      }))
      .where("id", "=", id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  },

  async remove(id) {
    await db.deleteFrom("channels").where("id", "=", id).execute();
  },

  async removeDisabled() {
    const rows = await db.deleteFrom("channels").where("status", "in", [2, 3]).returning("id").execute();
    return rows.map((row) => row.id);
  },
});
