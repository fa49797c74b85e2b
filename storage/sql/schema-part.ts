import type { ColumnOf, ColumnTypes, Definition, LaterColumn } from "./column";

/** A table that both engines have. Its rows' type follows from it (RowsOf). */
export interface Table {
  /** In the order of CREATE TABLE. */
  readonly columns: Readonly<Record<string, Definition | LaterColumn>>;
  /** Constraints of several columns. */
  readonly constraints?: readonly string[];
  readonly isWithoutRowId?: true;
  /** Columns and condition of each index, by its name. */
  readonly indexes?: Readonly<Record<string, string>>;
}

/** DDL of one subject: its tables, then the common statements, then those of one engine in that engine's own types. */
export interface SchemaPart {
  readonly tables?: Readonly<Record<string, Table>>;
  /** Statements of both engines, with the words of `ColumnTypes`; each ends with a semicolon at the end of a line. */
  readonly common?: string;
  readonly sqlite?: string;
  readonly postgres?: string;
}

interface WithTables {
  readonly tables: Readonly<Record<string, Table>>;
}

/** The rows of a part's tables, as the query builder has them. */
export type RowsOf<Part extends WithTables> = {
  -readonly [Name in keyof Part["tables"]]: {
    -readonly [Column in keyof Part["tables"][Name]["columns"]]: ColumnOf<
      Part["tables"][Name]["columns"][Column]
    >;
  };
};

/** Names of columns that SQL has as words. */
const KEYWORDS: ReadonlySet<string> = new Set(["group", "groups"]);
const define = (name: string, definition: string): string =>
  `${KEYWORDS.has(name) ? `"${name}"` : name} ${definition}`;

const createTable = (
  name: string,
  { columns, constraints = [], isWithoutRowId, indexes = {} }: Table,
): string => {
  const first = Object.entries(columns).flatMap(([column, definition]) =>
    typeof definition === "string" ? [define(column, definition)] : [],
  );
  const created = Object.entries(indexes).map(
    ([index, indexed]) => `CREATE INDEX ${index} ON ${name} ${indexed};\n`,
  );
  return `
CREATE TABLE ${name} (
  ${[...first, ...constraints].join(",\n  ")}
)${isWithoutRowId ? " WITHOUT ROWID" : ""};
${created.join("")}`;
};

/** Statements that add a table's column of a later migration. */
export const addColumn = (table: string, name: string, { definition }: LaterColumn): string =>
  `ALTER TABLE ${table} ADD COLUMN ${define(name, definition)};`;

/** Statements of a part for both engines, in an engine's names of types. */
export const commonStatements = ({ tables = {}, common = "" }: SchemaPart, types: ColumnTypes): string => {
  const names = new Map<string, string>(Object.entries(types));
  const created = Object.entries(tables).map(([name, table]) => createTable(name, table));
  return (created.join("") + common).replaceAll(/\b[A-Z_]+\b/g, (word) => names.get(word) ?? word);
};
