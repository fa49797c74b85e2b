import {
  hashKey,
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  partialMatchKey,
  type Query,
  type QueryClient,
  type QueryKey,
  queryOptions,
} from "@tanstack/react-query";

interface Identified {
  id: number;
}

/** Identifies a row: by its id, or by its whole content if the server sends no id. */
const identity = (row: Identified): number | string => (row.id === 0 ? JSON.stringify(row) : row.id);

/** A pending read of a list, with the changes of rows since it began. */
interface PendingRead {
  key: QueryKey;
  changes: ((data: unknown) => unknown)[];
}

/** A pending call about a row of the lists under `key`, with the keys of the reads that ended since it began. */
interface PendingCall {
  key: QueryKey;
  endedReads: QueryKey[];
}

/** Pending reads and calls between one console and its server. */
interface Traffic {
  reads: Set<PendingRead>;
  calls: Set<PendingCall>;
}

const trafficOf = new WeakMap<QueryClient, Traffic>();

const traffic = (client: QueryClient): Traffic => {
  const known = trafficOf.get(client) ?? { reads: new Set(), calls: new Set() };
  trafficOf.set(client, known);
  return known;
};

/**
 * Reads rows of a list while some may change. Those changes are applied to the answer, because the server may have
 * written it before them.
 */
export const readRows = async <Data>(
  client: QueryClient,
  key: QueryKey,
  read: () => Data | Promise<Data>,
): Promise<Data> => {
  const { reads, calls } = traffic(client);
  const own: PendingRead = { key, changes: [] };
  reads.add(own);
  try {
    const data = await read();
    return own.changes.reduce<unknown>((changed, change) => change(changed), data) as Data;
  } finally {
    reads.delete(own);
    for (const call of calls) if (partialMatchKey(key, call.key)) call.endedReads.push(key);
  }
};

/**
 * Wraps the whole read of a list, with all its pages: the library merges them with the pages present at its start, and
 * would restore those.
 */
const persister = <Data>(
  read: (context: never) => Data | Promise<Data>,
  context: { client: QueryClient; queryKey: QueryKey },
): Promise<Data> => readRows(context.client, context.queryKey, () => read(context as never));

/**
 * The next page to request; undefined at the end. Servers send no total and no page size, which may be any number of
 * rows from one up (specification section 9), so only an empty page is the end. A server without paging sends the same
 * rows for every page, so two pages in a row without new rows are the end as well. (One is not enough: a full page of
 * rows may have been added before it was read.)
 */
export const nextPage = (pages: readonly (readonly Identified[])[]): number | undefined => {
  const last = pages.at(-1);
  if (!last || last.length === 0) return undefined;
  if (pages.length < 3) return pages.length;
  const known = new Set(pages.slice(0, -2).flatMap((page) => page.map(identity)));
  const isKnown = (row: Identified): boolean => known.has(identity(row));
  return pages.slice(-2).every((page) => page.every(isKnown)) ? undefined : pages.length;
};

/**
 * A list that arrives page by page, from p = 0; the pages are appended.
 * @param isExtra the call is not in the contract (query-client.ts).
 */
export const growingList = <Row extends Identified>(
  key: QueryKey,
  fetchPage: (page: number, signal: AbortSignal) => Promise<Row[]>,
  { isExtra = false } = {},
) =>
  infiniteQueryOptions<Row[], Error, InfiniteData<Row[]>, QueryKey, number>({
    queryKey: [...key, "pages"],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => nextPage(pages),
    placeholderData: keepPreviousData,
    meta: { isExtra },
    persister,
  });

/** A search: one unpaged answer, idle while the keyword is blank. */
export const searchList = <Row>(
  key: QueryKey,
  keyword: string,
  fetchRows: (keyword: string, signal: AbortSignal) => Promise<Row[]>,
) =>
  queryOptions({
    queryKey: [...key, "search", keyword],
    queryFn: ({ signal }) => fetchRows(keyword, signal),
    enabled: keyword !== "",
    persister,
  });

