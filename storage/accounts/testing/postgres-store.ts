import pg from "pg";
import { encodeRecord } from "../../journal/journal-record";
import { openPool } from "../../postgres/connection-pool";
import { queryBuilder } from "../../postgres/query-builder";
import { READ_TYPES } from "../../postgres/read-types";
import { createSecrets } from "../../secrets";
import { askDatabase, newDatabase } from "../../testing/new-database";
import { encodeCharges } from "../charges";
import { openAccounts } from "../postgres/open-accounts";
import { takeOutboxRows } from "../postgres/outbox.repository";
import type { Tables } from "../sql/tables";
import type { StoreUnderTest } from "./accounts-under-test";

/** An empty database on the tests' server. */
export const newPostgresStore = async (): Promise<StoreUnderTest> => {
  const address = await newDatabase();
  return {
    async open(masterKey) {
      const { queries, changes, charges, close } = await openAccounts(address, createSecrets(masterKey));
      return {
        queries,
        changes,
        commit: (...batch) => charges.commit(...encodeCharges(batch)),
        commitEncoded: charges.commit,
        commitJournal: (batches) =>
          charges.commitJournal(
            batches.map(({ id, charges: batch }) => {
              const [batchChanges, entries] = encodeCharges(batch);
              return { id, bytes: encodeRecord({ id, changes: batchChanges, entries }) };
            }),
          ),
        newestBatch: charges.newestBatch,
        ask: (query) => askDatabase(address, query),
        async stored() {
          const tables = await askDatabase(
            address,
            "SELECT string_agg(format('SELECT t::text AS row FROM %I t', tablename), ' UNION ALL ') AS query FROM pg_tables WHERE schemaname = 'public'",
          );
          const rows = await askDatabase(address, String(tables[0]?.query));
          return Buffer.from(rows.map(({ row }) => row).join("\n"));
        },
        async waiting() {
          const pool = openPool(address, 1);
          try {
            const rows = await queryBuilder<Tables>(pool)
              .transaction()
              .execute((transaction) => takeOutboxRows(transaction, 100));
            return rows.map(({ batch }) => batch);
          } finally {
            await pool.end();
          }
        },
        close,
      };
    },
    async byHand() {
      const client = new pg.Client({ connectionString: address, types: READ_TYPES });
      await client.connect();
      // With its triggers it would explain what is done here.
      await client.query(`DO $$ DECLARE checked RECORD; BEGIN
        FOR checked IN SELECT conrelid::regclass AS relation, conname AS name FROM pg_constraint
          WHERE contype = 'c' AND conrelid <> 0 AND connamespace = 'public'::regnamespace LOOP
          EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', checked.relation, checked.name);
        END LOOP; END $$`);
      for (const table of ["users", "tokens"])
        await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      return {
        ask: async (query) => (await client.query<Record<string, unknown>>(query)).rows,
        run: async (statement) => {
          await client.query(statement);
        },
        close: () => client.end(),
      };
    },
    async alter(table, column, value, id) {
      await askDatabase(address, `UPDATE ${table} SET ${column} = '${value}' WHERE id = ${id}`);
    },
    async remove() {},
  };
};
