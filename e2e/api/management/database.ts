import { join } from "node:path";
import { databaseOf } from "@tollgate/testkit/server-process";
import Database from "libsql";
import { openSynchronously } from "./ask-postgres";

/** What the server has stored, seen from outside: all of it, also what was on its way to the log when it was asked for. */
export interface StoredData {
  /** Every table as text: equal texts mean that nothing was changed. */
  snapshot(): Record<string, string>;
  all<T>(sql: string, ...parameters: unknown[]): T[];
  /** Must be called before the server stops, so that the server is the last to close the file. */
  close(): void;
}

/** The tables of the log file that callers can see the effect of; everything else there is derived from the same lines. */
const OF_THE_LOG_FILE = ["logs", "receipts"];
/** Only on its way to the log file and gone at any moment; and what people are told, which is written after an answer. */
const PASSING = ["outbox", "notice_incidents", "notices"];

/** How long lines may take from the accounts to the log. */
const LONGEST_WAY_MS = 10_000;
const LOOK_MS = 5;

/** A database holds accounts and log: the further tables of it that no caller sees the effect of. All others are looked at. */
const UNSEEN_IN_A_DATABASE: readonly RegExp[] = [
  // What the log is made of, derived from the same lines, and the bodies.
  /^(\w+_summed|unsummed\w*|models|payers|contents|shared_names|price_shapes|priced_lines|state|bodies)$/,
  // What nodes know of each other, and of what they lease and have booked.
  /^(nodes|user_leases|token_leases|charges|booked_epochs|balance_edits|changes)$/,
  // How the schema, the master key and the place of the data stand.
  /^(\w+_migrations|\w+_migrations_lock|master_key_probe|key_rotation|journal_state|moves)$/,
];

const TABLES_OF_A_DATABASE = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`;

/** Balances of which nodes hold parts on lease, which come back at any moment: a snapshot shows the whole. */
const WHOLE_BALANCES: Readonly<Record<string, { column: string; leases: string; owner: string }>> = {
  users: { column: "quota", leases: "user_leases", owner: "user_id" },
  tokens: { column: "remain_quota", leases: "token_leases", owner: "token_id" },
};

/** Noted by a job at any moment, whatever a call does. */
const LAST_USE = { table: "sessions", column: "last_used_time" } as const;

/** A query for a table's rows as text. */
const rowsOf = (name: string): string => {
  const balance = WHOLE_BALANCES[name];
  if (name === LAST_USE.table)
    return `SELECT coalesce(jsonb_agg(to_jsonb(t) - '${LAST_USE.column}' ORDER BY t.id_hash)::text, '') FROM ${name} t`;
  if (!balance) return `SELECT coalesce(json_agg(t ORDER BY t::text)::text, '') FROM ${name} t`;
  const { column, leases, owner } = balance;
  return `SELECT coalesce(jsonb_agg(to_jsonb(t) || jsonb_build_object('${column}', t.${column} +
    (SELECT coalesce(sum(quota), 0) FROM ${leases} WHERE ${owner} = t.id)) ORDER BY t.id)::text, '') FROM ${name} t`;
};

/** A statement with its parameters as PostgreSQL numbers them. */
const numbered = (sql: string): string => {
  let count = 0;
  return sql.replaceAll("?", () => {
    count += 1;
    return `$${count}`;
  });
};

const openDatabase = (address: string): StoredData => {
  const database = openSynchronously(address);
  const awaitLog = (): void => {
    const untilMs = Date.now() + LONGEST_WAY_MS;
    while (database.ask("SELECT 1 FROM outbox LIMIT 1").length > 0)
      if (Date.now() > untilMs) throw new Error("what was changed has not come to the log");
  };
  const all = <T>(sql: string, ...parameters: unknown[]): T[] => {
    awaitLog();
    return database.ask<T>(numbered(sql), parameters);
  };
  const seen = database
    .ask<{ name: string }>(TABLES_OF_A_DATABASE)
    .filter(
      ({ name }) => !PASSING.includes(name) && !UNSEEN_IN_A_DATABASE.some((unseen) => unseen.test(name)),
    );
  const tables = seen.map(({ name }) => `(${rowsOf(name)}) AS ${name}`);
  return {
    snapshot: () => all<Record<string, string>>(`SELECT ${tables.join(", ")}`)[0] ?? {},
    all,
    close: database.close,
  };
};

const openFiles = (dataDir: string): StoredData => {
  const connection = new Database(join(dataDir, "tollgate.db"));
  connection.exec("PRAGMA busy_timeout = 5000");
  connection.prepare("ATTACH DATABASE ? AS log_file").run(join(dataDir, "logs.sqlite"));
  connection.exec("PRAGMA query_only = ON");
  const all = <T>(sql: string, ...parameters: unknown[]): T[] =>
    connection.prepare(sql).all(...parameters) as T[];
  const isOnItsWay = connection.prepare("SELECT 1 FROM main.outbox LIMIT 1");
  /** Halts this process, not the server's. */
  const awaitLog = (): void => {
    const never = new Int32Array(new SharedArrayBuffer(4));
    for (let waited = 0; isOnItsWay.get() !== undefined; waited += LOOK_MS) {
      if (waited > LONGEST_WAY_MS) throw new Error("what was changed has not come to the log");
      Atomics.wait(never, 0, 0, LOOK_MS);
    }
  };
  const tables = all<{ name: string }>(
    "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  )
    .map(({ name }) => name)
    .filter((name) => !PASSING.includes(name))
    .concat(OF_THE_LOG_FILE);
  const statements = tables.map((name) => ({ name, rows: connection.prepare(`SELECT * FROM "${name}"`) }));
  return {
    snapshot() {
      awaitLog();
      const withoutUse = (key: string, value: unknown): unknown =>
        key === LAST_USE.column ? undefined : value;
      return Object.fromEntries(
        statements.map(({ name, rows }) => [
          name,
          JSON.stringify(rows.all(), name === LAST_USE.table ? withoutUse : undefined),
        ]),
      );
    },
    all(sql, ...parameters) {
      awaitLog();
      return all(sql, ...parameters);
    },
    close: () => connection.close(),
  };
};

/** Looks into what a running server has stored, without ever writing. */
export const openStoredData = (dataDir: string): StoredData => {
  const address = databaseOf(dataDir);
  return address === undefined ? openFiles(dataDir) : openDatabase(address);
};

/** Changes what a server that is stopped has stored. */
export const changeStoredData = (dataDir: string, sql: string, ...parameters: unknown[]): void => {
  const address = databaseOf(dataDir);
  if (address !== undefined) {
    const database = openSynchronously(address);
    database.ask(numbered(sql), parameters);
    database.close();
    return;
  }
  const connection = new Database(join(dataDir, "tollgate.db"));
  try {
    connection.prepare(sql).run(...parameters);
  } finally {
    connection.close();
  }
};
