import { createHash } from "node:crypto";
import type { Columns, CopiedTable, PartContent, Row } from "./copied-tables";

const quoted = (name: string): string => `"${name}"`;

/**
 * Multiplies columns by different coefficients in a checksum: small enough that nothing exceeds 64 bits. Null counts as
 * well, since it would otherwise remove its whole row.
 */
const mixed = (columns: readonly string[]): string =>
  columns.map((column, index) => `${2 * index + 1} * coalesce(${column}, -1)`).join(" + ");

/**
 * Returns a query that adds up the content of a table's parts, in SQL that every engine runs: counts, sums of all
 * numbers, lengths of texts, and a checksum that differs when numbers are swapped.
 * @param expressionOf returns the expression of a column.
 */
export const partsQuery = (
  from: string,
  { part, quota }: CopiedTable,
  columns: Columns,
  expressionOf: (column: string) => string = quoted,
): string => {
  const names = [...columns.keys()];
  const numbers = names.filter((name) => columns.get(name) === "number").map(quoted);
  const lengths = names
    .filter((name) => columns.get(name) === "text" || columns.get(name) === "bytes")
    .map((name) => `length(${expressionOf(name)})`);
  const sums = [...numbers, ...lengths].map((term) => `CAST(sum(${term}) AS TEXT)`);
  const checksum = `CAST(sum((${mixed(numbers)}) % 9973 * ((${mixed(numbers.toReversed())}) % 9967)) AS TEXT)`;
  const all = [...sums, checksum].map((sum, index) => `${sum} AS sum_${index}`);
  const ofQuota = quota === undefined ? "'0'" : `CAST(sum(${quoted(quota)}) AS TEXT)`;
  return `SELECT ${part} AS part, count(*) AS rows, ${ofQuota} AS quota, ${all.join(", ")} FROM ${from} GROUP BY 1`;
};

/** Reads the rows of such a query. */
export const readParts = (rows: readonly Row[]): Map<number, PartContent> =>
  new Map(
    rows.map(({ part, rows: count, quota, ...sums }) => [
      Number(part),
      {
        rows: Number(count),
        quota: BigInt(String(quota)),
        digest: JSON.stringify([Number(count), ...Object.values(sums)]),
      },
    ]),
  );

const HASH_BYTES = 6;

/** Takes all of a table in, row by row and in any order, as one part. */
export const exactPart = async (
  pages: AsyncIterable<readonly Row[]>,
  { quota }: CopiedTable,
  columns: Columns,
): Promise<Map<number, PartContent>> => {
  const names = [...columns.keys()];
  let count = 0;
  let sum = 0n;
  let hashes = 0n;
  for await (const page of pages)
    for (const row of page) {
      count += 1;
      if (quota !== undefined) sum += BigInt(Number(row[quota]));
      const text = JSON.stringify(names.map((name) => row[name]));
      hashes += BigInt(createHash("sha256").update(text).digest().readUIntBE(0, HASH_BYTES));
    }
  return count === 0 ? new Map() : new Map([[0, { rows: count, quota: sum, digest: `${count} ${hashes}` }]]);
};
