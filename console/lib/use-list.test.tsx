// @vitest-environment happy-dom
import { notifyManager, QueryClientProvider } from "@tanstack/react-query";
import type { ListFilter } from "@tollgate/contract/resource/list-filter";
import { createRandom } from "@tollgate/testkit/random";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { act, cleanup, renderHook } from "../testing/draw";
import type { QueriedList } from "./endpoint-lists";
import { growingList, searchList } from "./growing-list";
import { startLanguage } from "./i18n";
import type { ListSearch } from "./list-search";
import { PAGES_TO_SORT } from "./list-view";
import { writeStored } from "./local-store";
import { createQueryClient } from "./query-client";
import { type SortableColumn, sortRows } from "./sort-rows";
import { type List, useList } from "./use-list";

/*
 * Random servers and users: any number of rows in any order, pages of any size, occasional failures, and a user who
 * steps through the list. Each is derived from a seed, which is in the title.
 */

beforeAll(async () => {
  notifyManager.setScheduler(queueMicrotask);
  await startLanguage();
});
afterEach(cleanup);
afterEach(() => writeStored("status", undefined));

/** The server reports that it sorts and filters lists. */
const queryLists = () =>
  writeStored("status", JSON.stringify({ list_queries: true, list_extras: "searches" }));

interface Row {
  id: number;
  name: string;
}

const COLUMNS: SortableColumn<Row>[] = [
  { id: "id", sortBy: (row) => row.id },
  { id: "name", sortBy: (row) => row.name },
  { id: "actions" },
];

/** A server with these rows; `ask` requests a page. */
class ListServer {
  asked: number[] = [];
  constructor(
    public rows: Row[],
    public pageSize: number,
    /** Makes a call fail, or acts before its answer. */
    public before: (page: number) => void = () => {},
  ) {}

  readonly ask = async (page: number): Promise<Row[]> => {
    this.asked.push(page);
    this.before(page);
    return this.rows.slice(page * this.pageSize, (page + 1) * this.pageSize);
  };
}

let opened = 0;

/** A list in front of a server, as a page shows it. */
const openList = async (
  server: ListServer,
  first: ListSearch = {},
  queried?: QueriedList<Row>,
  narrowed?: { filter: ListFilter },
) => {
  const client = createQueryClient();
  opened += 1;
  const pages = growingList<Row>([`list ${opened}`, "list"], server.ask);
  let search = first;
  const { current, rerender } = renderHook(
    (now: ListSearch) => useList({ pages, queried, narrowed, search: now, columns: COLUMNS }),
    search,
    (caller) => <QueryClientProvider client={client}>{caller}</QueryClientProvider>,
  );
  const settle = async () => {
    await act(async () => {
      // A fetch, its effects, and the next fetch take a few turns of the loop each.
      do {
        for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve));
      } while (client.isFetching() > 0);
    });
  };
  await settle();
  return {
    get list(): List<Row> {
      return current();
    },
    ids: () => current().rows?.map((row) => row.id),
    settle,
    change: async (next: ListSearch) => {
      search = { ...search, ...next };
      rerender(search);
      await settle();
    },
    press: async (button: (list: List<Row>) => void) => {
      await act(async () => button(current()));
      await settle();
    },
  };
};

const numbered = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `row ${(index * 7) % count}` }));

