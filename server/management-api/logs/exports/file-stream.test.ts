import { once } from "node:events";
import { expect, it } from "vitest";
import type { FileColumn } from "./file-format";
import { fileStream, pagesDown, ROWS_A_PAGE } from "./file-stream";

const COLUMNS: FileColumn<number>[] = [{ name: "number", of: (row) => row }];

/** Pages without end that count the queries. */
const countedPages = () => {
  const asked = { pages: 0, isOver: false };
  const pages = async function* (): AsyncGenerator<readonly number[]> {
    try {
      for (;;) {
        asked.pages += 1;
        yield [asked.pages];
      }
    } finally {
      asked.isOver = true;
    }
  };
  return { asked, pages: pages() };
};

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const making = (pages: AsyncIterable<readonly number[]>, errors: unknown[] = []) => ({
  format: "csv" as const,
  columns: COLUMNS,
  pages,
  check: () => {},
  reportError: (error: unknown) => {
    errors.push(error);
  },
});

it("holds few pages, whatever its reader leaves, and asks for the next when one was taken", async () => {
  const { asked, pages } = countedPages();
  const stream = await fileStream(making(pages));
  await turns(50);
  expect(asked.pages).toBe(1);
  const reader = stream[Symbol.asyncIterator]();
  for (let taken = 0; taken < 40; taken += 1) await reader.next();
  await turns(50);
  expect(asked.pages).toBeLessThanOrEqual(42);
  expect(asked.pages).toBeGreaterThanOrEqual(39);
  stream.destroy();
});

it("asks for nothing more when its reader is gone, and says so to where the pages come from", async () => {
  const { asked, pages } = countedPages();
  const stream = await fileStream(making(pages));
  const reader = stream[Symbol.asyncIterator]();
  await reader.next();
  await reader.next();
  stream.destroy();
  await once(stream, "close");
  await turns(20);
  const { pages: before } = asked;
  await turns(50);
  expect(asked).toEqual({ pages: before, isOver: true });
});

it("refuses where the first page fails, and breaks off where a later one does", async () => {
  const failing = async function* (good: number): AsyncGenerator<readonly number[]> {
    for (let page = 0; page < good; page += 1) yield [page];
    throw new Error("the database is gone");
  };
  await expect(fileStream(making(failing(0)))).rejects.toThrow("the database is gone");
  const errors: unknown[] = [];
  const stream = await fileStream(making(failing(2), errors));
  await expect(stream.toArray()).rejects.toThrow("the database is gone");
  expect(errors).toHaveLength(1);
});

it("breaks off when the caller may not have it any more", async () => {
  let isAllowed = true;
  const { pages } = countedPages();
  const stream = await fileStream({
    ...making(pages),
    check() {
      if (!isAllowed) throw new Error("banned");
    },
  });
  const reader = stream[Symbol.asyncIterator]();
  await reader.next();
  await reader.next();
  isAllowed = false;
  await expect(
    (async () => {
      while (!(await reader.next()).done) {
        // Until it breaks off.
      }
    })(),
  ).rejects.toThrow("banned");
});

it("goes down by ids to the last record", async () => {
  const ids = Array.from({ length: 2 * ROWS_A_PAGE + 1 }, (_, index) => ({ id: 3 * (index + 1) })).reverse();
  const seen: number[] = [];
  for await (const page of pagesDown(async (id, limit) => ids.filter((row) => row.id < id).slice(0, limit)))
    seen.push(...page.map(({ id }) => id));
  expect(seen).toEqual(ids.map(({ id }) => id));
});
