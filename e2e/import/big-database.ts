import { rmSync } from "node:fs";
import Database from "libsql";
import { createTables, type Series } from "./gateway-schemas";
import { keyOf, PASSWORD_HASH } from "./odd-rows";

/** How much of everything there is. */
export interface Size {
  users: number;
  tokens: number;
  channels: number;
  lines: number;
}

/** Numbers from 1 to `last`, as a table. */
const countTo = (last: number): string =>
  `(WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last}) SELECT n FROM numbers)`;

/** The key of number n, as keyOf gives it. */
const KEY = `substr('${keyOf(0)}', 1, 16) || printf('%032d', n)`;

/** A key is used for so many requests one after another. */
const LINES_IN_A_ROW = 25;
const FIRST_LINE = 1_750_000_000;
/** What the quota of a line depends on: so many different ones, whose sum is known. */
const PRICES = 7;

/**
 * Makes a large SQLite file of a program: user 1 is root, each has the same number of keys, and each line is of a key's owner.
 * @param baseUrl of the upstream of all channels.
 */
export const makeBigFile = (path: string, series: Series, size: Size, baseUrl: string): void => {
  rmSync(path, { force: true });
  const file = new Database(path);
  const { users, tokens, channels, lines } = size;
  const isNew = series === "new-api";
  file.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  for (const statement of createTables(series, "sqlite")) file.exec(statement);
  const owner = `1 + n % ${users}`;
  file.exec(`
    INSERT INTO users (id, username, password, display_name, role, status, email, github_id, wechat_id, access_token, quota,
        used_quota, request_count, "group", aff_code, inviter_id)
      SELECT n, CASE n WHEN 1 THEN 'root' ELSE 'user' || n END, '${PASSWORD_HASH}', 'User ' || n,
        CASE n WHEN 1 THEN 100 ELSE 1 END, 1, 'user' || n || '@example.com', '', '', printf('%032d', n), 1000000,
        ${lines} * 10, ${lines}, CASE n % 3 WHEN 0 THEN 'vip' ELSE 'default' END, 'c' || n, 0
      FROM ${countTo(users)};
    INSERT INTO tokens (id, user_id, "key", status, name, created_time, accessed_time, expired_time, remain_quota,
        unlimited_quota, used_quota)
      SELECT n, ${owner}, ${KEY}, 1, 'key ' || n, ${FIRST_LINE}, ${FIRST_LINE}, -1, 500000, n % 2, ${lines} * 10
      FROM ${countTo(tokens)};
    INSERT INTO channels (id, type, "key", status, name, weight, priority, created_time, test_time, response_time, base_url,
        other, balance, balance_updated_time, models, "group", used_quota, model_mapping
        ${isNew ? ", channel_info" : ""})
      SELECT n, 1, 'sk-up-' || n, 1, 'channel ' || n, 0, 0, ${FIRST_LINE}, 0, 0, '${baseUrl}', '', 0, 0,
        'model-' || (n % 20) || ',gpt-4o-mini', 'default,vip', ${lines} * 10, ''
        ${isNew ? `, '{"is_multi_key":false}'` : ""}
      FROM ${countTo(channels)};
    INSERT INTO options ("key", value) VALUES
      ('ModelRatio', '{"gpt-4o-mini":0.075${Array.from({ length: 20 }, (_, n) => `,"model-${n}":1`).join("")}}'),
      ('GroupRatio', '{"default":1,"vip":1}');
    INSERT INTO logs (id, user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens,
        completion_tokens, channel_id ${isNew ? ", use_time, is_stream, token_id, other" : ""})
      SELECT n, owner, ${FIRST_LINE} + n * 10, 2, '模型倍率 1.00，分组倍率 1.00',
        CASE owner WHEN 1 THEN 'root' ELSE 'user' || owner END, 'key ' || token, 'model-' || (token % 20), 1 + n % ${PRICES},
        1 + n % ${PRICES}, 0, 1 + token % ${channels}
        ${isNew ? `, 2, n % 2, token, '{"model_ratio":1,"group_ratio":1,"completion_ratio":1,"frt":150}'` : ""}
      FROM (SELECT n, token, 1 + token % ${users} AS owner FROM
        (SELECT n, 1 + n / ${LINES_IN_A_ROW} % ${tokens} AS token FROM ${countTo(lines)}));
  `);
  file.close();
};
