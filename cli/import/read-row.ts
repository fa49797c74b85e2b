import type { SourceValue } from "@tollgate/storage/sources/source-database";
import { fatesOf, type Kind, type SourceRows, type SourceTable } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** Of a longer text only so many characters are read, of lines of the log and of everything else. */
export const LONGEST_OF_LINES = 10_000;
export const LONGEST = 4_000_000;

/** Beyond that no id would be left that JavaScript tells from the next one: two newcomers would be one account. */
const HIGHEST_ID = 2 ** 52;

type Odd = "cell-unreadable" | "cell-not-text";

const YES = new Set<SourceValue>([1, "1", "t", "true"]);
const NO = new Set<SourceValue>([0, "0", "f", "false", ""]);

const readWhole = (value: string | number): number | bigint | undefined => {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  const text = value.trim();
  // A whole number, also as a decimal writes it.
  const digits = /^([+-]?\d{1,30})(?:\.0*)?$/.exec(text)?.[1];
  if (digits === undefined) return YES.has(text) ? 1 : NO.has(text) ? 0 : undefined;
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
};

const NOT_TEXT = /[\0\uFFFD]/;

/** @param odd told of what a column cannot hold. */
const readValue = (kind: Kind, value: string | number, odd: (code: Odd) => void): unknown => {
  switch (kind) {
    case "id":
    case "whole": {
      const whole = value === "" ? undefined : readWhole(value);
      if (whole === undefined && value !== "") odd("cell-unreadable");
      return whole;
    }
    case "text":
    case "padded": {
      const text = String(value);
      const plain = NOT_TEXT.test(text) ? text.replaceAll("\0", "\uFFFD") : text;
      if (plain !== text || plain.includes("\uFFFD")) odd("cell-not-text");
      return kind === "padded" ? plain.trim() : plain;
    }
    case "real": {
      const number = value === "" ? Number.NaN : Number(value);
      if (Number.isFinite(number)) return number;
      odd("cell-unreadable");
      return undefined;
    }
    case "flag": {
      if (YES.has(value)) return true;
      if (!NO.has(value)) odd("cell-unreadable");
      return false;
    }
  }
};

/** The columns of a table that are read, among those that it has. */
export const readColumns = (table: SourceTable, present: readonly string[]): string[] =>
  [...fatesOf(table)]
    .filter(([column, { kind }]) => kind !== undefined && present.includes(column))
    .map(([column]) => column);

/** Values that say nothing, in columns of any kind. */
const NEUTRAL = new Set<unknown>([undefined, "", 0, 0n, false, "{}", "[]", "null"]);

/**
 * Reads the rows of a table.
 * @param columns in the order of the values.
 * @param remarks told of odd values.
 * @returns undefined for a row whose id is none.
 */
export const rowReader = <Table extends SourceTable>(
  table: Table,
  columns: readonly string[],
  longest: number,
  remarks: TableRemarks,
): ((values: readonly SourceValue[]) => SourceRows[Table] | undefined) => {
  const fates = fatesOf(table);
  const plan = columns.flatMap((column): { column: string; kind: Kind; isReported: boolean }[] => {
    const fate = fates.get(column);
    return fate?.kind === undefined ? [] : [{ column, kind: fate.kind, isReported: fate.isReported }];
  });
  const nameColumn = table === "options" ? "key" : "id";
  return (values) => {
    const row: Record<string, unknown> = {};
    let odd: { column: string; code: Odd | "cell-cut" }[] | undefined;
    let left: string[] | undefined;
    for (let i = 0; i < plan.length; i += 1) {
      const value = values[i];
      const { column, kind, isReported } = plan[i] as (typeof plan)[number];
      if (value === null || value === undefined) continue;
      const read = readValue(kind, value, (code) => {
        odd = [...(odd ?? []), { column, code }];
      });
      if (!isReported) row[column] = read;
      else if (!NEUTRAL.has(read)) left = [...(left ?? []), column];
      if (typeof value === "string" && value.length >= longest)
        odd = [...(odd ?? []), { column, code: "cell-cut" }];
    }
    const name = row[nameColumn];
    const isNamed =
      nameColumn === "key"
        ? typeof name === "string"
        : typeof name === "number" && name > 0 && name <= HIGHEST_ID;
    if (!isNamed) {
      remarks.add("left-out", "id-invalid", String(name ?? ""));
      return undefined;
    }
    for (const { column, code } of odd ?? [])
      remarks.add(
        "changed",
        code,
        name as number | string,
        code === "cell-cut" ? { column, longest } : { column },
      );
    for (const column of left ?? []) remarks.add("noted", "column-left", name as number | string, { column });
    return row as unknown as SourceRows[Table];
  };
};
