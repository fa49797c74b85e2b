/*
 * The keys that hold on every page, outside of fields: what listens to them (shortcuts.tsx, and early-keys.tsx before that), the window that
 * explains them and the hints of the command menu follow this file. The letters of the sections stand with them (navigation.ts).
 */

/** Followed by the letter of a section, leads to it. */
export const GO = "g";
/** Searches the list that is shown. */
export const SEARCH = "/";
/** Shows the keys. */
export const HELP = "?";
/** With Ctrl or ⌘, opens the command menu. */
export const MENU = "k";

/** Within this time the letter follows `g`. */
export const GO_MS = 1500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Whether a key opens the command menu, in fields as well. */
export const isMenuKey = ({ metaKey, ctrlKey, key }: KeyboardEvent): boolean =>
  (metaKey || ctrlKey) && key.toLowerCase() === MENU;

/** Whether a key may be a shortcut: it is not typed into a field. */
export const isPlainKey = ({ metaKey, ctrlKey, altKey, target }: KeyboardEvent): boolean =>
  !metaKey && !ctrlKey && !altKey && !isTyping(target);

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

export const menuKeys = (): readonly string[] => [isApple() ? "⌘" : "Ctrl", MENU.toUpperCase()];
