import type { Endpoint } from "@tollgate/contract/resource/endpoint";
import { DECLARED_ENDPOINTS } from "@tollgate/testkit/declared-endpoints";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { succeed } from "./client";
import { type ManagementWorld, startManagementWorld } from "./management-world";

/*
 * Every list that is declared to be sorted by the server, by every column that it names; of those whose rows a call makes 30 rows, of
 * which many are equal. How values are compared on both engines is tried in storage (list-query.engines.test.ts,
 * money-lists.engines.test.ts, log.engines.test.ts). And every list that is declared to be narrowed, by every column and each of its
 * values. And every list, with hostile pages and texts in each of its parameters.
 */

let world: ManagementWorld;

const ROWS = 30;

type MakeRow = (row: number) => [path: string, body: unknown];

const makeKey: MakeRow = (row) => [
  "/api/token/",
  { name: `key ${row % 4}`, remain_quota: row % 5, expired_time: -1 },
];

/** What makes a row of each list. */
const MAKE: Readonly<Record<string, MakeRow>> = {
  "/api/user/": (row) => ["/api/user/", { username: `sorted-${row}`, password: "password-1" }],
  "/api/token/": makeKey,
  // Root is the first user.
  "/api/user/:id/tokens": makeKey,
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
  "/api/announcement/": (row) => [
    "/api/announcement/",
    {
      title: `news ${row % 4}`,
      body: "text",
      level: row % 2 === 0 ? "info" : "warning",
      groups: row % 3 === 0 ? "default" : "",
      starts_at: 1000 + (row % 3),
    },
  ],
  "/api/promotion/": (row) => [
    "/api/promotion/",
    {
      kind: row % 3 === 0 ? "activity" : "code",
      name: `promotion ${row % 4}`,
      effect: row % 2 === 0 ? "bonus" : "discount",
      steps: [{ from: 0, value: 1000 }],
      starts_at: row % 5,
      is_enabled: row % 2 === 0,
    },
  ],
  "/api/redemption/": (row) => [
    "/api/redemption/",
    { name: `code ${row % 4}`, quota: 1 + (row % 5), count: 1 },
  ],
};

const SORTED = DECLARED_ENDPOINTS.filter(({ sorts }) => sorts !== undefined);
const MADE = SORTED.filter(({ path }) => path in MAKE);
/** As it is called: of a code or a user, the first one. */
const callOf = (path: string): string => path.replace(":id", "1");

beforeAll(async () => {
  world = await startManagementWorld();
  for (const { path } of MADE)
    for (let row = 0; row < ROWS; row += 1) {
      const [to, body] = MAKE[path]?.(row) ?? [path, {}];
      const { body: answer } = await world.root.api("POST", to, body);
      if (!answer.success) throw new Error(`${path}: ${answer.message}`);
    }
  // Each is a line of the log and an entry of the ledger.
  for (let row = 0; row < ROWS; row += 1)
    await succeed(
      world.root.api("PUT", "/api/user/", {
        id: world.user.id,
        username: world.user.username,
        quota: 1000 + (row % 5) * 7 + row,
      }),
    );
});

afterAll(() => world?.stop());

/** Lists by pages that no column sorts: the newest come first. */
const UNSORTED = [
  "/api/announcement/history",
  "/api/notice/log",
  "/api/terms/versions",
  "/api/user/notice/log",
];

type Row = Record<string, number | string> & { id: number };

