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

/** The colour of the group at this rank, from 0. */
export const groupColor = (rank: number): ChartColor => GROUP_COLORS[rank] ?? OTHER_COLOR;

const subscribe = (listener: () => void) => {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
};

/** The theme that is shown, for what is drawn with resolved colours and must be drawn again when they change. */
export const useShownTheme = (): string =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme ?? "light");