const shuffled = (rows: Row[], random: () => number): Row[] =>
  rows
    .map((row) => ({ row, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);

/** Steps from the first to the last page that the list offers, and returns the rows in the order seen. */
const stepThrough = async (opened: Awaited<ReturnType<typeof openList>>): Promise<Row[]> => {
  await opened.change({ page: undefined });
  const seen: Row[] = [];
  for (let page = 1; ; page += 1) {
    // A page that is not full is read on while its end is visible; a failed read is retried by its button.
    for (let tries = 0; opened.list.hasRoom || opened.list.growthError || opened.list.error; tries += 1) {
      if (opened.list.sortedRows !== undefined) break;
      if (opened.list.growthError) expect(opened.list.rows?.length).toBeGreaterThan(0);
      if (tries > 500) throw new Error("the list never ends");
      await opened.press(opened.list.error ? (list) => list.refresh() : (list) => list.grow());
    }
    expect(opened.list.page).toBe(page);
    const rows = opened.list.rows;
    if (rows === undefined) throw new Error(`page ${page} never came`);
    if (page > 1) expect(rows.length).toBeGreaterThan(0);
    seen.push(...rows);
    if (page >= opened.list.pageCount) return seen;
    await opened.change({ page: page + 1 });
  }
};

describe("a list that arrives page by page", () => {
  it.each(Array.from({ length: 60 }, (_, index) => index + 1))(
    "shows every row exactly once, in its order, or says why not (seed %i)",
    async (seed) => {
      const random = createRandom(seed * 7919);
      for (let warm = 0; warm < 5; warm += 1) random();
      const upTo = (most: number) => Math.floor(random() * (most + 1));
      const rows = shuffled(numbered(upTo(70)), random);
      const failing = random() < 0.5 ? random() * 0.5 : 0;
      const server = new ListServer(rows, 1 + upTo(14), () => {
        if (random() < failing) throw new Error("not now");
      });
      const sort = [undefined, "id", "-id", "name", "-name", "actions"][upTo(5)];
      const opened = await openList(server, { sort, size: random() < 0.3 ? 50 : undefined });
      for (let rounds = 0; ; rounds += 1) {
        if (opened.list.error) await opened.press((list) => list.refresh());
        const seen = await stepThrough(opened);
        expect(new Set(seen.map((row) => row.id)).size).toBe(seen.length);
        expect(seen).toEqual(sortRows(seen, sort, COLUMNS));
        if (opened.list.sortedRows === undefined && !opened.list.error) {
          expect(seen).toEqual(sortRows(rows, sort, COLUMNS));
          break;
        }
        // `sortedRows` is the number of shown rows, and the list can be continued.
        expect(seen.length).toBe(opened.list.sortedRows);
        if (rounds > 500) throw new Error("the list never ends");
        await opened.press((list) => list.grow());
      }
    },
  );

  it.each([1, 3, 9, 10, 11, 25, 100])("of 25 rows is whole with %i rows per answer", async (pageSize) => {
    const opened = await openList(new ListServer(numbered(25), pageSize));
    expect((await stepThrough(opened)).map((row) => row.id)).toEqual(numbered(25).map((row) => row.id));
  });

  it("offers no page that has no rows: exactly ten are one page", async () => {
    const server = new ListServer(numbered(10), 10);
    const opened = await openList(server);
    expect(server.asked).toEqual([0, 1]);
    expect(opened.list).toMatchObject({ page: 1, pageCount: 1, hasRoom: false });
  });

  it("is read one page ahead of the shown one, and no further", async () => {
    const server = new ListServer(numbered(100), 10);
    const opened = await openList(server);
    expect(server.asked).toEqual([0, 1]);
    await opened.change({ page: 2 });
    expect(server.asked).toEqual([0, 1, 2]);
    await opened.change({ page: 1 });
    expect(server.asked).toEqual([0, 1, 2]);
  });

  it("ends where the server knows no pages and sends all rows each time, with ids or without", async () => {
    for (const rows of [numbered(12), numbered(12).map((row) => ({ ...row, id: 0 }))]) {
      const server = new ListServer(rows, 12);
      const ask = server.ask;
      const opened = await openList(Object.assign(server, { ask: () => ask(0) }));
      expect(await stepThrough(opened)).toEqual(rows);
      expect(server.asked.length).toBeLessThan(5);
      await opened.change({ sort: "name" });
      expect(opened.list.sortedRows).toBeUndefined();
    }
  });

  it("goes on past a page of known rows: so many may have been added meanwhile", async () => {
    const server = new ListServer(numbered(30), 5, (page) => {
      if (page === 1 && server.rows.length === 30)
        server.rows = [...numbered(5).map((row) => ({ ...row, id: row.id + 100 })), ...server.rows];
    });
    const opened = await openList(server);
    expect((await stepThrough(opened)).map((row) => row.id)).toEqual(numbered(30).map((row) => row.id));
  });
});

describe("a page that does not come", () => {
  const withFailure = async (first: ListSearch = {}) => {
    const server = new ListServer(numbered(35), 10);
    const state = { isDown: true };
    server.before = (page) => {
      if (page > 1 && state.isDown) throw new Error("the line broke");
    };
    const opened = await openList(server, first);
    return { server, state, opened };
  };

  it("leaves the old page, says why, and is asked for again by a button", async () => {
    const { server, state, opened } = await withFailure();
    await opened.change({ page: 2 });
    expect(opened.ids()).toEqual(
      numbered(35)
        .slice(10, 20)
        .map((row) => row.id),
    );
    expect(opened.list.growthError?.message).toBe("the line broke");
    const asked = server.asked.length;
    await opened.settle();
    expect(server.asked.length).toBe(asked);
    // The first retry fails: nothing changes.
    await opened.press((list) => list.grow());
    expect(server.asked.length).toBe(asked + 1);
    expect(opened.list).toMatchObject({ page: 2, growthError: { message: "the line broke" } });
    state.isDown = false;
    await opened.press((list) => list.grow());
    expect(opened.list).toMatchObject({ page: 2, pageCount: 3, growthError: null });
    await opened.change({ page: 4 });
    expect(opened.ids()).toEqual([31, 32, 33, 34, 35]);
  });

  it("is not in the way of earlier pages, nor of refreshing", async () => {
    const { state, opened } = await withFailure();
    await opened.change({ page: 2 });
    await opened.change({ page: 1 });
    expect(opened.list).toMatchObject({ page: 1, growthError: null });
    expect(opened.ids()?.[0]).toBe(1);
    state.isDown = false;
    await opened.change({ page: 2 });
    await opened.press((list) => list.refresh());
    expect(opened.list).toMatchObject({ page: 2, pageCount: 3, growthError: null });
  });

  it("of an address shows the last one that came, which stays while it is asked for again", async () => {
    const { state, opened } = await withFailure({ page: 4 });
    expect(opened.list).toMatchObject({ page: 2, growthError: { message: "the line broke" } });
    state.isDown = false;
    let isShown = true;
    await act(async () => {
      opened.list.grow();
      isShown = opened.list.rows !== undefined;
    });
    expect(isShown).toBe(true);
    await opened.settle();
    expect(opened.list).toMatchObject({ page: 4, growthError: null });
  });
});

describe("a list that the server sorts", () => {
  /** A server of 3,000 rows that sorts by name, in a server-specific order, and by no other column. */
  const openSorted = async (first: ListSearch) => {
    const rows = numbered(3000);
    const own = new ListServer(rows, 10);
    const byName = new ListServer(shuffled(rows, createRandom(3)), 10);
    const list = await openList(own, first, {
      sorts: ["name"],
      pages: (sort) => growingList<Row>(["list sorted", "list", opened, sort], byName.ask),
    });
    return { list, own, byName };
  };

  it("has the rows as they come, all of them, a page ahead of the shown one", async () => {
    queryLists();
    const { list, own, byName } = await openSorted({ sort: "-name" });
    expect(list.ids()).toEqual(byName.rows.slice(0, 10).map(({ id }) => id));
    expect(list.list).toMatchObject({ sortedRows: undefined, pageCount: 2 });
    expect([own.asked, byName.asked]).toEqual([[], [0, 1]]);
    await list.change({ page: 2 });
    expect(list.ids()).toEqual(byName.rows.slice(10, 20).map(({ id }) => id));
    expect(byName.asked).toEqual([0, 1, 2]);
  });

  it("is sorted by no other column, also where its address names one: these would be some of the rows", async () => {
    queryLists();
    const { list, own, byName } = await openSorted({ sort: "-id" });
    expect(list.list).toMatchObject({ sorts: ["name"], sortedRows: undefined });
    expect(list.ids()).toEqual(own.rows.slice(0, 10).map(({ id }) => id));
    expect([own.asked, byName.asked]).toEqual([[0, 1], []]);
  });

  it("is sorted here by each column where the server does not say that it sorts", async () => {
    const { list, own, byName } = await openSorted({ sort: "name" });
    expect(byName.asked).toEqual([]);
    expect(own.asked).toHaveLength(PAGES_TO_SORT);
    expect(list.list).toMatchObject({ sorts: undefined, sortedRows: 200 });
    await list.change({ sort: "-id" });
    expect(list.list.sortedRows).toBe(200);
  });
});

describe("a list that the server narrows", () => {
  const even = { filter: { parity: "even" } };

  it("has the rows that it leaves, in the order that the server has them in", async () => {
    queryLists();
    const rows = numbered(60);
    const own = new ListServer(rows, 10);
    const left = new ListServer(
      rows.filter(({ id }) => id % 2 === 0),
      10,
    );
    const asked: unknown[] = [];
    const list = await openList(
      own,
      {},
      {
        sorts: ["name"],
        pages(sort, filter) {
          asked.push([sort, filter]);
          return growingList<Row>(["list narrowed", "list", opened], left.ask);
        },
      },
      even,
    );
    expect(list.ids()).toEqual(left.rows.slice(0, 10).map(({ id }) => id));
    expect(asked.at(-1)).toEqual([undefined, even.filter]);
    await list.change({ sort: "name" });
    expect(asked.at(-1)).toEqual(["name", even.filter]);
    expect(own.asked).toEqual([]);
  });

  it("has the rows that it finds page by page, sorted and filtered by the server", async () => {
    queryLists();
    const found = new ListServer(numbered(60), 10);
    const asked: unknown[] = [];
    const list = await openList(
      new ListServer([], 10),
      { q: "x" },
      {
        sorts: ["name"],
        pages: () => growingList<Row>(["list unused", "list", opened], async () => []),
        found(keyword, sort, filter) {
          asked.push([keyword, sort, filter]);
          return growingList<Row>(["list found", "list", opened, keyword, sort], found.ask);
        },
      },
      even,
    );
    expect(list.ids()).toEqual(found.rows.slice(0, 10).map(({ id }) => id));
    await list.change({ q: "x", sort: "-name" });
    expect(asked.at(-1)).toEqual(["x", "-name", even.filter]);
    expect(found.asked.length).toBeLessThan(6);
  });
});

describe("a sorted list", () => {
  it("is read to its end first: 25 rows by name are 25", async () => {
    const opened = await openList(new ListServer(numbered(25), 10), { sort: "name" });
    expect(opened.list).toMatchObject({ pageCount: 3, sortedRows: undefined });
    expect(await stepThrough(opened)).toEqual(sortRows(numbered(25), "name", COLUMNS));
  });

  it("is read no further than twenty pages by itself, says how far that is, and goes on when told to", async () => {
    const server = new ListServer(numbered(300), 10);
    const opened = await openList(server, { sort: "-id" });
    expect(server.asked).toHaveLength(20);
    expect(opened.list).toMatchObject({ sortedRows: 200, pageCount: 20 });
    expect((await stepThrough(opened)).map((row) => row.id)).toEqual(
      Array.from({ length: 200 }, (_, index) => 200 - index),
    );
    expect(server.asked).toHaveLength(20);
    await opened.press((list) => list.grow());
    await opened.change({ page: undefined });
    expect(opened.list).toMatchObject({ sortedRows: undefined, pageCount: 30 });
    expect(opened.ids()?.[0]).toBe(300);
  });

  it("shows no rows while others may still come between them, and how many have come", async () => {
    const server = new ListServer(numbered(55), 10);
    const opened = await openList(server);
    const seen: [List<Row>["rows"], number | undefined][] = [];
    server.before = () => {
      seen.push([opened.list.rows, opened.list.sortedRows]);
    };
    await opened.change({ sort: "-id" });
    // The first call is sent before the page is rendered again.
    const [, ...later] = seen;
    expect(later.map(([rows]) => rows)).toEqual([undefined, undefined, undefined, undefined]);
    expect(later.map(([, count]) => count)).toEqual(later.map(([, count]) => count).toSorted());
    expect(later.at(-1)?.[1]).toBeGreaterThan(20);
    expect(opened.ids()?.[0]).toBe(55);
  });

  it("names the reason why the rest did not come, and keeps the sorted rows", async () => {
    const server = new ListServer(numbered(25), 10, (page) => {
      if (page === 2) throw new Error("the line broke");
    });
    const opened = await openList(server, { sort: "-id" });
    expect(opened.list).toMatchObject({ sortedRows: 20, growthError: { message: "the line broke" } });
    expect((await stepThrough(opened)).map((row) => row.id)).toEqual(
      Array.from({ length: 20 }, (_, index) => 20 - index),
    );
    server.before = () => {};
    await opened.press((list) => list.grow());
    expect(opened.list).toMatchObject({ sortedRows: undefined, growthError: null, pageCount: 3 });
  });
});

describe("V1: a list that can be searched", () => {
  const openSearched = async (first: ListSearch) => {
    const client = createQueryClient();
    opened += 1;
    const key = [`list ${opened}`, "list"];
    const server = new ListServer(numbered(35), 10);
    const state = { keywords: [] as string[], isDown: false };
    const pages = growingList<Row>(key, server.ask);
    const searchFor = (keyword: string) =>
      searchList<Row>(key, keyword, async (asked) => {
        state.keywords.push(asked);
        if (state.isDown) throw new Error("not now");
        return numbered(4).map((row) => ({ ...row, id: row.id + 500 }));
      });
    const { current, rerender } = renderHook(
      (search: ListSearch) => useList({ pages, found: searchFor(search.q ?? ""), search, columns: COLUMNS }),
      first,
      (caller) => <QueryClientProvider client={client}>{caller}</QueryClientProvider>,
    );
    const settle = () =>
      act(async () => {
        do {
          for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve));
        } while (client.isFetching() > 0);
      });
    await settle();
    const change = async (search: ListSearch) => {
      rerender(search);
      await settle();
    };
    const press = async (button: (list: List<Row>) => void) => {
      await act(async () => button(current()));
      await settle();
    };
    return { server, state, list: current, change, press, ids: () => current().rows?.map(({ id }) => id) };
  };

  it("shows the found rows in place of its pages, and its pages again after it", async () => {
    const { server, state, list, change, ids } = await openSearched({ q: "row" });
    expect(ids()).toEqual([501, 502, 503, 504]);
    expect(list()).toMatchObject({ page: 1, pageCount: 1, hasRoom: false, isGrowing: false, error: null });
    // A hidden list makes no calls.
    expect(server.asked).toEqual([]);
    await change({});
    expect(ids()?.[0]).toBe(1);
    expect(server.asked).toEqual([0, 1]);
    expect(state.keywords).toEqual(["row"]);
    await change({ q: "row", sort: "-id" });
    expect(ids()).toEqual([504, 503, 502, 501]);
    expect(list().sortedRows).toBeUndefined();
  });

  it("says why nothing was found, and is searched again by its button", async () => {
    const { server, state, list, change, press, ids } = await openSearched({});
    state.isDown = true;
    await change({ q: "row" });
    expect(list()).toMatchObject({ rows: undefined, error: { message: "not now" } });
    state.isDown = false;
    const asked = server.asked.length;
    await press((shown) => shown.refresh());
    expect(ids()).toEqual([501, 502, 503, 504]);
    expect(server.asked.length).toBe(asked);
    // The pages are read again although the search is shown.
    await press((shown) => shown.reload());
    expect(server.asked.length).toBeGreaterThan(asked);
    expect(ids()).toEqual([501, 502, 503, 504]);
  });
});

