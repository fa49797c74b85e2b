import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { readStored, subscribeStored, writeStored } from "./local-store";
import { useSession } from "./session";

/** Maximum of saved views per list. */
export const MAX_VIEWS = 20;
export const MAX_VIEW_NAME = 60;
const MAX_SEARCH = 2000;

/** A saved state of a list, with a name. */
export interface SavedView {
  name: string;
  /** The list's address. */
  path: string;
  /** Its filters, order and page size, as in the address; "" for none. */
  search: string;
}

/** Storage can contain anything: a view must lead to a page of this console. */
const storedSchema = z.array(
  z.object({
    name: z.string().check(z.minLength(1), z.maxLength(MAX_VIEW_NAME)),
    path: z.string().check(z.regex(/^\/\w[\w/-]*$/)),
    search: z.string().check(z.regex(/^(\?.*)?$/), z.maxLength(MAX_SEARCH)),
  }),
);

/** Reads the stored views. An invalid value counts as an empty list. */
export const parseViews = (stored: string): SavedView[] => {
  return storedSchema.safeParse(tryParseJson(stored)).data ?? [];
};

/** The part of a list's address that a view keeps: without page number and opened receipt. */
export const viewSearch = (search: string): string => {
  const parameters = new URLSearchParams(search);
  for (const name of ["page", "receipt"]) parameters.delete(name);
  const written = parameters.toString();
  return written === "" ? "" : `?${written}`;
};

const isSame = (a: SavedView, b: SavedView): boolean => a.path === b.path && a.name === b.name;

/** Views that this user has saved in this browser. */
export const useSavedViews = () => {
  const { user } = useSession();
  const key = `views_${user?.id ?? 0}`;
  const stored = useSyncExternalStore(subscribeStored, () => readStored(key) ?? "[]");
  const views = parseViews(stored);
  const keep = (next: readonly SavedView[]) =>
    writeStored(key, next.length === 0 ? undefined : JSON.stringify(next));
  return {
    views,
    /** Saves a view, replacing one with the same name. @returns false if the list has `MAX_VIEWS` already */
    save: (view: SavedView): boolean => {
      const others = views.filter((each) => !isSame(each, view));
      if (others.filter(({ path }) => path === view.path).length >= MAX_VIEWS) return false;
      if (view.search.length > MAX_SEARCH) return false;
      keep([...others, view]);
      return true;
    },
    /** @returns false where another view of the list has this name */
    rename: (view: SavedView, name: string): boolean => {
      const renamed = { ...view, name };
      if (views.some((each) => isSame(each, renamed))) return false;
      keep(views.map((each) => (isSame(each, view) ? renamed : each)));
      return true;
    },
    remove: (view: SavedView) => keep(views.filter((each) => !isSame(each, view))),
  };
};
