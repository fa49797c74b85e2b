/**
 * Reads a whole table page by page, in the order of the ids. It fetches the next page while the caller works on the
 * last one: a reading thread and its caller work side by side, and no message between them is larger than a page.
 * @param readAfter returns up to `limit` rows with ids above `id`.
 * @param idOf the id of a row.
 * @param limit rows a page.
 */
export async function* readPages<Row>(
  readAfter: (id: number, limit: number) => Promise<Row[]>,
  idOf: (row: Row) => number,
  limit: number,
): AsyncGenerator<Row[]> {
  let rows = await readAfter(0, limit);
  while (rows.length > 0) {
    const last = rows.at(-1) as Row;
    const next = rows.length < limit ? undefined : readAfter(idOf(last), limit);
    yield rows;
    rows = (await next) ?? [];
  }
}
