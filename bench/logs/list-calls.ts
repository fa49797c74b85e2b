import type { Endpoint } from "@tollgate/contract/resource/endpoint";
import { DECLARED_ENDPOINTS } from "@tollgate/testkit/declared-endpoints";
import type { SignedIn } from "@tollgate/testkit/server-process";
import { DAY_SECONDS, modelName, userName, WORLD_OF_LISTS } from "./log-world";

/** A call of a list, as a page of the console makes it. */
export interface ListCall {
  name: string;
  path: string;
  caller: SignedIn;
}

/** The ordinary user with the most usage, and root. */
export interface ListReaders {
  root: SignedIn;
  user: SignedIn;
}

const pathOf = ({ path }: Endpoint): string => path.replace(/:\w+/, "1");

const withQuery = (path: string, query: Readonly<Record<string, string | number>>): string =>
  `${path}?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")}`;

type Row = Record<string, unknown>;

const ask = async ({ api }: SignedIn, path: string): Promise<Row[]> => {
  const { body, text } = await api("GET", path);
  if (body.success !== true) throw new Error(`${path}: ${text}`);
  return Array.isArray(body.data) ? (body.data as Row[]) : [];
};

/** The last page that has rows: found by doubling, then halving. */
const findLastPage = async (caller: SignedIn, path: string): Promise<number> => {
  const hasRows = async (p: number) => (await ask(caller, withQuery(path, { p }))).length > 0;
  let end = 1;
  while (await hasRows(end)) end *= 2;
  let from = Math.floor(end / 2);
  while (end - from > 1) {
    const middle = Math.floor((from + end) / 2);
    if (await hasRows(middle)) from = middle;
    else end = middle;
  }
  return from;
};

/** Values for list filters, where no row of the first page has one. */
const createValues = (now: number): Readonly<Record<string, readonly (string | number)[]>> => ({
  type: [2, 5],
  start_timestamp: [now - DAY_SECONDS],
  end_timestamp: [now - 40 * DAY_SECONDS],
  token_name: ["default", "nothing"],
  model_name: [modelName(0), "nothing"],
  request_id: ["seed-000000123", "nothing"],
  username: [userName(0), userName(40_000, WORLD_OF_LISTS), "nothing"],
  channel: [1, 9999],
  keyword: [userName(0), "1234567", "nothing"],
  state: ["paid", "pending"],
  provider: ["stripe"],
  account: ["balance", "key"],
  cause: ["payment", "key-created"],
  user_id: [2],
  token_id: [1],
  order: ["nothing"],
  action: ["user", "channel.create"],
  target: ["2"],
  beneficiary: [userName(0)],
  plan_id: [1],
});

const SEARCHED = ["person-77", "channel-7-", "code-4", "no. 3", "nothing", "%", "12345"];

const createPageCalls = async (
  endpoint: Endpoint,
  caller: SignedIn,
  values: ReturnType<typeof createValues>,
): Promise<ListCall[]> => {
  const path = pathOf(endpoint);
  const { query = {}, sorts = [], filters = {} } = endpoint;
  const [row = {}] = await ask(caller, withQuery(path, { p: 0 }));
  const last = await findLastPage(caller, path);
  const valuesOf = (parameter: string): readonly (string | number)[] => {
    const kind = filters[parameter];
    const value = row[parameter];
    if (kind === undefined || value === undefined) return values[parameter] ?? [];
    return [String(value).split(",")[0] ?? "", kind === "number" ? 77 : "nothing"];
  };
  const narrowing = Object.keys(query).filter((name) => name !== "p" && name !== "sort");
  const calls: [name: string, query: Record<string, string | number>][] = [
    ["first page", { p: 0 }],
    [`last page, ${last}`, { p: last }],
    ...sorts.flatMap((sort): typeof calls => [
      [`by ${sort}`, { p: 0, sort }],
      [`by -${sort}`, { p: 0, sort: `-${sort}` }],
      [`by ${sort}, last page`, { p: last, sort }],
    ]),
    ...narrowing.flatMap((name) =>
      valuesOf(name).map((value): (typeof calls)[number] => [`${name}=${value}`, { p: 0, [name]: value }]),
    ),
  ];
  return calls.map(([name, asked]) => ({ name: `${path} ${name}`, path: withQuery(path, asked), caller }));
};

/** Answers about a whole installation, and simultaneous calls of pages. */
const WHOLE = [
  "/api/attention",
  "/api/channel/models",
  "/api/channel/tags",
  "/api/channel/use",
  "/api/group/",
  "/api/log/receipt?request_id=seed-000000123",
  "/api/notice/way",
  "/api/option/",
  "/api/payment/faults",
  "/api/plan",
  "/api/price-drafts",
  "/api/prices/missing",
  "/api/prices/rules",
  "/api/pricing",
  "/api/profit/losses",
  "/api/status",
  "/api/statement?username=person-0&month=2026-11",
  "/api/user/groups",
  "/api/user/2/limits",
  `/api/channel/traffic?ids=${Array.from({ length: 10 }, (_, id) => id + 1).join(",")}`,
];

/**
 * Every list page by page, from its ends, in each order and narrowed by each parameter; every search; totals of the log; and
 * answers about all of the installation.
 * @param now unix seconds.
 */
export const createListCalls = async ({ root, user }: ListReaders, now: number): Promise<ListCall[]> => {
  const values = createValues(now);
  const calls: ListCall[] = [];
  for (const endpoint of DECLARED_ENDPOINTS) {
    const { method, guard, query = {}, isFile } = endpoint;
    if (method !== "GET" || isFile) continue;
    const caller = guard === "user" ? user : root;
    const path = pathOf(endpoint);
    if ("p" in query) calls.push(...(await createPageCalls(endpoint, caller, values)));
    else if ("keyword" in query)
      for (const keyword of SEARCHED)
        calls.push({ name: `${path} ${keyword}`, path: withQuery(path, { keyword }), caller });
    else if (path.endsWith("/stat"))
      for (const name of Object.keys(query))
        for (const value of values[name] ?? [])
          calls.push({
            name: `${path} ${name}=${value}`,
            path: withQuery(path, { [name]: value }),
            caller,
          });
  }
  const month = { start_timestamp: now - 30 * DAY_SECONDS, step: "day", top: 6, offset_minutes: 480 };
  const usage = ["model", "token", "channel", "user"].map((by) => withQuery("/api/usage", { ...month, by }));
  for (const path of [...WHOLE, ...usage]) calls.push({ name: path, path, caller: root });
  return calls;
};
