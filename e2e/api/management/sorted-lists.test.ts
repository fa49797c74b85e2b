import type { Endpoint } from "@tollgate/contract/resource/endpoint";
import { DECLARED_ENDPOINTS } from "@tollgate/testkit/declared-endpoints";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ManagementWorld, startManagementWorld } from "./management-world";

/*
 * Every list that is declared to be sorted by the server, by every column that it names: 30 rows, of which many are equal. How
 * values are compared on both engines is tried in storage/accounts/list-query.engines.test.ts. And every list that is declared to be
 * narrowed, by every column and each of its values.
 */

let world: ManagementWorld;

const ROWS = 30;

/** What makes a row of each list. */
const MAKE: Readonly<Record<string, (row: number) => [path: string, body: unknown]>> = {
  "/api/user/": (row) => ["/api/user/", { username: `sorted-${row}`, password: "password-1" }],
  "/api/token/": (row) => [
    "/api/token/",
    { name: `key ${row % 4}`, remain_quota: row % 5, expired_time: -1 },
  ],
  "/api/channel/": (row) => [
    "/api/channel/",
    {
      name: `channel ${row % 4}`,
      type: 1,
      key: `sk-${row}`,
      models: "gpt-4o",
      group: "default",
      priority: row % 3,
    },
  ],
  "/api/redemption/": (row) => [
    "/api/redemption/",
    { name: `code ${row % 4}`, quota: 1 + (row % 5), count: 1 },
  ],
};

const SORTED = DECLARED_ENDPOINTS.filter(({ sorts }) => sorts !== undefined);

beforeAll(async () => {
  world = await startManagementWorld();
  for (const { path } of SORTED)
    for (let row = 0; row < ROWS; row += 1) {
      const [to, body] = MAKE[path]?.(row) ?? [path, {}];
      const { body: answer } = await world.root.api("POST", to, body);
      if (!answer.success) throw new Error(`${path}: ${answer.message}`);
    }
});

afterAll(() => world?.stop());

type Row = Record<string, number | string> & { id: number };

const readAll = async (path: string, sort: string): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let page = 0; ; page += 1) {
    const { body } = await world.root.api("GET", `${path}?p=${page}&sort=${sort}`);
    expect(body).toMatchObject({ success: true });
    const more = body.data as Row[];
    if (more.length === 0) return rows;
    rows.push(...more);
  }
};

const idsOf = (rows: readonly Row[]): number[] => rows.map(({ id }) => id);

/** Runs of rows that are equal in a column, as their ids. */
const runsOf = (rows: readonly Row[], column: string): number[][] => {
  const runs: Row[][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last?.[0]?.[column] === row[column]) last?.push(row);
    else runs.push([row]);
  }
  return runs.map(idsOf);
};

describe("a list that the server sorts", () => {
  it("is that of users, keys, channels and codes", () => {
    expect(SORTED.map(({ path }) => path).toSorted()).toEqual(Object.keys(MAKE).toSorted());
  });

  it.each(
    SORTED.flatMap((endpoint) => (endpoint.sorts ?? []).map((column) => [endpoint.path, column] as const)),
  )(
    "%s by %s has each row once, equal ones side by side and the newest first, and the other way round",
    async (path, column) => {
      const all = await readAll(path, "");
      expect(all.length).toBeGreaterThanOrEqual(ROWS);
      const up = await readAll(path, column);
      const down = await readAll(path, `-${column}`);
      expect(idsOf(up).toSorted()).toEqual(idsOf(all).toSorted());
      const runs = runsOf(up, column);
      expect(runs).toHaveLength(new Set(all.map((row) => row[column])).size);
      for (const run of runs) expect(run).toEqual(run.toSorted((a, b) => b - a));
      expect(runsOf(down, column)).toEqual(runs.toReversed());
    },
  );

  it.each(SORTED.map(({ path, sorts }: Endpoint) => [path, sorts ?? []] as const))(
    "%s refuses a column that it does not sort by, and names those that it does",
    async (path, sorts) => {
      for (const sort of ["key", "--id", "id;DROP TABLE users", "password_hash", "constructor", " id"]) {
        const { body } = await world.root.api("GET", `${path}?p=0&sort=${encodeURIComponent(sort)}`);
        expect(body.success).toBe(false);
        for (const column of sorts) expect(body.message).toContain(column);
      }
    },
  );
});

const NARROWED = DECLARED_ENDPOINTS.filter(({ filters, isFile }) => filters !== undefined && !isFile);

describe("a list that the server narrows", () => {
  it("is that of users, keys, channels and codes", () => {
    expect(NARROWED.map(({ path }) => path).toSorted()).toEqual(Object.keys(MAKE).toSorted());
  });

  it.each(
    NARROWED.flatMap(({ path, filters = {} }) =>
      Object.entries(filters).map(([column, kind]) => [path, column, kind] as const),
    ),
  )("%s by %s has the rows that have the value, on all pages", async (path, column, kind) => {
    const all = await readAll(path, "");
    const entriesOf = (row: Row) =>
      kind === "entry" ? String(row[column]).split(",") : [String(row[column] ?? "")];
    const values = new Set(all.flatMap(entriesOf).filter((value) => value !== ""));
    for (const value of [...values, "77"]) {
      const wanted = all.filter((row) => entriesOf(row).includes(value));
      const left = await readAll(path, `&${column}=${encodeURIComponent(value)}`);
      expect([value, idsOf(left)]).toEqual([value, idsOf(wanted)]);
    }
    // Without a value it is no filter.
    expect(await readAll(path, `&${column}=`)).toHaveLength(all.length);
  });

  it.each(NARROWED.map(({ path, filters = {} }) => [path, filters] as const))(
    "%s refuses what no row can have where a number stands",
    async (path, filters) => {
      const numbers = Object.keys(filters).filter((column) => filters[column] === "number");
      expect(numbers.length).toBeGreaterThan(0);
      for (const column of numbers)
        for (const value of ["x", "1.5", "-1", "1e3", "0x1", "1 OR 1=1", "99999999999999999999"]) {
          const { body } = await world.root.api("GET", `${path}?p=0&${column}=${encodeURIComponent(value)}`);
          expect([value, body.success]).toEqual([value, false]);
        }
    },
  );

  it("is a file of the same rows", async () => {
    for (const [path, query] of [
      ["/api/channel/", "status=2"],
      ["/api/redemption/", "name=code%202"],
      ["/api/user/", "role=10"],
    ] as const) {
      const left = await readAll(path, `&${query}`);
      const headers = { cookie: world.root.cookie };
      const file = await fetch(`${world.url}${path}export?format=jsonl&${query}`, { headers });
      const lines = (await file.text()).split("\n").filter((line: string) => line !== "");
      expect([path, lines.length]).toEqual([path, left.length]);
    }
  });
});
