import { sql } from "kysely";
import type { SqlDialect } from "../sql/dialect";
import { likePrefix } from "../sql/like-prefix";

export const SQLITE_DIALECT: SqlDialect = {
  beginsWith: (column, text) => sql<boolean>`${sql.ref(column)} LIKE ${likePrefix(text)} ESCAPE '\\'`,
  contains: (column, text) => sql<boolean>`instr(${sql.ref(column)}, ${text}) > 0`,
  balance: undefined,
  takenColumn: (error) =>
    error instanceof Error ? /UNIQUE constraint failed: ([\w.]+)/.exec(error.message)?.[1] : undefined,
};
