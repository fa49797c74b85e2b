import Database from "libsql";

/**
 * A prepared statement in better-sqlite3's synchronous form, which libsql follows. One statement is used through `get`
 * or through `all`, never both: libsql 0.5 then answers with the row of another call.
 */
export interface Statement {
  run(...parameters: unknown[]): { changes: number; lastInsertRowid: number | bigint };
  get(...parameters: unknown[]): unknown;
  all(...parameters: unknown[]): unknown[];
  /** Rows one by one; leaving the loop early reads no further. */
  iterate(...parameters: unknown[]): IterableIterator<unknown>;
}

/** The raw connection, for the few statements that are prepared by hand. */
export interface Connection {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
}

/**
 * Enough for accounts. Pages are read from the system's own cache in a microsecond each, so that more costs memory under load
 * and brings nothing that could be measured.
 */
const SMALL_CACHE_MB = 4;

/**
 * Opens an SQLite file. Only one connection of the product may write: SQLite before 3.51.3 can damage a file when
 * several connections checkpoint at once (https://www.sqlite.org/wal.html#walresetbug).
 * @param isReadOnly for the connection that serves queries beside the writer.
 * @param cacheMegabytes how much of the file it keeps in memory of its own; the system keeps more.
 */
export const openConnection = (
  path: string,
  isReadOnly: boolean,
  cacheMegabytes = SMALL_CACHE_MB,
): Connection => {
  const connection: Connection = new Database(path);
  connection.exec("PRAGMA busy_timeout = 5000");
  if (isReadOnly) {
    connection.exec("PRAGMA query_only = ON");
  } else {
    // A commit survives a killed process under NORMAL; only a power cut may lose the last ones (never the file).
    connection.exec("PRAGMA journal_mode = WAL");
    connection.exec("PRAGMA synchronous = NORMAL");
    connection.exec("PRAGMA wal_autocheckpoint = 5000");
    connection.exec("PRAGMA foreign_keys = ON");
  }
  connection.exec(`PRAGMA cache_size = -${cacheMegabytes * 1024}`);
  connection.exec("PRAGMA temp_store = MEMORY");
  return connection;
};
