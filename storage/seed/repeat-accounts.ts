import { type Kysely, sql } from "kysely";

/** How often the rows of each table are copied, and how many orders there are. */
export interface AccountCopies {
  users: number;
  channels: number;
  redemptions: number;
  audit: number;
  orders: number;
}

/** Values of a copy, as SQL of the row and of `n`, the number of the copy; other columns are copied. */
type Changed = Readonly<Record<string, string>>;

/** Copies rows in one statement. @param which condition on the rows. */
const copyRows = async (
  db: Kysely<unknown>,
  table: string,
  copies: number,
  changed: Changed,
  which = "TRUE",
): Promise<void> => {
  const { rows } = await sql<object>`SELECT * FROM ${sql.table(table)} LIMIT 1`.execute(db);
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0 || copies === 0) return;
  const values = columns.map((column) => sql.raw(changed[column] ?? `"${column}"`));
  await sql`INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < ${sql.lit(copies)})
    SELECT ${sql.join(values)} FROM ${sql.table(table)}, copies WHERE ${sql.raw(which)}`.execute(db);
};

const highestId = async (db: Kysely<unknown>, table: string): Promise<number> => {
  const { rows } = await sql<{ id: number | null }>`SELECT max(id) AS id FROM ${sql.table(table)}`.execute(
    db,
  );
  return Number(rows[0]?.id ?? 0);
};

/** Ordinary users with their API keys and entries in the ledger, which come first: a balance needs its entry. */
const copyUsers = async (db: Kysely<unknown>, copies: number): Promise<void> => {
  const [user, key, entry] = [
    await highestId(db, "users"),
    await highestId(db, "tokens"),
    await highestId(db, "ledger_entries"),
  ];
  await copyRows(
    db,
    "ledger_entries",
    copies,
    {
      id: `id + n * ${entry}`,
      user_id: `user_id + n * ${user}`,
      key_id: `CASE key_id WHEN 0 THEN 0 ELSE key_id + n * ${key} END`,
      reference: "reference || '-' || n",
      created_at: "created_at - n * 3600",
    },
    "user_id IN (SELECT id FROM users WHERE role = 1)",
  );
  await copyRows(
    db,
    "users",
    copies,
    {
      id: `id + n * ${user}`,
      username: "username || '-' || n",
      display_name: "display_name || ' no. ' || n",
      email: "CASE n % 3 WHEN 0 THEN '' ELSE username || '-' || n || '@example.com' END",
      access_token_hash: "NULL",
      access_token_sealed: "NULL",
      aff_code: "NULL",
      status: "CASE n % 20 WHEN 0 THEN 2 ELSE status END",
      group: "CASE n % 5 WHEN 0 THEN 'vip' ELSE 'default' END",
    },
    "role = 1",
  );
  await copyRows(
    db,
    "tokens",
    copies,
    {
      id: `id + n * ${key}`,
      user_id: `user_id + n * ${user}`,
      key_hash: "key_hash || '-' || n",
    },
    `user_id IN (SELECT id FROM users WHERE role = 1 AND id <= ${user})`,
  );
};

const ORDER_COLUMNS = {
  number: "CAST(10000000 + id AS TEXT) || '00000000000000000000abcd'",
  user_id: "id",
  username: "username",
  provider: "CASE id % 3 WHEN 0 THEN 'stripe' ELSE 'epay' END",
  method: "CASE id % 3 WHEN 0 THEN '' ELSE 'alipay' END",
  state: "CASE id % 10 WHEN 0 THEN 'expired' WHEN 1 THEN 'cancelled' ELSE 'paid' END",
  usd: "'10'",
  amount: "100 + id % 9000",
  currency: "'CNY'",
  quota: "5000 + id % 100000",
  factor: "'1'",
  payment: "'payment-' || id",
  created_at: "created_time",
  expires_at: "created_time + 900",
  paid_at: "CASE WHEN id % 10 < 2 THEN 0 ELSE created_time + 60 END",
};

/** One order of each of the first users. */
const addOrders = async (db: Kysely<unknown>, orders: number): Promise<void> => {
  await sql`INSERT INTO orders (${sql.raw(Object.keys(ORDER_COLUMNS).join(", "))})
    SELECT ${sql.raw(Object.values(ORDER_COLUMNS).join(", "))} FROM users WHERE role = 1
    ORDER BY id LIMIT ${sql.lit(orders)}`.execute(db);
};

/**
 * Makes many users, keys, channels, codes, orders and lines of the audit of the few that there are: large lists for measurements.
 * Money of the copies is explained by copied entries of the ledger.
 */
export const repeatAccounts = async (db: Kysely<unknown>, copies: AccountCopies): Promise<void> => {
  await copyUsers(db, copies.users);
  await copyRows(db, "channels", copies.channels, {
    id: `id + n * ${await highestId(db, "channels")}`,
    name: "name || '-' || n",
    type: "CASE n % 4 WHEN 0 THEN 14 ELSE type END",
    status: "CASE n % 10 WHEN 0 THEN 2 WHEN 1 THEN 3 ELSE 1 END",
    group: "CASE n % 3 WHEN 0 THEN 'default,vip' ELSE 'default' END",
    tag: "'tag ' || n % 40",
    priority: "n % 9",
    weight: "n % 11",
    response_time: "n * 7919 % 5000",
    balance: "n * 31 % 977",
  });
  await copyRows(db, "redemptions", copies.redemptions, {
    id: `id + n * ${await highestId(db, "redemptions")}`,
    key_hash: "key_hash || '-' || n",
    name: "name || '-' || n % 50",
    status: "CASE n % 7 WHEN 0 THEN 2 ELSE status END",
    quota: "quota + n",
    created_time: "created_time - n * 3600",
  });
  await copyRows(db, "audit", copies.audit, {
    id: `id + n * ${await highestId(db, "audit")}`,
    created_at: "created_at - n * 3600",
  });
  await addOrders(db, copies.orders);
};

/** Tables that get rows with ids of their own. */
export const REPEATED_TABLES = ["users", "tokens", "ledger_entries", "channels", "redemptions", "audit"];