const readAll = async (path: string, sort: string): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let page = 0; ; page += 1) {
    const { body } = await world.root.api(
      "GET",
      `${callOf(path)}${path.includes("?") ? "&" : "?"}p=${page}&sort=${sort}`,
    );
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
  it("is every list that comes page by page, but sent notifications, past announcements and versions of the terms", () => {
    const paged = DECLARED_ENDPOINTS.filter(({ query = {} }) => "p" in query).map(({ path }) => path);
    const sorted = SORTED.map(({ path }) => path);
    expect(paged.filter((path) => !sorted.includes(path)).toSorted()).toEqual(UNSORTED);
  });

  it.each(
    MADE.flatMap((endpoint) => (endpoint.sorts ?? []).map((column) => [endpoint.path, column] as const)),
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
        const { body } = await world.root.api("GET", `${callOf(path)}?p=0&sort=${encodeURIComponent(sort)}`);
        expect(body.success).toBe(false);
        for (const column of sorts) expect(body.message).toContain(column);
      }
    },
  );
});

describe("a list that the server sorts, of which a person sees their own part", () => {
  const OWN = SORTED.filter(({ guard }) => guard === "user");

  it.each(OWN.flatMap(({ path, sorts = [] }) => sorts.map((sort) => [path, sort] as const)))(
    "%s by %s has none of another person's rows",
    async (path, sort) => {
      for (const order of [sort, `-${sort}`]) {
        const { body } = await world.user.api("GET", `${callOf(path)}?p=0&sort=${order}`);
        expect([order, body.success]).toEqual([order, true]);
        const owners = (body.data as { user_id?: number }[]).map((row) => row.user_id ?? world.user.id);
        for (const owner of owners) expect(owner).toBe(world.user.id);
      }
    },
  );

  it.each(OWN.map(({ path }) => path))("%s is sorted for no guest", async (path) => {
    expect((await fetch(`${world.url}${callOf(path)}?p=0&sort=id`)).status).toBe(401);
  });

  it("does not sort by fields hidden from the user", async () => {
    for (const [path, column] of [
      ["/api/log/self/", "channel"],
      ["/api/log/self/", "username"],
      ["/api/order", "username"],
      ["/api/invitation/self/payouts", "missing"],
    ] as const) {
      const { body } = await world.user.api("GET", `${path}?p=0&sort=${column}`);
      expect([path, body.success]).toEqual([path, false]);
    }
  });
});

describe("the log", () => {
  it("is read from its oldest line on, to the end", async () => {
    const keyOf = (row: Row) => `${row.created_at} ${row.id} ${row.request_id}`;
    const newest = (await readAll("/api/log/", "")).map(keyOf);
    expect(newest.length).toBeGreaterThanOrEqual(ROWS);
    expect((await readAll("/api/log/", "created_at")).map(keyOf)).toEqual(newest.toReversed());
    const byType = await readAll("/api/log/", "-type");
    expect(byType.map(keyOf).toSorted()).toEqual(newest.toSorted());
    const types = byType.map(({ type }) => Number(type));
    expect(types).toEqual(types.toSorted((a, b) => b - a));
  });

  it("and the ledger are sorted within the filtered lines", async () => {
    for (const [path, column] of [
      [`/api/log/?username=${world.user.username}`, "-quota"],
      [`/api/ledger?username=${world.user.username}`, "amount"],
    ] as const) {
      const rows = await readAll(path, column);
      const all = await readAll(path, "");
      expect(all.length).toBeGreaterThanOrEqual(ROWS - 1);
      expect(idsOf(rows).toSorted()).toEqual(idsOf(all).toSorted());
    }
  });
});

const NARROWED = DECLARED_ENDPOINTS.filter(({ filters, isFile }) => filters !== undefined && !isFile);

/** Lists of which a user may not make so many rows; storage/accounts/tickets.engines.test.ts sorts and narrows them. */
const BOUNDED = ["/api/ticket", "/api/ticket/self"];

