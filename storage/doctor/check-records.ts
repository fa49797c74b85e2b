import { LOG_CONSUME, REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import type { DataFault, UsingRecord } from "../errors";
import { HOUR_SECONDS, hourOf } from "../log/hours";
import { BLOCK_TABLES } from "../log/sql/blocks";
import { SUM_COLUMNS } from "../log/sql/sum-columns";
import { readState } from "../log/sqlite/log-state";
import type { Snapshot } from "./snapshot";

/*
 * What is said in more than one place must be the same in all of them.
 */

const MAX_SHOWN = 20;

type Row = Record<string, number | string>;

const columns = SUM_COLUMNS.join(", ");
const sums = SUM_COLUMNS.map((column) => `sum(${column}) AS ${column}`).join(", ");

const nameOf = (row: Row, keys: readonly string[]): string =>
  keys.map((key) => `${key} ${row[key] ?? ""}`).join(", ");

/** The keys of rows that one query gives and the other does not, each once. */
const differences = (
  { log }: Snapshot,
  one: string,
  other: string,
  keys: readonly string[],
  faultOf: (keys: string) => DataFault,
): DataFault[] => {
  const names = [
    `SELECT * FROM (${one}) EXCEPT SELECT * FROM (${other})`,
    `SELECT * FROM (${other}) EXCEPT SELECT * FROM (${one})`,
  ]
    .flatMap((query) => log.prepare(`${query} LIMIT ${MAX_SHOWN}`).all() as Row[])
    .map((row) => nameOf(row, keys));
  return [...new Set(names)].map(faultOf);
};

/** Every table of sums must say of each of its keys what the most particular one says. */
const checkKeyedSums = (snapshot: Snapshot): DataFault[] => {
  const tables: [table: string, ...keys: string[]][] = [
    ["site_hours", "hour", "model_id", "channel_id"],
    ["model_hours", "hour", "model_id"],
    ["channel_hours", "hour", "channel_id"],
    ["payer_hours", "day", "hour", "payer_id"],
  ];
  const until = readState(snapshot.log, "buckets-until");
  return [
    ...tables.flatMap(([table, ...keys]) => {
      const list = keys.join(", ");
      return differences(
        snapshot,
        `SELECT ${list}, ${sums} FROM detail_hours GROUP BY ${list}`,
        `SELECT ${list}, ${columns} FROM ${table}`,
        keys,
        (row) => ({ code: "table-sums", table, keys: row }),
      );
    }),
    ...BLOCK_TABLES.flatMap(({ table, block, seconds, keys }) =>
      differences(
        snapshot,
        `SELECT hour - hour % ${seconds} AS ${block}, ${keys.join(", ")}, ${sums} FROM detail_hours
         WHERE hour < ${until} GROUP BY 1, ${keys.join(", ")}`,
        `SELECT ${block}, ${keys.join(", ")}, ${columns} FROM ${table}`,
        [block, ...keys],
        (row) => ({ code: "table-sums", table, keys: row }),
      ),
    ),
  ];
};

/** The lines of each payer, model and channel must be those that the sums count, where all requests have lines. */
const checkKeyedLines = (snapshot: Snapshot): DataFault[] => {
  const { log } = snapshot;
  const cleared = readState(log, "cleared-before");
  const first = cleared === 0 ? 0 : hourOf(cleared) + HOUR_SECONDS;
  const keys = ["hour", "payer_id", "model_id", "channel_id"];
  const ofLines = `SELECT created_at - created_at % ${HOUR_SECONDS} AS hour, payer_id, model_id, channel_id,
      count(*) AS lines, sum(type = ${LOG_CONSUME}) AS requests, sum(prompt_tokens) AS prompt_tokens,
      sum(completion_tokens) AS completion_tokens, sum(quota) AS quota, sum(duration_ms) AS duration_ms,
      sum(CASE WHEN is_stream THEN first_byte_ms ELSE 0 END) AS first_byte_ms, sum(is_stream) AS streams
    FROM logs WHERE created_at >= ${first} GROUP BY 1, 2, 3, 4`;
  const parts =
    "lines, requests, prompt_tokens, completion_tokens, quota, duration_ms, first_byte_ms, streams";
  // Where the log was switched off for some time, sums count requests that have no line.
  const hasAll = `SELECT ${keys.join(", ")} FROM detail_hours WHERE requests > lines`;
  return differences(
    snapshot,
    `SELECT ${keys.join(", ")}, ${parts} FROM (${ofLines}) WHERE (${keys.join(", ")}) NOT IN (${hasAll})`,
    `SELECT ${keys.join(", ")}, ${parts} FROM detail_hours
     WHERE hour >= ${first} AND lines > 0 AND requests <= lines`,
    keys,
    (row) => ({ code: "line-sums", keys: row }),
  );
};

const checkOwners = ({ main, log }: Snapshot): DataFault[] => {
  const lines = log
    .prepare(
      `SELECT logs.id FROM logs LEFT JOIN payers ON payers.id = logs.payer_id
       WHERE payers.user_id IS NOT logs.user_id LIMIT ${MAX_SHOWN}`,
    )
    .all() as { id: number }[];
  const owners = new Map(
    (main.prepare("SELECT id, user_id AS userId FROM tokens").all() as { id: number; userId: number }[]).map(
      ({ id, userId }) => [id, userId],
    ),
  );
  const payers = log
    .prepare("SELECT user_id AS userId, token_id AS tokenId FROM payers WHERE token_id > 0")
    .all() as { userId: number; tokenId: number }[];
  const orphans = main.prepare("PRAGMA foreign_key_check").all() as { table: string; parent: string }[];
  return [
    ...lines.map(({ id }): DataFault => ({ code: "line-of-another-user", line: id })),
    ...payers
      .filter(({ userId, tokenId }) => (owners.get(tokenId) ?? userId) !== userId)
      .map(({ userId, tokenId }): DataFault => ({ code: "key-of-another-user", user: userId, key: tokenId })),
    ...orphans
      .slice(0, MAX_SHOWN)
      .map(({ table, parent }): DataFault => ({ code: "row-of-nobody", table, parent })),
  ];
};

/** A line and its receipt are of the same request. */
const checkReceiptsOfLines = ({ log }: Snapshot): DataFault[] => {
  const rows = log
    .prepare(
      `SELECT logs.id FROM logs JOIN receipts ON receipts.id = logs.receipt_id
       WHERE receipts.created_at <> logs.created_at OR receipts.payer_id <> logs.payer_id
         OR receipts.model_id <> logs.model_id OR receipts.channel_id <> logs.channel_id OR receipts.is_error <> 0
         OR CASE WHEN receipts.detail IS NULL THEN 0 WHEN NOT json_valid(receipts.detail) THEN 1 ELSE
           receipts.detail ->> '$[13]' IS NOT logs.quota
           OR receipts.detail ->> '$[6]' IS NOT logs.prompt_tokens
           OR receipts.detail ->> '$[7]' IS NOT logs.completion_tokens
           OR receipts.detail ->> '$[3]' IS NOT logs.is_stream
           OR receipts.detail ->> '$[4]' IS NOT logs.duration_ms END
       LIMIT ${MAX_SHOWN}`,
    )
    .all() as { id: number }[];
  return rows.map(({ id }) => ({ code: "line-unlike-receipt", line: id }));
};

const checkCodes = ({ main }: Snapshot): DataFault[] => {
  const rows = main
    .prepare(
      `SELECT id FROM redemptions
       WHERE (status = ${REDEMPTION_USED}) <> (redeemed_time > 0) OR (redeemed_time > 0) <> (redeemed_by > 0)`,
    )
    .all() as { id: number }[];
  return rows.map(({ id }) => ({ code: "redemption-use", redemption: id }));
};

/** Whether the log knows everything that was ever used: see the first migration of the accounts. */
const isLogComplete = ({ main }: Snapshot): boolean =>
  main.prepare("SELECT 1 FROM sqlite_master WHERE name = 'accounts_before_log'").get() === undefined;

/** Lines name their model and their text by number; the hours of a text are those of its lines. */
const checkNames = (snapshot: Snapshot): DataFault[] => {
  const { log } = snapshot;
  const nameless = log
    .prepare(
      `SELECT logs.id FROM logs LEFT JOIN models ON models.id = logs.model_id
         LEFT JOIN contents ON contents.id = logs.content_id
       WHERE (logs.type = ${LOG_CONSUME} AND models.id IS NULL) OR contents.id IS NULL LIMIT ${MAX_SHOWN}`,
    )
    .all() as { id: number }[];
  const cleared = readState(log, "cleared-before");
  const first = cleared === 0 ? 0 : hourOf(cleared) + HOUR_SECONDS;
  return [
    ...nameless.map(({ id }): DataFault => ({ code: "line-without-names", line: id })),
    ...differences(
      snapshot,
      `SELECT content_id, created_at - created_at % ${HOUR_SECONDS} AS hour, count(*) AS lines FROM logs
       WHERE created_at >= ${first} GROUP BY 1, 2`,
      `SELECT content_id, hour, lines FROM content_hours WHERE hour >= ${first}`,
      ["content_id", "hour"],
      (row) => ({ code: "text-hours", keys: row }),
    ),
  ];
};

/** What users, keys and channels say that they used is what the log says. */
const checkUse = (snapshot: Snapshot): DataFault[] => {
  const { main, log, waiting } = snapshot;
  const mayLack = !isLogComplete(snapshot);
  const answered = waiting.filter(({ count }) => count === "answered");
  const check = (
    table: string,
    column: string,
    logged: string,
    record: UsingRecord,
    onItsWay: (entry: (typeof waiting)[number]) => [id: number, amount: number],
  ): DataFault[] => {
    const known = new Map(
      (log.prepare(logged).all() as { id: number; amount: number }[]).map(({ id, amount }) => [id, amount]),
    );
    for (const entry of answered) {
      const [id, amount] = onItsWay(entry);
      known.set(id, (known.get(id) ?? 0) + amount);
    }
    const rows = main.prepare(`SELECT id, ${column} AS amount FROM ${table}`).all() as {
      id: number;
      amount: number;
    }[];
    return rows
      .filter(({ id, amount }) => (mayLack ? amount < (known.get(id) ?? 0) : amount !== (known.get(id) ?? 0)))
      .map(({ id, amount }) => ({
        code: "logged-use",
        record,
        id,
        column,
        stored: amount,
        logged: known.get(id) ?? 0,
      }));
  };
  const ofPayers = (column: string, key: string): string =>
    `SELECT payers.${key} AS id, sum(payer_hours.${column}) AS amount
     FROM payer_hours JOIN payers ON payers.id = payer_hours.payer_id GROUP BY 1`;
  const hidden = mayLack
    ? []
    : (main.prepare("SELECT id FROM users WHERE unlogged_quota <> 0").all() as { id: number }[]);
  return [
    ...hidden.map(({ id }): DataFault => ({ code: "user-use-before-log", user: id })),
    ...check("users", "request_count", ofPayers("requests", "user_id"), "user", (entry) => [entry.userId, 1]),
    ...check("tokens", "used_quota", ofPayers("quota", "token_id"), "key", (entry) => [
      entry.tokenId,
      entry.quota,
    ]),
    ...check(
      "channels",
      "used_quota",
      "SELECT channel_id AS id, sum(quota) AS amount FROM channel_hours GROUP BY 1",
      "channel",
      (entry) => [entry.channelId, entry.quota],
    ),
  ];
};

export const checkRecords = (snapshot: Snapshot): DataFault[] => [
  ...checkUse(snapshot),
  ...checkOwners(snapshot),
  ...checkCodes(snapshot),
  ...checkNames(snapshot),
  ...checkKeyedSums(snapshot),
  ...checkKeyedLines(snapshot),
  ...checkReceiptsOfLines(snapshot),
];
