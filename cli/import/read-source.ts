import type { SourceDatabase, SourceTableShape } from "@tollgate/storage/sources/source-database";
import type { Origin } from "./origin";
import { LONGEST, LONGEST_OF_LINES, readColumns, rowReader } from "./read-row";
import { recogniseOrigin } from "./recognise-origin";
import type { ImportReport } from "./report";
import { SOURCE_TABLES, type SourceRows, type SourceTable } from "./source-rows";
import { isPassedOver, isRead } from "./source-tables";
import { TableRemarks } from "./table-remarks";

/** Rows of one block; of the log's, which are short, more. */
const ROWS = 100;
const ROWS_OF_LOG = 2000;

/** Where a database lies in which one program has its data, and in another one perhaps its log. */
export interface Sources {
  main: SourceDatabase;
  log: SourceDatabase;
}

/** The tables of a source, and the remarks on their rows. */
export interface OpenTables {
  origin: Origin;
  unknown: ImportReport["unknown"];
  passedOver: ImportReport["passedOver"];
  remarks: Readonly<Record<SourceTable, TableRemarks>>;
  /** Rows that were read of each table. */
  read: Record<SourceTable, number>;
  /** All rows of a table. */
  all<Table extends SourceTable>(table: Table): Promise<SourceRows[Table][]>;
  /** The same in blocks. */
  blocks<Table extends SourceTable>(table: Table): AsyncIterable<SourceRows[Table][]>;
}

const readVersion = async (
  source: SourceDatabase,
  shapes: readonly SourceTableShape[],
): Promise<string | undefined> => {
  const shape = shapes.find(({ name }) => name === "setups");
  if (!shape?.columns.includes("version") || !shape.columns.includes("id")) return undefined;
  let version: string | undefined;
  const wish = { table: "setups", columns: ["version"], key: "id", isNumber: true, rows: ROWS, longest: 100 };
  for await (const block of source.rows(wish)) for (const [value] of block) version = String(value ?? "");
  return version;
};

const describe = async (
  source: SourceDatabase,
  shapes: readonly SourceTableShape[],
): Promise<Pick<OpenTables, "unknown" | "passedOver">> => {
  const found: Pick<OpenTables, "unknown" | "passedOver"> = {
    unknown: { tables: [], columns: [] },
    passedOver: [],
  };
  const tables: { table: string; rows: number }[] = [];
  const columns: { table: string; column: string; rows: number }[] = [];
  const passedOver: { table: string; rows: number }[] = [];
  for (const { name: table, columns: present } of shapes) {
    const others = isRead(table)
      ? present.filter((column) => !Object.hasOwn(SOURCE_TABLES[table], column))
      : [];
    if (isRead(table) && others.length === 0) continue;
    const { rows, filled } = await source.counts(table, others);
    if (isPassedOver(table)) passedOver.push({ table, rows });
    else if (isRead(table))
      others.forEach((column, index) => void columns.push({ table, column, rows: filled[index] ?? 0 }));
    else tables.push({ table, rows });
  }
  return { ...found, unknown: { tables, columns }, passedOver };
};

/**
 * Recognises a source, before anything of its channels is read.
 * @throws ImportRefused for an unknown source. @throws SourceRefused
 */
export const openTables = async ({ main, log }: Sources): Promise<OpenTables> => {
  const shapes = await main.tables();
  const logShapes = log === main ? shapes : await log.tables();
  const origin = recogniseOrigin(shapes, await readVersion(main, shapes));
  const remarks = Object.fromEntries(
    Object.keys(SOURCE_TABLES).map((table) => [table, new TableRemarks(table as SourceTable)]),
  ) as Record<SourceTable, TableRemarks>;
  const read = Object.fromEntries(Object.keys(SOURCE_TABLES).map((table) => [table, 0])) as Record<
    SourceTable,
    number
  >;

  async function* blocks<Table extends SourceTable>(table: Table): AsyncIterable<SourceRows[Table][]> {
    const isLog = table === "logs";
    const shape = (isLog ? logShapes : shapes).find(({ name }) => name === table);
    if (!shape) return;
    const columns = readColumns(table, shape.columns);
    const key = table === "options" ? "key" : "id";
    if (!columns.includes(key)) return;
    const longest = isLog ? LONGEST_OF_LINES : LONGEST;
    const readRow = rowReader(table, columns, longest, remarks[table]);
    const rows = isLog ? ROWS_OF_LOG : ROWS;
    const wish = { table, columns, key, isNumber: key === "id", rows, longest };
    for await (const block of (isLog ? log : main).rows(wish)) {
      read[table] += block.length;
      const found: SourceRows[Table][] = [];
      for (const values of block) {
        const row = readRow(values);
        if (row) found.push(row);
      }
      yield found;
    }
  }

  return {
    origin,
    ...(await describe(main, shapes)),
    remarks,
    read,
    blocks,
    async all(table) {
      const rows = [];
      for await (const block of blocks(table)) rows.push(...block);
      return rows;
    },
  };
};
