import type { ReactNode } from "react";

/** A column of a list: one definition for the table and for a phone's cards. */
export interface Column<Row> {
  id: string;
  label: string;
  /** Shown before the label in the table's header. */
  headMark?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable, by this value. */
  sortBy?: (row: Row) => number | string;
  /** Told at the head of a sortable column: when it can be sorted. */
  sortNote?: string | undefined;
  /** Aligns numbers at the end of their column. */
  isNumber?: boolean;
  /** Position on a phone's card; by default a labelled line. */
  card?: "head" | "side" | "foot" | "none";
  /** Shown only if the user has chosen it (lib/use-chosen-columns.ts). */
  isOptional?: true;
  /** Name of the stored choice; the id by default. */
  choice?: string;
  /** Stays visible at the end of a table wider than the screen. */
  isPinned?: boolean;
  className?: string;
}

/** Numbers and actions are aligned at the end of their column. */
export const isAtEnd = ({ isNumber, card }: Pick<Column<never>, "isNumber" | "card">): boolean =>
  isNumber === true || card === "foot";

/** Opaque, because the other columns scroll under it; a shadow as its line, because a collapsed border scrolls away. */
export const PINNED =
  "sticky end-0 z-[1] bg-surface group-hover:bg-canvas max-xl:shadow-[inset_1px_0_0_var(--line)]";
