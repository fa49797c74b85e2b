import "./chart.css";
import { useSyncExternalStore } from "react";

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

/**
 * Colours of groups in one chart, by name: a model has the same colour on every page and in every range. If two groups
 * hash to one colour, the larger keeps it and the other takes the next free one.
 * @param names the groups, largest first; those beyond the colours get the colour of the rest.
 */
export const groupColors = (names: readonly string[]): ReadonlyMap<string, ChartColor> => {
  const colors = new Map<string, ChartColor>();
  const free = new Set<ChartColor>(GROUP_COLORS);
  for (const name of names) {
    if (colors.has(name)) continue;
    const first = hashOf(name) % GROUP_COLORS.length;
    const color = [...GROUP_COLORS.slice(first), ...GROUP_COLORS.slice(0, first)].find((each) =>
      free.has(each),
    );
    if (color) free.delete(color);
    colors.set(name, color ?? OTHER_COLOR);
  }
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
