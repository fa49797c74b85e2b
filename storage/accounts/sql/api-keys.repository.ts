import { API_KEY_FILTERS, API_KEY_SORTS, type ApiKey, KEY_SETTINGS } from "@tollgate/contract/api/api-keys";
import { LIMITS } from "@tollgate/contract/management/limits";
import {
  type ApiKeyAccess,
  type ApiKeyRecord,
  CREATED_KEY_FIELDS,
  EDITED_KEY_FIELDS,
  KEPT_KEY_FIELDS,
  type NewApiKey,
  OTHER_KEY_FIELDS,
} from "@tollgate/contract/records/api-key-record";
import type { ImportedApiKey } from "@tollgate/contract/records/imported-records";
import type { ApiKeyChanges, ApiKeyQueries } from "@tollgate/contract/records/people-store";
import { columnNames, rowReader, toColumns } from "@tollgate/contract/resource/columns";
import { TOKEN_ENABLED, TOKEN_EXHAUSTED } from "@tollgate/contract/values/statuses";
import type { Insertable, Kysely } from "kysely";
import { sql } from "kysely";
import type { Secrets } from "../../secrets";
import type { SqlDialect } from "../../sql/dialect";
import { filterRows } from "../../sql/filter-rows";
import { columnsOf } from "../../sql/row-names";
import { LAST, nameColumn, readPage, storedColumns } from "../../sql/sort-rows";
import { balanceColumn } from "./balance-column";
import { fromLimits, toLimits } from "./limit-columns";
import { moveBalance } from "./move-balance";
import type { Row, Tables } from "./tables";

const accessColumns = ({ limits = {}, ...settings }: ApiKeyAccess) => ({
  ...toColumns(KEY_SETTINGS, settings),
  ...fromLimits(limits),
});

const RECORD_COLUMNS = [
  ...columnNames(KEPT_KEY_FIELDS),
  ...columnNames(LIMITS),
  "key_hash",
  "former_key_hash",
  "former_until",
] as const;

const readKept = rowReader(KEPT_KEY_FIELDS);
const readOther = rowReader(OTHER_KEY_FIELDS);

const toRecord = (row: Pick<Row<"tokens">, (typeof RECORD_COLUMNS)[number]>): ApiKeyRecord =>
  readKept(row, {
    keyHash: row.key_hash,
    former: row.former_key_hash === "" ? undefined : { hash: row.former_key_hash, until: row.former_until },
    limits: toLimits(row),
  });

/** Without `balance`, where the row itself has all of it. */
type ApiKeyRow = Row<"tokens"> & { balance?: number | undefined };

const toApiKey = (row: ApiKeyRow, secrets: Secrets): ApiKey => {
  const { keyHash, former, ...record } = toRecord(row);
  return {
    ...readOther(row, record),
    key: secrets.open(row.key_sealed),
    remainQuota: row.balance ?? row.remain_quota,
    formerUntil: former?.until,
  };
};

export const apiKeyReads = (db: Kysely<Tables>, secrets: Secrets, dialect: SqlDialect): ApiKeyQueries => ({
  async after(id, limit) {
    const rows = await db
      .selectFrom("tokens")
      .select(RECORD_COLUMNS)
      .where("id", ">", id)
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(toRecord);
  },

  async withIds(ids) {
    const rows = await db.selectFrom("tokens").select(RECORD_COLUMNS).where("id", "in", ids).execute();
    return rows.map(toRecord);
  },

  async page(userId, offset, limit, sort, filter = {}, prefix = "") {
    const own = db
      .selectFrom("tokens")
      .selectAll()
      .select(balanceColumn(dialect, "tokens"))
      .where("user_id", "=", userId)
      .$if(prefix !== "", (query) => query.where(dialect.beginsWith("name", prefix)));
    const balance = dialect.balance?.("tokens") ?? sql.ref("remain_quota");
    const rows = await readPage(
      filterRows(own, filter, API_KEY_FILTERS),
      sort,
      {
        ...storedColumns(API_KEY_SORTS),
        name: nameColumn("name"),
        // Rows without an end come after all others.
        remain_quota: sql`CASE WHEN unlimited_quota <> 0 THEN ${sql.lit(LAST)} ELSE ${balance} END`,
        expired_time: sql`CASE WHEN expired_time = -1 THEN ${sql.lit(LAST)} ELSE expired_time END`,
      },
      { offset, limit },
    );
    return rows.map((row) => toApiKey(row, secrets));
  },

  async count(userId) {
    const { count } = await db
      .selectFrom("tokens")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    return Number(count);
  },

  async find(userId, id) {
    const row = await db
      .selectFrom("tokens")
      .selectAll()
      .select(balanceColumn(dialect, "tokens"))
      .where("user_id", "=", userId)
      .where("id", "=", id)
      .executeTakeFirst();
    return row && toApiKey(row, secrets);
  },
});

const newColumns = (token: NewApiKey, secrets: Secrets) => ({
  ...toColumns(CREATED_KEY_FIELDS, token),
  key_hash: secrets.hash(token.key),
  key_sealed: secrets.seal(token.key),
  ...accessColumns(token),
});

/** A key that another gateway had, as it is stored. */
export const importedApiKeyColumns = (
  token: ImportedApiKey,
  secrets: Secrets,
): Insertable<Tables["tokens"]> => {
  const { id, status, accessedTime, remainQuota, usedQuota, takenQuota } = token;
  return {
    ...newColumns(token, secrets),
    ...columnsOf({ id, status, accessedTime, remainQuota, usedQuota, takenQuota }),
    granted_quota: remainQuota + takenQuota,
    untaken_quota: usedQuota - takenQuota,
  };
};