describe("a list that the server narrows", () => {
  it("is that of users, keys, the keys of a user, channels, codes, announcements and tickets", () => {
    const lists = NARROWED.map(({ path }) => path).filter((path) => !path.endsWith("/search"));
    expect(lists.toSorted()).toEqual([...Object.keys(MAKE), ...BOUNDED].toSorted());
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

  const BY_NUMBER = NARROWED.filter(({ filters = {} }) => Object.values(filters).includes("number"));

  it.each(BY_NUMBER.map(({ path, filters = {} }) => [path, filters] as const))(
    "%s refuses an impossible value in a field of numbers",
    async (path, filters) => {
      const numbers = Object.keys(filters).filter((column) => filters[column] === "number");
      for (const column of numbers)
        for (const value of ["x", "1.5", "-1", "1e3", "0x1", "1 OR 1=1", "99999999999999999999"]) {
          const { body } = await world.root.api(
            "GET",
            `${callOf(path)}?p=0&${column}=${encodeURIComponent(value)}`,
          );
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

const LISTS = DECLARED_ENDPOINTS.filter(
  ({ method, query = {}, isFile }) => method === "GET" && !isFile && ("p" in query || "keyword" in query),
);

describe("a list that is asked in bad faith", () => {
  const ask = async (path: string, query: string) => {
    const answer = await world.root.api("GET", `${callOf(path)}?${query}`);
    // 401 would mean that nothing was looked at.
    expect([query.slice(0, 60), answer.status >= 500 || answer.status === 401]).toEqual([
      query.slice(0, 60),
      false,
    ]);
    return answer.body;
  };

  it.each(
    LISTS.filter(({ query = {} }) => "p" in query).map(({ path, sorts = [] }) => [path, sorts] as const),
  )(
    "%s has no rows on a page far behind its end, and its first page for an invalid page number",
    async (path, sorts) => {
      for (const sort of ["", ...sorts.slice(0, 2)])
        for (const page of [1e9, 2 ** 31, Number.MAX_SAFE_INTEGER])
          expect(await ask(path, `p=${page}&sort=${sort}`)).toMatchObject({ success: true, data: [] });
      const { data } = await ask(path, "p=0");
      for (const page of ["-1", "1e400", "x", "0.5", "%00", "9".repeat(10_000)])
        expect((await ask(path, `p=${page}`)).data).toEqual(data);
      // A page is no larger than the server's, whatever is asked for.
      expect((await ask(path, "p=0&size=1000000000&page_size=1000000000&limit=1000000000")).data).toEqual(
        data,
      );
    },
  );

  const HOSTILE = [
    "x".repeat(10_000),
    "%25".repeat(4000),
    "%25",
    "_",
    "%00",
    "a%00b",
    "%ED%A0%80",
    "%",
    "%27%3B--",
    "%5C",
    "-9223372036854775809",
    "1e308",
  ];

  it.each(LISTS.map(({ path, query = {} }) => [path, Object.keys(query)] as const))(
    "%s answers any text in any of its parameters, %j",
    async (path, parameters) => {
      for (const parameter of parameters)
        for (const value of HOSTILE) await ask(path, `p=0&${parameter}=${value}`);
    },
  );

  it("takes wildcards of a search for letters", async () => {
    const { root } = world;
    await succeed(root.api("POST", "/api/user/", { username: "50%_off", password: "password-1" }));
    await succeed(
      root.api("POST", "/api/channel/", {
        ...{ name: "50%_off", type: 1, key: "sk-50", models: "gpt-4o", group: "default" },
      }),
    );
    await succeed(root.api("POST", "/api/redemption/", { name: "50%_off", quota: 1, count: 1 }));
    await succeed(root.api("POST", "/api/token/", { name: "50%_off", remain_quota: 1, expired_time: -1 }));
    for (const [path, parameter] of [
      ["/api/user/search", "keyword"],
      ["/api/channel/search", "keyword"],
      ["/api/redemption/search", "keyword"],
      ["/api/token/search", "keyword"],
    ] as const) {
      const found = async (text: string) =>
        ((await ask(path, `${parameter}=${encodeURIComponent(text)}`)).data as Row[]).length;
      expect([path, await found("50%_")]).toEqual([path, 1]);
      for (const text of ["%", "_", "50__", "5%", "50\\%"])
        expect([path, text, await found(text)]).toEqual([path, text, 0]);
    }
  });
});
