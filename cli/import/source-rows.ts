/*
 * Rows of one-api and new-api, under their own names of columns. Columns that a version lacks, and NULL, are undefined.
 * Whole numbers beyond 2^53 are bigint.
 */

/**
 * Type of a column: a whole number, a text, a text that char(n) pads with blanks, any number, or yes and no (in MySQL
 * and SQLite 0 and 1).
 */
interface Kinds {
  id: number;
  whole: number | bigint;
  text: string;
  padded: string;
  real: number;
  flag: boolean;
}
export type Kind = keyof Kinds;

/** A column without a place here. The report names each row in which it holds something. */
interface ReportedColumn {
  readonly reported: Kind;
}

/** A column that is not read, because nothing is lost without it. */
interface NeedlessColumn {
  readonly needless: string;
}

const reported = <K extends Kind>(kind: K): { reported: K } => ({ reported: kind });

/** @param reason why nothing is lost without it; docs/reference/imports.md lists it. */
const needless = (reason: string): NeedlessColumn => ({ needless: reason });

/** A column is mapped by the code that reads its table, reported, or needless. */
type Column = Kind | ReportedColumn | NeedlessColumn;
type Columns = Readonly<Record<string, Column>>;
type MappedNames<C extends Columns> = { [Name in keyof C]: C[Name] extends Kind ? Name : never }[keyof C];
/** Only mapped columns: no code can read columns declared as reported or needless. */
type RowOf<C extends Columns> = { id: number } & {
  [Name in MappedNames<C>]?: (C[Name] extends Kind ? Kinds[C[Name]] : never) | undefined;
};

const userColumns = {
  id: "id",
  username: "text",
  password: "text",
  display_name: "text",
  role: "whole",
  status: "whole",
  email: "text",
  github_id: "text",
  wechat_id: "text",
  lark_id: "text",
  oidc_id: "text",
  discord_id: "text",
  telegram_id: "text",
  linux_do_id: "text",
  access_token: "padded",
  quota: "whole",
  used_quota: "whole",
  request_count: "whole",
  group: "text",
  aff_code: "text",
  inviter_id: "whole",
  aff_count: needless("it counts the users whose inviter_id names this one"),
  aff_quota: "whole",
  aff_history: reported("whole"),
  setting: "text",
  remark: reported("text"),
  stripe_customer: reported("text"),
  created_at: "whole",
  last_login_at: reported("whole"),
  auth_version: needless("it ends sessions, which are not taken over"),
  /** Any value: a time, in the form of the engine. */
  deleted_at: "text",
} as const satisfies Columns;
export type UserRow = RowOf<typeof userColumns>;

const apiKeyColumns = {
  id: "id",
  user_id: "whole",
  key: "padded",
  status: "whole",
  name: "text",
  created_time: "whole",
  accessed_time: "whole",
  expired_time: "whole",
  remain_quota: "whole",
  unlimited_quota: "flag",
  used_quota: "whole",
  models: "text",
  model_limits_enabled: "flag",
  model_limits: "text",
  subnet: "text",
  allow_ips: "text",
  group: "text",
  cross_group_retry: reported("flag"),
  auto_groups: "text",
  deleted_at: "text",
} as const satisfies Columns;
export type ApiKeyRow = RowOf<typeof apiKeyColumns>;

const channelColumns = {
  id: "id",
  type: "whole",
  key: "text",
  status: "whole",
  name: "text",
  weight: "whole",
  priority: "whole",
  created_time: "whole",
  test_time: "whole",
  response_time: "whole",
  base_url: "text",
  other: "text",
  balance: "real",
  balance_updated_time: "whole",
  models: "text",
  group: "text",
  used_quota: "whole",
  model_mapping: "text",
  config: "text",
  system_prompt: "text",
  openai_organization: "text",
  test_model: "text",
  status_code_mapping: "text",
  auto_ban: "whole",
  other_info: "text",
  tag: "text",
  remark: "text",
  setting: "text",
  settings: "text",
  param_override: "text",
  header_override: "text",
  channel_info: "text",
} as const satisfies Columns;
export type ChannelRow = RowOf<typeof channelColumns>;

const redemptionColumns = {
  id: "id",
  user_id: "whole",
  key: "padded",
  status: "whole",
  name: "text",
  quota: "whole",
  created_time: "whole",
  redeemed_time: "whole",
  used_user_id: "whole",
  expired_time: "whole",
  deleted_at: "text",
} as const satisfies Columns;
export type RedemptionRow = RowOf<typeof redemptionColumns>;

const logColumns = {
  id: "id",
  user_id: "whole",
  created_at: "whole",
  type: "whole",
  content: "text",
  username: "text",
  token_name: "text",
  model_name: "text",
  quota: "whole",
  prompt_tokens: "whole",
  completion_tokens: "whole",
  channel_id: "whole",
  request_id: reported("text"),
  /** Milliseconds, of one-api 0.6. */
  elapsed_time: "whole",
  /** Seconds, of new-api. */
  use_time: "whole",
  is_stream: "flag",
  system_prompt_reset: reported("flag"),
  token_id: "whole",
  group: "text",
  ip: reported("text"),
  upstream_request_id: reported("text"),
  other: "text",
} as const satisfies Columns;
export type LogRow = RowOf<typeof logColumns>;

