/**
 * How a column of a list is narrowed: rows have this number in it, this text, this entry among those of its comma list,
 * or an id among these, separated by commas.
 */
export type FilterKind = "number" | "text" | "entry" | "ids";

/** The columns by which a list can be narrowed, under their names on the wire. */
export type FilterKinds<Column extends string = string> = Readonly<Record<Column, FilterKind>>;

/** Filter of a list: rows that have all of these values. */
export type ListFilter<Column extends string = string> = { readonly [Name in Column]?: number | string };

const NUMBER = /^\d{1,9}$/;

/** Maximum of ids in a filter. */
export const MAX_FILTER_IDS = 100;
const IDS = new RegExp(`^\\d{1,9}(,\\d{1,9}){0,${MAX_FILTER_IDS - 1}}$`);

/**
 * Reads the filters of a query or an address; "" is no filter.
 * @returns the filter, and the columns of numbers and ids without a value.
 */
export const readListFilter = <Column extends string>(
  query: Readonly<Record<string, unknown>>,
  kinds: FilterKinds<Column>,
): { filter: ListFilter<Column>; unfit: Column[] } => {
  const filter: { [Name in Column]?: number | string } = {};
  const unfit: Column[] = [];
  for (const column of Object.keys(kinds) as Column[]) {
    const value = query[column];
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text !== "string" || text === "") continue;
    if (kinds[column] === "ids") {
      if (IDS.test(text)) filter[column] = text;
      else unfit.push(column);
    } else if (kinds[column] !== "number") filter[column] = text;
    else if (NUMBER.test(text)) filter[column] = Number(text);
    else unfit.push(column);
  }
  return { filter, unfit };
};

/** Whether a filter leaves rows out. */
export const isNarrowed = (filter: ListFilter): boolean => Object.keys(filter).length > 0;
