import type {
  ColumnId,
  OptionColumn,
  OptionTable,
  OptionTablePart,
} from "@tollgate/contract/options/option-tables";
import { formatJson, type JsonNode, readJson } from "./json-text";

/** A row's value in a column: the typed text, or an ordered list. */
export type Cell = string | readonly string[];

/** A typed row of a table. */
export interface TableRow {
  readonly cells: Readonly<Partial<Record<ColumnId, Cell>>>;
  /** The row's source entry: unchanged parts are written back as they were. */
  readonly entry?: JsonNode;
  /** The written names of the source entry, outermost first. */
  readonly names?: readonly string[];
  /** The source entry is in a list of entries with one name. */
  readonly isListed?: boolean;
  /** The properties of the entry without a column. */
  readonly hidden: readonly string[];
}

/** Whether the values of a column are numbers. */
export const isNumberColumn = (
  column: OptionColumn,
): column is Extract<OptionColumn, { kind: "number" | "whole" | "quota" }> =>
  column.kind === "number" || column.kind === "whole" || column.kind === "quota";

type ObjectNode = Extract<JsonNode, { kind: "object" }>;
const EMPTY: ObjectNode = { kind: "object", entries: [] };

/** A text that the columns cannot represent. */
class Unreadable extends Error {}

const entriesOf = (node: JsonNode): ObjectNode["entries"] => {
  if (node.kind !== "object") throw new Unreadable();
  return node.entries;
};

const propertyOf = (node: JsonNode, name: string): JsonNode | undefined =>
  entriesOf(node).find(([each]) => each === name)?.[1];

/** The value of a column in an entry; undefined if missing. */
const valueAt = ({ at = [], isShort }: OptionColumn, entry: JsonNode): JsonNode | undefined => {
  if (entry.kind !== "object") return at.length === 0 || isShort ? entry : undefined;
  return at.reduce<JsonNode | undefined>((node, name) => node && propertyOf(node, name), entry);
};

const textOf = (node: JsonNode): string => {
  if (node.kind !== "text") throw new Unreadable();
  return node.value;
};

const blankCell = (column: OptionColumn): Cell => {
  if (column.kind === "models") return [];
  if (column.kind === "choices") return column.standard;
  return column.kind === "choice" ? (column.choices[0] ?? "") : "";
};

const readCell = (column: OptionColumn, node: JsonNode | undefined): Cell => {
  if (node === undefined) {
    if (column.kind === "choice") throw new Unreadable();
    return blankCell(column);
  }
  switch (column.kind) {
    case "models":
    case "choices": {
      if (node.kind !== "list") throw new Unreadable();
      const items = node.items.map(textOf);
      if (column.kind === "choices" && !items.every((item) => column.choices.some((each) => each === item)))
        throw new Unreadable();
      return items;
    }
    case "choice": {
      const choice = textOf(node);
      if (!column.choices.some((each) => each === choice)) throw new Unreadable();
      return choice;
    }
    case "number":
    case "whole":
    case "quota":
      if (node.kind === "number") return node.raw;
      if (!column.isTextAllowed) throw new Unreadable();
      return textOf(node);
    default:
      return textOf(node);
  }
};

const isValue = (column: OptionColumn): boolean => !column.isName && !("prefixes" in column);

const prefixColumnOf = (part: OptionTablePart) =>
  part.columns.find((column) => column.kind === "choice" && column.prefixes !== undefined);

/** Splits a written name into its choice, if the table puts one before names, and the name itself. */
const readName = (part: OptionTablePart, written: string): { name: string; choice?: string } => {
  const column = prefixColumnOf(part);
  if (column?.kind !== "choice" || !column.prefixes) return { name: written };
  const found = Object.entries(column.prefixes)
    .flatMap(([choice, prefixes]) => prefixes.map((prefix) => ({ choice, prefix })))
    .toSorted((a, b) => b.prefix.length - a.prefix.length)
    .find(({ prefix }) => written.startsWith(prefix));
  if (!found) throw new Unreadable();
  return { name: written.slice(found.prefix.length), choice: found.choice };
};

const hiddenOf = (part: OptionTablePart, entry: JsonNode): string[] => {
  const shown = part.columns.filter(isValue);
  const isFlat = shown.every(({ at = [] }) => at.length === 0);
  if (entry.kind !== "object") {
    if (!isFlat && !shown.some(({ isShort }) => isShort)) throw new Unreadable();
    return [];
  }
  if (isFlat) throw new Unreadable();
  const namesAt = (node: JsonNode | undefined, path: readonly string[]): string[] =>
    node === undefined
      ? []
      : entriesOf(node).flatMap(([name, value]) => {
          const here = [...path, name];
          const under = shown.filter(({ at = [] }) => here.every((each, index) => at[index] === each));
          if (under.length === 0) return [here.join(".")];
          return under.some(({ at = [] }) => at.length === here.length) ? [] : namesAt(value, here);
        });
  return namesAt(entry, []);
};

