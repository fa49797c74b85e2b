import type { FilterKinds, ListFilter } from "@tollgate/contract/resource/list-filter";
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";

/** Whether a stored comma list has an entry, to the letter: LIKE would not tell letters of either case apart on SQLite. */
export const hasEntry = (column: string, entry: string): RawBuilder<SqlBool> => {
  const list = sql`',' || ${sql.ref(column)} || ','`;
  return sql<SqlBool>`replace(${list}, ${`,${entry},`}, '') <> ${list}`;
};

/**
 * Leaves the rows that have all values of a filter, compared exactly.
 * @param kinds how the columns are compared; they are stored under these names.
 */
export const filterRows = <Database, Table extends keyof Database, Row, Column extends string>(
  query: SelectQueryBuilder<Database, Table, Row>,
  filter: ListFilter<Column>,
  kinds: FilterKinds<Column>,
): SelectQueryBuilder<Database, Table, Row> => {
  let left = query;
  for (const column of Object.keys(filter) as Column[]) {
    const value = filter[column];
    if (value === undefined) continue;
    if (kinds[column] === "ids") {
      const ids = String(value).split(",").map(Number);
      left = left.where(sql<SqlBool>`id IN (${sql.join(ids)})`);
    } else if (kinds[column] !== "entry") left = left.where(sql<SqlBool>`${sql.ref(column)} = ${value}`);
    // No entry has a comma.
    else if (String(value).includes(",")) left = left.where(sql<SqlBool>`1 = 0`);
    else left = left.where(hasEntry(column, String(value)));
  }
  return left;
};
