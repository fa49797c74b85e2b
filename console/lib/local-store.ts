import { tryParseJson } from "@tollgate/contract/values/parse-json";

/*
 * Local storage that never throws (it may be forbidden or full) and notifies its readers of changes. The keys are the
 * specification's: user, status, system_name, logo, footer_html, quota_per_unit, display_in_currency, chat_link,
 * notice, home_page_content, about, aff, prompt-<name>; ours: theme, language, chart_colors, connect_program, announcements_read_<user>,
 * views_<user>, playground_<user>, display_currency.
 */

type Listener = (inOtherTab?: StorageEvent) => void;

const listeners = new Set<Listener>();

const announce = () => {
  for (const listener of listeners) listener();
};

/** The stored text, or undefined if missing. */
export const readStored = (key: string): string | undefined => {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Stores a text; undefined removes the key. */
export const writeStored = (key: string, value: string | undefined): void => {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Forbidden or full: the page works without stored values.
  }
  announce();
};

/** Reads stored JSON; undefined if missing or damaged. */
export const readStoredJson = (key: string): unknown => {
  const text = readStored(key);
  if (text === undefined) return undefined;
  return tryParseJson(text);
};

/** For useSyncExternalStore: calls back on every change, in this tab or, with its event, in another. */
export const subscribeStored = (listener: Listener): (() => void) => {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
};
