/** Default and maximum page size (https://docs.anthropic.com/en/api/models-list). */
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

/**
 * One page of a list in the Messages API's paging: `limit`, and `after_id` or `before_id`. An invalid limit is ignored;
 * an id missing from the list stands before its start.
 * @param query the address after the "?".
 */
export const pageOf = <Item extends { id: string }>(items: readonly Item[], query: string) => {
  const asked = new URLSearchParams(query);
  const number = Number(asked.get("limit") ?? DEFAULT_LIMIT);
  const limit = Number.isInteger(number) && number >= 1 ? Math.min(number, MAX_LIMIT) : DEFAULT_LIMIT;
  const indexOf = (id: string): number => items.findIndex((item) => item.id === id);
  const before = asked.get("before_id");
  const end = before === null ? undefined : Math.max(0, indexOf(before));
  const start = end === undefined ? indexOf(asked.get("after_id") ?? "") + 1 : Math.max(0, end - limit);
  const data = items.slice(start, end ?? start + limit);
  return {
    data,
    has_more: end === undefined ? start + data.length < items.length : start > 0,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
};
