import { parseGroupUsableGroups, parseUsableGroups } from "@tollgate/contract/management/group";
import { parseGroupRouting, ROUTING_STRATEGIES } from "@tollgate/contract/management/group-routing";
import {
  FALLBACK_CAUSES,
  MAX_FALLBACKS,
  parseModelFallbacks,
  USUAL_CAUSES,
} from "@tollgate/contract/management/model-fallbacks";
import type { JsonFormat } from "@tollgate/contract/options/option-entry";
import { parsePaymentOffers } from "@tollgate/contract/payments/payment-offers";

/** A row of a table as it is typed; lists have their order. */
export type TableRow = Readonly<Record<string, string | readonly string[]>>;

interface TextColumn {
  kind: "text" | "group" | "model" | "number";
  /** Nothing may be missing here. */
  isRequired?: true;
}
interface ListColumn {
  kind: "models";
  most: number;
}
interface ChoiceColumn<Choice extends string> {
  kind: "choice" | "choices";
  choices: readonly Choice[];
}

const OFFERS = ["added", "removed"] as const;

/** What a choice of a table may be; each has a text `optionTable.choice.<name>`. */
export type TableChoice =
  | (typeof ROUTING_STRATEGIES)[number]
  | (typeof FALLBACK_CAUSES)[number]
  | (typeof OFFERS)[number];

export type TableColumn = { id: ColumnId } & (TextColumn | ListColumn | ChoiceColumn<TableChoice>);

/** Each has a text `optionTable.column.<name>`. */
export type ColumnId =
  | "model"
  | "models"
  | "on"
  | "group"
  | "strategy"
  | "description"
  | "userGroup"
  | "offer"
  | "ratio"
  | "usd"
  | "bonus"
  | "from"
  | "factor";

/** Each has texts `optionTable.empty.<name>` and `optionTable.add.<name>`. */
export type PartId =
  | "fallbacks"
  | "routing"
  | "usable"
  | "usableOf"
  | "ratios"
  | "packages"
  | "discounts"
  | "groups";

export interface TablePart {
  id: PartId;
  columns: readonly TableColumn[];
  /** What names a row: no two rows have the same. */
  names: readonly ColumnId[];
  blank: TableRow;
}

/** An option of JSON that can be edited as one or several tables. */
export interface OptionTable {
  /** There is a text `optionTable.hint.<name>`. */
  hint: "fallbacks" | "routing" | "usable" | "usableOf" | "ratios" | "offers";
  parts: readonly TablePart[];
  /** Where a text of JSON is wrong; undefined where it can be used. */
  faultOf(json: string): string | undefined;
  /** The rows of each part of a text that can be used. */
  read(value: Record<string, unknown>): TableRow[][];
  /** The value of these rows. */
  write(parts: readonly (readonly TableRow[])[]): object;
}

const text = (row: TableRow, id: ColumnId): string => {
  const cell = row[id];
  return typeof cell === "string" ? cell.trim() : "";
};

