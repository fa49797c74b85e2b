import "./chart.css";
import { useSyncExternalStore } from "react";

/**
 * The colours of groups side by side, as names of CSS variables: told apart with every kind of colour blindness, and
 * as far apart as that allows (app/palette.test.ts).
 */
export const GROUP_COLORS = [
  "--chart-1",
  "--chart-2",
  "--chart-3",
  "--chart-4",
  "--chart-5",
  "--chart-6",
] as const;

/** All that is too small for a colour of its own. */
export const OTHER_COLOR = "--chart-other";

/** Requests that failed. */
export const ERROR_COLOR = "--chart-error";

export type ChartColor = (typeof GROUP_COLORS)[number] | typeof OTHER_COLOR | typeof ERROR_COLOR;

/** FNV-1a, which spreads names that differ in one character. */
const hashOf = (name: string): number => {
  let hash = 0x811c9dc5;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
};

/**
 * The colours of groups in one chart, by their names: a model has the same colour on every page and in every range. Where
 * two want the same, the larger one has it and the other takes the next free one.
 * @param names the groups, the largest first; those beyond the colours get that of the rest.
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

/** The theme that is shown, for what is drawn with resolved colours and must be drawn again when they change. */
export const useShownTheme = (): string =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme ?? "light");
