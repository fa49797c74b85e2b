import { BLOCK_TABLES } from "../log/sql/blocks";

/** In which file or list of migrations a table stands. */
export type CopiedStore = "main" | "log" | "bodies";

/** A table that goes from one engine to the other. */
export interface CopiedTable {
  store: CopiedStore;
  /** On SQLite. */
  name: string;
  /** On PostgreSQL. */
  postgres: string;
  /** SQL expression of a whole number: the part of the table that a row belongs to, compared and copied separately. */
  part: string;
  /** Rows are only added, in the order of `id`, and deleted: existing rows are not read again. */
  isGrowing: boolean;
  /** Compared byte by byte, and not by counts and sums alone: for small tables that change in any column. */
  isExact: boolean;
  /** The column of quota that a report adds up. */
  quota: string | undefined;
  /** How many rows are in memory at once. */
  rowsAPage: number;
}

const ROWS_A_PAGE = 2000;
/** Each may have some megabytes. */
const BODIES_A_PAGE = 10;
const BLOCKS_A_PAGE = 200;

const account = (name: string, quota?: string): CopiedTable => ({
  store: "main",
  name,
  postgres: name,
  part: "0",
  isGrowing: false,
  isExact: true,
  quota,
  rowsAPage: ROWS_A_PAGE,
});

/** Rows of this many ids are compared together. */
const IDS_A_PART = 100_000;

const growing = (store: CopiedStore, name: string, quota?: string): CopiedTable => ({
  store,
  name,
  postgres: name,
  part: `id / ${IDS_A_PART}`,
  isGrowing: true,
  isExact: false,
  quota,
  rowsAPage: ROWS_A_PAGE,
});

const sums = (name: string, part: string): CopiedTable => ({
  store: "log",
  name,
  postgres: `${name}_summed`,
  part,
  isGrowing: false,
  isExact: false,
  quota: "quota",
  rowsAPage: ROWS_A_PAGE,
});

const BY_DAY = "hour / 86400";

/** Tables in an order where rows come after the rows that they refer to. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  account("users", "quota"),
  account("identities"),
  account("former_identities"),
  account("second_factors"),
  account("passkeys"),
  account("sign_in_providers"),
  account("management_keys"),
  account("sessions"),
  account("tokens", "remain_quota"),
  account("channels", "used_quota"),
  account("options"),
  account("redemptions", "quota"),
  account("verifications"),
  account("audit"),
  account("notice_ways"),
  account("notice_incidents"),
  account("notices"),
  account("notice_thresholds"),
  account("plans", "price"),
  account("subscriptions", "price"),
  account("plan_periods", "unspent"),
  account("plan_accounts", "parked"),
  account("orders", "quota"),
  account("order_refunds", "taken"),
  account("payment_faults"),
  account("invoice_titles"),
  account("invoices"),
  account("invoice_orders"),
  { ...account("invoice_files"), rowsAPage: BODIES_A_PAGE },
  account("price_drafts"),
  account("balance_movements"),
  account("reconciliations"),
  account("announcements"),
  account("promotions", "used_total"),
  account("promotion_uses", "quota"),
  account("budget_windows"),
  account("done_operations"),
  account("key_networks"),
  account("request_refunds", "quota"),
  account("ticket_senders"),
  account("terms_versions"),
  account("terms_acceptances"),
  account("tickets"),
  account("ticket_entries"),
  account("redemption_uses", "quota"),
  account("commission_accounts", "commission"),
  account("commissions", "amount"),
  account("payouts", "amount"),
  // Compared byte by byte, it is one part.
  { ...growing("main", "ledger_entries", "amount"), isExact: true, part: "0" },
  growing("log", "payers"),
  growing("log", "models"),
  growing("log", "contents"),
  growing("log", "logs", "quota"),
  growing("log", "receipts"),
  // The counts of the last minute grow.
  { ...growing("log", "failures"), part: "first_at / 86400", isGrowing: false },
  sums("site_hours", BY_DAY),
  sums("model_hours", BY_DAY),
  sums("channel_hours", BY_DAY),
  sums("payer_hours", "day"),
  sums("detail_hours", "day"),
  ...BLOCK_TABLES.map(({ table, block }) => sums(table, block)),
  { ...sums("content_hours", BY_DAY), quota: undefined },
  { ...sums("latency_hours", BY_DAY), quota: undefined },
  growing("log", "price_shapes"),
  // The last block grows, and each has some kilobytes.
  { ...growing("log", "priced_lines"), part: BY_DAY, isGrowing: false, rowsAPage: BLOCKS_A_PAGE },
  { ...growing("bodies", "bodies"), rowsAPage: BODIES_A_PAGE },
];

export type ColumnKind = "number" | "real" | "text" | "bytes";

export type Columns = ReadonlyMap<string, ColumnKind>;

export type Row = Record<string, unknown>;

/** Content of a part of a table. */
export interface PartContent {
  rows: number;
  /** The sum of the column of quota. */
  quota: bigint;
  /** The same for the same content. */
  digest: string;
}

/** One engine, as a table is read from it or written to it. */
export interface CopySide {
  columns(table: CopiedTable): Promise<Columns>;
  /** Returns the parts of a table, by their number. */
  parts(table: CopiedTable, columns: Columns): Promise<Map<number, PartContent>>;
  /** Rows behind an id, in the order of ids. */
  rowsAfter(table: CopiedTable, columns: Columns, id: number): AsyncIterable<readonly Row[]>;
  /** All rows of some parts; of all for undefined. */
  rows(
    table: CopiedTable,
    columns: Columns,
    parts: readonly number[] | undefined,
  ): AsyncIterable<readonly Row[]>;
  /** 0 for none. */
  highestId(table: CopiedTable): Promise<number>;
  insert(table: CopiedTable, columns: Columns, rows: readonly Row[]): Promise<void>;
  remove(table: CopiedTable, parts: readonly number[]): Promise<void>;
}