const list = (row: TableRow, id: ColumnId): string[] => {
  const cell = row[id];
  return typeof cell === "object" ? cell.map((each) => each.trim()).filter((each) => each !== "") : [];
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (value === undefined ? "" : String(value));
const textsOf = (value: unknown): string[] => listOf(value).map(String);

/** A number as JSON has it, where it loses no digit so. */
const numberOf = (typed: string): number | string =>
  String(Number(typed)) === typed ? Number(typed) : typed;

const faultOf =
  (parse: (text: string) => object) =>
  (json: string): string | undefined => {
    const parsed = parse(json);
    return "fault" in parsed ? String(parsed.fault) || "JSON" : undefined;
  };

/** Rows of two names and a value, as an object of objects. */
const nested = (
  rows: readonly TableRow[],
  outer: ColumnId,
  inner: (row: TableRow) => readonly [name: string, value: unknown],
): object => {
  const tables = new Map<string, [string, unknown][]>();
  for (const row of rows) {
    const name = text(row, outer);
    tables.set(name, [...(tables.get(name) ?? []), [...inner(row)]]);
  }
  return Object.fromEntries([...tables].map(([name, entries]) => [name, Object.fromEntries(entries)]));
};

const isUsual = (on: readonly string[]): boolean =>
  on.length === USUAL_CAUSES.length && USUAL_CAUSES.every((cause) => on.includes(cause));

const fallbacks: OptionTable = {
  hint: "fallbacks",
  parts: [
    {
      id: "fallbacks",
      columns: [
        { id: "model", kind: "model", isRequired: true },
        { id: "models", kind: "models", most: MAX_FALLBACKS },
        { id: "on", kind: "choices", choices: FALLBACK_CAUSES },
      ],
      names: ["model"],
      blank: { model: "", models: [""], on: USUAL_CAUSES },
    },
  ],
  faultOf: faultOf(parseModelFallbacks),
  read: (value) => [
    Object.entries(value).map(([model, written]) => ({
      model,
      models: textsOf(isObject(written) ? written.models : written),
      on: isObject(written) && written.on !== undefined ? textsOf(written.on) : USUAL_CAUSES,
    })),
  ],
  write: ([rows = []]) =>
    Object.fromEntries(
      rows.map((row) => {
        const models = list(row, "models");
        const on = FALLBACK_CAUSES.filter((cause) => list(row, "on").includes(cause));
        return [text(row, "model"), isUsual(on) ? models : { models, on }];
      }),
    ),
};

const routing: OptionTable = {
  hint: "routing",
  parts: [
    {
      id: "routing",
      columns: [
        { id: "group", kind: "group", isRequired: true },
        { id: "strategy", kind: "choice", choices: ROUTING_STRATEGIES },
      ],
      names: ["group"],
      blank: { group: "", strategy: "cheapest" },
    },
  ],
  faultOf: faultOf(parseGroupRouting),
  read: (value) => [
    Object.entries(value).map(([group, strategy]) => ({ group, strategy: textOf(strategy) })),
  ],
  write: ([rows = []]) => Object.fromEntries(rows.map((row) => [text(row, "group"), text(row, "strategy")])),
};

const usable: OptionTable = {
  hint: "usable",
  parts: [
    {
      id: "usable",
      columns: [
        { id: "group", kind: "group", isRequired: true },
        { id: "description", kind: "text" },
      ],
      names: ["group"],
      blank: { group: "", description: "" },
    },
  ],
  faultOf: faultOf(parseUsableGroups),
  read: (value) => [
    Object.entries(value).map(([group, description]) => ({ group, description: textOf(description) })),
  ],
  write: ([rows = []]) =>
    Object.fromEntries(rows.map((row) => [text(row, "group"), text(row, "description")])),
};

const usableOf: OptionTable = {
  hint: "usableOf",
  parts: [
    {
      id: "usableOf",
      columns: [
        { id: "userGroup", kind: "group", isRequired: true },
        { id: "offer", kind: "choice", choices: OFFERS },
        { id: "group", kind: "group", isRequired: true },
        { id: "description", kind: "text" },
      ],
      names: ["userGroup", "group"],
      blank: { userGroup: "", offer: "added", group: "", description: "" },
    },
  ],
  faultOf: faultOf(parseGroupUsableGroups),
  read: (value) => [
    Object.entries(value).flatMap(([userGroup, groups]) =>
      Object.entries(objectOf(groups)).map(([written, description]) => ({
        userGroup,
        offer: written.startsWith("-:") ? "removed" : "added",
        group: written.replace(/^[+-]:/, ""),
        description: textOf(description),
      })),
    ),
  ],
  write: ([rows = []]) =>
    nested(rows, "userGroup", (row) => [
      `${text(row, "offer") === "removed" ? "-:" : ""}${text(row, "group")}`,
      text(row, "description"),
    ]),
};

const isRatio = (value: unknown): boolean => typeof value === "number" && value >= 0;

/** Where ratios of groups for users of others are wrong: what the server asks of them. */
const ratioFault = (json: string): string | undefined => {
  const tables: unknown = JSON.parse(json);
  if (!isObject(tables)) return "JSON";
  return Object.keys(tables).find((group) => {
    const table = tables[group];
    return !isObject(table) || !Object.values(table).every(isRatio);
  });
};

const ratios: OptionTable = {
  hint: "ratios",
  parts: [
    {
      id: "ratios",
      columns: [
        { id: "userGroup", kind: "group", isRequired: true },
        { id: "group", kind: "group", isRequired: true },
        { id: "ratio", kind: "number", isRequired: true },
      ],
      names: ["userGroup", "group"],
      blank: { userGroup: "", group: "", ratio: "" },
    },
  ],
  faultOf: ratioFault,
  read: (value) => [
    Object.entries(value).flatMap(([userGroup, table]) =>
      Object.entries(objectOf(table)).map(([group, ratio]) => ({ userGroup, group, ratio: textOf(ratio) })),
    ),
  ],
  write: ([rows = []]) =>
    nested(rows, "userGroup", (row) => [text(row, "group"), Number(text(row, "ratio"))]),
};

const unlessEmpty = (name: string, value: object): object =>
  Object.keys(value).length === 0 ? {} : { [name]: value };

const offers: OptionTable = {
  hint: "offers",
  parts: [
    {
      id: "packages",
      columns: [
        { id: "usd", kind: "number", isRequired: true },
        { id: "bonus", kind: "number" },
      ],
      names: ["usd"],
      blank: { usd: "", bonus: "" },
    },
    {
      id: "discounts",
      columns: [
        { id: "from", kind: "number", isRequired: true },
        { id: "factor", kind: "number", isRequired: true },
      ],
      names: ["from"],
      blank: { from: "", factor: "" },
    },
    {
      id: "groups",
      columns: [
        { id: "group", kind: "group", isRequired: true },
        { id: "factor", kind: "number", isRequired: true },
      ],
      names: ["group"],
      blank: { group: "", factor: "" },
    },
  ],
  faultOf: faultOf(parsePaymentOffers),
  read: (value) => [
    listOf(value.packages)
      .map(objectOf)
      .map(({ usd, bonus }) => ({ usd: textOf(usd), bonus: textOf(bonus) })),
    listOf(value.discounts)
      .map(objectOf)
      .map(({ from, factor }) => ({ from: textOf(from), factor: textOf(factor) })),
    Object.entries(objectOf(value.groups)).map(([group, factor]) => ({ group, factor: textOf(factor) })),
  ],
  write: ([packages = [], discounts = [], groups = []]) => ({
    ...unlessEmpty(
      "packages",
      packages.map((row) => ({
        usd: numberOf(text(row, "usd")),
        ...(text(row, "bonus") === "" ? {} : { bonus: numberOf(text(row, "bonus")) }),
      })),
    ),
    ...unlessEmpty(
      "discounts",
      discounts.map((row) => ({
        from: numberOf(text(row, "from")),
        factor: numberOf(text(row, "factor")),
      })),
    ),
    ...unlessEmpty(
      "groups",
      Object.fromEntries(groups.map((row) => [text(row, "group"), numberOf(text(row, "factor"))])),
    ),
  }),
};

/** Those of the formats that have a table; the others are edited as JSON, or on a page of their own. */
export const OPTION_TABLES: Partial<Record<JsonFormat, OptionTable>> = {
  "model-fallbacks": fallbacks,
  "group-routing": routing,
  "usable-groups": usable,
  "group-usable-groups": usableOf,
  "group-group-ratios": ratios,
  "payment-offers": offers,
};

/** More rows than this are looked at as text: so many fields on a page are of no use. */
export const MAX_ROWS = 200;

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** The rows of a text; undefined where it cannot be shown as tables. */
export const readTable = (table: OptionTable, json: string): TableRow[][] | undefined => {
  const value = parse(json);
  if (!isObject(value) || table.faultOf(json) !== undefined) return undefined;
  const parts = table.read(value);
  return parts.some((rows) => rows.length > MAX_ROWS) ? undefined : parts;
};

/** The text of these rows, laid out for reading. */
export const writeTable = (table: OptionTable, parts: readonly (readonly TableRow[])[]): string =>
  JSON.stringify(table.write(parts), null, 2);

/** What is wrong with a cell; named by its locale key. */
export type CellMistake =
  | "optionTable.mistake.required"
  | "optionTable.mistake.twice"
  | "optionTable.mistake.number";

/** Numbers are the same however they are written. */
const nameOf = ({ names, columns }: TablePart, row: TableRow): string =>
  JSON.stringify(
    names.map((name) => {
      const isNumber = columns.some(({ id, kind }) => id === name && kind === "number");
      return isNumber ? Number(text(row, name)) : text(row, name);
    }),
  );

/** The mistakes of a part's rows, by the row's place and the column. */
export const mistakesOf = (
  part: TablePart,
  rows: readonly TableRow[],
): Partial<Record<ColumnId, CellMistake>>[] => {
  const seen = new Set<string>();
  return rows.map((row) => {
    const found: Partial<Record<ColumnId, CellMistake>> = {};
    for (const column of part.columns) {
      const typed = text(row, column.id);
      if ("isRequired" in column && column.isRequired && typed === "")
        found[column.id] = "optionTable.mistake.required";
      else if (column.kind === "number" && typed !== "" && !/^\d+(\.\d+)?$/.test(typed))
        found[column.id] = "optionTable.mistake.number";
    }
    const name = nameOf(part, row);
    const [last] = part.names.slice(-1);
    if (last !== undefined && seen.has(name)) found[last] ??= "optionTable.mistake.twice";
    seen.add(name);
    return found;
  });
};
