/*
 * Rows of one-api and new-api as they are read, under their own names of columns. What a version does not have, and NULL, is
 * undefined. Whole numbers beyond 2^53 are bigint.
 */

/**
 * What a column holds: a whole number, a text, a text that char(n) pads with blanks, any number, or yes and no (in MySQL and
 * SQLite 0 and 1).
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

type Columns = Readonly<Record<string, Kind>>;
type RowOf<C extends Columns> = { id: number } & { [Column in keyof C]?: Kinds[C[Column]] | undefined };

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
  aff_count: "whole",
  aff_quota: "whole",
  aff_history: "whole",
  setting: "text",
  remark: "text",
  stripe_customer: "text",
  created_at: "whole",
  last_login_at: "whole",
  auth_version: "whole",
  /** Any value: a time, in the form of the engine. */
  deleted_at: "text",
} as const satisfies Columns;
export type UserRow = RowOf<typeof userColumns>;

const tokenColumns = {
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
  cross_group_retry: "flag",
  auto_groups: "text",
  deleted_at: "text",
} as const satisfies Columns;
export type TokenRow = RowOf<typeof tokenColumns>;

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
  request_id: "text",
  /** Milliseconds, of one-api 0.6. */
  elapsed_time: "whole",
  /** Seconds, of new-api. */
  use_time: "whole",
  is_stream: "flag",
  system_prompt_reset: "flag",
  token_id: "whole",
  group: "text",
  ip: "text",
  upstream_request_id: "text",
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

/** The tables of the source that are read, and what their columns hold. */
export const SOURCE_TABLES = {
  users: userColumns,
  tokens: tokenColumns,
  channels: channelColumns,
  redemptions: redemptionColumns,
  logs: logColumns,
  options: optionColumns,
  top_ups: topUpColumns,
  user_subscriptions: subscriptionColumns,
} as const;
export type SourceTable = keyof typeof SOURCE_TABLES;

/** Of each table, what a row is. */
export interface SourceRows {
  users: UserRow;
  tokens: TokenRow;
  channels: ChannelRow;
  redemptions: RedemptionRow;
  logs: LogRow;
  options: OptionRow;
  top_ups: TopUpRow;
  user_subscriptions: SubscriptionRow;
}
