import {
  balanceMovementSchema,
  reconciliationContentSchema,
} from "@tollgate/contract/management/reconciliation";
import type { ReconciliationRecord } from "@tollgate/contract/records/reconciliation-record";
import type { Kysely, Selectable } from "kysely";
import type { ReconciliationChanges, ReconciliationQueries } from "../ports";
import type { ReconciliationsTable, Tables } from "./tables";

const toRecord = (row: Selectable<ReconciliationsTable>): ReconciliationRecord => ({
  id: row.id,
  channelId: row.channel_id,
  createdAt: row.created_at,
  createdBy: row.created_by,
  content: reconciliationContentSchema.parse(JSON.parse(row.content)),
});

/** A balance that is read every hour for a year has as many. */
const MAX_MOVEMENTS = 10_000;

export const reconciliationReads = (db: Kysely<Tables>): ReconciliationQueries => ({
  async page(offset: number, limit: number): Promise<ReconciliationRecord[]> {
    const rows = await db
      .selectFrom("reconciliations")
      .selectAll()
      .orderBy("id", "desc")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map(toRecord);
  },

  async find(id: number): Promise<ReconciliationRecord | undefined> {
    const row = await db.selectFrom("reconciliations").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toRecord(row);
  },

  async movements(channelId: number, from: number, to: number) {
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
  async add({ channelId, createdAt, createdBy, content }) {
    const { id } = await db
      .insertInto("reconciliations")
      .values({
        channel_id: channelId,
        created_at: createdAt,
        created_by: createdBy,
        content: JSON.stringify(content),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  },

  async remove(id: number) {
    await db.deleteFrom("reconciliations").where("id", "=", id).execute();
  },

  async addMovement({ channelId, at, kind, amount, note }) {
    await db
      .insertInto("balance_movements")
      .values({ channel_id: channelId, at, kind, amount, note })
      .execute();
  },
});
