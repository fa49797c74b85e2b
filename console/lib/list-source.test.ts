import type { ListFilter } from "@tollgate/contract/resource/list-filter";
import { describe, expect, it } from "vitest";
import { growingList, searchList } from "./growing-list";
import type { ListSearch } from "./list-search";
import { chooseReads } from "./list-source";

interface Row {
  id: number;
}

const noRows = async (): Promise<Row[]> => [];

/** The reads of a list whose server can sort by name. */
const readsOf = (
  search: ListSearch,
  { canQuery = true, canSearch = true, filter = {} as ListFilter } = {},
) => {
  const {
    pages,
    unsearched: _,
    ...reads
  } = chooseReads<Row>(
    {
      pages: growingList<Row>(["plain"], noRows),
      queried: {
        sorts: ["name"],
        pages: (sort, narrowedBy) => growingList<Row>(["queried", sort, narrowedBy], noRows),
        found: (keyword, sort, narrowedBy) =>
          growingList<Row>(["found pages", keyword, sort, narrowedBy], noRows),
      },
      narrowed: { filter },
      found: searchList<Row>(["found"], search.q ?? "", noRows),
      search,
    },
    { canQuery, canSearch },
  );
  return { ...reads, key: pages.queryKey.slice(0, -1) };
};

const FILTER = { group: "vip" };

describe("the reads of a list", () => {
  it.each<[string, ListSearch, Parameters<typeof readsOf>[1], unknown[], string | undefined]>([
    ["the plain pages", {}, {}, ["plain"], undefined],
    ["pages sorted by the server", { sort: "-name" }, {}, ["queried", "-name", {}], undefined],
    ["filtered pages", {}, { filter: FILTER }, ["queried", undefined, FILTER], undefined],
    ["both", { sort: "name" }, { filter: FILTER }, ["queried", "name", FILTER], undefined],
    ["the plain pages for a column that the server cannot sort", { sort: "id" }, {}, ["plain"], undefined],
    ["rows to sort here from other servers", { sort: "id" }, { canQuery: false }, ["plain"], "id"],
    ["unfiltered rows from other servers", {}, { canQuery: false, filter: FILTER }, ["plain"], undefined],
  ])("are %s", (_, search, server, key, sort) => {
    expect(readsOf(search, server)).toEqual({
      isSearch: false,
      key,
      sort,
      sorts: server?.canQuery === false ? undefined : ["name"],
    });
  });

  it("are the pages that a keyword finds, sorted and filtered by the server", () => {
    expect(readsOf({ q: "a", sort: "name" }, { filter: FILTER })).toMatchObject({
      isSearch: false,
      key: ["found pages", "a", "name", FILTER],
      sort: undefined,
    });
  });

  it("are the unpaged search of other servers, whose rows are sorted here", () => {
    expect(readsOf({ q: "a", sort: "id" }, { canQuery: false })).toMatchObject({
      isSearch: true,
      sort: "id",
    });
  });

  it("are the unpaged search of a server that filters lists, but would ignore the filters of a search", () => {
    expect(readsOf({ q: "a", sort: "name" }, { canSearch: false, filter: FILTER })).toMatchObject({
      isSearch: true,
      sort: "name",
    });
  });

  it("are the pages where the list has no search", () => {
    const pages = growingList<Row>(["plain"], noRows);
    expect(chooseReads<Row>({ pages, search: { q: "a" } }, { canQuery: true, canSearch: true })).toEqual({
      isSearch: false,
      pages,
      unsearched: pages,
      sorts: undefined,
      sort: undefined,
    });
  });
});
