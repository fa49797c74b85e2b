import {
  type SealedFactor,
  type SecondFactor,
  type SecondFactorChanges,
  type SecondFactorQueries,
  sealedFactor,
} from "@tollgate/contract/records/second-factor-record";
import type { Kysely } from "kysely";
import type { Secrets } from "../../secrets";
import type { Tables } from "./tables";

export const secondFactorColumns = (
  { userId, secret, backupCodes, confirmedTime, lastStep }: SecondFactor,
  secrets: Secrets,
) => ({
  user_id: userId,
  sealed: secrets.seal(JSON.stringify({ secret, backupCodes } satisfies SealedFactor)),
  confirmed_time: confirmedTime,
  last_step: lastStep,
});

export const secondFactorReads = (db: Kysely<Tables>, secrets: Secrets): SecondFactorQueries => ({
  async find(userId) {
    const row = await db
      .selectFrom("second_factors")
      .selectAll()
      .where("user_id", "=", userId)
      .executeTakeFirst();
    if (!row) return undefined;
    return {
      userId,
      ...sealedFactor.parse(JSON.parse(secrets.open(row.sealed))),
      confirmedTime: row.confirmed_time,
      lastStep: row.last_step,
      // No text is sealed in the same way twice.
      version: row.sealed,
    };
  },
});

export const secondFactorWrites = (db: Kysely<Tables>, secrets: Secrets): SecondFactorChanges => ({
  async replace(seen, next) {
    if (!next) {
      if (!seen) return true;
      const removed = await db
        .deleteFrom("second_factors")
        .where("user_id", "=", seen.userId)
        .where("sealed", "=", seen.version)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    }
    const columns = secondFactorColumns(next, secrets);
    if (!seen) {
      const inserted = await db
        .insertInto("second_factors")
        .values(columns)
        .onConflict((conflict) => conflict.column("user_id").doNothing())
        .executeTakeFirst();
      return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
    }
    const updated = await db
      .updateTable("second_factors")
      .set(columns)
      .where("user_id", "=", seen.userId)
      .where("sealed", "=", seen.version)
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  },

  async remove(userId) {
    const removed = await db.deleteFrom("second_factors").where("user_id", "=", userId).executeTakeFirst();
    return removed.numDeletedRows > 0n;
  },
});
