import * as z from "zod/mini";

/*
 * Rows of one-api and new-api as they are read, under their own names of columns. What a version does not have, and NULL, is
 * undefined. Texts are trimmed at their end, where char(n) is padded with blanks. Whole numbers beyond 2^53 are bigint.
 */

/** What a whole number of the source is: bigint only beyond what a number holds exactly. */
const whole = z.optional(z.union([z.int(), z.bigint()]));
const text = z.optional(z.string());
const real = z.optional(z.number());
/** Of MySQL and SQLite 0 and 1. */
const flag = z.optional(z.boolean());
const id = z.int();

export const userRowSchema = z.object({
  id,
  username: text,
  password: text,
  display_name: text,
  role: whole,
  status: whole,
  email: text,
  github_id: text,
  wechat_id: text,
  lark_id: text,
  oidc_id: text,
  discord_id: text,
  telegram_id: text,
  linux_do_id: text,
  access_token: text,
  quota: whole,
  used_quota: whole,
  request_count: whole,
  group: text,
  aff_code: text,
  inviter_id: whole,
  aff_count: whole,
  aff_quota: whole,
  aff_history: whole,
  setting: text,
  remark: text,
  stripe_customer: text,
  created_at: whole,
  last_login_at: whole,
  auth_version: whole,
  /** Any value: a time, in the form of the engine. */
  deleted_at: text,
});
export type UserRow = z.infer<typeof userRowSchema>;

export const tokenRowSchema = z.object({
  id,
  user_id: whole,
  key: text,
  status: whole,
  name: text,
  created_time: whole,
  accessed_time: whole,
  expired_time: whole,
  remain_quota: whole,
  unlimited_quota: flag,
  used_quota: whole,
  models: text,
  model_limits_enabled: flag,
  model_limits: text,
  subnet: text,
  allow_ips: text,
  group: text,
  cross_group_retry: flag,
  auto_groups: text,
  deleted_at: text,
});
export type TokenRow = z.infer<typeof tokenRowSchema>;

export const channelRowSchema = z.object({
  id,
  type: whole,
  key: text,
  status: whole,
  name: text,
  weight: whole,
  priority: whole,
  created_time: whole,
  test_time: whole,
  response_time: whole,
  base_url: text,
  other: text,
  balance: real,
  balance_updated_time: whole,
  models: text,
  group: text,
  used_quota: whole,
  model_mapping: text,
  config: text,
  system_prompt: text,
  openai_organization: text,
  test_model: text,
  status_code_mapping: text,
  auto_ban: whole,
  other_info: text,
  tag: text,
  remark: text,
  setting: text,
  settings: text,
  param_override: text,
  header_override: text,
  channel_info: text,
});
export type ChannelRow = z.infer<typeof channelRowSchema>;

export const redemptionRowSchema = z.object({
  id,
  user_id: whole,
  key: text,
  status: whole,
  name: text,
  quota: whole,
  created_time: whole,
  redeemed_time: whole,
  used_user_id: whole,
  expired_time: whole,
  deleted_at: text,
});
export type RedemptionRow = z.infer<typeof redemptionRowSchema>;

export const logRowSchema = z.object({
  id,
  user_id: whole,
  created_at: whole,
  type: whole,
  content: text,
  username: text,
  token_name: text,
  model_name: text,
  quota: whole,
  prompt_tokens: whole,
  completion_tokens: whole,
  channel_id: whole,
  request_id: text,
  /** Milliseconds, of one-api 0.6. */
  elapsed_time: whole,
  /** Seconds, of new-api. */
  use_time: whole,
  is_stream: flag,
  system_prompt_reset: flag,
  token_id: whole,
  group: text,
  ip: text,
  upstream_request_id: text,
  other: text,
});
export type LogRow = z.infer<typeof logRowSchema>;

export const optionRowSchema = z.object({ key: z.string(), value: text });
export type OptionRow = z.infer<typeof optionRowSchema>;

export const topUpRowSchema = z.object({
  id,
  user_id: whole,
  amount: whole,
  money: real,
  trade_no: text,
  payment_method: text,
  payment_provider: text,
  create_time: whole,
  complete_time: whole,
  status: text,
});
export type TopUpRow = z.infer<typeof topUpRowSchema>;

export const subscriptionRowSchema = z.object({
  id,
  user_id: whole,
  plan_id: whole,
  amount_total: whole,
  amount_used: whole,
  start_time: whole,
  end_time: whole,
  status: text,
  source: text,
  last_reset_time: whole,
  next_reset_time: whole,
  upgrade_group: text,
  prev_user_group: text,
  downgrade_group: text,
});
export type SubscriptionRow = z.infer<typeof subscriptionRowSchema>;

/** The tables of the source that are read, and what a row of each is. */
export const SOURCE_TABLES = {
  users: userRowSchema,
  tokens: tokenRowSchema,
  channels: channelRowSchema,
  redemptions: redemptionRowSchema,
  logs: logRowSchema,
  options: optionRowSchema,
  top_ups: topUpRowSchema,
  user_subscriptions: subscriptionRowSchema,
} as const;
export type SourceTable = keyof typeof SOURCE_TABLES;

/** Of each table, what a row is. */
export type SourceRow<Table extends SourceTable> = z.infer<(typeof SOURCE_TABLES)[Table]>;
