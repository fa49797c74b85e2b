import type { Secrets } from "../../secrets";

/** A column that holds sealed texts, and the columns of its row that depend on the master key as well. */
export interface SealedColumn {
  readonly table:
    | "users"
    | "second_factors"
    | "sign_in_providers"
    | "tokens"
    | "channels"
    | "redemptions"
    | "options"
    | "notice_ways"
    | "invoice_files"
    | "ticket_entries";
  /** Column that identifies a row. */
  readonly id: "id" | "user_id" | "key";
  readonly column: string;
  /** Rows in which something is sealed: SQL. */
  readonly where: string;
  /** Some of its values have megabytes: few of them are in memory at once. */
  readonly isLarge?: true;
  /** A column of a hash by which the secret is found. */
  readonly hash?: {
    readonly column: string;
    of(text: string, secrets: Pick<Secrets, "hash">): string;
  };
}

/** Hashes a channel's key for search, with a hash that nothing else uses. */
export const hashChannelKey = (key: string, secrets: Pick<Secrets, "hash">): string =>
  secrets.hash(`channel key ${key}`);

/** Returns the search text of a channel's keys: `,hash,hash,`. */
export const hashChannelKeys = (key: string, secrets: Pick<Secrets, "hash">): string =>
  `,${key
    .split("\n")
    .map((line) => hashChannelKey(line, secrets))
    .join(",")},`;

const hashOf = (text: string, secrets: Pick<Secrets, "hash">): string => secrets.hash(text);

/** Everything of the accounts that is stored under the master key, on both engines; a new column belongs here. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: "tokens",
    id: "id",
    column: "key_sealed",
    where: "key_sealed <> ''",
    hash: { column: "key_hash", of: hashOf },
  },
  {
    table: "tokens",
    id: "id",
    column: "former_key_sealed",
    where: "former_key_sealed <> ''",
    hash: { column: "former_key_hash", of: hashOf },
  },
  {
    table: "channels",
    id: "id",
    column: "key_sealed",
    where: "key_sealed <> ''",
    hash: { column: "key_hashes", of: hashChannelKeys },
  },
  { table: "channels", id: "id", column: "proxy_sealed", where: "proxy_sealed <> ''" },
  { table: "channels", id: "id", column: "overrides_sealed", where: "overrides_sealed <> ''" },
  {
    table: "redemptions",
    id: "id",
    column: "key_sealed",
    where: "key_sealed <> ''",
    hash: { column: "key_hash", of: hashOf },
  },
  {
    table: "users",
    id: "id",
    column: "access_token_sealed",
    where: "access_token_sealed IS NOT NULL",
    hash: { column: "access_token_hash", of: hashOf },
  },
  { table: "second_factors", id: "user_id", column: "sealed", where: "sealed <> ''" },
  {
    table: "sign_in_providers",
    id: "id",
    column: "client_secret_sealed",
    where: "client_secret_sealed <> ''",
  },
  { table: "notice_ways", id: "id", column: "fields_sealed", where: "fields_sealed <> ''" },
  {
    table: "invoice_files",
    id: "id",
    column: "content_sealed",
    where: "content_sealed <> ''",
    isLarge: true,
  },
  { table: "ticket_entries", id: "id", column: "text_sealed", where: "text_sealed <> ''" },
  { table: "options", id: "key", column: "value", where: "is_sealed = 1" },
];
