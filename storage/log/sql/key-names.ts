import { BUCKET_SECONDS, dayOf } from "../hours";
import type { BlockKey } from "./blocks";
import { SUM_COLUMNS } from "./sum-columns";

/*
 * Names that many keys have in common have separate sums: otherwise a query of one name would add up the sums of all
 * its payers. A bucket is added to them when it is added to the blocks (./blocks.ts), so that no request pays for it.
 * `shared_names.since` is the first hour from which a name is in the tables: it starts with the bucket that is next
 * when the name is first found to be shared, and goes back bucket by bucket from there, to 0 in the end.
 */

/** How many payers have a name in common from when on it has sums of its own. */
export const SHARED_BY = 8;

/** A table of the sums of shared names by the hour. */
export interface NameTable {
  table: string;
  /** Columns of the key besides the name and the hour, in the order of the primary key. */
  keys: readonly Exclude<BlockKey, "payer_id">[];
}

/** The first one adds payers up, and the others that one. */
const DETAIL: NameTable = { table: "name_detail_hours", keys: ["model_id", "channel_id"] };

export const NAME_TABLES: readonly NameTable[] = [
  DETAIL,
  { table: "name_model_hours", keys: ["model_id"] },
  { table: "name_channel_hours", keys: ["channel_id"] },
  { table: "name_hours", keys: [] },
];

/** The columns of a table's primary key. */
export const nameKeys = ({ keys }: NameTable): readonly string[] => ["name_id", "hour", ...keys];

/** The smallest table that tells enough apart. */
export const nameTable = (hasModel: boolean, hasChannel: boolean): NameTable =>
  NAME_TABLES.find(
    ({ keys }) => keys.includes("model_id") === hasModel && keys.includes("channel_id") === hasChannel,
  ) ?? DETAIL;

const SUMS = SUM_COLUMNS.map((column) => `sum(${column})`).join(", ");

/** Adds to existing rows as well, for lines that came late. @param stored the table itself. */
const addition = (stored: string, columns: readonly string[], from: string): string => {
  const added = SUM_COLUMNS.map((column) => `${column} = ${stored}.${column} + excluded.${column}`);
  return `INSERT INTO ${stored} (${[...columns, ...SUM_COLUMNS].join(", ")})
    SELECT ${columns.join(", ")}, ${SUMS} ${from} GROUP BY ${columns.join(", ")}
    ON CONFLICT (${columns.join(", ")}) DO UPDATE SET ${added.join(", ")}`;
};

/** Statements that add rows to all tables. @param rows a table of them, with their `name_id`. */
export const nameAdditions = (storedAs: (table: string) => string, rows: string): string[] =>
  NAME_TABLES.map((table) => addition(storedAs(table.table), nameKeys(table), `FROM ${rows} WHERE TRUE`));

/**
 * Statements that add one bucket to all tables.
 * @param storedAs the table itself, where it stands under another name. @param bucket its begin, unix seconds.
 * @param which names, as a condition on `shared_names`.
 */
export const bucketOfNames = (
  storedAs: (table: string) => string,
  bucket: number,
  which: string,
): string[] => {
  const ofBucket = `hour >= ${bucket} AND hour < ${bucket + BUCKET_SECONDS}`;
  return NAME_TABLES.map((table) =>
    addition(
      storedAs(table.table),
      nameKeys(table),
      table === DETAIL
        ? // In this order, which SQLite keeps: a name that few have is found by them.
          `FROM (SELECT shared_names.id AS name_id, part.* FROM shared_names CROSS JOIN payers
             CROSS JOIN ${storedAs("detail_hours")} AS part
           WHERE payers.token_name = shared_names.name AND ${which}
             AND part.day = ${dayOf(bucket)} AND part.payer_id = payers.id AND ${ofBucket}) AS part WHERE TRUE`
        : `FROM ${storedAs(DETAIL.table)} WHERE name_id IN (SELECT id FROM shared_names WHERE ${which}) AND ${ofBucket}`,
    ),
  );
};

/**
 * Finds names that are shared by now, and says since when they are in the tables. A name that no key has is that of lines
 * about accounts.
 */
export const findSharedNames = (since: number): string =>
  `INSERT INTO shared_names (name, since) SELECT token_name, ${since} FROM payers
   WHERE token_name <> '' AND token_name NOT IN (SELECT name FROM shared_names)
   GROUP BY token_name HAVING count(*) >= ${SHARED_BY}`;
