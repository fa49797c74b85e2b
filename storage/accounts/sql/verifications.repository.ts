import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Secrets } from "../../secrets";
import type { VerificationChanges } from "../site-ports";
import type { Tables } from "./tables";

/**
 * How often a mailed code of six characters may be tried before it is void. Reset tokens have 128 bits, which no one
 * guesses: counting their attempts would only let strangers void them.
 */
const ATTEMPTS = 5;

export const verificationWrites = (db: Kysely<Tables>, secrets: Secrets): VerificationChanges => ({
  async put(purpose, subject, code, expiresTime) {
    const columns = { code_hash: secrets.hash(code), expires_time: expiresTime, attempts_left: ATTEMPTS };
    await db
      .insertInto("verifications")
      .values({ purpose, subject, ...columns })
      .onConflict((conflict) => conflict.columns(["purpose", "subject"]).doUpdateSet(columns))
      .execute();
  },

  async use(purpose, subject, code, now) {
    // One statement, so that a right code works once, however many ask at the same moment.
    const used = await db
      .deleteFrom("verifications")
      .where("purpose", "=", purpose)
      .where("subject", "=", subject)
      .where("expires_time", ">", now)
      .where("attempts_left", ">", 0)
      .where("code_hash", "=", secrets.hash(code))
      .returning("subject")
      .executeTakeFirst();
    if (used !== undefined) return true;
    if (purpose === "email") {
      await db
        .updateTable("verifications")
        .set({ attempts_left: sql<number>`attempts_left - 1` })
        .where("purpose", "=", purpose)
        .where("subject", "=", subject)
        .where("attempts_left", ">", 0)
        .execute();
    }
    return false;
  },

  async removeExpired(now) {
    await db.deleteFrom("verifications").where("expires_time", "<=", now).execute();
  },
});
