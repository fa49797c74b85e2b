// @vitest-environment happy-dom
import { notifyManager, QueryClientProvider } from "@tanstack/react-query";
import { createRandom } from "@tollgate/testkit/random";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { act, cleanup, renderHook } from "../testing/draw";
import { changeRow, growingList, searchList } from "./growing-list";
import { startLanguage } from "./i18n";
import type { ListSearch } from "./list-search";
import { notify } from "./notify";
import { createQueryClient } from "./query-client";
import type { SortableColumn } from "./sort-rows";
import { type List, useList } from "./use-list";

/*
 * A list whose rows change while its calls are pending. The server model carries out each call at a random moment and
 * answers at a random later one; meanwhile a random user steps, sorts, searches, refreshes and acts on rows. When all
 * calls are answered, the list must show exactly the server's rows.
 */

beforeAll(async () => {
  notifyManager.setScheduler(queueMicrotask);
  await startLanguage();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

interface Row {
  id: number;
  status: number;
}

const COLUMNS: SortableColumn<Row>[] = [
  { id: "id", sortBy: (row) => row.id },
  { id: "status", sortBy: (row) => row.status },
];
const PAGE = 10;
const KEY = ["rows", "list"];

/** A call that the server has received but not answered. */
interface PendingCall {
  name: string;
  /** Carries the call out; undefined once done. */
  carryOut: (() => void) | undefined;
  answer: () => void;
}

/** A server that carries out and answers its calls when the test says so. */
const openServer = (count: number) => {
  let rows: Row[] = Array.from({ length: count }, (_, index) => ({ id: count - index, status: 0 }));
  const calls: PendingCall[] = [];
  const call = <Answer,>(name: string, run: () => Answer, fails = false): Promise<Answer> =>
    new Promise((resolve, reject) => {
      let outcome: Answer;
      const pending: PendingCall = {
        name,
        carryOut: () => {
          pending.carryOut = undefined;
          if (!fails) outcome = run();
        },
        answer: () => {
          pending.carryOut?.();
          calls.splice(calls.indexOf(pending), 1);
          if (fails) reject(new Error("not now"));
          else resolve(outcome);
        },
      };
      calls.push(pending);
    });
  let newest = count;
  return {
    calls,
    rows: () => rows,
    page: (page: number) =>
      call(`page ${page}`, () => rows.slice(page * PAGE, (page + 1) * PAGE).map((row) => ({ ...row }))),
    find: (keyword: string) =>
      call(`search ${keyword}`, () =>
        rows.filter((row) => String(row.id).includes(keyword)).map((row) => ({ ...row })),
      ),
    set: (id: number, status: number, fails: boolean) =>
      call(
        `set ${id} to ${status}`,
        () => {
          rows = rows.map((row) => (row.id === id ? { ...row, status } : row));
          return { status };
        },
        fails,
      ),
    remove: (id: number, fails: boolean) =>
      call(
        `delete ${id}`,
        () => {
          rows = rows.filter((row) => row.id !== id);
        },
        fails,
      ),
    /** Changes many rows at once; the answer contains none of them. */
    setAll: (status: number) =>
      call("batch", () => {
        rows = rows.map((row) => (row.id % 3 === 0 ? { ...row, status } : row));
      }),
    add: () =>
      call("add", () => {
        newest += 1;
        rows = [{ id: newest, status: 0 }, ...rows];
      }),
  };
};

type Server = ReturnType<typeof openServer>;

/** A list page in front of a server, with the actions that pages have. */
const openList = (server: Server) => {
  const client = createQueryClient();
  const pages = growingList<Row>(KEY, server.page);
  let search: ListSearch = {};
  const { current, rerender } = renderHook(
    (now: ListSearch) =>
      useList({
        pages,
        found: searchList<Row>(KEY, now.q ?? "", server.find),
        search: now,
        columns: COLUMNS,
      }),
    search,
    (caller) => <QueryClientProvider client={client}>{caller}</QueryClientProvider>,
  );
  const run = (
    scope: string,
    call: () => Promise<unknown>,
    onSuccess: (answer: unknown) => unknown = () => {},
  ) => {
    client
      .getMutationCache()
      .build(client, { mutationFn: call, onSuccess, scope: { id: scope } })
      .execute(undefined)
      .catch(() => undefined);
  };
  const turn = () =>
    act(async () => {
      for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setTimeout(resolve));
    });
  return {
    get list(): List<Row> {
      return current();
    },
    turn,
    change: async (next: ListSearch) => {
      search = { ...search, ...next };
      rerender(search);
      await turn();
    },
    press: async (button: (list: List<Row>) => void) => {
      await act(async () => button(current()));
      await turn();
    },
    set: (id: number, status: number, fails = false) =>
      run(`row ${id}`, () =>
        changeRow<Row, Partial<Row>>(
          client,
          KEY,
          id,
          () => server.set(id, status, fails),
          (answer) => answer,
        ),
      ),
    remove: (id: number, fails = false) =>
      run(`row ${id}`, () =>
        changeRow<Row, void>(
          client,
          KEY,
          id,
          () => server.remove(id, fails),
          () => "deleted",
        ),
      ),
    setAll: (status: number) =>
      run(
        "batch",
        () => server.setAll(status),
        () => client.invalidateQueries({ queryKey: ["rows"] }),
      ),
    add: () => run("add", server.add, () => client.invalidateQueries({ queryKey: ["rows"] })),
    /** Answers all calls, including those that follow from the answers. */
    settle: async () => {
      for (let rounds = 0; ; rounds += 1) {
        await turn();
        if (server.calls.length === 0 && client.isFetching() === 0 && client.isMutating() === 0) return;
        if (rounds > 1000) throw new Error(`never quiet: ${server.calls.map(({ name }) => name).join(", ")}`);
        server.calls[0]?.answer();
      }
    },
  };
};

type OpenList = ReturnType<typeof openList>;

/** Every row of the list's pages, in the server's order. */
const allShown = async (page: OpenList): Promise<Row[]> => {
  await page.change({ q: undefined, sort: undefined, size: undefined, page: undefined });
  await page.settle();
  const seen: Row[] = [];
  for (let at = 1; ; at += 1) {
    for (let tries = 0; page.list.hasRoom; tries += 1) {
      if (tries > 50) throw new Error("the list never ends");
      await page.press((list) => list.grow());
      await page.settle();
    }
    seen.push(...(page.list.rows ?? []));
    if (at >= page.list.pageCount) return seen;
    await page.change({ page: at + 1 });
    await page.settle();
  }
};

const open = async (count: number) => {
  vi.spyOn(notify, "error").mockImplementation(() => 0);
  const server = openServer(count);
  const page = openList(server);
  await page.turn();
  return { server, page };
};

describe("a row that is changed while its list is read", () => {
  it("keeps its new state when the next page arrives", async () => {
    const { server, page } = await open(35);
    server.calls[0]?.answer();
    await page.turn();
    expect(server.calls.map(({ name }) => name)).toEqual(["page 1"]);
    page.set(33, 2);
    await page.turn();
    server.calls.find(({ name }) => name.startsWith("set"))?.answer();
    await page.turn();
    expect(page.list.rows?.find(({ id }) => id === 33)?.status).toBe(2);
    await page.settle();
    expect(page.list.rows?.find(({ id }) => id === 33)?.status).toBe(2);
  });

  it("ends in the state of the last call, however the answers overtake each other", async () => {
    const { server, page } = await open(15);
    await page.settle();
    page.set(15, 2);
    page.set(15, 1);
    await page.turn();
    // The second call waits for the first one.
    expect(server.calls.map(({ name }) => name)).toEqual(["set 15 to 2"]);
    await page.settle();
    expect(page.list.rows?.find(({ id }) => id === 15)?.status).toBe(1);
  });

  it("stays deleted, and no row behind it is skipped, when it goes between two pages of a read", async () => {
    const { server, page } = await open(25);
    await page.settle();
    expect(await allShown(page)).toHaveLength(25);
    const answer = (name: string) => server.calls.find((call) => call.name === name);
    await page.press((list) => list.refresh());
    answer("page 0")?.answer();
    await page.turn();
    page.remove(23);
    await page.turn();
    answer("delete 23")?.carryOut?.();
    for (const name of ["page 1", "page 2", "page 3"]) {
      answer(name)?.answer();
      await page.turn();
    }
    await page.settle();
    expect(await allShown(page)).toEqual(server.rows());
  });

  it.each(Array.from({ length: 60 }, (_, index) => index + 1))(
    "shows the server's row once all is answered (seed %i)",
    async (seed) => {
      const random = createRandom(seed * 104_729);
      const upTo = (most: number) => Math.floor(random() * (most + 1));
      const oneOf = <Item,>(items: readonly Item[]): Item | undefined => items[upTo(items.length - 1)];
      const { server, page } = await open(1 + upTo(45));
      const anyId = () => oneOf(page.list.rows ?? [])?.id;
      const steps: Record<string, () => unknown> = {
        carryOut: () => oneOf(server.calls.filter(({ carryOut }) => carryOut))?.carryOut?.(),
        answer: () => oneOf(server.calls)?.answer(),
        answerToo: () => oneOf(server.calls)?.answer(),
        set: () => page.set(anyId() ?? 1, upTo(3), random() < 0.2),
        setToo: () => page.set(anyId() ?? 1, upTo(3)),
        remove: () => page.remove(anyId() ?? 1, random() < 0.2),
        batch: () => random() < 0.3 && page.setAll(upTo(3)),
        add: () => random() < 0.3 && page.add(),
        next: () => page.change({ page: 1 + upTo(5) }),
        sort: () => page.change({ sort: oneOf([undefined, "id", "-status"]) }),
        search: () => page.change({ q: oneOf([undefined, "1", "2"]), page: undefined }),
        refresh: () => page.press((list) => list.refresh()),
        reload: () => page.press((list) => list.reload()),
        grow: () => page.press((list) => list.grow()),
      };
      const taken: string[] = [];
      for (let count = 0; count < 40; count += 1) {
        const [name, step] = oneOf(Object.entries(steps)) ?? [];
        taken.push(name ?? "");
        await step?.();
        await page.turn();
      }
      const shownNow = async () => {
        await page.settle();
        return page.list.rows;
      };
      const shown = (await shownNow()) ?? [];
      const byId = new Map(server.rows().map((row) => [row.id, row]));
      for (const row of shown) expect(row, taken.join(" ")).toEqual(byId.get(row.id));
      expect(await allShown(page), taken.join(" ")).toEqual(server.rows());
    },
  );
});
