/*
 * The tables of other gateways, as GORM makes them (docs/guides/move-in.md says what is read of them): column by column, in
 * words that are turned into those of an engine.
 */

export type Series = "one-api-0.5" | "one-api-0.6" | "new-api";
export type SqlEngine = "sqlite" | "mysql" | "postgres";

/** "id": the counted primary key; "key": a text that is one. */
type ColumnType =
  | "id"
  | "key"
  | "bigint"
  | "boolean"
  | "text"
  | "real"
  | "time"
  | `char${number}`
  | `varchar${number}`;
type Columns = Readonly<Record<string, ColumnType>>;

const USERS: Columns = {
  id: "id",
  username: "varchar64",
  password: "text",
  display_name: "varchar64",
  role: "bigint",
  status: "bigint",
  email: "varchar64",
  github_id: "varchar64",
  wechat_id: "varchar64",
  access_token: "char32",
  quota: "bigint",
  used_quota: "bigint",
  request_count: "bigint",
  group: "varchar64",
  aff_code: "varchar32",
  inviter_id: "bigint",
};

const TOKENS: Columns = {
  id: "id",
  user_id: "bigint",
  key: "char48",
  status: "bigint",
  name: "varchar64",
  created_time: "bigint",
  accessed_time: "bigint",
  expired_time: "bigint",
  remain_quota: "bigint",
  unlimited_quota: "boolean",
  used_quota: "bigint",
};

const CHANNELS: Columns = {
  id: "id",
  type: "bigint",
  key: "text",
  status: "bigint",
  name: "varchar64",
  weight: "bigint",
  created_time: "bigint",
  test_time: "bigint",
  response_time: "bigint",
  base_url: "varchar255",
  other: "text",
  balance: "real",
  balance_updated_time: "bigint",
  models: "text",
  group: "varchar64",
  used_quota: "bigint",
  model_mapping: "text",
  priority: "bigint",
};

const REDEMPTIONS: Columns = {
  id: "id",
  user_id: "bigint",
  key: "char32",
  status: "bigint",
  name: "varchar64",
  quota: "bigint",
  created_time: "bigint",
  redeemed_time: "bigint",
};

const LOGS: Columns = {
  id: "id",
  user_id: "bigint",
  created_at: "bigint",
  type: "bigint",
  content: "text",
  username: "varchar64",
  token_name: "varchar64",
  model_name: "varchar64",
  quota: "bigint",
  prompt_tokens: "bigint",
  completion_tokens: "bigint",
  channel_id: "bigint",
};

const OPTIONS: Columns = { key: "key", value: "text" };

const ABILITIES: Columns = {
  group: "varchar64",
  model: "varchar255",
  channel_id: "bigint",
  enabled: "boolean",
  priority: "bigint",
};

/** What later versions have besides. */
const OF_0_6 = {
  users: { lark_id: "varchar64", oidc_id: "varchar64" },
  tokens: { models: "text", subnet: "varchar255" },
  channels: { config: "text", system_prompt: "text" },
  logs: {
    request_id: "varchar64",
    elapsed_time: "bigint",
    is_stream: "boolean",
    system_prompt_reset: "boolean",
  },
} as const;

const OF_NEW_API = {
  users: {
    discord_id: "varchar64",
    oidc_id: "varchar64",
    telegram_id: "varchar64",
    linux_do_id: "varchar64",
    aff_count: "bigint",
    aff_quota: "bigint",
    aff_history: "bigint",
    deleted_at: "time",
    setting: "text",
    remark: "varchar255",
    stripe_customer: "varchar64",
    created_at: "bigint",
    last_login_at: "bigint",
  },
  tokens: {
    model_limits_enabled: "boolean",
    model_limits: "text",
    allow_ips: "text",
    group: "varchar64",
    cross_group_retry: "boolean",
    deleted_at: "time",
  },
  channels: {
    openai_organization: "varchar64",
    test_model: "varchar64",
    status_code_mapping: "varchar255",
    auto_ban: "bigint",
    other_info: "text",
    tag: "varchar64",
    remark: "varchar255",
    setting: "text",
    param_override: "text",
    header_override: "text",
    settings: "text",
    channel_info: "text",
  },
  redemptions: { used_user_id: "bigint", deleted_at: "time", expired_time: "bigint" },
  logs: {
    use_time: "bigint",
    is_stream: "boolean",
    token_id: "bigint",
    group: "varchar64",
    ip: "varchar64",
    request_id: "varchar64",
    other: "text",
  },
} as const;