describe("V1: while rows are on their way", () => {
  it("a list that reloads shows it, and a list that loads for the first time does not", async () => {
    const client = createQueryClient();
    opened += 1;
    const answer = async (): Promise<Row[]> => {
      // Waits for the turn of the loop in which the list is rendered.
      await new Promise((resolve) => setTimeout(resolve));
      return numbered(5);
    };
    const pages = growingList<Row>([`list ${opened}`, "list"], answer);
    const drawn: string[] = [];
    const { current } = renderHook(
      (search: ListSearch) => {
        const list = useList({ pages, search, columns: COLUMNS });
        drawn.push(
          `${list.rows === undefined ? "nothing" : "rows"}${list.isRefreshing ? ", refreshing" : ""}`,
        );
        return list;
      },
      {},
      (caller) => <QueryClientProvider client={client}>{caller}</QueryClientProvider>,
    );
    const settle = async () => {
      do {
        await act(async () => {
          await new Promise((resolve) => setTimeout(resolve));
        });
      } while (client.isFetching() > 0);
    };
    await settle();
    expect(drawn).toContain("nothing");
    expect(drawn).not.toContain("nothing, refreshing");
    expect(current().isRefreshing).toBe(false);
    await act(async () => current().refresh());
    expect(current().isRefreshing).toBe(true);
    await settle();
    expect(current().isRefreshing).toBe(false);
  });

  it("a sorted list is read as far as it may be, then on request, and another one from its beginning", async () => {
    const server = new ListServer(numbered(60), 1);
    const opened = await openList(server, { sort: "-id" });
    expect(server.asked).toHaveLength(PAGES_TO_SORT);
    expect(opened.list).toMatchObject({ sortedRows: PAGES_TO_SORT, isGrowing: false, growthError: null });
    expect(opened.ids()?.[0]).toBe(PAGES_TO_SORT);
    await opened.press((list) => list.grow());
    expect(opened.list.sortedRows).toBe(2 * PAGES_TO_SORT);
    await opened.press((list) => list.grow());
    await opened.press((list) => list.grow());
    expect(opened.list.sortedRows).toBeUndefined();
    expect(opened.ids()?.[0]).toBe(60);
  });
});
