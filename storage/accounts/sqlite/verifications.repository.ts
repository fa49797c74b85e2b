import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Secrets } from "../../secrets";
import type { Tables } from "./tables";

export type VerificationPurpose = "email" | "password-reset";

/**
 * How often a mailed code of six characters may be tried before it is void. Reset tokens have 128 bits, which nobody
 * guesses: counting their attempts would only let strangers void them.
 */
const ATTEMPTS = 5;

export const verificationWrites = (db: Kysely<Tables>, secrets: Secrets) => ({
  /** Remembers a code that was sent; an earlier one for the same address is void. */
  async put(purpose: VerificationPurpose, subject: string, code: string, expiresTime: number): Promise<void> {
    const columns = { code_hash: secrets.hash(code), expires_time: expiresTime, attempts_left: ATTEMPTS };
    await db
      .insertInto("verifications")
      .values({ purpose, subject, ...columns })
      .onConflict((conflict) => conflict.columns(["purpose", "subject"]).doUpdateSet(columns))
      .execute();
  },

  /** Checks a code and uses it up: a right one works once, a wrong one of an address counts as an attempt. */
  async use(purpose: VerificationPurpose, subject: string, code: string, now: number): Promise<boolean> {
    if (purpose === "password-reset") {
      const used = await db
        .deleteFrom("verifications")
        .where("purpose", "=", purpose)
        .where("subject", "=", subject)
        .where("expires_time", ">", now)
        .where("code_hash", "=", secrets.hash(code))
        .returning("subject")
        .executeTakeFirst();
      return used !== undefined;
    }
    const attempt = await db
      .updateTable("verifications")
      .set({ attempts_left: sql<number>`attempts_left - 1` })
      .where("purpose", "=", purpose)
      .where("subject", "=", subject)
      .where("expires_time", ">", now)
      .where("attempts_left", ">", 0)
      .returning("code_hash")
      .executeTakeFirst();
    if (attempt?.code_hash !== secrets.hash(code)) return false;
    await db
      .deleteFrom("verifications")
      .where("purpose", "=", purpose)
      .where("subject", "=", subject)
      .execute();
    return true;
  },

  /** Forgets codes that are of no use any more. @param now unix seconds. */
  async removeExpired(now: number): Promise<void> {
    await db.deleteFrom("verifications").where("expires_time", "<=", now).execute();
  },
});