const ONLY_NEW_API: Readonly<Record<string, Columns>> = {
  top_ups: {
    id: "id",
    user_id: "bigint",
    amount: "bigint",
    money: "real",
    trade_no: "varchar255",
    payment_method: "varchar64",
    create_time: "bigint",
    complete_time: "bigint",
    status: "varchar32",
  },
  user_subscriptions: {
    id: "id",
    user_id: "bigint",
    plan_id: "bigint",
    amount_total: "bigint",
    amount_used: "bigint",
    start_time: "bigint",
    end_time: "bigint",
    status: "varchar32",
    source: "varchar32",
    last_reset_time: "bigint",
    next_reset_time: "bigint",
    upgrade_group: "varchar64",
    prev_user_group: "varchar64",
  },
  subscription_plans: {
    id: "id",
    title: "varchar128",
    subtitle: "varchar255",
    price_amount: "real",
    currency: "varchar8",
    duration_unit: "varchar16",
    duration_value: "bigint",
    enabled: "boolean",
    upgrade_group: "varchar64",
    total_amount: "bigint",
    quota_reset_period: "varchar16",
  },
  two_fas: { id: "id", user_id: "bigint", secret: "varchar255", is_enabled: "boolean" },
  setups: { id: "id", version: "varchar64", initialized_at: "bigint" },
};

/** The tables of a program, by name. */
export const tablesOf = (series: Series): Readonly<Record<string, Columns>> => {
  const more = series === "new-api" ? OF_NEW_API : series === "one-api-0.6" ? OF_0_6 : undefined;
  return {
    users: { ...USERS, ...more?.users },
    tokens: { ...TOKENS, ...more?.tokens },
    channels: { ...CHANNELS, ...more?.channels },
    redemptions: { ...REDEMPTIONS, ...(series === "new-api" ? OF_NEW_API.redemptions : {}) },
    logs: { ...LOGS, ...more?.logs },
    options: OPTIONS,
    abilities: ABILITIES,
    ...(series === "new-api" ? ONLY_NEW_API : {}),
  };
};

const ID: Readonly<Record<SqlEngine, string>> = {
  sqlite: "INTEGER PRIMARY KEY AUTOINCREMENT",
  mysql: "BIGINT PRIMARY KEY AUTO_INCREMENT",
  postgres: "BIGSERIAL PRIMARY KEY",
};

const TIME: Readonly<Record<SqlEngine, string>> = {
  sqlite: "DATETIME",
  mysql: "DATETIME(3)",
  postgres: "TIMESTAMPTZ",
};

const typeOn = (engine: SqlEngine, type: ColumnType): string => {
  if (type === "id") return ID[engine];
  if (type === "key") return "VARCHAR(191) PRIMARY KEY";
  if (type === "time") return TIME[engine];
  if (type === "text") return engine === "mysql" ? "LONGTEXT" : "TEXT";
  if (type === "real") return engine === "sqlite" ? "REAL" : "DOUBLE PRECISION";
  return type.replace(/(\d+)$/, "($1)").toUpperCase();
};

/** A name as the engine wants it: `group` and `key` are words of SQL. */
export const quoteOn = (engine: SqlEngine, name: string): string =>
  engine === "mysql" ? `\`${name}\`` : `"${name}"`;

/** The statements that make the tables. */
export const createTables = (series: Series, engine: SqlEngine): string[] =>
  Object.entries(tablesOf(series)).map(([table, columns]) => {
    const list = Object.entries(columns).map(
      ([name, type]) => `${quoteOn(engine, name)} ${typeOn(engine, type)}`,
    );
    return `CREATE TABLE ${table} (${list.join(", ")})`;
  });

/** A value of a row; `bytes` stands for a text of these bytes, which need not be UTF-8. */
export type Value = string | number | bigint | boolean | null | { bytes: Uint8Array };
export type Row = Readonly<Record<string, Value>>;

const literal = (engine: SqlEngine, value: Value): string => {
  if (value === null) return "NULL";
  if (typeof value === "boolean")
    return engine === "postgres" ? String(value).toUpperCase() : value ? "1" : "0";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (typeof value === "object") return `CAST(x'${Buffer.from(value.bytes).toString("hex")}' AS TEXT)`;
  const text = engine === "mysql" ? value.replaceAll("\\", "\\\\") : value;
  return `'${text.replaceAll("'", "''")}'`;
};

/** The statement that inserts a row. */
export const insertRow = (engine: SqlEngine, table: string, row: Row): string => {
  const names = Object.keys(row).map((name) => quoteOn(engine, name));
  const values = Object.values(row).map((value) => literal(engine, value));
  return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${values.join(", ")})`;
};
