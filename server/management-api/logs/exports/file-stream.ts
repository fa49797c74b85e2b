import { Readable } from "node:stream";
import { type FileColumn, type FileFormat, fileHead, fileRows } from "./file-format";

/** Rows of one page: few enough that putting them into words keeps the relaying thread for a millisecond or two. */
export const ROWS_A_PAGE = 250;

/** Source and callbacks of a file. */
interface FileMaking<Row> {
  format: FileFormat;
  columns: readonly FileColumn<Row>[];
  pages: AsyncIterable<readonly Row[]>;
  /** Called before each page. @throws to end the file. */
  check(): void;
  /** Receives an error that leaves the file truncated. */
  reportError(error: unknown): void;
}

async function* write<Row>(
  { format, columns, check, reportError }: FileMaking<Row>,
  first: IteratorResult<readonly Row[]>,
  iterator: AsyncIterator<readonly Row[]>,
): AsyncGenerator<string> {
  try {
    const head = fileHead(format, columns);
    if (head !== "") yield head;
    for (let page = first; !page.done; page = await iterator.next()) {
      const text = fileRows(format, columns, page.value);
      if (text !== "") yield text;
      check();
    }
  } catch (error) {
    reportError(error);
    throw error;
  } finally {
    await iterator.return?.();
  }
}

/**
 * A file, page by page: the next page is queried once its reader has taken the last, and none after it disconnects.
 * @throws the error of the first page, so that a refusal is an answer and not a broken file.
 */
export const fileStream = async <Row>(making: FileMaking<Row>): Promise<Readable> => {
  const iterator = making.pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  return Readable.from(write(making, first, iterator));
};

/** Records by pages, the newest first. @param before asks for those with lower ids. */
export async function* pagesDown<Row extends { id: number }>(
  before: (id: number, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let id = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = await before(id, ROWS_A_PAGE);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_A_PAGE) return;
    id = last.id;
  }
}
