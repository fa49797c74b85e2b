import { Kysely, SqliteAdapter, SqliteDialect } from "kysely";
import type { Connection } from "./connection";
import { rollBack } from "./roll-back";

/** Lets the query builder take back a transaction that SQLite has taken back already: see rollBack. */
const withForgivingRollback = (connection: Connection): Connection => ({
  prepare: (text) => {
    const statement = connection.prepare(text);
    if (text.toLowerCase() !== "rollback") return statement;
    return Object.assign(Object.create(statement), {
      run() {
        rollBack(connection);
        return { changes: 0, lastInsertRowid: 0 };
      },
    });
  },
  exec: (text) => connection.exec(text),
  close: () => connection.close(),
});

/** Kysely runs migrations without a transaction on SQLite, which creates tables within one as well as anything else. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class TransactionalDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

/** The query builder over a connection, for everything off the hot path. */
export const queryBuilder = <Tables>(connection: Connection): Kysely<Tables> => {
  // Kysely reads `reader` to tell queries from commands; libsql's statements carry it.
  const database = withForgivingRollback(connection) as unknown as ConstructorParameters<
    typeof SqliteDialect
  >[0]["database"];
  return new Kysely<Tables>({ dialect: new TransactionalDialect({ database }) });
};
