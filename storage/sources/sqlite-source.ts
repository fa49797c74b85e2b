import {
  closeSync,
  constants,
  copyFileSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "libsql";
import type { Connection } from "../sqlite/connection";
import type { RowsWish, SourceDatabase, SourceTableShape, SourceValue } from "./source-database";
import { type SourceFault, SourceRefused } from "./source-fault";

/** Header of every SQLite file (https://www.sqlite.org/fileformat.html#the_database_header). */
const MAGIC = "SQLite format 3\0";
/** The byte that says whether writers use a log beside the file. */
const VERSION_BYTE = 18;
const WAL_VERSION = 2;

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

const readHeader = (path: string): Buffer => {
  const header = Buffer.alloc(VERSION_BYTE + 1);
  try {
    const file = openSync(path, "r");
    try {
      readSync(file, header, 0, header.length, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new SourceRefused({ code: "source-unreadable", path, reason });
  }
  return header;
};

/** Says a driver's error by its code alone. */
const faultOf = (path: string, error: unknown): SourceFault => {
  const reason = error instanceof Error && "code" in error ? String(error.code) : "";
  if (reason === "SQLITE_NOTADB") return { code: "source-no-database", path };
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(reason)) return { code: "source-busy", path };
  if (/^SQLITE_CORRUPT/.test(reason)) return { code: "source-damaged", path, reason };
  return { code: "source-unreadable", path, reason };
};

/** Files beside a file while it is written, and after a crash. */
const BESIDE = ["-wal", "-journal"];

const isSame = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one?.size === other?.size && one?.mtimeMs === other?.mtimeMs;

/**
 * Copies a file with the files beside it: opening a file whose last changes are beside it writes to both.
 * @returns the folder of the copy. @throws SourceRefused "source-busy" when it changed meanwhile.
 */
const copyAside = (path: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-import-"));
  try {
    const paths = [path, ...BESIDE.map((end) => path + end)];
    const before = paths.map(statOf);
    for (const [index, each] of paths.entries())
      if (before[index]) copyFileSync(each, join(folder, basename(each)), constants.COPYFILE_FICLONE);
    if (paths.some((each, index) => !isSame(before[index], statOf(each))))
      throw new SourceRefused({ code: "source-busy", path });
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error instanceof SourceRefused ? error : new SourceRefused(faultOf(path, error));
  }
};

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** libsql ends the process where a text is not UTF-8: texts are read as bytes, whole blocks of them as one JSON text. */
const readJson = (bytes: ArrayBuffer | Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** A value in JSON: bytes as text, numbers that JavaScript does not hold exactly as text, of long texts the begin. */
const inJson = (name: string, longest: number): string => {
  const column = quote(name);
  return `CASE typeof(${column})
    WHEN 'integer' THEN CASE WHEN ${column} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}
      THEN ${column} ELSE CAST(${column} AS TEXT) END
    WHEN 'real' THEN ${column} WHEN 'null' THEN NULL
    ELSE CASE WHEN length(CAST(${column} AS BLOB)) > ${longest} THEN substr(CAST(${column} AS TEXT), 1, ${longest})
      ELSE CAST(${column} AS TEXT) END END`;
};

const FIRST_NUMBER = -(2n ** 63n);

/**
 * Returns the last id of a block. @throws SourceRefused for an invalid number, with which the reading would never end.
 */
const nextAfter = (path: string, after: bigint, newest: unknown): bigint => {
  const next = typeof newest === "string" && /^-?\d+$/.test(newest) ? BigInt(newest) : after;
  if (next <= after) throw new SourceRefused({ code: "source-damaged", path, reason: "id" });
  return next;
};

/**
 * Opens an SQLite file to be read. It is not changed, nor is anything beside it.
 * @throws SourceRefused
 */
export const openSqliteSource = (given: string): SourceDatabase => {
  const path = resolve(given);
  const stat = statOf(path);
  if (!stat) throw new SourceRefused({ code: "source-missing", path });
  if (!stat.isFile()) throw new SourceRefused({ code: "source-no-database", path });
  const header = readHeader(path);
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw new SourceRefused({ code: "source-no-database", path });
  const hasBeside = BESIDE.some((end) => (statOf(path + end)?.size ?? 0) > 0);
  const copy = hasBeside || header[VERSION_BYTE] === WAL_VERSION ? copyAside(path) : undefined;
  const removeCopy = (): void => {
    if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
  };

  const guarded = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      throw new SourceRefused(faultOf(path, error));
    }
  };
  const open = (): Connection => {
    const connection: Connection = new Database(
      copy === undefined ? `${pathToFileURL(path).href}?mode=ro` : join(copy, basename(path)),
    );
    connection.exec("PRAGMA busy_timeout = 5000");
    // The file's schema was written by others: it must not call functions.
    connection.exec("PRAGMA trusted_schema = OFF");
    connection.exec("PRAGMA cache_size = -32768");
    // One moment for all that is read.
    connection.exec("BEGIN");
    connection.prepare("SELECT count(*) FROM sqlite_master").all();
    // The copy holds keys in clear. It stays readable while it is open, and nothing of it is left where the process is cut off.
    removeCopy();
    const checked = connection.prepare("PRAGMA quick_check(1)").all() as { quick_check: string }[];
    if (checked[0]?.quick_check !== "ok")
      throw new SourceRefused({ code: "source-damaged", path, reason: "" });
    return connection;
  };
  let connection: Connection;
  try {
    connection = open();
  } catch (error) {
    removeCopy();
    throw error instanceof SourceRefused ? error : new SourceRefused(faultOf(path, error));
  }

  /** The one value of the only row. */
  const readOne = <T>(sql: string, ...parameters: unknown[]): T =>
    guarded(() => {
      const [row] = connection.prepare(sql).all(...parameters) as { json: ArrayBuffer | Uint8Array }[];
      return readJson(row?.json ?? new Uint8Array()) as T;
    });

  return {
    engine: "sqlite",
    place: path,
    async tables() {
      // No view, and no table that a module makes up.
      const names = readOne<string[]>(
        `SELECT CAST(json_group_array(name) AS BLOB) AS json FROM (SELECT name FROM sqlite_master
          WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'create virtual%' ORDER BY name)`,
      );
      return names.map((name): SourceTableShape => {
        const select =
          "SELECT CAST(json_group_array(name) AS BLOB) AS json FROM pragma_table_info(CAST(? AS TEXT))";
        return { name, columns: readOne<string[]>(select, name) };
      });
    },
    async counts(table, columns) {
      const filled = columns.map((column) => `count(nullif(CAST(${quote(column)} AS TEXT), ''))`);
      const [rows = 0, ...each] = readOne<number[]>(
        `SELECT CAST(json_array(${["count(*)", ...filled].join(", ")}) AS BLOB) AS json FROM ${quote(table)}`,
      );
      return { rows, filled: each };
    },
    async *rows(wish: RowsWish) {
      const { table, columns, key, isNumber, rows, longest } = wish;
      const values = columns.map((column) => inJson(column, longest)).join(", ");
      const last = isNumber ? `CAST(max(${quote(key)}) AS TEXT)` : "count(*)";
      // Names are few, and need not be comparable as texts.
      const where = isNumber
        ? `WHERE ${quote(key)} > CAST(? AS INTEGER) ORDER BY ${quote(key)} LIMIT ${rows}`
        : `ORDER BY ${quote(key)} LIMIT ${rows} OFFSET CAST(? AS INTEGER)`;
      const select = `SELECT CAST(json_array(${last}, json_group_array(json_array(${values}))) AS BLOB) AS json
        FROM (SELECT * FROM ${quote(table)} ${where})`;
      let after = isNumber ? FIRST_NUMBER : 0n;
      for (;;) {
        const [newest, block] = readOne<[string | number | null, SourceValue[][]]>(select, String(after));
        if (block.length === 0) return;
        after = isNumber ? nextAfter(path, after, newest) : after + BigInt(block.length);
        yield block;
      }
    },
    async close() {
      connection.close();
      removeCopy();
    },
  };
};
