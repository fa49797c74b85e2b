import type { ReactNode } from "react";

/** A column of a list: one definition for the table and for a phone's cards. */
export interface Column<Row> {
  id: string;
  label: string;
  /** What stands before the label in the table's head. */
  headMark?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Makes the column sortable, by this value. */
  sortBy?: (row: Row) => number | string;
  /** Numbers stand at the end of their column. */
  isNumber?: boolean;
  /** Where it stands on a phone's card; a labelled line unless said otherwise. */
  card?: "head" | "side" | "foot" | "none";
  /** Shown only where a person has chosen it (lib/use-chosen-columns.ts). */
  isOptional?: true;
  /** What the choice is remembered by, where that is not the id. */
  choice?: string;
  /** Stays in view at the end of a table that is wider than the screen. */
  isPinned?: boolean;
  className?: string;
}

/** Numbers and actions stand at the end of their column. */
export const isAtEnd = ({ isNumber, card }: Pick<Column<never>, "isNumber" | "card">): boolean =>
  isNumber === true || card === "foot";

/** Opaque, because the other columns pass under it; a shadow for its line, because a collapsed border scrolls away. */
export const PINNED =
  "sticky end-0 z-[1] bg-surface group-hover:bg-canvas max-xl:shadow-[inset_1px_0_0_var(--line)]";
