/*
 * The shortcuts on every page, outside fields. Their listeners (shortcuts.tsx, and early-keys.tsx before that), the
 * help window and the hints in the command menu use this file. The sections' letters are in navigation.ts.
 */

/** Followed by a section's letter, opens the section. */
export const GO = "g";
/** Focuses the search of the shown list. */
export const SEARCH = "/";
/** Opens the help window. */
export const HELP = "?";
/** With Ctrl or ⌘, opens the command menu. */
export const MENU = "k";

/** Time limit for the letter after `g`. */
export const GO_MS = 1500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Whether a key opens the command menu, in fields as well. */
export const isMenuKey = ({ metaKey, ctrlKey, key }: KeyboardEvent): boolean =>
  (metaKey || ctrlKey) && key.toLowerCase() === MENU;

/** Whether a key may be a shortcut: not typed into a field. */
export const isPlainKey = ({ metaKey, ctrlKey, altKey, target }: KeyboardEvent): boolean =>
  !metaKey && !ctrlKey && !altKey && !isTyping(target);

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

export const menuKeys = (): readonly string[] => [isApple() ? "⌘" : "Ctrl", MENU.toUpperCase()];
