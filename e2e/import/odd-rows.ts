import type { Row, Series, SqlEngine } from "./gateway-schemas";

/*
 * A small database as a real one may be after some years: with unexpected rows.
 */

/** Of an authenticator app. */
export const APP_SECRET = "JBSWY3DPEHPK3PXP";

/** The password of all users, and its hash by one-api (bcrypt, cost 10). */
export const PASSWORD = "moved-in-1";
export const PASSWORD_HASH = "$2a$10$479ZcXD/ay7wgz7KXcpqQuPmVnfJRAKFICpWakPr7wd9Qwykp8Mla";

/** A key as one-api generates them: 16 letters and digits, and 32 hexadecimal ones. */
export const keyOf = (number: number): string => `${"Kj8sLq0PzXw3Vb7N"}${String(number).padStart(32, "0")}`;

const DAY = 86_400;

export interface OddRows {
  [table: string]: readonly Row[];
}

const user = (id: number, more: Row = {}): Row => ({
  id,
  username: `user${id}`,
  password: PASSWORD_HASH,
  display_name: `User ${id}`,
  role: 1,
  status: 1,
  email: "",
  github_id: "",
  wechat_id: "",
  access_token: String(id).padStart(32, "a"),
  quota: 1000,
  used_quota: 100,
  request_count: 2,
  group: "default",
  aff_code: `c${id}`,
  inviter_id: 0,
  ...more,
});

const token = (id: number, userId: number, more: Row = {}): Row => ({
  id,
  user_id: userId,
  key: keyOf(id),
  status: 1,
  name: `key ${id}`,
  created_time: 1_750_000_000,
  accessed_time: 1_750_000_100,
  expired_time: -1,
  remain_quota: 500,
  unlimited_quota: false,
  used_quota: 50,
  ...more,
});

const code = (id: number, more: Row = {}): Row => ({
  id,
  user_id: 1,
  key: String(id).padStart(32, "f"),
  status: 1,
  name: `code ${id}`,
  quota: 100,
  created_time: 1_750_000_000,
  redeemed_time: 0,
  ...more,
});

const line = (id: number, more: Row = {}): Row => ({
  id,
  user_id: 2,
  created_at: 1_750_000_000 + id,
  type: 2,
  content: "模型倍率 1.00，分组倍率 1.00",
  username: "user2",
  token_name: "key 1",
  model_name: "gpt-4o-mini",
  quota: 10,
  prompt_tokens: 8,
  completion_tokens: 2,
  channel_id: 1,
  ...more,
});

const channel = (id: number, more: Row = {}): Row => ({
  id,
  type: 1,
  key: "sk-upstream",
  status: 1,
  name: `channel ${id}`,
  weight: 0,
  priority: 0,
  created_time: 1_750_000_000,
  test_time: 0,
  response_time: 0,
  base_url: "http://127.0.0.1:9",
  other: "",
  balance: 0,
  balance_updated_time: 0,
  models: "gpt-4o-mini,gpt-4o",
  group: "default",
  used_quota: 0,
  model_mapping: "",
  ...more,
});

/** What only SQLite stores: it holds anything in any column. */
const onlySqlite: OddRows = {
  users: [
    user(40, { display_name: { bytes: Uint8Array.of(0xff, 0x41) } }),
    user(41, { quota: 9_223_372_036_854_775_807n }),
    user(42, { quota: "much", display_name: { bytes: Uint8Array.of(0x61, 0, 0x62) } }),
    user(0),
    user(-5),
  ],
  logs: [line(30, { content: "x".repeat(10_000_000) })],
};

const ofNewApi = (now: number): OddRows => ({
  users: [
    user(20, { deleted_at: "2026-01-02 03:04:05" }),
    user(21, { aff_quota: 70, setting: '{"notify_type":"email"}', github_id: "12345" }),
    user(22, { discord_id: "d22", telegram_id: "t22" }),
  ],
  tokens: [
    token(20, 20),
    token(21, 21, { group: "vip" }),
    token(22, 21, { model_limits_enabled: true, model_limits: "gpt-4o" }),
    token(23, 21, { model_limits_enabled: true, model_limits: "" }),
    token(24, 21, { allow_ips: "10.0.0.0/8\n127.0.0.1" }),
    token(25, 21, { allow_ips: "somewhere" }),
    token(26, 21, { deleted_at: "2026-01-02 03:04:05" }),
  ],
  redemptions: [
    code(20, { expired_time: now - DAY }),
    code(21, { expired_time: now + DAY }),
    code(22, { status: 3, redeemed_time: 1_750_000_500, used_user_id: 21 }),
    code(23, { deleted_at: "2026-01-02 03:04:05" }),
  ],
  logs: [
    line(20, { type: 5, content: "status_code=429" }),
    line(21, { type: 6, quota: 5 }),
    line(22, { type: 7 }),
    line(23, { token_id: 1, use_time: 3, is_stream: true, other: '{"frt":120,"model_ratio":1}' }),
  ],
  options: [
    {
      key: "console_setting.announcements",
      value: '[{"content":"Maintenance","publishDate":"2026-01-02T03:04:05Z"},{"content":"no date"}]',
    },
    { key: "Chats", value: '[{"Studio":"cherrystudio://open?key={key}"},{"Reader":"fluentread"}]' },
  ],
  top_ups: [
    {
      id: 1,
      user_id: 21,
      amount: 500_000,
      money: 7.3,
      trade_no: "T1",
      payment_method: "alipay",
      complete_time: 1_750_000_600,
      status: "success",
    },
    {
      id: 2,
      user_id: 21,
      amount: 500_000,
      money: 7.3,
      trade_no: "T2",
      payment_method: "alipay",
      complete_time: 0,
      status: "pending",
    },
  ],
  subscription_plans: [
    {
      id: 1,
      title: "Daily",
      subtitle: "",
      price_amount: 10,
      currency: "USD",
      duration_unit: "month",
      duration_value: 1,
      enabled: true,
      upgrade_group: "vip",
      total_amount: 1000,
      quota_reset_period: "daily",
    },
  ],
  two_fas: [
    { id: 1, user_id: 21, secret: "geheim-4711", is_enabled: true },
    { id: 2, user_id: 22, secret: APP_SECRET, is_enabled: true },
    { id: 3, user_id: 999, secret: APP_SECRET, is_enabled: true },
  ],
  user_subscriptions: [
    {
      id: 1,
      user_id: 21,
      plan_id: 1,
      amount_total: 1000,
      amount_used: 400,
      start_time: 0,
      end_time: now + DAY,
      status: "active",
      source: "order",
      next_reset_time: now + DAY / 2,
      upgrade_group: "vip",
      prev_user_group: "default",
    },
    {
      id: 2,
      user_id: 21,
      plan_id: 1,
      amount_total: 1000,
      amount_used: 0,
      start_time: 0,
      end_time: now - DAY,
      status: "expired",
      source: "order",
    },
  ],
  setups: [{ id: 1, version: "v1.0.0-test", initialized_at: 1_750_000_000 }],
});

