import type { Option } from "@tollgate/contract/api/options";
import type { PriceDraftState } from "@tollgate/contract/management/price-draft";
import type { PriceDraftRecord, PublishedOption } from "@tollgate/contract/records/price-draft-record";
import type { Kysely } from "kysely";
import { StorageConflict } from "../../errors";
import type { Secrets } from "../../secrets";
import { columnsOf, fieldsOf } from "../../sql/row-names";
import type { PriceDraftChanges, PriceDraftQueries } from "../site-ports";
import { beginCount, countOn, readOptions } from "./options.repository";
import type { Row, Tables } from "./tables";

const COLUMNS = [
  "id",
  "name",
  "author_id",
  "author",
  "created_at",
  "changed_at",
  "revision",
  "state",
  "holds_from",
  "fault",
  "changes",
  "base",
] as const;

const recordOf = (row: Pick<Row<"price_drafts">, (typeof COLUMNS)[number]>): PriceDraftRecord =>
  fieldsOf(row);

/** Drafts in one list: more are not kept. */
const MAX_LISTED = 200;

export const priceDraftReads = (db: Kysely<Tables>): PriceDraftQueries => ({
  async all() {
    const rows = await db
      .selectFrom("price_drafts")
      .select(COLUMNS)
      .orderBy("id", "desc")
      .limit(MAX_LISTED)
      .execute();
    return rows.map(recordOf);
  },

  async find(id) {
    const row = await db.selectFrom("price_drafts").select(COLUMNS).where("id", "=", id).executeTakeFirst();
    return row && recordOf(row);
  },

  async due(now) {
    const rows = await db
      .selectFrom("price_drafts")
      .select(COLUMNS)
      .where("state", "=", "scheduled")
      .where("holds_from", "<=", now)
      .orderBy("holds_from")
      .orderBy("id")
      .execute();
    return rows.map(recordOf);
  },

  async rehearsal(id) {
    const row = await db
      .selectFrom("price_drafts")
      .select(["rehearsal_state", "rehearsal_seen", "rehearsal"])
      .where("id", "=", id)
      .where("rehearsal_state", "<>", "")
      .executeTakeFirst();
    return row && { state: row.rehearsal_state, seenAt: row.rehearsal_seen, text: row.rehearsal };
  },
});

/** The draft as the caller has seen it, locked against other changes. @throws StorageConflict */
const take = async (
  db: Kysely<Tables>,
  id: number,
  revision: number,
  states: readonly PriceDraftState[],
): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable("price_drafts")
    .set({ revision: revision + 1 })
    .where("id", "=", id)
    .where("revision", "=", revision)
    .where("state", "in", states)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  const found = await db.selectFrom("price_drafts").select("id").where("id", "=", id).executeTakeFirst();
  throw new StorageConflict(found ? "price-draft-changed" : "not-found");
};

const read = async (db: Kysely<Tables>, id: number): Promise<PriceDraftRecord> =>
  recordOf(
    await db.selectFrom("price_drafts").select(COLUMNS).where("id", "=", id).executeTakeFirstOrThrow(),
  );

const storedValue = (stored: readonly Option[], { key, fallback }: PublishedOption): string =>
  stored.find((option) => option.key === key)?.value ?? fallback;

const publish =
  (db: Kysely<Tables>, secrets: Secrets): PriceDraftChanges["publish"] =>
  (id, revision, options, counter, at) => {
    return db.transaction().execute(async (transaction) => {
      // Another change of prices waits here for the end of the transaction.
      await beginCount(transaction, counter);
      await take(transaction, id, revision, ["draft", "scheduled"]);
      const stored = await readOptions(transaction, secrets);
      if (options.some((option) => storedValue(stored, option) !== option.before))
        throw new StorageConflict("prices-changed");
      for (const { key, value } of options)
        await transaction
          .insertInto("options")
          .values({ key, value, is_sealed: 0 })
          .onConflict((conflict) => conflict.column("key").doUpdateSet({ value, is_sealed: 0 }))
          .execute();
      if (options.some(({ value, before }) => value !== before)) await countOn(transaction, counter);
      await transaction
        .updateTable("price_drafts")
        .set({ state: "published", holds_from: at, fault: "", changed_at: at })
        .where("id", "=", id)
        .execute();
      return readOptions(transaction, secrets);
    });
  };

const beginRehearsal =
  (db: Kysely<Tables>): PriceDraftChanges["beginRehearsal"] =>
  (id, text, now, silentSince) => {
    return db.transaction().execute(async (transaction) => {
      const running = await transaction
        .selectFrom("price_drafts")
        .select("id")
        .where("rehearsal_state", "=", "running")
        .where("rehearsal_seen", ">=", silentSince)
        .executeTakeFirst();
      if (running) return false;
      const { numUpdatedRows } = await transaction
        .updateTable("price_drafts")
        .set({ rehearsal_state: "running", rehearsal_seen: now, rehearsal: text })
        .where("id", "=", id)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new StorageConflict("not-found");
      return true;
    });
  };

export const priceDraftWrites = (db: Kysely<Tables>, secrets: Secrets): PriceDraftChanges => ({
  async create(draft) {
    const row = await db
      .insertInto("price_drafts")
      .values({
        ...columnsOf(draft),
        ...{ changed_at: draft.createdAt, revision: 1, state: "draft", holds_from: 0, fault: "" },
        ...{ rehearsal_state: "", rehearsal_seen: 0, rehearsal: "" },
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    return recordOf(row);
  },

  change(id, revision, { name, changes, base }, at) {
    return db.transaction().execute(async (transaction) => {
      await take(transaction, id, revision, ["draft"]);
      await transaction
        .updateTable("price_drafts")
        .set({ name, changes, base, changed_at: at, fault: "" })
        .where("id", "=", id)
        .execute();
      return read(transaction, id);
    });
  },

  move(id, revision, from, { state, holdsFrom, fault }, at) {
    return db.transaction().execute(async (transaction) => {
      await take(transaction, id, revision, from);
      await transaction
        .updateTable("price_drafts")
        .set({ state, holds_from: holdsFrom, fault, changed_at: at })
        .where("id", "=", id)
        .execute();
      return read(transaction, id);
    });
  },

  publish: publish(db, secrets),

  async remove(id) {
    const { numDeletedRows } = await db
      .deleteFrom("price_drafts")
      .where("id", "=", id)
      .where("state", "in", ["published", "discarded"])
      .executeTakeFirst();
    return numDeletedRows === 1n;
  },

  beginRehearsal: beginRehearsal(db),

  async noteRehearsal(id, state, text, now) {
    const { numUpdatedRows } = await db
      .updateTable("price_drafts")
      .set({ rehearsal_state: state, rehearsal_seen: now, rehearsal: text })
      .where("id", "=", id)
      .where("rehearsal_state", "=", "running")
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },

  async cancelRehearsal(id) {
    const { numUpdatedRows } = await db
      .updateTable("price_drafts")
      .set({ rehearsal_state: "cancelled" })
      .where("id", "=", id)
      .where("rehearsal_state", "=", "running")
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
});
