import { type Kysely, sql } from "kysely";
import { DatabaseRefused } from "../errors";
import { openPool } from "../postgres/connection-pool";
import { queryBuilder } from "../postgres/query-builder";

/** Mark in the table `moves` of a database (storage/accounts/sql/schema/moves.ts). */
export interface DatabaseMark {
  state: "arriving" | "left";
  token: string;
}

export const readDatabaseMark = async (db: Kysely<unknown>): Promise<DatabaseMark | undefined> => {
  const { rows } = await sql<DatabaseMark>`SELECT state, token FROM moves`.execute(db);
  return rows[0];
};

/** From here on no node begins, books or moves a balance. */
export const markDatabase = async (db: Kysely<unknown>, { state, token }: DatabaseMark): Promise<void> => {
  await sql`INSERT INTO moves (id, state, token) VALUES (1, ${state}, ${token})`.execute(db);
};

/** The database is the nodes' again. */
export const unmarkDatabase = async (db: Kysely<unknown>, token: string): Promise<void> => {
  await sql`DELETE FROM moves WHERE token = ${token}`.execute(db);
};

/** @throws DatabaseRefused for a database whose data is not complete, or elsewhere. */
export const checkDatabaseMark = async (address: string): Promise<void> => {
  const pool = openPool(address, 1);
  try {
    const mark = await readDatabaseMark(queryBuilder(pool));
    const { database } = pool.destination;
    if (mark)
      throw new DatabaseRefused({
        code: mark.state === "left" ? "database-left" : "database-incomplete",
        database,
      });
  } finally {
    await pool.end();
  }
};
