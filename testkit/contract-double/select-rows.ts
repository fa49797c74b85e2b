/** The rows of the page `p` of a list call, from 0. */
export const pageOf = <Row>(rows: readonly Row[], query: URLSearchParams, rowsPerPage: number): Row[] => {
  const page = Math.max(0, Number.parseInt(query.get("p") ?? "0", 10) || 0);
  return rows.slice(page * rowsPerPage, (page + 1) * rowsPerPage);
};

export const newestFirst = <Row extends { id: number }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => b.id - a.id);

export const nextId = (rows: readonly { id: number }[]): number =>
  Math.max(0, ...rows.map((row) => row.id)) + 1;

/** Whether a row's field matches a filter of the query; an absent or empty filter, or 0, matches all. */
export const admits = (query: URLSearchParams, name: string, value: string | number): boolean => {
  const wanted = query.get(name);
  if (typeof value === "number") return !Number(wanted) || Number(wanted) === value;
  return !wanted || wanted === value;
};
