import type { Transaction } from "kysely";
import { ACCOUNTS_MIGRATIONS } from "../accounts/postgres/migrations";
import { hasMasterKey } from "../accounts/sql/has-master-key";
import { checkRotation } from "../accounts/sql/rotation-mark";
import { BODIES_MIGRATIONS } from "../bodies/postgres/migrations";
import { postgresReader } from "../doctor/database-snapshot";
import { DatabaseRefused, DataRefused } from "../errors";
import { LOG_MIGRATIONS } from "../log/postgres/migrations";
import { SUM_COLUMNS } from "../log/sql/sum-columns";
import { type ConnectionPool, openPool } from "../postgres/connection-pool";
import { isCurrent } from "../postgres/migrate";
import { queryBuilder } from "../postgres/query-builder";
import type { Columns, CopiedTable, CopySide } from "../promote/copied-tables";
import { copyNumbersToFolder } from "../promote/copy-numbers";
import { copyTables } from "../promote/copy-tables";
import { checkDatabaseMark } from "../promote/database-marks";
import { type OpenFolder, openFolderToWrite } from "../promote/open-sides";
import { postgresSide } from "../promote/postgres-side";
import { createSecrets } from "../secrets";

/** Leased quota belongs to its balance: where a copy is restored there are no nodes. */
const WITH_LEASES: Readonly<Record<string, readonly [column: string, leased: string]>> = {
  users: ["quota", "SELECT sum(quota) FROM user_leases WHERE user_id = users.id"],
  tokens: ["remain_quota", "SELECT sum(quota) FROM token_leases WHERE token_id = tokens.id"],
};

const ADDED_UP: ReadonlySet<string> = new Set(SUM_COLUMNS);

/** Returns a table as a data folder has it, as a query: with leased quota, and with sums not added up yet. */
const settled = (table: CopiedTable, columns: Columns): CopiedTable => {
  const names = [...columns.keys()];
  const [balance, leased] = WITH_LEASES[table.name] ?? [];
  const listed = (of: (name: string) => string | undefined): string =>
    names.map((name) => of(name) ?? `"${name}"`).join(", ");
  if (balance !== undefined) {
    const sum = `(${balance} + coalesce((${leased}), 0))::bigint AS ${balance}`;
    const list = listed((name) => (name === balance ? sum : undefined));
    return { ...table, postgres: `(SELECT ${list} FROM ${table.name}) AS ${table.name}` };
  }
  if (table.postgres === table.name) return table;
  const keys = names.filter((name) => !ADDED_UP.has(name)).map((name) => `"${name}"`);
  const list = listed((name) => (ADDED_UP.has(name) ? `sum("${name}")::bigint AS "${name}"` : undefined));
  const sums = `(SELECT ${list} FROM ${table.name} GROUP BY ${keys.join(", ")}) AS ${table.name}`;
  return { ...table, postgres: sums };
};

/** One state of a database, as it is when all that is under way has come to its end. */
const settledSide = (snapshot: Transaction<unknown>): CopySide => {
  const side = postgresSide(snapshot, snapshot);
  return {
    ...side,
    parts: (table, columns) => side.parts(settled(table, columns), columns),
    rows: (table, columns, parts) => side.rows(settled(table, columns), columns, parts),
  };
};

/** Charges without a log line wait in the copy as well: the first process that opens it writes the lines. */
const copyOutbox = async (snapshot: Transaction<unknown>, { main }: OpenFolder): Promise<void> => {
  const insert = main.prepare("INSERT INTO outbox (batch) VALUES (?)");
  const rows = postgresReader(snapshot).pages<{ batch: string }>("SELECT batch FROM outbox ORDER BY id");
  for await (const page of rows) for (const { batch } of page) insert.run(batch);
};

/** @throws DatabaseRefused, DataRefused for one of which no copy can be made. */
const checkSnapshot = async (
  snapshot: Transaction<unknown>,
  masterKey: Uint8Array,
  { destination: { database } }: ConnectionPool,
): Promise<void> => {
  for (const [store, migrations] of [
    ["accounts", ACCOUNTS_MIGRATIONS],
    ["log", LOG_MIGRATIONS],
    ["bodies", BODIES_MIGRATIONS],
  ] as const)
    if (!(await isCurrent(snapshot, store, migrations))) throw new DataRefused({ code: "schema-other" });
  await checkRotation(snapshot);
  const isOwn = await hasMasterKey(snapshot, createSecrets(masterKey), [
    "SELECT sealed FROM master_key_probe",
  ]);
  if (!isOwn) throw new DatabaseRefused({ code: "database-other-master-key", database });
};

/**
 * Copies a database into files as of one moment, while any number of nodes work with it: balances with leased quota,
 * the log, and the entries on their way between them. Every charge that was committed before is in it; an answer whose
 * charge was not committed had not been delivered to its end.
 * @param folder where the files go; it holds nothing of theirs yet.
 * @throws DatabaseRefused, DataRefused with the reason; Error when the copy differs from the rows read.
 */
export const copyDatabase = async (address: string, masterKey: Uint8Array, folder: string): Promise<void> => {
  await checkDatabaseMark(address);
  const pool = openPool(address, 1);
  try {
    await queryBuilder<unknown>(pool)
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute(async (snapshot) => {
        await checkSnapshot(snapshot, masterKey, pool);
        const made = await openFolderToWrite(folder, masterKey);
        try {
          const proofs = await copyTables(settledSide(snapshot), made.side);
          const unlike = proofs.filter(({ isEqual }) => !isEqual).map(({ table }) => table);
          if (unlike.length > 0)
            throw new Error(`The copy is unlike the database (${unlike.join(", ")}): nothing was written.`);
          await copyOutbox(snapshot, made);
          await copyNumbersToFolder({ db: snapshot }, made);
        } finally {
          made.close();
        }
      });
  } finally {
    await pool.end();
  }
};