const readRow = (part: OptionTablePart, names: readonly string[], entry: JsonNode): TableRow => {
  const last = names.at(-1);
  const read = last === undefined ? undefined : readName(part, last);
  const shown = read ? [...names.slice(0, -1), read.name] : names;
  const nameColumns = part.columns.filter(({ isName }) => isName);
  const cells = part.columns.map((column): [ColumnId, Cell] => {
    if (column.isName) return [column.id, shown[nameColumns.indexOf(column)] ?? ""];
    return [column.id, isValue(column) ? readCell(column, valueAt(column, entry)) : (read?.choice ?? "")];
  });
  return { cells: Object.fromEntries(cells), entry, names, hidden: hiddenOf(part, entry) };
};

const readPart = (part: OptionTablePart, node: JsonNode | undefined): TableRow[] => {
  const depth = part.columns.filter(({ isName }) => isName).length;
  const read = (of: JsonNode, names: readonly string[]): TableRow[] => {
    if (names.length < depth) return entriesOf(of).flatMap(([name, value]) => read(value, [...names, name]));
    const isListed = depth === 0 || part.isRepeatable;
    if (isListed && of.kind === "list")
      return of.items.map((item) => ({ ...readRow(part, names, item), isListed: true }));
    if (depth === 0 && !part.isRepeatable) throw new Unreadable();
    return [readRow(part, names, of)];
  };
  return node === undefined ? [] : read(node, []);
};

/** The rows of each part of a text, no rows for an empty text; undefined if tables cannot represent it. */
export const readTable = (table: OptionTable, json: string): TableRow[][] | undefined => {
  if (json.trim() === "") return table.map(() => []);
  const read = readJson(json);
  if ("mistake" in read) return undefined;
  try {
    const isWhole = table.some(({ id }) => id === undefined);
    if (!isWhole && entriesOf(read.node).some(([name]) => table.every(({ id }) => id !== name)))
      return undefined;
    return table.map((part) =>
      readPart(part, part.id === undefined ? read.node : propertyOf(read.node, part.id)),
    );
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
};

const typedIn = (row: TableRow, id: ColumnId): string => {
  const cell = row.cells[id];
  return typeof cell === "string" ? cell.trim() : "";
};

const isSame = (one: Cell | undefined, other: Cell): boolean => JSON.stringify(one) === JSON.stringify(other);

const textNode = (value: string): JsonNode => ({ kind: "text", value, raw: JSON.stringify(value) });

/** The JSON of a list; undefined for the one that a missing property means. @param isNew its entry did not have it. */
const writeList = (column: OptionColumn, cell: readonly string[], isNew: boolean): JsonNode | undefined => {
  const isChoices = column.kind === "choices";
  const chosen = isChoices ? column.choices.filter((each) => cell.includes(each)) : cell;
  const items = chosen.map((item) => item.trim()).filter((item) => item !== "");
  const isStandard = isChoices && isSame(items, column.standard);
  return isNew && isStandard ? undefined : { kind: "list", items: items.map(textNode) };
};

const writeText = (column: OptionColumn, typed: string): JsonNode | undefined => {
  if (isNumberColumn(column)) return typed === "" ? undefined : { kind: "number", raw: typed };
  return typed === "" && (column.at ?? []).length > 0 ? undefined : textNode(typed);
};

/** The JSON of a cell; undefined for an empty one. */
const writeCell = (column: OptionColumn, row: TableRow): JsonNode | undefined => {
  const cell = row.cells[column.id] ?? blankCell(column);
  const before = row.entry && valueAt(column, row.entry);
  if (before && isSame(cell, readCell(column, before))) return before;
  return typeof cell === "string" ? writeText(column, cell.trim()) : writeList(column, cell, !before);
};

/** The object with one property replaced in its position, appended, or removed. */
const withProperty = (
  object: ObjectNode,
  [name = "", ...deeper]: readonly string[],
  value: JsonNode | undefined,
): ObjectNode => {
  const before = object.entries.find(([each]) => each === name)?.[1];
  let next = value;
  if (deeper.length > 0) {
    const inner = withProperty(before?.kind === "object" ? before : EMPTY, deeper, value);
    next = inner.entries.length > 0 || before ? inner : undefined;
  }
  if (next === before) return object;
  if (next === undefined) return { ...object, entries: object.entries.filter(([each]) => each !== name) };
  const written = next;
  return {
    ...object,
    entries: before
      ? object.entries.map(([each, old]) => [each, each === name ? written : old] as const)
      : [...object.entries, [name, written] as const],
  };
};

const writeEntry = (part: OptionTablePart, row: TableRow): JsonNode => {
  const columns = part.columns.filter(isValue);
  const values = columns.map((column) => ({ column, value: writeCell(column, row) }));
  const alone = values.find(({ column }) => column.isShort || (column.at ?? []).length === 0);
  const isObject = row.entry?.kind === "object";
  if (alone?.value && !isObject && values.every((each) => each === alone || each.value === undefined))
    return alone.value;
  return values.reduce<ObjectNode>(
    (object, { column, value }) => withProperty(object, column.at ?? [], value),
    row.entry?.kind === "object" ? row.entry : EMPTY,
  );
};

const writeNames = (part: OptionTablePart, row: TableRow): string[] => {
  const columns = part.columns.filter(({ isName }) => isName);
  const names = columns.map(({ id }) => typedIn(row, id));
  const prefix = prefixColumnOf(part);
  const choice = prefix && typedIn(row, prefix.id);
  const kept = row.names?.at(-1);
  const before = kept === undefined ? undefined : readName(part, kept);
  const last = names.at(-1);
  if (last === undefined) return names;
  const isKept = before?.name === last && before.choice === (prefix ? choice : undefined);
  if (isKept && kept !== undefined) return [...names.slice(0, -1), kept];
  const written =
    prefix?.kind === "choice" && Object.entries(prefix.prefixes ?? {}).find(([each]) => each === choice);
  return [...names.slice(0, -1), `${written ? (written[1][0] ?? "") : ""}${last}`];
};

/** Entries by name, ordered by their first rows. */
const byName = <Row>(rows: readonly Row[], nameOf: (row: Row) => string): [string, Row[]][] => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = nameOf(row);
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return [...groups];
};