const NO_FORMER = { former_key_hash: "", former_key_sealed: "", former_until: 0 } as const;

/** Inserts a key with its opening entry in the ledger, within the caller's transaction. */
const insert = async (transaction: Kysely<Tables>, token: NewApiKey, secrets: Secrets) => {
  const row = await transaction
    .insertInto("tokens")
    .values({
      ...newColumns(token, secrets),
      status: TOKEN_ENABLED,
      accessed_time: token.createdTime,
      ...{ remain_quota: 0, granted_quota: 0, used_quota: 0, taken_quota: 0, untaken_quota: 0 },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { userId, createdTime: at, remainQuota: difference } = token;
  const movement = { cause: "key-created", actorId: userId, at } as const;
  await moveBalance(transaction, { of: "key", id: row.id, userId }, { difference, movement });
  const created = { ...row, remain_quota: difference };
  return { token: toApiKey(created, secrets), record: toRecord(created) };
};

const create =
  (db: Kysely<Tables>, secrets: Secrets): ApiKeyChanges["create"] =>
  (token) =>
    db.transaction().execute((transaction) => insert(transaction, token, secrets));

const createAll =
  (db: Kysely<Tables>, secrets: Secrets): ApiKeyChanges["createAll"] =>
  (tokens) =>
    db.transaction().execute(async (transaction) => {
      const created: Awaited<ReturnType<typeof insert>>[] = [];
      for (const token of tokens) created.push(await insert(transaction, token, secrets));
      return created;
    });

const change =
  (db: Kysely<Tables>, secrets: Secrets, dialect: SqlDialect): ApiKeyChanges["change"] =>
  async (userId, id, change) => {
    const { access = {}, remainQuotaMove } = change;
    const columns = { id, ...toColumns(EDITED_KEY_FIELDS, change), ...accessColumns(access) };
    return db.transaction().execute(async (transaction) => {
      const query = transaction
        .updateTable("tokens")
        .set(columns)
        .where("user_id", "=", userId)
        .where("id", "=", id);
      if (remainQuotaMove) {
        const { numUpdatedRows } = await query.executeTakeFirst();
        if (numUpdatedRows === 0n) return undefined;
        await moveBalance(transaction, { of: "key", id, userId }, remainQuotaMove);
      }
      const row = await query.returningAll().returning(balanceColumn(dialect, "tokens")).executeTakeFirst();
      return row && toApiKey(row, secrets);
    });
  };

const rotate =
  (db: Kysely<Tables>, secrets: Secrets, dialect: SqlDialect): ApiKeyChanges["rotate"] =>
  async (userId, id, { key, formerUntil }) => {
    const row = await db
      .updateTable("tokens")
      .set((eb) => ({
        key_hash: secrets.hash(key),
        key_sealed: secrets.seal(key),
        former_key_hash: formerUntil === 0 ? "" : eb.ref("key_hash"),
        former_key_sealed: formerUntil === 0 ? "" : eb.ref("key_sealed"),
        former_until: formerUntil,
      }))
      .where("user_id", "=", userId)
      .where("id", "=", id)
      .returningAll()
      .returning(balanceColumn(dialect, "tokens"))
      .executeTakeFirst();
    return row && { token: toApiKey(row, secrets), record: toRecord(row) };
  };

const markStatus =
  (db: Kysely<Tables>, dialect: SqlDialect): ApiKeyChanges["markStatus"] =>
  async (id, seen, to) => {
    const isAsSeen = sql<boolean>`tokens.status = ${seen.status} AND tokens.expired_time = ${seen.expiredTime}`;
    // Another node may have added quota since the key was found empty. A single process runs this after its own edits.
    const isUsedUp = dialect.balance
      ? sql<boolean>`tokens.unlimited_quota = 0 AND ${dialect.balance("tokens")} = 0`
      : sql<boolean>`TRUE`;
    const holds = to === TOKEN_EXHAUSTED ? sql<boolean>`${isAsSeen} AND ${isUsedUp}` : isAsSeen;
    const row = await db
      .updateTable("tokens")
      .set({ status: sql<number>`CASE WHEN ${holds} THEN ${to} ELSE tokens.status END` })
      .where("id", "=", id)
      .returning("status")
      .executeTakeFirst();
    return row?.status;
  };

export const apiKeyWrites = (db: Kysely<Tables>, secrets: Secrets, dialect: SqlDialect): ApiKeyChanges => ({
  create: create(db, secrets),
  createAll: createAll(db, secrets),

  grant(userId, id, difference, movement) {
    return db.transaction().execute(async (transaction) => {
      const moved = { of: "key", id, userId } as const;
      return (await moveBalance(transaction, moved, { difference, movement })) ? difference : 0;
    });
  },

  change: change(db, secrets, dialect),
  rotate: rotate(db, secrets, dialect),

  async endFormer(userId, id) {
    const row = await db
      .updateTable("tokens")
      .set(NO_FORMER)
      .where("user_id", "=", userId)
      .where("id", "=", id)
      .returningAll()
      .returning(balanceColumn(dialect, "tokens"))
      .executeTakeFirst();
    return row && { token: toApiKey(row, secrets), record: toRecord(row) };
  },

  async forgetFormer(now) {
    await db
      .updateTable("tokens")
      .set(NO_FORMER)
      .where("former_until", ">", 0)
      .where("former_until", "<=", now)
      .execute();
  },

  markStatus: markStatus(db, dialect),

  async remove(userId, id) {
    const result = await db
      .deleteFrom("tokens")
      .where("user_id", "=", userId)
      .where("id", "=", id)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  },
});
