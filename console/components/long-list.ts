import type { ComponentProps, Key, ReactNode } from "react";

/** Attributes of a row's element. */
export type LongRowAttributes<Tag extends "tr" | "li"> = ComponentProps<Tag> & { "data-index": number };

/** A list with only its visible rows in the document. */
export interface LongList<Tag extends "tr" | "li"> {
  count: number;
  keyOf: (index: number) => Key;
  /** Renders the row at this index; `attributes` go to its element. */
  row: (index: number, attributes: LongRowAttributes<Tag>) => ReactNode;
  /** Shown after the last row while more may come. */
  end?: ReactNode;
}