const writePart = (part: OptionTablePart, rows: readonly TableRow[]): JsonNode => {
  const named = rows.map((row) => ({ row, names: writeNames(part, row) }));
  const write = (of: typeof named, depth: number): JsonNode => {
    const [first] = of;
    if (first && depth < first.names.length)
      return {
        kind: "object",
        entries: byName(of, ({ names }) => names[depth] ?? "").map(([name, inner]) => [
          name,
          write(inner, depth + 1),
        ]),
      };
    const entries = of.map(({ row }) => writeEntry(part, row));
    const [only] = entries;
    return only && entries.length === 1 && !first?.row.isListed ? only : { kind: "list", items: entries };
  };
  if (named.length > 0) return write(named, 0);
  return part.columns.some(({ isName }) => isName) ? EMPTY : { kind: "list", items: [] };
};

/** The formatted text of these rows. */
export const writeTable = (table: OptionTable, parts: readonly (readonly TableRow[])[]): string => {
  const [whole] = table;
  if (whole && whole.id === undefined) return formatJson(writePart(whole, parts[0] ?? []));
  const entries = table.flatMap(({ id = "" }, index): [string, JsonNode][] => {
    const part = table[index];
    const rows = parts[index] ?? [];
    return part && rows.length > 0 ? [[id, writePart(part, rows)]] : [];
  });
  return formatJson({ kind: "object", entries });
};

export const blankRow = (part: OptionTablePart): TableRow => ({
  cells: Object.fromEntries(
    part.columns.map((column) => [column.id, column.kind === "models" ? [""] : blankCell(column)]),
  ),
  hidden: [],
  ...(part.columns.some(({ isName }) => isName) ? {} : { isListed: true }),
});

/** A cell's mistake, as its locale key. */
export type CellMistake =
  | { key: "jsonTable.mistake.required" | "jsonTable.mistake.twice" | "jsonTable.mistake.number" }
  | { key: "jsonTable.mistake.whole" | "jsonTable.mistake.positive" | "jsonTable.mistake.day" }
  | { key: "jsonTable.mistake.above"; max: number };

/** Whether the day exists, the server checks. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const NUMBER = /^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const mistakeIn = (column: OptionColumn, typed: string): CellMistake | undefined => {
  if (typed === "")
    return column.isName || column.isRequired ? { key: "jsonTable.mistake.required" } : undefined;
  if (column.kind === "day" && !DAY.test(typed)) return { key: "jsonTable.mistake.day" };
  if (!isNumberColumn(column)) return undefined;
  const number = Number(typed);
  if (!NUMBER.test(typed) || !Number.isFinite(number)) return { key: "jsonTable.mistake.number" };
  if (column.kind !== "number" && !Number.isSafeInteger(number)) return { key: "jsonTable.mistake.whole" };
  if (column.isPositive && number === 0) return { key: "jsonTable.mistake.positive" };
  return column.max !== undefined && number > column.max
    ? { key: "jsonTable.mistake.above", max: column.max }
    : undefined;
};

export type RowMistakes = Partial<Record<ColumnId, CellMistake>>;

/** The mistakes of a part's rows, by row index and column. Numbers are compared by value, not by notation. */
export const mistakesOf = (part: OptionTablePart, rows: readonly TableRow[]): RowMistakes[] => {
  const unique = part.columns.filter(({ isName, isUnique }) => isName || isUnique);
  const last = unique.findLast(({ isName }) => isName) ?? unique.at(-1);
  const seen = new Set<string>();
  return rows.map((row) => {
    const found: RowMistakes = {};
    for (const column of part.columns) {
      if (typeof blankCell(column) !== "string") continue;
      const mistake = mistakeIn(column, typedIn(row, column.id));
      if (mistake) found[column.id] = mistake;
    }
    const name = JSON.stringify(
      unique.map(({ id, kind }) => (kind === "number" ? Number(typedIn(row, id)) : typedIn(row, id))),
    );
    if (last && seen.has(name)) found[last.id] ??= { key: "jsonTable.mistake.twice" };
    seen.add(name);
    return found;
  });
};
