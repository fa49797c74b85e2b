import { useEffect } from "react";

/** The rows of the page that each list showed last, by their names for pages of one row. */
const lastRows = new Map<string, readonly string[]>();

/** Keeps which rows a list shows, and in which order. */
export const useListRows = (list: string, ids: readonly string[]): void => {
  // The outside system is the memory that outlives the page.
  useEffect(() => {
    lastRows.set(list, ids);
  });
};

/** The rows before and after one in the list that was shown last; none for a page that was opened by its address. */
export const neighboursOf = (list: string, id: string): { previous?: string; next?: string } => {
  const ids = lastRows.get(list) ?? [];
  const at = ids.indexOf(id);
  const [previous, next] = at === -1 ? [] : [ids[at - 1], ids[at + 1]];
  return { ...(previous === undefined ? {} : { previous }), ...(next === undefined ? {} : { next }) };
};
