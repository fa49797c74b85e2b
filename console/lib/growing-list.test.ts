import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { adoptRows, changeRow, growingList, joinPages, nextPage, searchList } from "./growing-list";
import { nextSort, readListSearch } from "./list-search";
import { cutPage, sortRows } from "./sort-rows";

const rows = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => ({ id: first + index }));

describe("nextPage", () => {
  it.each([1, 9, 10, 20, 100])("goes on after pages of %d rows", (size) => {
    expect(nextPage([rows(size)])).toBe(1);
    expect(nextPage([rows(size), rows(size, size + 1)])).toBe(2);
  });
  it("goes on after a short page: only an empty one is the end", () => {
    expect(nextPage([rows(20), rows(3, 21)])).toBe(2);
    expect(nextPage([rows(10), []])).toBeUndefined();
    expect(nextPage([[]])).toBeUndefined();
    expect(nextPage([])).toBeUndefined();
  });
  it("ends after two pages in a row that bring nothing new", () => {
    expect(nextPage([rows(5), rows(5)])).toBe(2);
    expect(nextPage([rows(5), rows(5), rows(5)])).toBeUndefined();
    expect(nextPage([rows(5), rows(5), rows(5, 6)])).toBe(3);
  });
});

describe("V1: nextPage", () => {
  const unnamed = (...texts: string[]) => texts.map((text) => ({ id: 0, text }));

  it("looks at all pages before the last two, and at every row of those", () => {
    expect(nextPage([rows(5), rows(5, 6), rows(5, 11), rows(5), rows(5, 11)])).toBeUndefined();
    expect(nextPage([rows(5), rows(5, 6), rows(5)])).toBe(3);
    expect(nextPage([rows(5), rows(5), rows(5, 5)])).toBe(3);
  });

  it("tells rows without an id apart by their content", () => {
    expect(nextPage([unnamed("a"), unnamed("b"), unnamed("c")])).toBe(3);
    expect(nextPage([unnamed("a"), unnamed("a"), unnamed("a")])).toBeUndefined();
  });
});

describe("V1: a request of a list", () => {
  it("is a page after the other, kept under the key of its pages", async () => {
    const asked: unknown[][] = [];
    const list = growingList(["things", "list"], async (...what) => {
      asked.push(what);
      return rows(1);
    });
    expect(list.queryKey).toEqual(["things", "list", "pages"]);
    expect(list.initialPageParam).toBe(0);
    const client = new QueryClient();
    const { pages } = await client.fetchInfiniteQuery({ ...list, pages: 2 });
    expect(pages).toHaveLength(2);
    expect(asked.map(([page]) => page)).toEqual([0, 1]);
    expect(asked[0]?.[1]).toBeInstanceOf(AbortSignal);
  });

  it("is a search by its keyword, and none without one", async () => {
    const asked: unknown[][] = [];
    const search = (keyword: string) =>
      searchList(["things", "list"], keyword, async (...what) => {
        asked.push(what);
        return rows(1);
      });
    expect(search("x").queryKey).toEqual(["things", "list", "search", "x"]);
    expect([search("x").enabled, search("").enabled]).toEqual([true, false]);
    expect(await new QueryClient().fetchQuery(search("x"))).toEqual(rows(1));
    expect(asked.map(([keyword]) => keyword)).toEqual(["x"]);
  });
});

describe("joinPages", () => {
  it("keeps a row that shifted between pages once, and every row without an id", () => {
    expect(joinPages([rows(3), rows(3, 3)]).map((row) => row.id)).toEqual([1, 2, 3, 4, 5]);
    expect(joinPages([[{ id: 0 }, { id: 0 }]])).toHaveLength(2);
  });
  it("leaves out a page that only repeats, with ids or without", () => {
    const unnamed = [
      { id: 0, text: "a" },
      { id: 0, text: "b" },
    ];
    expect(joinPages([unnamed, unnamed])).toEqual(unnamed);
    expect(joinPages([rows(3), rows(3)])).toEqual(rows(3));
  });
});

/** Changes a row on a server that answers immediately. */
const patchRow = (client: QueryClient, key: readonly string[], id: number, patch: object) =>
  changeRow(
    client,
    key,
    id,
    async () => "done",
    () => patch,
  );
const dropRow = (client: QueryClient, key: readonly string[], id: number) =>
  changeRow(
    client,
    key,
    id,
    async () => "done",
    () => "deleted",
  );