const optionColumns = { key: "text", value: "text" } as const satisfies Columns;
export interface OptionRow {
  key: string;
  value?: string | undefined;
}

const topUpColumns = {
  id: "id",
  user_id: "whole",
  amount: "whole",
  money: "real",
  trade_no: "text",
  payment_method: "text",
  payment_provider: "text",
  create_time: "whole",
  complete_time: "whole",
  status: "text",
} as const satisfies Columns;
export type TopUpRow = RowOf<typeof topUpColumns>;

const planColumns = {
  id: "id",
  title: "text",
  subtitle: "text",
  price_amount: "real",
  currency: "text",
  duration_unit: "text",
  duration_value: "whole",
  custom_seconds: "whole",
  enabled: "flag",
  sort_order: "whole",
  allow_balance_pay: "flag",
  allow_wallet_overflow: "flag",
  stripe_price_id: reported("text"),
  creem_product_id: reported("text"),
  waffo_pancake_product_id: reported("text"),
  max_purchase_per_user: "whole",
  upgrade_group: "text",
  downgrade_group: needless("a subscription has it as well, and that one counts"),
  total_amount: "whole",
  quota_reset_period: "text",
  quota_reset_custom_seconds: "whole",
  created_at: "whole",
  updated_at: needless("a plan here has no time of its last change"),
} as const satisfies Columns;
export type PlanRow = RowOf<typeof planColumns>;

const subscriptionColumns = {
  id: "id",
  user_id: "whole",
  plan_id: "whole",
  amount_total: "whole",
  amount_used: "whole",
  start_time: "whole",
  end_time: "whole",
  status: "text",
  source: "text",
  last_reset_time: "whole",
  next_reset_time: "whole",
  upgrade_group: "text",
  prev_user_group: "text",
  downgrade_group: "text",
} as const satisfies Columns;
export type SubscriptionRow = RowOf<typeof subscriptionColumns>;

const SECOND_FACTOR = "the count of wrong codes starts again";
const PASSKEY = "a passkey counts as added at the import, and its maker is not kept";

const twoFactorColumns = {
  id: "id",
  user_id: "whole",
  is_enabled: "flag",
  secret: "text",
  failed_attempts: needless(SECOND_FACTOR),
  locked_until: needless(SECOND_FACTOR),
  last_used_at: needless(SECOND_FACTOR),
  created_at: needless(SECOND_FACTOR),
  updated_at: needless(SECOND_FACTOR),
  deleted_at: "text",
} as const satisfies Columns;
export type TwoFactorRow = RowOf<typeof twoFactorColumns>;

const passkeyColumns = {
  id: "id",
  user_id: "whole",
  deleted_at: "text",
  credential_id: "text",
  public_key: "text",
  attestation_type: needless(PASSKEY),
  aaguid: needless(PASSKEY),
  sign_count: "whole",
  clone_warning: needless(PASSKEY),
  user_present: needless(PASSKEY),
  user_verified: needless(PASSKEY),
  backup_eligible: needless(PASSKEY),
  backup_state: needless(PASSKEY),
  transports: "text",
  attachment: needless(PASSKEY),
  last_used_at: needless(PASSKEY),
  created_at: needless(PASSKEY),
  updated_at: needless(PASSKEY),
} as const satisfies Columns;
export type PasskeyRow = RowOf<typeof passkeyColumns>;

/** The tables of the source that are read, and the fate of each column. */
export const SOURCE_TABLES = {
  users: userColumns,
  tokens: apiKeyColumns,
  channels: channelColumns,
  redemptions: redemptionColumns,
  logs: logColumns,
  options: optionColumns,
  top_ups: topUpColumns,
  subscription_plans: planColumns,
  user_subscriptions: subscriptionColumns,
  two_fas: twoFactorColumns,
  passkey_credentials: passkeyColumns,
} as const;
export type SourceTable = keyof typeof SOURCE_TABLES;

export interface SourceRows {
  users: UserRow;
  tokens: ApiKeyRow;
  channels: ChannelRow;
  redemptions: RedemptionRow;
  logs: LogRow;
  options: OptionRow;
  top_ups: TopUpRow;
  subscription_plans: PlanRow;
  two_fas: TwoFactorRow;
  passkey_credentials: PasskeyRow;
  user_subscriptions: SubscriptionRow;
}

/** The fate of a column: `kind` of a column that is read, `isReported` without a place here, or the reason why it is not read. */
export type ColumnFate =
  | { kind: Kind; isReported: boolean; reason?: never }
  | { kind?: never; reason: string };

export const fatesOf = (table: SourceTable): ReadonlyMap<string, ColumnFate> =>
  new Map(
    Object.entries(SOURCE_TABLES[table] as Columns).map(([name, column]) => [
      name,
      typeof column === "string"
        ? { kind: column, isReported: false }
        : "needless" in column
          ? { reason: column.needless }
          : { kind: column.reported, isReported: true },
    ]),
  );
