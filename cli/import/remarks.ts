import type { SourceTable } from "./source-rows";
import type { ImportTexts } from "./texts";

/** Remark on a row: its text is in `remarks` of cli/locales. Values are never secrets. */
export type RemarkCode = keyof ImportTexts["remarks"];

/** Effect on rows: changed, left out, or imported with a note for the operator. */
export type RemarkEffect = "changed" | "left-out" | "noted";

export type RemarkValues = Readonly<Record<string, string | number>>;

export interface Remark {
  table: SourceTable;
  effect: RemarkEffect;
  code: RemarkCode;
  /** Of the row, or the key of an option. */
  id: number | string;
  /** Values of the text: a name, an amount before and after. */
  values: RemarkValues;
}
