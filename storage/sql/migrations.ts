import type { Migration } from "kysely";

/** The migrations of one store on one engine, by name and in the order of their names; a released one is never edited. */
export type Migrations = Readonly<Record<string, Migration>>;

/** Returns the declared migrations in the order of their names. */
export const orderMigrations = <Declared>(
  declared: Readonly<Record<string, Declared>>,
  toMigration: (declared: Declared) => Migration,
): Migrations =>
  Object.fromEntries(
    Object.entries(declared)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, toMigration(each)]),
  );

/** How the migrations that a database records compare with those of this version. */
export interface SchemaVersion {
  /** A migration that this version does not know: a newer version has changed the schema. */
  readonly unknown: string | undefined;
  /** Whether the schema is older than the one that the first migration creates. */
  readonly isTooOld: boolean;
  /** Whether the schema is exactly that of this version. */
  readonly isCurrent: boolean;
}

const firstOf = (migrations: Migrations): string => Object.keys(migrations)[0] ?? "";

/**
 * Compares versions by the names of migrations. The first migration creates a whole schema and stands for all before it: it is
 * named after the last of those it replaced, so that a database which has that one is up to date with it.
 * @param applied the names that a database records, sorted.
 */
export const compareVersion = (applied: readonly string[], migrations: Migrations): SchemaVersion => {
  const first = firstOf(migrations);
  const current = applied.filter((name) => name >= first);
  return {
    unknown: current.find((name) => migrations[name] === undefined),
    isTooOld: applied.length > 0 && !current.includes(first),
    isCurrent: current.join() === Object.keys(migrations).join(),
  };
};

/**
 * The list for Kysely's Migrator, which demands an entry for each migration that a database records: those before the first one
 * ran before they were replaced, and do not run again.
 */
export const listMigrations = (
  applied: readonly string[],
  migrations: Migrations,
): Record<string, Migration> => {
  const replaced = applied.filter((name) => name < firstOf(migrations));
  return { ...Object.fromEntries(replaced.map((name) => [name, { up: async () => {} }])), ...migrations };
};
