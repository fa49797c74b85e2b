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

type ReadValue = (value: string | number, odd: (code: Odd) => unknown) => unknown;

const readNumber: ReadValue = (value, odd) => {
  const whole = value === "" ? undefined : readWhole(value);
  if (whole === undefined && value !== "") odd("cell-unreadable");
  return whole;
};

const readText = (value: string | number, odd: (code: Odd) => unknown): string => {
  const text = String(value);
  const plain = NOT_TEXT.test(text) ? text.replaceAll("\0", "\uFFFD") : text;
  if (plain !== text || plain.includes("\uFFFD")) odd("cell-not-text");
  return plain;
};

/** Readers of values by the kind of their column; `odd` receives values that the column cannot hold. */
const READERS: Readonly<Record<Kind, ReadValue>> = {
  id: readNumber,
  whole: readNumber,
  text: readText,
  padded: (value, odd) => readText(value, odd).trim(),
  real: (value, odd) => {
    const number = value === "" ? Number.NaN : Number(value);
    if (Number.isFinite(number)) return number;
    odd("cell-unreadable");
    return undefined;
  },
  flag: (value, odd) => {
    if (YES.has(value)) return true;
    if (!NO.has(value)) odd("cell-unreadable");
    return false;
  },
};

/** The columns of a table that are read, among those that it has. */
export const readColumns = (table: SourceTable, present: readonly string[]): string[] =>
  [...fatesOf(table)]
    .filter(([column, { kind }]) => kind !== undefined && present.includes(column))
    .map(([column]) => column);

/** Values that say nothing, in columns of any kind. */
const NEUTRAL = new Set<unknown>([undefined, "", 0, 0n, false, "{}", "[]", "null"]);

const isName = (table: SourceTable, name: unknown): name is number | string =>
  table === "options" ? typeof name === "string" : typeof name === "number" && name > 0 && name <= HIGHEST_ID;

/**
 * Reads the rows of a table.
 * @param columns in the order of the values.
 * @param remarks receives odd values.
 * @returns undefined for a row with an invalid id.
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
    const odd: { column: string; code: Odd | "cell-cut" }[] = [];
    const left: string[] = [];
    for (const [i, { column, kind, isReported }] of plan.entries()) {
      const value = values[i];
      if (value === null || value === undefined) continue;
      const read = READERS[kind](value, (code) => odd.push({ column, code }));
      if (!isReported) row[column] = read;
      else if (!NEUTRAL.has(read)) left.push(column);
      if (typeof value === "string" && value.length >= longest) odd.push({ column, code: "cell-cut" });
    }
    const name = row[nameColumn];
    if (!isName(table, name)) {
      remarks.add("left-out", "id-invalid", String(name ?? ""));
      return undefined;
    }
    for (const { column, code } of odd)
      remarks.add("changed", code, name, code === "cell-cut" ? { column, longest } : { column });
    for (const column of left) remarks.add("noted", "column-left", name, { column });
    return row as unknown as SourceRows[Table];
  };
};
