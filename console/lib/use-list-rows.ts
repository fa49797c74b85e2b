import { useEffect } from "react";

/** The rows on the last shown page of each list, by list name, for single-row pages. */
const lastRows = new Map<string, readonly string[]>();

/** Stores the shown rows of a list and their order. */
export const useListRows = (list: string, ids: readonly string[]): void => {
  // An effect, because the memory outlives the page.
  useEffect(() => {
    lastRows.set(list, ids);
  });
};

/** The rows before and after one in the last shown list; empty for a page opened by its address. */
export const neighboursOf = (list: string, id: string): { previous?: string; next?: string } => {
  const ids = lastRows.get(list) ?? [];
  const at = ids.indexOf(id);
  const [previous, next] = at === -1 ? [] : [ids[at - 1], ids[at + 1]];
  return { ...(previous === undefined ? {} : { previous }), ...(next === undefined ? {} : { next }) };
};
