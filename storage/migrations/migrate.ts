import { rollBack } from "../dialects/roll-back";
import type { Connection } from "../dialects/sqlite";
import type { Secrets } from "../secrets";
import { initial } from "./0001-initial";
import { accounts } from "./0002-accounts";
import { outbox } from "./0003-outbox";
import { channelKeys } from "./0004-channel-keys";
import { limits } from "./0010-limits";
import { journal } from "./0011-journal";
import { untakenQuota } from "./0012-untaken-quota";
import { channelKeyHashes } from "./0013-channel-key-hashes";
import { reservedJournal } from "./0014-reserved-journal";
import { initialBodyFile } from "./body-file-0001-initial";
import { initialLogFile } from "./log-file-0001-initial";
import { usageSums } from "./log-file-0002-usage-sums";
import type { Migration } from "./migration";

/** In order; a released one is never edited. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  accounts,
  outbox,
  channelKeys,
  limits,
  journal,
  untakenQuota,
  channelKeyHashes,
  reservedJournal,
];

/** Those of the log file. */
export const LOG_FILE_MIGRATIONS: readonly Migration[] = [initialLogFile, usageSums];

/** Those of the file of stored bodies. */
export const BODY_FILE_MIGRATIONS: readonly Migration[] = [initialBodyFile];

/**
 * Brings a database to the newest schema, each migration in a transaction of its own.
 * @param secrets for migrations that read stored secrets.
 * @throws when the file was written by a newer version of the product than this one, or under another master key.
 */
export const migrate = (
  connection: Connection,
  migrations: readonly Migration[] = MIGRATIONS,
  secrets?: Secrets,
): void => {
  connection.exec(
    "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_time INTEGER NOT NULL)",
  );
  const applied = new Set(
    connection
      .prepare("SELECT name FROM migrations")
      .all()
      .map((row) => (row as { name: string }).name),
  );
  const known = new Set(migrations.map((migration) => migration.name));
  for (const name of applied) {
    if (!known.has(name)) {
      throw new Error(
        `the database has the migration "${name}", which this version does not know: it was written by a newer version`,
      );
    }
  }
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    connection.exec("BEGIN IMMEDIATE");
    try {
      connection.exec(migration.sql);
      if (migration.fill) {
        if (!secrets) throw new Error(`the migration "${migration.name}" needs the master key`);
        migration.fill(connection, secrets);
      }
      connection
        .prepare("INSERT INTO migrations (name, applied_time) VALUES (?, unixepoch())")
        .run(migration.name);
      connection.exec("COMMIT");
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  }
};
