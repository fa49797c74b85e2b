import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { describe, expect, it } from "vitest";
import * as postgresAccounts from "./accounts/postgres/migrations";
import * as sqliteAccounts from "./accounts/sqlite/migrations";
import * as postgresLog from "./log/postgres/migrations";
import * as sqliteLog from "./log/sqlite/migrations";
import type { Migrations } from "./sql/migrations";

/*
 * While nodes are brought to a new version one after another, the old ones go on with the schema of the new one. So a migration
 * after the first only adds, and what it adds must be nothing that an older program has to know.
 */

/** What takes something away from an older program, or refuses what it writes. */
const BREAKING: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["drops", /\bDROP\b(?! (TRIGGER|FUNCTION) IF EXISTS)/i],
  ["renames", /\bRENAME\b/i],
  ["changes a type", /\bALTER\s+(COLUMN\s+)?"?\w+"?\s+(SET\s+DATA\s+)?TYPE\b/i],
  ["asks for a value", /\bSET\s+NOT\s+NULL\b/i],
  ["takes a default away", /\bDROP\s+DEFAULT\b/i],
  ["empties", /\bTRUNCATE\b/i],
  [
    "adds a column that an older program does not fill",
    /\bADD\s+(COLUMN\s+)?(?!CONSTRAINT)[^,;]*\bNOT\s+NULL\b(?![^,;]*\b(DEFAULT|GENERATED)\b)(?<!\b(DEFAULT|GENERATED)\b[^,;]*NOT\s+NULL)/i,
  ],
  // A new table says UNIQUE and CHECK in itself.
  ["refuses what an older program may write", /\bADD\s+CONSTRAINT\b|\bCREATE\s+UNIQUE\b/i],
];

const COMMENTS = /\/\*.*?\*\/|^\s*(\/\/|--).*$/gms;

const breaks = (text: string): string[] => {
  const said = text.replaceAll(COMMENTS, "");
  return BREAKING.filter(([, pattern]) => pattern.test(said)).map(([what]) => what);
};

/** Statements of a list of migrations after its first one. */
const laterStatements = async (migrations: Migrations): Promise<string[]> => {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (connected) => new SqliteIntrospector(connected),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query }) => {
      statements.push(query.sql);
    },
  });
  for (const { up } of Object.values(migrations).slice(1)) await up(db);
  return statements;
};

describe("migrations after the first", () => {
  it.each([
    ["drops", "ALTER TABLE users DROP COLUMN email"],
    ["drops", "drop table users"],
    ["renames", "ALTER TABLE users RENAME COLUMN email TO mail"],
    ["changes a type", "ALTER TABLE users ALTER COLUMN email TYPE INT"],
    ["asks for a value", "ALTER TABLE users ALTER email SET NOT NULL"],
    ["empties", "TRUNCATE users"],
    ["adds a column that an older program does not fill", "ALTER TABLE users ADD COLUMN x INT NOT NULL"],
    // A new table says UNIQUE and CHECK in itself.
    ["refuses what an older program may write", "CREATE UNIQUE INDEX a ON users (email)"],
  ])("would be found when one %s: %s", (what, text) => {
    expect(breaks(text)).toContain(what);
  });

  it.each([
    "ALTER TABLE users ADD COLUMN x INT NOT NULL DEFAULT 0, ADD COLUMN y TEXT",
    "ALTER TABLE users ADD x INT DEFAULT 0 NOT NULL",
    "CREATE TABLE changes (number BIGINT NOT NULL); CREATE INDEX a ON changes (number)",
    "DROP TRIGGER IF EXISTS a ON users; CREATE TRIGGER a AFTER UPDATE ON users EXECUTE FUNCTION b()",
  ])("may say: %s", (text) => {
    expect(breaks(text)).toEqual([]);
  });

  it.each([
    ["the accounts on SQLite", sqliteAccounts.ACCOUNTS_MIGRATIONS],
    ["the accounts on PostgreSQL", postgresAccounts.ACCOUNTS_MIGRATIONS],
    ["the log on SQLite", sqliteLog.LOG_MIGRATIONS],
    ["the log on PostgreSQL", postgresLog.LOG_MIGRATIONS],
  ])("only add to %s", async (_, migrations) => {
    const statements = await laterStatements(migrations);
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((statement) => breaks(statement).length > 0)).toEqual([]);
  });
});
