import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeRecord } from "../../journal/journal-record";
import { createSecrets } from "../../secrets";
import { openConnection } from "../../sqlite/connection";
import { encodeCharges } from "../charges";
import { accountReads, accountWrites, openAccountsFile } from "../sqlite/accounts-file";
import { outboxReader } from "../sqlite/outbox.repository";
import type { StoreUnderTest } from "./accounts-under-test";

/** An empty main file in a folder of its own. */
export const newSqliteStore = async (): Promise<StoreUnderTest> => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-accounts-"));
  const path = join(folder, "test.db");
  return {
    async open(masterKey) {
      const secrets = createSecrets(masterKey);
      const connection = await openAccountsFile(path, secrets);
      const reader = openConnection(path, true);
      const { charges, outbox: _, ...changes } = accountWrites(connection, secrets);
      return {
        queries: accountReads(reader, secrets),
        changes,
        commit: async (...batch) => charges.commit(...encodeCharges(batch)),
        commitEncoded: async (batch, entries) => charges.commit(batch, entries),
        ask: async (query) => reader.prepare(query).all() as Record<string, unknown>[],
        async commitJournal(batches) {
          charges.commitJournal(
            batches.map(({ id, charges: batch }) => {
              const [batchChanges, entries] = encodeCharges(batch);
              return { id, bytes: encodeRecord({ id, changes: batchChanges, entries }) };
            }),
          );
        },
        newestBatch: async () => charges.newestBatch(),
        stored: async () =>
          Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),
        waiting: async () => [...outboxReader(reader).after(0)].map(({ batch }) => batch),
        async close() {
          reader.close();
          connection.close();
        },
      };
    },
    async byHand() {
      const connection = openConnection(path, false);
      connection.exec("PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = ON");
      connection.exec("DROP TRIGGER users_moved; DROP TRIGGER tokens_moved");
      return {
        ask: async (query) => connection.prepare(query).all() as Record<string, unknown>[],
        run: async (statement) => {
          connection.exec(statement);
        },
        close: async () => {
          connection.close();
        },
      };
    },
    async alter(table, column, value, id) {
      const connection = openConnection(path, false);
      connection.prepare(`UPDATE ${table} SET ${column} = ? WHERE id = ?`).run(value, id);
      connection.close();
    },
    remove: async () => rmSync(folder, { recursive: true }),
  };
};
