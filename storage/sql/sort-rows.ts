import type { ListSort } from "@tollgate/contract/resource/list-sort";
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";

/** More than any stored number: where rows that have no value, or no end, come after all others. */
export const LAST = Number.MAX_SAFE_INTEGER;

/**
 * Sorts rows, with the newest first among equals: pages then have each row once.
 * @param columns expressions to compare by, for each sortable column; equal rows may be compared further.
 */
const sortRows = <Database, Table extends keyof Database, Row, Column extends string>(
  query: SelectQueryBuilder<Database, Table, Row>,
  sort: ListSort<Column> | undefined,
  columns: Readonly<Record<Column, Expression<unknown>>>,
): SelectQueryBuilder<Database, Table, Row> => {
  const newestFirst = sql.ref("id");
  if (!sort) return query.orderBy(newestFirst, "desc");
  return query.orderBy(columns[sort.column], sort.isDescending ? "desc" : "asc").orderBy(newestFirst, "desc");
};

/**
 * Reads one page of sorted rows. The ids of the page are found first: both engines would otherwise compute the selected values of
 * all rows before the page.
 */
export const readPage = <Database, Table extends keyof Database, Row, Column extends string>(
  query: SelectQueryBuilder<Database, Table, Row>,
  sort: ListSort<Column> | undefined,
  columns: Readonly<Record<Column, Expression<unknown>>>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Row[]> => {
  const bare = query.clearSelect().select(sql.ref<number>("id").as("id"));
  const ids = sortRows(bare, sort, columns).offset(offset).limit(limit);
  return sortRows(query.where(sql<SqlBool>`id IN ${ids}`), sort, columns).execute() as Promise<Row[]>;
};

/** Columns that rows are compared by as they are stored, under their own names. */
export const storedColumns = <Column extends string>(
  names: readonly Column[],
): Readonly<Record<Column, Expression<unknown>>> => {
  const columns: Partial<Record<Column, Expression<unknown>>> = {};
  for (const name of names) columns[name] = sql.ref(name);
  return columns as Record<Column, Expression<unknown>>;
};

/** The name that the user of a column has now, compared as `nameColumn` compares; "" where there is no such user. */
export const userNameColumn = (column: string): Expression<string> =>
  sql<string>`coalesce((SELECT lower(username) FROM users WHERE users.id = ${sql.ref(column)}), '')`;

/** A column of names: letters of ASCII count the same in either case. */
export const nameColumn = (name: string): Expression<string> => sql<string>`lower(${sql.ref(name)})`;
