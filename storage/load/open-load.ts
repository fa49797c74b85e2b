import { join } from "node:path";
import type { ImportedLine } from "@tollgate/contract/records/imported-records";
import type { AmountUnit } from "@tollgate/contract/values/log-phrase";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { type ImportedAccounts, loadAccounts } from "../accounts/sql/load-accounts";
import type { Tables } from "../accounts/sql/tables";
import { LineWriter } from "../log/sqlite/line-writer";
import { logFilePath, openLogFile } from "../log/sqlite/log-file";
import { openWriter } from "../open-sqlite";
import { createSecrets } from "../secrets";
import { openConnection } from "../sqlite/connection";
import { queryBuilder } from "../sqlite/query-builder";
import { SQLITE_DIALECT } from "../sqlite/sqlite-dialect";

/** Up to which id of a table none may be given again, also where its row was not taken over. */
export interface HighestIds {
  users: number;
  tokens: number;
  channels: number;
  redemptions: number;
}

/** A data folder into which another gateway's data is written. No other process works with it. */
export interface Load {
  /** Lines of the log, in blocks. */
  lines(lines: readonly ImportedLine[]): void;
  /** Everything else, at once, after the lines. */
  accounts(accounts: ImportedAccounts, highest: HighestIds, unit: AmountUnit): Promise<void>;
  /** Closes the files with all that was written on the disk. */
  finish(): void;
  /** Closes the files, which are of no use then. */
  abandon(): void;
}

/** Lines of one transaction. */
const LINES_A_TRANSACTION = 50_000;
/** Rewritten pages are close together: a larger cache writes them to the disk once. */
const CACHE_KIB = 65_536;

/** Indexes of the log created after all lines: with an index by time, each line would go to another page. */
const INDEXES = ["logs_user_time", "logs_time", "logs_account_time", "logs_account_user_time"];

/**
 * Makes the files of a new data folder.
 * @param folder exists, and is empty.
 */
export const openLoad = async (folder: string, masterKey: Uint8Array): Promise<Load> => {
  const path = join(folder, "tollgate.db");
  (await openWriter(path, masterKey)).close();
  const main = openConnection(path, false);
  const log = await openLogFile(logFilePath(path));
  for (const connection of [main, log]) {
    // Whatever is cut off is thrown away as a whole: it need not be on the disk before the end.
    connection.exec("PRAGMA synchronous = OFF");
    connection.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  }
  const writer = new LineWriter(log);
  const indexes = log
    .prepare(
      `SELECT sql FROM sqlite_master WHERE type = 'index' AND name IN (${INDEXES.map(() => "?").join(", ")})`,
    )
    .all(...INDEXES) as { sql: string }[];
  for (const name of INDEXES) log.exec(`DROP INDEX ${name}`);
  let waiting = 0;

  const commitLines = (): void => {
    if (waiting === 0) return;
    writer.finish();
    log.exec("COMMIT");
    waiting = 0;
  };

  const addLine = (line: ImportedLine): void => {
    if (line.type === LOG_CONSUME)
      writer.addRequest({ ...line, requestId: "", count: "answered", isLogged: true, receipt: "" });
    else writer.addAccount(line);
  };

  return {
    lines(lines) {
      if (lines.length === 0) return;
      if (waiting === 0) {
        log.exec("BEGIN IMMEDIATE");
        writer.begin();
      }
      for (const line of lines) addLine(line);
      waiting += lines.length;
      if (waiting >= LINES_A_TRANSACTION) commitLines();
    },

    async accounts(accounts, highest, unit) {
      const secrets = createSecrets(masterKey);
      await queryBuilder<Tables>(main)
        .transaction()
        .execute((transaction) => loadAccounts(transaction, SQLITE_DIALECT, secrets, accounts, unit));
      for (const [table, id] of Object.entries(highest)) {
        main.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
        main.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table, id);
      }
      // The log lacks earlier use: see the first migration of the accounts.
      main.exec("CREATE TABLE accounts_before_log (id INTEGER PRIMARY KEY)");
    },

    finish() {
      commitLines();
      for (const { sql } of indexes) log.exec(sql);
      for (const connection of [main, log]) {
        connection.exec("PRAGMA synchronous = FULL");
        // Takes everything into the file itself: nothing that belongs to it lies beside it when it is moved.
        connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        connection.close();
      }
    },

    abandon() {
      for (const connection of [main, log]) connection.close();
    },
  };
};
