import { RECONCILIATION_SORTS } from "@tollgate/contract/api/reconciliations";
import {
  balanceMovementSchema,
  reconciliationContentSchema,
} from "@tollgate/contract/management/reconciliation";
import type { ReconciliationRecord } from "@tollgate/contract/records/reconciliation-record";
import type { Kysely } from "kysely";
import { columnsOf, fieldsOf } from "../../sql/row-names";
import { readPage, storedColumns } from "../../sql/sort-rows";
import type { ReconciliationChanges, ReconciliationQueries } from "../money-ports";
import type { Row, Tables } from "./tables";

const toRecord = (row: Row<"reconciliations">): ReconciliationRecord => ({
  ...fieldsOf(row),
  content: reconciliationContentSchema.parse(JSON.parse(row.content)),
});

/** A balance that is read every hour for a year has as many. */
const MAX_MOVEMENTS = 10_000;

export const reconciliationReads = (db: Kysely<Tables>): ReconciliationQueries => ({
  async page(offset, limit, sort) {
    const all = db.selectFrom("reconciliations").selectAll();
    const rows = await readPage(all, sort, storedColumns(RECONCILIATION_SORTS), { offset, limit });
    return rows.map(toRecord);
  },

  async find(id) {
    const row = await db.selectFrom("reconciliations").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toRecord(row);
  },

  async movements(channelId, from, to) {
    const rows = await db
      .selectFrom("balance_movements")
      .select(["id", "at", "kind", "amount", "note"])
      .where("channel_id", "=", channelId)
      .where("at", ">=", from)
      .where("at", "<=", to)
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .limit(MAX_MOVEMENTS)
      .execute();
    return rows.reverse().map((row) => balanceMovementSchema.parse(row));
  },
});

export const reconciliationWrites = (db: Kysely<Tables>): ReconciliationChanges => ({
  async add({ content, ...fields }) {
    const { id } = await db
      .insertInto("reconciliations")
      .values({ ...columnsOf(fields), content: JSON.stringify(content) })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  },

  async remove(id) {
    await db.deleteFrom("reconciliations").where("id", "=", id).execute();
  },

  async addMovement(movement) {
    await db.insertInto("balance_movements").values(columnsOf(movement)).execute();
  },
});
