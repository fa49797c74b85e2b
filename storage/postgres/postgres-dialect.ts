import { sql } from "kysely";
import pg from "pg";
import type { SqlDialect } from "../sql/dialect";
import { likePrefix } from "../sql/like-prefix";

const UNIQUE_VIOLATION = "23505";

/**
 * Searched columns have the collation "C" in their table: letters beyond ASCII then match in their own case only, and
 * texts are in the order of their bytes, as on SQLite. A unique constraint is called `<table>_<column>_unique`, after
 * the first column where it has several.
 */
export const POSTGRES_DIALECT: SqlDialect = {
  beginsWith: (column, text) => sql<boolean>`${sql.ref(column)} ILIKE ${likePrefix(text)} ESCAPE '\\'`,
  contains: (column, text) => sql<boolean>`strpos(${sql.ref(column)}, ${text}) > 0`,
  balance(table) {
    const isUser = table === "users";
    const [quota, leases, owner] = isUser
      ? (["quota", "user_leases", "user_id"] as const)
      : (["remain_quota", "token_leases", "token_id"] as const);
    return sql<number>`${sql.ref(`${table}.${quota}`)} + (
      SELECT coalesce(sum(leases.quota), 0) FROM ${sql.table(leases)} AS leases
      WHERE ${sql.ref(`leases.${owner}`)} = ${sql.ref(`${table}.id`)})`;
  },
  takenColumn(error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) return undefined;
    const { table = "", constraint = "" } = error;
    const column = new RegExp(`^${table}_(.+)_unique$`).exec(constraint)?.[1];
    return column === undefined ? undefined : `${table}.${column}`;
  },
};
