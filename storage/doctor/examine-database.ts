import { type Kysely, sql } from "kysely";
import { ACCOUNTS_MIGRATIONS } from "../accounts/postgres/migrations";
import { rotationFaults } from "../accounts/sql/rotation-mark";
import { BODIES_MIGRATIONS } from "../bodies/postgres/migrations";
import { LOG_MIGRATIONS } from "../log/postgres/migrations";
import { openPool } from "../postgres/connection-pool";
import { isCurrent } from "../postgres/migrate";
import { queryBuilder } from "../postgres/query-builder";
import { checkNodes } from "./check-nodes";
import { postgresReader, readOutbox } from "./database-snapshot";
import { type Examination, examineData, NOTHING_EXAMINED } from "./examine-data";
import { FoundFaults } from "./found-faults";

/** Tables are read whole here, also over cursors, and joined day by day. */
const SETTINGS = sql`SELECT set_config('enable_partitionwise_join', 'on', true),
  set_config('enable_partitionwise_aggregate', 'on', true), set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
  set_config('cursor_tuple_fraction', '1', true)`;

const examineTransaction = async (transaction: Kysely<unknown>): Promise<Examination> => {
  for (const [store, migrations] of [
    ["accounts", ACCOUNTS_MIGRATIONS],
    ["log", LOG_MIGRATIONS],
    ["bodies", BODIES_MIGRATIONS],
  ] as const)
    if (!(await isCurrent(transaction, store, migrations)))
      return { ...NOTHING_EXAMINED, faults: [{ code: "schema-other" }] };
  const reader = postgresReader(transaction);
  const [old] = await reader.all<{ name: string | null }>(
    "SELECT to_regclass('accounts_before_log')::text AS name",
  );
  const data = {
    main: reader,
    log: reader,
    waiting: await readOutbox(reader),
    hasLeases: true,
    isLogComplete: old?.name == null,
  };
  const found = new FoundFaults();
  found.add(...(await rotationFaults(transaction)));
  const examination = await examineData(data, found, () => checkNodes(data, found));
  // Read last, because the reading before took its time.
  const [clock] = await reader.all<{ time: number }>(
    "SELECT extract(epoch from clock_timestamp())::bigint AS time",
  );
  return { ...examination, databaseTime: clock?.time };
};

/**
 * Proves the promise on a database, as on a folder (examine.ts), while any number of nodes work with it: everything is read
 * as it was at one moment, and nothing is changed.
 * @param address of the database, or of a copy of it.
 * @throws DatabaseRefused that says why it cannot be read.
 */
export const examineDatabase = async (address: string): Promise<Examination> => {
  const pool = openPool(address, 1);
  try {
    return await queryBuilder<unknown>(pool)
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (transaction) => {
        await SETTINGS.execute(transaction);
        return examineTransaction(transaction);
      });
  } finally {
    await pool.end();
  }
};
