import { type Kysely, sql } from "kysely";
import { postgresRunner } from "../postgres/postgres-runner";
import type { DataReader } from "./data-reader";
import { WaitingEntries } from "./waiting-entries";

const ROWS_A_PAGE = 2000;

/** Reads a transaction that sees one state. */
export const postgresReader = (transaction: Kysely<unknown>): DataReader => {
  let cursors = 0;
  return {
    ...postgresRunner(transaction),
    async *pages<Row>(query: string) {
      cursors += 1;
      const cursor = sql.table(`rows_${cursors}`);
      await sql`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql.raw(query)}`.execute(transaction);
      for (let isLast = false; !isLast; ) {
        const { rows } = await sql<Row>`FETCH ${sql.lit(ROWS_A_PAGE)} FROM ${cursor}`.execute(transaction);
        isLast = rows.length < ROWS_A_PAGE;
        yield rows;
      }
      // One that is left early ends with the transaction.
      await sql`CLOSE ${cursor}`.execute(transaction);
    },
  };
};

/** Adds up the entries of the outbox. */
export const readOutbox = async (reader: DataReader): Promise<WaitingEntries> => {
  const waiting = new WaitingEntries();
  const rows = reader.pages<{ id: number; batch: string }>("SELECT id, batch FROM outbox ORDER BY id");
  for await (const page of rows) for (const { id, batch } of page) waiting.add(id, batch);
  return waiting;
};
