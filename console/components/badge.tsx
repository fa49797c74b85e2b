import { clsx } from "clsx";
import type { ReactNode } from "react";

export type Tone = "green" | "olive" | "yellow" | "red" | "grey";

const DOT: Record<Tone, string> = {
  green: "bg-green",
  olive: "bg-olive",
  yellow: "bg-yellow",
  red: "bg-red",
  grey: "bg-ink-3",
};

const SOFT: Record<Tone, string> = {
  green: "bg-green-soft text-green",
  olive: "bg-sunken text-olive",
  yellow: "bg-yellow-soft text-yellow",
  red: "bg-red-soft text-red",
  grey: "bg-sunken text-ink-2",
};

/** The text colour of each tone. */
export const TONE_TEXT: Record<Tone, string> = {
  green: "text-green",
  olive: "text-olive",
  yellow: "text-yellow",
  red: "text-red",
  grey: "text-ink-3",
};

/** A state: a coloured dot and its name. */
export const StateMark = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className="flex items-center gap-1.5 whitespace-nowrap">
    <span aria-hidden className={clsx("size-[7px] shrink-0 rounded-full", DOT[tone])} />
    {children}
  </span>
);

/** A small filled label. */
export const Badge = ({ tone = "grey", children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={clsx(
      "inline-flex h-[22px] items-center whitespace-nowrap rounded-sm px-1.5 font-medium text-xs",
      SOFT[tone],
    )}
  >
    {children}
  </span>
);
