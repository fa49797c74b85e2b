import "./chart.css";
import { useSyncExternalStore } from "react";
import { readStoredJson, writeStored } from "../../lib/local-store";

/**
 * Colours of adjacent groups, as names of CSS variables: distinguishable with every kind of colour blindness, and as
 * different as that allows (app/palette.test.ts).
 */
export const GROUP_COLORS = [
  "--chart-1",
  "--chart-2",
  "--chart-3",
  "--chart-4",
  "--chart-5",
  "--chart-6",
] as const;

/** Colour of all groups too small for their own. */
export const OTHER_COLOR = "--chart-other";

/** Failed requests. */
export const ERROR_COLOR = "--chart-error";

export type ChartColor = (typeof GROUP_COLORS)[number] | typeof OTHER_COLOR | typeof ERROR_COLOR;

/** FNV-1a hash, which separates names that differ in one character. */
const hashOf = (name: string): number => {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
};

type GroupColor = (typeof GROUP_COLORS)[number];

const STORED = "chart_colors";
/** Names with a stored colour; beyond, the oldest one is dropped. */
const MAX_NAMES = 200;

/** The colours that this browser has shown names in, the oldest first. */
let shown: Map<string, GroupColor> | undefined;

const readShown = (): Map<string, GroupColor> => {
  const stored = readStoredJson(STORED);
  const entries = typeof stored === "object" && stored !== null ? Object.entries(stored) : [];
  return new Map(
    entries.flatMap(([name, stored]) => {
      const color = GROUP_COLORS.find((each) => each === stored);
      return color ? [[name, color] as const] : [];
    }),
  );
};

const keep = (colors: Map<string, GroupColor>, name: string, color: GroupColor): void => {
  colors.set(name, color);
  const [oldest] = colors.keys();
  if (colors.size > MAX_NAMES && oldest !== undefined) colors.delete(oldest);
  // Not while a page is drawn: readers of the store would draw again.
  queueMicrotask(() => writeStored(STORED, JSON.stringify(Object.fromEntries(colors))));
};

/** The free colour that the fewest names have; the name's hash decides between equals. */
const rarestOf = (
  free: ReadonlySet<GroupColor>,
  taken: Iterable<GroupColor>,
  name: string,
): GroupColor | undefined => {
  const uses = new Map<GroupColor, number>();
  for (const color of taken) uses.set(color, (uses.get(color) ?? 0) + 1);
  const first = hashOf(name) % GROUP_COLORS.length;
  return [...GROUP_COLORS.slice(first), ...GROUP_COLORS.slice(0, first)]
    .filter((color) => free.has(color))
    .sort((a, b) => (uses.get(a) ?? 0) - (uses.get(b) ?? 0))[0];
};

/**
 * Colours of groups in one chart, by name: the browser keeps them, so that a model has the same colour on every page and
 * in every range. There are six colours: a seventh name shares one. If two groups of a chart share a colour, the larger
 * keeps it, and the other moves to a free one on every page.
 * @param names the groups, largest first; those beyond the colours get the colour of the rest.
 */
export const groupColors = (names: readonly string[]): ReadonlyMap<string, ChartColor> => {
  shown ??= readShown();
  const colors = new Map<string, ChartColor>();
  const free = new Set<GroupColor>(GROUP_COLORS);
  const largest = [...new Set(names)].slice(0, GROUP_COLORS.length);
  for (const name of largest) {
    const color = shown.get(name);
    if (color && free.delete(color)) colors.set(name, color);
  }
  for (const name of largest) {
    if (colors.has(name)) continue;
    const color = rarestOf(free, shown.values(), name);
    if (!color) continue;
    free.delete(color);
    colors.set(name, color);
    keep(shown, name, color);
  }
  for (const name of names) if (!colors.has(name)) colors.set(name, OTHER_COLOR);
  return colors;
};

const subscribe = (listener: () => void) => {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
};

/** The current theme, for drawings with resolved colours, which must be redrawn when it changes. */
export const useShownTheme = (): string =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme ?? "light");
