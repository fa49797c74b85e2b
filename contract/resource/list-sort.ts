/** The order of a list: by a column, and the newest first where rows are equal in it. */
export interface ListSort<Column extends string = string> {
  readonly column: Column;
  readonly isDescending: boolean;
}

/**
 * Parses `sort`: a column, with "-" before it for descending order.
 * @returns undefined for a column that is not among `columns`.
 */
export const readListSort = <Column extends string>(
  sort: string,
  columns: readonly Column[],
): ListSort<Column> | undefined => {
  const isDescending = sort.startsWith("-");
  const name = isDescending ? sort.slice(1) : sort;
  const column = columns.find((each) => each === name);
  return column === undefined ? undefined : { column, isDescending };
};
