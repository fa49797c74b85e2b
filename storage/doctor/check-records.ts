import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { DataFault, UsingRecord } from "../errors";
import { HOUR_SECONDS, hourOf } from "../log/hours";
import { BLOCK_TABLES } from "../log/sql/blocks";
import { NAME_TABLES, nameKeys } from "../log/sql/key-names";
import { readState } from "../log/sql/log-state";
import { IS_REQUEST } from "../log/sql/no-request";
import { CACHE_COLUMNS, SERVED_COLUMNS, SUM_COLUMNS } from "../log/sql/sum-columns";
import { wholeSum } from "../sql/whole-sum";
import type { ExaminedData } from "./examined-data";
import { type FoundFaults, MAX_SHOWN } from "./found-faults";
import { addTo } from "./waiting-entries";

/* Facts stored in several tables must be the same in all of them. */

type Row = Record<string, number | string>;

const sums = SUM_COLUMNS.map((column) => `sum(${column}) AS ${column}`).join(", ");

const nameOf = (row: Row, keys: readonly string[]): string =>
  keys.map((key) => `${key} ${row[key] ?? ""}`).join(", ");

/** Finds the keys of rows that one query gives and the other does not, each once. */
const differences = async (
  { log }: ExaminedData,
  found: FoundFaults,
  one: string,
  other: string,
  keys: readonly string[],
  faultOf: (keys: string) => DataFault,
): Promise<void> => {
  const names = new Set<string>();
  for (const [more, less] of [
    [one, other],
    [other, one],
  ]) {
    const rows = await log.all<Row>(
      `SELECT ${keys.join(", ")} FROM (
         SELECT * FROM (${more}) AS more EXCEPT SELECT * FROM (${less}) AS less LIMIT ${MAX_SHOWN}
       ) AS different`,
    );
    for (const row of rows) names.add(nameOf(row, keys));
  }
  found.add(...[...names].map(faultOf));
};

/** Every table of sums must agree, for each of its keys, with the most detailed one. */
const checkKeyedSums = async (data: ExaminedData, found: FoundFaults): Promise<void> => {
  const tables: [table: string, ...keys: string[]][] = [
    ["site_hours", "hour", "model_id", "channel_id"],
    ["model_hours", "hour", "model_id"],
    ["channel_hours", "hour", "channel_id"],
    ["payer_hours", "day", "hour", "payer_id"],
  ];
  const until = await readState(data.log, "buckets-until");
  for (const [table, ...keys] of tables) {
    const list = keys.join(", ");
    await differences(
      data,
      found,
      `SELECT ${list}, ${sums} FROM detail_hours GROUP BY ${list}`,
      `SELECT ${list}, ${sums} FROM ${table} GROUP BY ${list}`,
      keys,
      (row) => ({ code: "table-sums", table, keys: row }),
    );
  }
  for (const { table, block, seconds, keys } of BLOCK_TABLES) {
    const list = keys.join(", ");
    await differences(
      data,
      found,
      `SELECT hour - hour % ${seconds} AS ${block}, ${list}, ${sums} FROM detail_hours
       WHERE hour < ${until} GROUP BY 1, ${list}`,
      `SELECT ${block}, ${list}, ${sums} FROM ${table} GROUP BY 1, ${list}`,
      [block, ...keys],
      (row) => ({ code: "table-sums", table, keys: row }),
    );
  }
  for (const nameTable of NAME_TABLES) {
    const { table } = nameTable;
    const keys = nameKeys(nameTable);
    const list = keys.join(", ");
    await differences(
      data,
      found,
      `SELECT ${list}, ${sums} FROM (
         SELECT shared_names.id AS name_id, detail_hours.* FROM detail_hours
         JOIN payers ON payers.id = detail_hours.payer_id
         JOIN shared_names ON shared_names.name = payers.token_name
         WHERE detail_hours.hour >= shared_names.since AND detail_hours.hour < ${until}
       ) AS part GROUP BY ${list}`,
      `SELECT ${list}, ${sums} FROM ${table} GROUP BY ${list}`,
      keys,
      (row) => ({ code: "table-sums", table, keys: row }),
    );
  }
};

/**
 * The lines of each payer, model and channel must be those that the sums count, where all requests have lines. The sums
 * of costs may be higher, because attempts that ended have a cost and no line.
 */
