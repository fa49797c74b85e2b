import type { OperatorApi, OperatorCall } from "./operator-api";

/** More pages than any list has: an answer that never ends is a fault. */
const PAGES_MAX = 1_000_000;

/**
 * Reads a list to its end, page by page.
 * @param call of the list, without a page. @param read what its data is.
 */
export const readPages = async <Row>(
  api: OperatorApi,
  { path, ...call }: OperatorCall,
  read: (data: unknown) => readonly Row[] | undefined,
): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { data } = await api.call({ ...call, path: `${path}?p=${page}` });
    const found = read(data) ?? [];
    if (found.length === 0) break;
    rows.push(...found);
  }
  return rows;
};
