import { Readable } from "node:stream";
import { setImmediate as turnOfOthers } from "node:timers/promises";
import { MAX_BILL_BYTES, MAX_BILL_ROWS } from "@tollgate/contract/management/reconciliation";
import { parse } from "csv-parse";
import { Failure } from "../management-api/failure";

/** Limits of one row and of one cell: a bill has a few dozen columns of some characters. */
const MAX_ROW_CHARACTERS = 64 * 1024;
const MAX_COLUMNS = 200;
const MAX_CELL = 1000;

/** Characters parsed between two yields to other work. */
const TURN_CHARACTERS = 16 * 1024;

/** A file's rows under its columns. */
export interface BillFile {
  columns: string[];
  rows: string[][];
}

const decoded = (bytes: Uint8Array, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Decodes UTF-8 with or without a byte order mark, UTF-16 with one, else Excel's encoding in China. */
const textOf = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes, "utf-16le") ?? "";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes, "utf-16be") ?? "";
  return decoded(bytes, "utf-8") ?? decoded(bytes, "gb18030") ?? "";
};

const DELIMITERS = [",", ";", "\t"];

/** The one that the first line has most of. */
const delimiterOf = (text: string): string => {
  const end = text.search(/[\r\n]/);
  const head = text.slice(0, end === -1 ? MAX_ROW_CHARACTERS : Math.min(end, MAX_ROW_CHARACTERS));
  const count = (delimiter: string): number => head.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? ",";
};

/** A stream alone does not yield to other work: it continues before the event loop does. */
async function* pieces(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += TURN_CHARACTERS) {
    yield text.slice(from, from + TURN_CHARACTERS);
    await turnOfOthers();
  }
}

/**
 * Reads an uploaded file of separated values. A cell is text and never evaluated: a formula stays as written.
 * @param base64 of its bytes.
 * @throws Failure for an invalid or too large file.
 */
export const readBill = async (base64: string): Promise<BillFile> => {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > MAX_BILL_BYTES) throw new Failure("bill-too-large");
  const text = textOf(bytes);
  if (text === "" || text.includes("\0")) throw new Failure("bill-unreadable");
  const parser = Readable.from(pieces(text)).pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(text.replace(/^\uFEFF/, "")),
      max_record_size: MAX_ROW_CHARACTERS,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    }),
  );
  let columns: string[] | undefined;
  const rows: string[][] = [];
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      const cells = record.slice(0, MAX_COLUMNS).map((cell) => cell.slice(0, MAX_CELL));
      if (columns === undefined) columns = cells;
      else if (rows.length >= MAX_BILL_ROWS) throw new Failure("bill-too-large");
      else rows.push(cells);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("bill-unreadable");
  }
  if (columns === undefined || columns.every((name) => name === "")) throw new Failure("bill-unreadable");
  return { columns, rows };
};