const checkKeyedLines = async (data: ExaminedData, found: FoundFaults): Promise<void> => {
  const cleared = await readState(data.log, "cleared-before");
  const first = cleared === 0 ? 0 : hourOf(cleared) + HOUR_SECONDS;
  const keys = ["hour", "payer_id", "model_id", "channel_id"];
  const list = keys.join(", ");
  const ofLines = `SELECT created_at - created_at % ${HOUR_SECONDS} AS hour, payer_id, model_id, channel_id,
      count(*) AS lines, sum(CASE WHEN type = ${LOG_CONSUME} AND ${IS_REQUEST} THEN 1 ELSE 0 END) AS requests,
      sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens, sum(quota) AS quota,
      sum(duration_ms) AS duration_ms, sum(CASE WHEN is_stream = 1 THEN first_byte_ms ELSE 0 END) AS first_byte_ms,
      sum(is_stream) AS streams,
      sum(CASE WHEN cost IS NOT NULL AND ${IS_REQUEST} THEN 1 ELSE 0 END) AS costed_requests,
      sum(CASE WHEN cost IS NULL THEN 0 ELSE quota END) AS costed_quota, sum(coalesce(cost, 0)) AS cost,
      sum(CASE WHEN cache_read_tokens IS NULL THEN 0 ELSE prompt_tokens END) AS cache_prompt_tokens,
      sum(coalesce(cache_read_tokens, 0)) AS cache_read_tokens,
      sum(coalesce(cache_write_tokens, 0)) AS cache_write_tokens,
      sum(CASE WHEN is_other_model IS NULL THEN 0 ELSE 1 END) AS named_answers,
      sum(coalesce(is_other_model, 0)) AS other_model_answers
    FROM logs WHERE created_at >= ${first} GROUP BY 1, 2, 3, 4`;
  const parts = [
    ...["lines", "requests", "prompt_tokens", "completion_tokens", "quota", "duration_ms", "first_byte_ms"],
    ...["streams", "costed_requests", "costed_quota", ...CACHE_COLUMNS, ...SERVED_COLUMNS],
  ];
  const summed = `SELECT ${list}, sum(requests) AS requests, sum(lines) AS lines, sum(cost) AS cost
    FROM detail_hours WHERE hour >= ${first} GROUP BY ${list}`;
  // Where the log was switched off for some time, sums count requests that have no line.
  await differences(
    data,
    found,
    `SELECT ${keys.map((key) => `found.${key}`).join(", ")}, ${parts.map((part) => `found.${part}`).join(", ")},
       CASE WHEN found.cost > summed.cost THEN 1 ELSE 0 END AS is_cost_above
     FROM (${ofLines}) AS found LEFT JOIN (${summed}) AS summed
       ON ${keys.map((key) => `summed.${key} = found.${key}`).join(" AND ")}
     WHERE summed.hour IS NULL OR summed.requests <= summed.lines`,
    `SELECT ${list}, ${parts.map((part) => `sum(${part})`).join(", ")}, 0 AS is_cost_above FROM detail_hours
     WHERE hour >= ${first} GROUP BY ${list} HAVING sum(lines) > 0 AND sum(requests) <= sum(lines)`,
    keys,
    (row) => ({ code: "line-sums", keys: row }),
  );
};

/** Rows that belong to a row of another table. */
const REFERENCES: readonly [table: string, column: string, parent: string][] = [
  ["identities", "user_id", "users"],
  ["sessions", "user_id", "users"],
  ["second_factors", "user_id", "users"],
  ["terms_acceptances", "user_id", "users"],
  ["terms_acceptances", "version", "terms_versions"],
  ["passkeys", "user_id", "users"],
  ["management_keys", "user_id", "users"],
  ["tokens", "user_id", "users"],
  ["subscriptions", "user_id", "users"],
  ["plan_periods", "user_id", "users"],
  ["plan_periods", "subscription_id", "subscriptions"],
  ["plan_accounts", "user_id", "users"],
  ["redemption_uses", "redemption_id", "redemptions"],
];

/** Rows of a table that belong to none of another one. */
export const checkReference = async (
  { main }: ExaminedData,
  found: FoundFaults,
  table: string,
  column: string,
  parent: string,
  key = "id",
): Promise<void> => {
  const rows = await main.all(
    `SELECT 1 AS one FROM ${table} LEFT JOIN ${parent} ON ${parent}.${key} = ${table}.${column}
     WHERE ${parent}.${key} IS NULL LIMIT ${MAX_SHOWN}`,
  );
  for (const _ of rows) found.add({ code: "row-of-nobody", table, parent });
};

