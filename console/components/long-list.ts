import type { ComponentProps, Key, ReactNode } from "react";

/** What a row's element is given. */
export type LongRowAttributes<Tag extends "tr" | "li"> = ComponentProps<Tag> & { "data-index": number };

/** A list of which only the rows in view are in the document. */
export interface LongList<Tag extends "tr" | "li"> {
  count: number;
  keyOf: (index: number) => Key;
  /** Writes the row at this index; `attributes` go to its element. */
  row: (index: number, attributes: LongRowAttributes<Tag>) => ReactNode;
  /** Stands after the last row, while more may come. */
  end?: ReactNode;
}