const ofOneApi06: OddRows = {
  users: [user(20, { username: "deleted_7c0b", status: 3 }), user(21, { lark_id: "l21" })],
  tokens: [
    token(20, 20),
    token(22, 2, { models: "gpt-4o", subnet: "10.0.0.0/8" }),
    token(25, 2, { subnet: "somewhere" }),
  ],
  logs: [
    line(20, { type: 5, elapsed_time: 1200, is_stream: true }),
    line(21, { elapsed_time: 900, is_stream: false }),
  ],
};

/** What all of them may have. Users 3 to 13 are odd, each in a way of its own. */
const common: OddRows = {
  users: [
    user(1, { username: "root", role: 100, quota: 100_000_000 }),
    user(2, { username: "alice", email: "alice@example.com", wechat_id: "w2" }),
    user(3, { quota: -250, email: "Alice@example.com" }),
    user(4, { password: "" }),
    user(5, { username: "Alice" }),
    user(6, { role: 101 }),
    user(7, { status: 9 }),
    user(8, { role: 0 }),
    user(9, { username: "a_name_of_20_letters" }),
    user(10, { github_id: "octocat" }),
    user(11, { group: "vip", inviter_id: 2 }),
    user(12, { wechat_id: "w2", aff_code: "c2" }),
    user(13, { username: "" }),
  ],
  tokens: [
    token(1, 2),
    token(2, 2, { remain_quota: -30, unlimited_quota: true, used_quota: 900 }),
    token(3, 99),
    token(4, 2, { key: "typed-by-hand" }),
    token(5, 2, { key: "short" }),
    token(6, 11, { status: 4, remain_quota: 0 }),
    token(7, 2, { name: "a name of a key that is longer than thirty" }),
    token(8, 2, { key: keyOf(1) }),
    token(9, 2, { status: 7 }),
    token(10, 2, { key: "" }),
  ],
  channels: [
    channel(1),
    channel(2, { type: 999 }),
    channel(3, { key: "", status: 3 }),
    channel(4, { model_mapping: "{broken" }),
  ],
  redemptions: [
    code(1),
    code(2, { status: 3, redeemed_time: 1_750_000_200 }),
    code(3, { status: 3, redeemed_time: 1_750_000_300 }),
    code(4, { quota: 0 }),
    code(5, { status: 8 }),
  ],
  logs: [
    line(1),
    line(2, { user_id: 98, username: "gone", token_name: "lost" }),
    line(3, { quota: -10 }),
    line(4, { created_at: 99_999_999_999 }),
    line(5, { type: 1, created_at: 1_750_000_200, content: "通过兑换码充值 ＄0.000200 额度" }),
    line(6, { type: 42 }),
    line(7, { quota: 400 }),
  ],
  options: [
    { key: "SystemName", value: "Old gateway" },
    { key: "QuotaPerUnit", value: "500000" },
    { key: "ModelRatio", value: '{"gpt-4o-mini":0.075,"gpt-4o":1.25}' },
    { key: "GroupRatio", value: '{"default":1,"vip":0.5}' },
    { key: "NobodyKnowsThis", value: "1" },
  ],
  abilities: [{ group: "default", model: "gpt-4o-mini", channel_id: 1, enabled: true, priority: 0 }],
};

/** The rows of a program on an engine. @param now unix seconds. */
export const oddRows = (series: Series, engine: SqlEngine, now: number): OddRows => {
  const parts: OddRows[] = [common];
  if (series === "new-api") parts.push(ofNewApi(now));
  if (series === "one-api-0.6") parts.push(ofOneApi06);
  if (engine === "sqlite") parts.push(onlySqlite);
  const tables = [...new Set(parts.flatMap((part) => Object.keys(part)))];
  return Object.fromEntries(tables.map((table) => [table, parts.flatMap((part) => part[table] ?? [])]));
};
