import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { adoptRows, dropRow, joinPages, nextPage, patchRow } from "./growing-list";
import { cutPage, nextSort, readListSearch, sortRows } from "./list-search";

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

  it("are changed in pages and searches alike, and nowhere else", () => {
    const made = client();
    patchRow<{ id: number; status: number }>(made, ["things"], 3, { status: 2 });
    expect(made.getQueryData(pagesKey)).toMatchObject({
      pages: [rows(2), [{ id: 3, status: 2 }, { id: 4 }], []],
    });
    expect(made.getQueryData(searchKey)).toContainEqual({ id: 3, status: 2 });
    expect(made.getQueryData(["things", "one", 3])).toEqual({ id: 3 });
  });

  it("leave at once when deleted", () => {
    const made = client();
    dropRow(made, ["things"], 3);
    expect(made.getQueryData(pagesKey)).toMatchObject({ pages: [rows(2), [{ id: 4 }], []] });
    expect(made.getQueryState(pagesKey)?.isInvalidated).toBe(false);
  });

  it("are read anew after a deletion while more may come: the next page would skip one", () => {
    const made = client();
    made.setQueryData(pagesKey, { pages: [rows(10)], pageParams: [0] });
    dropRow(made, ["things"], 3);
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
