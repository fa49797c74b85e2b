import type { SourceTable } from "./source-rows";
import type { ImportTexts } from "./texts";

/** What is said of a row: its text is in `remarks` of cli/locales. Values are never secrets. */
export type RemarkCode = keyof ImportTexts["remarks"];

/**
 * What became of rows: taken over otherwise than they were, left out, or taken over with something that a person should know.
 */
export type RemarkEffect = "changed" | "left-out" | "noted";

export type RemarkValues = Readonly<Record<string, string | number>>;

export interface Remark {
  table: SourceTable;
  effect: RemarkEffect;
  code: RemarkCode;
  /** Of the row, or the key of an option. */
  id: number | string;
  /** What the text names: a name, an amount before and after. */
  values: RemarkValues;
}
