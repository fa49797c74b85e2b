import {
  COPIED_TABLES,
  type Columns,
  type CopiedTable,
  type CopySide,
  type PartContent,
} from "./copied-tables";

/** Content of a table on both sides. */
export interface TableProof {
  table: string;
  /** Rows on the side that was read, and on the other one. */
  read: number;
  written: number;
  /** Sums of quota, where the table has a column of it; 0 elsewhere. */
  quotaRead: bigint;
  quotaWritten: bigint;
  /** Every part has the same counts, sums and texts on both sides. */
  isEqual: boolean;
}

/** Until a question is on its way to a server. */
const ASKING_MS = 5;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const differing = (
  source: ReadonlyMap<number, PartContent>,
  target: ReadonlyMap<number, PartContent>,
): number[] =>
  [...new Set([...source.keys(), ...target.keys()])].filter(
    (part) => source.get(part)?.digest !== target.get(part)?.digest,
  );

const totals = (parts: ReadonlyMap<number, PartContent>): { rows: number; quota: bigint } => {
  let [rows, quota] = [0, 0n];
  for (const part of parts.values()) {
    rows += part.rows;
    quota += part.quota;
  }
  return { rows, quota };
};

const proofOf = (
  { name }: CopiedTable,
  source: ReadonlyMap<number, PartContent>,
  target: ReadonlyMap<number, PartContent>,
): TableProof => {
  const [read, written] = [totals(source), totals(target)];
  return {
    table: name,
    read: read.rows,
    written: written.rows,
    quotaRead: read.quota,
    quotaWritten: written.quota,
    isEqual: differing(source, target).length === 0,
  };
};

/** The columns of a table, which both engines must have alike. @throws Error where they do not: a migration forgot one. */
const commonColumns = async (from: CopySide, to: CopySide, table: CopiedTable): Promise<Columns> => {
  const [source, target] = [await from.columns(table), await to.columns(table)];
  // A folder without stored bodies has no file for them.
  if (source.size === 0) return target;
  const other = [...target].filter(([name, kind]) => source.get(name) !== kind);
  if (other.length > 0 || source.size !== target.size)
    throw new Error(`the engines do not have the same columns of ${table.name}: ${other.join(" ")}`);
  return source;
};

const copyTable = async (from: CopySide, to: CopySide, table: CopiedTable): Promise<TableProof> => {
  const columns = await commonColumns(from, to, table);
  if (table.isGrowing)
    for await (const rows of from.rowsAfter(table, columns, await to.highestId(table)))
      await to.insert(table, columns, rows);
  const compare = async () => {
    // The server starts first, and adds up while this thread reads files.
    const ofTarget = to.parts(table, columns);
    const ofSource = pause(ASKING_MS).then(() => from.parts(table, columns));
    const [target, source] = await Promise.all([ofTarget, ofSource]);
    return { source, target };
  };
  const found = await compare();
  const parts = differing(found.source, found.target);
  if (parts.length === 0) return proofOf(table, found.source, found.target);
  await to.remove(table, parts);
  const isWhole = parts.length >= found.source.size;
  for await (const rows of from.rows(table, columns, isWhole ? undefined : parts))
    await to.insert(table, columns, rows);
  const { source, target } = await compare();
  return proofOf(table, source, target);
};

/**
 * Makes one side equal to the other. Equal parts are left alone, so that it can run again: after an interruption, and
 * for changes made meanwhile.
 * @param onTable called after each table.
 * @returns the proof of equality of each table.
 */
export const copyTables = async (
  from: CopySide,
  to: CopySide,
  onTable: (proof: TableProof) => void = () => {},
): Promise<TableProof[]> => {
  const proofs: TableProof[] = [];
  for (const table of COPIED_TABLES) {
    const proof = await copyTable(from, to, table);
    proofs.push(proof);
    onTable(proof);
  }
  return proofs;
};