const checkOwners = async (data: ExaminedData, found: FoundFaults): Promise<void> => {
  const { main, log } = data;
  const lines = await log.all<{ id: number }>(
    `SELECT logs.id FROM logs LEFT JOIN payers ON payers.id = logs.payer_id
     WHERE payers.user_id IS DISTINCT FROM logs.user_id LIMIT ${MAX_SHOWN}`,
  );
  const owners = new Map<number, number>();
  for await (const page of main.pages<{ id: number; user_id: number }>("SELECT id, user_id FROM tokens"))
    for (const { id, user_id } of page) owners.set(id, user_id);
  for (const { id } of lines) found.add({ code: "line-of-another-user", line: id });
  const payers = log.pages<{ user_id: number; token_id: number }>(
    "SELECT user_id, token_id FROM payers WHERE token_id > 0",
  );
  for await (const page of payers)
    for (const { user_id, token_id } of page)
      if ((owners.get(token_id) ?? user_id) !== user_id)
        found.add({ code: "key-of-another-user", user: user_id, key: token_id });
  for (const [table, column, parent] of REFERENCES) await checkReference(data, found, table, column, parent);
};

/** Lines name their model and their text by number; the hours of a text are those of its lines. */
const checkNames = async (data: ExaminedData, found: FoundFaults): Promise<void> => {
  const { log } = data;
  const nameless = await log.all<{ id: number }>(
    `SELECT logs.id FROM logs LEFT JOIN models ON models.id = logs.model_id
       LEFT JOIN contents ON contents.id = logs.content_id
     WHERE (logs.type = ${LOG_CONSUME} AND models.id IS NULL) OR contents.id IS NULL LIMIT ${MAX_SHOWN}`,
  );
  const cleared = await readState(log, "cleared-before");
  const first = cleared === 0 ? 0 : hourOf(cleared) + HOUR_SECONDS;
  for (const { id } of nameless) found.add({ code: "line-without-names", line: id });
  await differences(
    data,
    found,
    `SELECT content_id, created_at - created_at % ${HOUR_SECONDS} AS hour, count(*) AS lines FROM logs
     WHERE created_at >= ${first} GROUP BY 1, 2`,
    `SELECT content_id, hour, sum(lines) AS lines FROM content_hours WHERE hour >= ${first} GROUP BY 1, 2`,
    ["content_id", "hour"],
    (row) => ({ code: "text-hours", keys: row }),
  );
};

interface AmountRow {
  id: number;
  amount: number;
}

/** The use stored with users, keys and channels equals the log's. */
const checkUse = async (
  { main, log, waiting, isLogComplete }: ExaminedData,
  found: FoundFaults,
): Promise<void> => {
  const check = async (
    table: string,
    column: string,
    sums: string,
    record: UsingRecord,
    onItsWay: ReadonlyMap<number, number>,
  ): Promise<void> => {
    const known = new Map(onItsWay);
    for await (const page of log.pages<AmountRow>(sums))
      for (const { id, amount } of page) addTo(known, id, amount);
    for await (const page of main.pages<AmountRow>(`SELECT id, ${column} AS amount FROM ${table}`))
      for (const { id, amount } of page) {
        const logged = known.get(id) ?? 0;
        if (isLogComplete ? amount !== logged : amount < logged)
          found.add({ code: "logged-use", record, id, column, stored: amount, logged });
      }
  };
  const ofPayers = (column: string, key: string): string =>
    `SELECT payers.${key} AS id, ${wholeSum(`payer_hours.${column}`)} AS amount
     FROM payer_hours JOIN payers ON payers.id = payer_hours.payer_id GROUP BY 1`;
  const ofChannels = `SELECT channel_id AS id, ${wholeSum("quota")} AS amount FROM channel_hours GROUP BY 1`;
  if (isLogComplete)
    for (const { id } of await main.all<{ id: number }>(
      `SELECT id FROM users WHERE unlogged_quota <> 0 LIMIT ${MAX_SHOWN}`,
    ))
      found.add({ code: "user-use-before-log", user: id });
  await check("users", "request_count", ofPayers("requests", "user_id"), "user", waiting.requestsOfUsers);
  await check("tokens", "used_quota", ofPayers("quota", "token_id"), "key", waiting.quotaOfKeys);
  await check("channels", "used_quota", ofChannels, "channel", waiting.quotaOfChannels);
};

export const checkRecords = async (data: ExaminedData, found: FoundFaults): Promise<void> => {
  await checkUse(data, found);
  await checkOwners(data, found);
  await checkNames(data, found);
  await checkKeyedSums(data, found);
  await checkKeyedLines(data, found);
};
