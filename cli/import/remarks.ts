import type { SourceTable } from "./source-rows";

/**
 * What is said of rows of the source. `{name}` stands for a value of the remark; values are never secrets. Each is said in both
 * languages, after the name of the table and before the ids of the rows.
 */
export const REMARK_TEXTS = {} as const satisfies Readonly<Record<string, { en: string; zh: string }>>;

export type RemarkCode = keyof typeof REMARK_TEXTS;

/**
 * What became of rows: taken over otherwise than they were, left out, or taken over with something that a person should know.
 */
export type RemarkEffect = "changed" | "left-out" | "noted";

export interface Remark {
  table: SourceTable;
  effect: RemarkEffect;
  code: RemarkCode;
  /** Of the row, or the key of an option. */
  id: number | string;
  /** What the text names: a name, an amount before and after. */
  values: Readonly<Record<string, string | number>>;
}