/**
 * All rows of the pages, each once: rows shift between pages while others are added and deleted. Rows without an id may
 * be identical and are all kept, unless a whole page repeats an earlier one.
 */
export const joinPages = <Row extends Identified>(pages: readonly (readonly Row[])[]): Row[] => {
  const seen = new Set<number | string>();
  return pages.flatMap((page) => {
    const names = page.map(identity);
    const isRepeated = names.every((name) => seen.has(name));
    const fresh = isRepeated ? [] : page.filter((row) => row.id === 0 || !seen.has(row.id));
    for (const name of names) seen.add(name);
    return fresh;
  });
};

/** Changes the rows of cached lists under `key`, both pages and searches, and those in the answers of pending reads. */
const changeRows = <Row>(client: QueryClient, key: QueryKey, change: (rows: Row[]) => Row[]): void => {
  const changeData = (data: unknown): unknown => {
    if (Array.isArray(data)) return change(data as Row[]);
    if (typeof data === "object" && data !== null && "pages" in data) {
      return { ...data, pages: (data.pages as Row[][]).map(change) };
    }
    return data;
  };
  for (const query of client.getQueryCache().findAll({ queryKey: key, predicate: isList })) {
    const { isInvalidated, dataUpdatedAt: updatedAt } = query.state;
    // A changed row is not a read: an outdated list must still be read again.
    client.setQueryData(query.queryKey, changeData, { updatedAt });
    if (isInvalidated) query.invalidate();
  }
  for (const read of traffic(client).reads) {
    if (partialMatchKey(read.key, key)) read.changes.push(changeData);
  }
};

/** Replaces rows by newer ones with the same id. */
export const adoptRows = <Row extends Identified>(
  client: QueryClient,
  key: QueryKey,
  rows: readonly Row[],
): void => {
  const newer = new Map(rows.map((row) => [row.id, row]));
  changeRows<Row>(client, key, (old) => old.map((row) => newer.get(row.id) ?? row));
};

/** Whether the server may have more rows than these cached pages. */
const mayGrow = (data: unknown): boolean =>
  typeof data === "object" &&
  data !== null &&
  "pages" in data &&
  nextPage(data.pages as Identified[][]) !== undefined;

/**
 * Makes a call that changes or deletes one row, and updates the cached lists from its answer.
 *
 * A list read during the call is read again: its answer may be newer than this one, or a deleted row may have gone
 * between two of its pages. After a deletion, so is a list with unread pages: the rows behind the deleted one have
 * moved up, and the next page would skip one of them.
 *
 * @param follow the fields that the answer changes, or "deleted".
 */
export const changeRow = async <Row extends Identified, Answer>(
  client: QueryClient,
  key: QueryKey,
  id: number,
  call: () => Promise<Answer>,
  follow: (answer: Answer) => Partial<Row> | "deleted",
): Promise<Answer> => {
  const { calls } = traffic(client);
  const own: PendingCall = { key, endedReads: [] };
  calls.add(own);
  try {
    const answer = await call();
    const patch = follow(answer);
    const isTorn = ({ queryKey, state: { data, fetchStatus } }: Query): boolean =>
      own.endedReads.some((ended) => hashKey(ended) === hashKey(queryKey)) ||
      (patch === "deleted" && (fetchStatus === "fetching" || mayGrow(data)));
    const torn = client
      .getQueryCache()
      .findAll({ queryKey: key, predicate: (query) => isList(query) && isTorn(query) });
    changeRows<Row>(client, key, (rows) =>
      patch === "deleted"
        ? rows.filter((row) => row.id !== id)
        : rows.map((row) => (row.id === id ? { ...row, ...patch } : row)),
    );
    for (const { queryKey } of torn) void client.invalidateQueries({ queryKey, exact: true });
    return answer;
  } finally {
    calls.delete(own);
  }
};

/** Lists and single objects share the cache; the second part of their keys tells them apart. */
const isList = (query: Query): boolean => query.queryKey[1] === "list";