describe("cached rows", () => {
  const pagesKey = ["things", "list", "pages"];
  const searchKey = ["things", "list", "search", "x"];
  const client = () => {
    const made = new QueryClient();
    made.setQueryData(pagesKey, { pages: [rows(2), rows(2, 3), []], pageParams: [0, 1, 2] });
    made.setQueryData(searchKey, rows(4));
    made.setQueryData(["things", "one", 3], { id: 3 });
    return made;
  };

  it("are changed in pages and searches alike, and nowhere else", async () => {
    const made = client();
    await patchRow(made, ["things"], 3, { status: 2 });
    expect(made.getQueryData(pagesKey)).toMatchObject({
      pages: [rows(2), [{ id: 3, status: 2 }, { id: 4 }], []],
    });
    expect(made.getQueryData(searchKey)).toContainEqual({ id: 3, status: 2 });
    expect(made.getQueryData(["things", "one", 3])).toEqual({ id: 3 });
  });

  it("V1: are changed by their id and under their key alone, whatever else is cached", async () => {
    const others = { pages: [rows(4)], pageParams: [0] };
    for (const change of [
      (made: QueryClient) => patchRow(made, ["things"], 3, { status: 2 }),
      (made: QueryClient) => adoptRows(made, ["things"], [{ id: 3, status: 2 }]),
      (made: QueryClient) => dropRow(made, ["things"], 3),
    ]) {
      const made = client();
      made.setQueryData(["others", "list", "pages"], others);
      made.setQueryData(["things", "counts"], rows(4));
      made.setQueryData(["things", "list", "pages", "of another"], { pages: [[]], pageParams: [0] });
      const odd = [null, 5, "text", {}];
      for (const [index, data] of odd.entries()) made.setQueryData(["things", "list", index], data);
      await change(made);
      expect(made.getQueryData(["others", "list", "pages"])).toEqual(others);
      expect(made.getQueryState(["others", "list", "pages"])?.isInvalidated).toBe(false);
      expect(made.getQueryData(["things", "counts"])).toEqual(rows(4));
      expect(odd.map((_, index) => made.getQueryData(["things", "list", index]))).toEqual(odd);
      expect(made.getQueryData<unknown[]>(searchKey)?.slice(0, 2)).toEqual(rows(2));
      expect(made.getQueryData<unknown[]>(searchKey)?.at(-1)).toEqual({ id: 4 });
    }
  });

  it("V1: of a list that may grow are reloaded, and rows of other lists are kept", async () => {
    const made = client();
    made.setQueryData(pagesKey, { pages: [rows(10)], pageParams: [0] });
    made.setQueryData([...pagesKey, "of another"], { pages: [[]], pageParams: [0] });
    await dropRow(made, ["things"], 3);
    expect(made.getQueryState(pagesKey)?.isInvalidated).toBe(true);
    expect(made.getQueryState([...pagesKey, "of another"])?.isInvalidated).toBe(false);
  });

  it("leave at once when deleted", async () => {
    const made = client();
    await dropRow(made, ["things"], 3);
    expect(made.getQueryData(pagesKey)).toMatchObject({ pages: [rows(2), [{ id: 4 }], []] });
    expect(made.getQueryState(pagesKey)?.isInvalidated).toBe(false);
  });

  it("are reloaded after a deletion while more may come: the next page would skip one", async () => {
    const made = client();
    made.setQueryData(pagesKey, { pages: [rows(10)], pageParams: [0] });
    await dropRow(made, ["things"], 3);
    expect(made.getQueryState(pagesKey)?.isInvalidated).toBe(true);
    expect(made.getQueryState(searchKey)?.isInvalidated).toBe(false);
  });

  it("give way to newer rows with the same id", () => {
    const made = client();
    adoptRows(made, ["things"], [{ id: 3, name: "newer" }]);
    expect(made.getQueryData(pagesKey)).toMatchObject({
      pages: [rows(2), [{ id: 3, name: "newer" }, { id: 4 }], []],
    });
    expect(made.getQueryData(searchKey)).toEqual([{ id: 1 }, { id: 2 }, { id: 3, name: "newer" }, { id: 4 }]);
  });
});

describe("list state", () => {
  it("cuts pages of ten and repairs a page beyond the end", () => {
    expect(cutPage(rows(23), 3)).toEqual({ rows: rows(3, 21), page: 3, pageCount: 3 });
    expect(cutPage(rows(23), 9).page).toBe(3);
    expect(cutPage([], 2)).toEqual({ rows: [], page: 1, pageCount: 1 });
  });

  it("sorts ascending, descending, not at all", () => {
    expect([nextSort(undefined, "id"), nextSort("id", "id"), nextSort("-id", "id")]).toEqual([
      "id",
      "-id",
      undefined,
    ]);
    const columns = [
      { id: "id", sortBy: (row: { id: number }) => (row.id === 2 ? Number.POSITIVE_INFINITY : row.id) },
    ];
    expect(sortRows(rows(3), "-id", columns).map((row) => row.id)).toEqual([2, 3, 1]);
    expect(sortRows(rows(3), "nothing", columns)).toEqual(rows(3));
  });

  it("V1: sorts numbers as numbers, texts with the numbers in them, and one beside the other as texts", () => {
    const sorted = (sort: string, ...values: (number | string)[]) =>
      sortRows(
        values.map((value) => ({ value })),
        sort,
        [{ id: "used-up", sortBy: (row) => row.value }],
      ).map(({ value }) => value);
    expect(sorted("used-up", 0.5, 0.25, -5, 3)).toEqual([-5, 0.25, 0.5, 3]);
    expect(sorted("-used-up", 9, 10)).toEqual([10, 9]);
    expect(sorted("used-up", "row 10", "row 9", "b")).toEqual(["b", "row 9", "row 10"]);
    expect(sorted("used-up", "b", 2, "a", 1)).toEqual([1, 2, "a", "b"]);
    const { POSITIVE_INFINITY: never } = Number;
    expect(sorted("used-up", never, 1, never)).toEqual([1, never, never]);
  });

  it("V1: says neither the first page nor the usual size", () => {
    expect(readListSearch({ page: "1", size: "10" })).toEqual({});
    expect(readListSearch({ page: "1.5" })).toEqual({});
    expect(readListSearch({ page: "2" })).toEqual({ page: 2 });
  });

  it("leaves unfit parts of an address out", () => {
    expect(readListSearch({ q: 5, page: "-1", sort: "", size: "7" })).toEqual({});
    expect(readListSearch({ size: "10" })).toEqual({});
    expect(readListSearch({ q: "123", page: "3", sort: "-id", size: "50" })).toEqual({
      q: "123",
      page: 3,
      sort: "-id",
      size: 50,
    });
  });
});
