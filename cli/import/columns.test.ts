import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { Load } from "@tollgate/storage/load/open-load";
import type { SourceDatabase, SourceValue } from "@tollgate/storage/sources/source-database";
import { someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { runImport } from "./run-import";
import { fatesOf, SOURCE_TABLES, type SourceTable } from "./source-rows";

type Row = Record<string, SourceValue>;
type Rows = Partial<Record<SourceTable, Row[]>>;
type Program = "one-api" | "new-api";

const NOW = 1_790_000_000;
const DAY = 86_400;

/** Columns that one-api 0.6 does not share with new-api. */
const ONLY_ONE_API: readonly string[] = [
  "users.lark_id",
  "tokens.models",
  "tokens.subnet",
  "channels.config",
  "logs.elapsed_time",
  "logs.system_prompt_reset",
];

/** Columns that both programs have, by table. */
const SHARED: Readonly<Partial<Record<SourceTable, string>>> = {
  users:
    "id username password display_name role status email github_id wechat_id oidc_id access_token quota used_quota request_count group aff_code inviter_id",
  tokens:
    "id user_id key status name created_time accessed_time expired_time remain_quota unlimited_quota used_quota",
  channels:
    "id type key status name weight created_time test_time response_time base_url other balance balance_updated_time models group used_quota model_mapping priority system_prompt",
  redemptions: "id user_id key status name quota created_time redeemed_time",
  logs: "id user_id created_at type content username token_name model_name quota prompt_tokens completion_tokens channel_id request_id is_stream",
  options: "key value",
};
const NEW_TABLES: readonly SourceTable[] = [
  "top_ups",
  "subscription_plans",
  "user_subscriptions",
  "two_fas",
  "passkey_credentials",
];

const programsOf = (table: SourceTable, column: string): Program[] => {
  if (ONLY_ONE_API.includes(`${table}.${column}`)) return ["one-api"];
  return SHARED[table]?.split(" ").includes(column) ? ["one-api", "new-api"] : ["new-api"];
};

/** A row of each table in which every column could be what it is by default. */
const BASE: Record<SourceTable, Row> = {
  users: { id: 1, username: "alice", role: 1, status: 1, quota: 1000, group: "vip" },
  tokens: { id: 1, user_id: 1, key: "k".repeat(48), status: 1, name: "first", remain_quota: 10 },
  channels: {
    id: 1,
    type: 3,
    key: "sk-1",
    status: 1,
    name: "one",
    base_url: "https://a.example",
    other: "2024-10-21",
    models: "gpt-4o",
    group: "default",
  },
  redemptions: {
    id: 1,
    user_id: 1,
    key: "c".repeat(32),
    status: 1,
    name: "code",
    quota: 100,
    created_time: 5,
  },
  logs: {
    id: 1,
    user_id: 1,
    created_at: NOW - DAY,
    type: LOG_CONSUME,
    username: "alice",
    token_name: "first",
    model_name: "gpt-4o",
    quota: 40,
    prompt_tokens: 10,
    completion_tokens: 5,
    channel_id: 1,
    is_stream: 0,
  },
  options: { key: "GroupRatio", value: '{"default":1,"vip":1}' },
  top_ups: { id: 1, user_id: 1, amount: 5, money: 5, trade_no: "t1", status: "success", create_time: 7 },
  subscription_plans: {
    id: 1,
    title: "Month",
    price_amount: 9,
    currency: "USD",
    duration_unit: "month",
    duration_value: 2,
    enabled: 1,
    total_amount: 500,
    quota_reset_period: "daily",
  },
  user_subscriptions: {
    id: 1,
    user_id: 1,
    plan_id: 1,
    amount_total: 500,
    amount_used: 0,
    start_time: NOW - 9 * DAY,
    end_time: NOW + 20 * DAY,
    status: "active",
    source: "admin",
    next_reset_time: NOW + 3600,
  },
  two_fas: { id: 1, user_id: 1, is_enabled: 1, secret: "JBSWY3DPEHPK3PXP" },
  passkey_credentials: { id: 1, user_id: 1, credential_id: "Y3JlZA==", public_key: "a2V5" },
};

interface Trial {
  value: SourceValue;
  /** Changes other columns of the row, in both runs. */
  with?: Row;
  /** Changes rows of other tables, in both runs. */
  beside?: Rows;
}

const OF_KIND = { id: 7, whole: 3, text: "a-text", padded: "a-text", real: 2.5, flag: 1 } as const;

/** A site whose passkeys go on working. */
const AT_DOMAIN: Rows = { options: [{ id: 1, key: "ServerAddress", value: "https://gate.example" }] };

/** Columns with values that mean something only in a form of their own, or beside another column. */
const TRIALS: Readonly<Record<string, Trial>> = {
  "users.access_token": { value: "a".repeat(32) },
  "users.email": { value: "a@b.example" },
  "users.deleted_at": { value: "2026-01-01" },
  "users.role": { value: 10 },
  "users.status": { value: 2 },
  "users.setting": { value: '{"notify_type":"email"}' },
  "users.inviter_id": { value: 1 },
  "tokens.user_id": { value: 9 },
  "tokens.model_limits_enabled": { value: 1, with: { model_limits: "gpt-4o" } },
  "tokens.model_limits": { value: "gpt-4o", with: { model_limits_enabled: 1 } },
  "tokens.subnet": { value: "10.0.0.0/8" },
  "tokens.allow_ips": { value: "10.0.0.1" },
  "tokens.auto_groups": { value: '["vip"]', with: { group: "auto" } },
  "tokens.expired_time": { value: NOW + DAY },
  "channels.type": { value: 14 },
  "channels.base_url": { value: "https://b.example" },
  "channels.model_mapping": { value: '{"gpt-4o":"other"}' },
  "channels.config": { value: '{"api_version":"2025-01-01"}' },
  "channels.auto_ban": { value: 0, with: {} },
  "channels.setting": { value: '{"proxy":"http://p.example"}' },
  "channels.settings": { value: '{"claude_beta_query":true}' },
  "channels.param_override": { value: '{"top_p":0.5}' },
  "channels.header_override": { value: '{"x-a":"b"}' },
  "channels.status_code_mapping": { value: '{"400":"500"}' },
  "channels.channel_info": {
    value: '{"is_multi_key":true,"multi_key_status_list":{"1":2}}',
    with: { key: "sk-1\nsk-2" },
  },
  "redemptions.redeemed_time": {
    value: 99,
    with: { status: 3, used_user_id: 1 },
    beside: { logs: [{ id: 1, user_id: 1, type: 1, created_at: 99 }] },
  },
  "redemptions.used_user_id": { value: 1, with: { status: 3 } },
  "redemptions.expired_time": { value: NOW + DAY },
  "redemptions.deleted_at": { value: "2026-01-01" },
  "logs.other": { value: '{"frt":77}', with: { is_stream: 1 } },
  "logs.token_id": { value: 1, with: { token_name: "gone" } },
  "logs.type": { value: 1 },
  "options.value": { value: '{"default":1,"vip":2}' },
  "options.key": { value: "SystemName" },
  "top_ups.complete_time": { value: 70 },
  "subscription_plans.currency": { value: "CNY" },
  "subscription_plans.duration_unit": { value: "year" },
  "subscription_plans.custom_seconds": { value: 3 * DAY, with: { duration_unit: "custom" } },
  "subscription_plans.enabled": { value: 0 },
  "subscription_plans.allow_balance_pay": { value: 0 },
  "subscription_plans.allow_wallet_overflow": { value: 0 },
  "subscription_plans.quota_reset_period": { value: "weekly" },
  "subscription_plans.quota_reset_custom_seconds": {
    value: 3 * DAY,
    with: { quota_reset_period: "custom" },
  },
  "user_subscriptions.end_time": { value: NOW + 10 * DAY },
  "user_subscriptions.source": { value: "order" },
  "user_subscriptions.status": { value: "cancelled" },
  "user_subscriptions.next_reset_time": { value: NOW + 7200 },
  "user_subscriptions.last_reset_time": { value: NOW - 6 * DAY, with: { plan_id: 9 } },
  "user_subscriptions.upgrade_group": { value: "vip", with: { prev_user_group: "default" } },
  "user_subscriptions.prev_user_group": { value: "default", with: { upgrade_group: "vip" } },
  "user_subscriptions.downgrade_group": { value: "default", with: { upgrade_group: "vip" } },
  "two_fas.is_enabled": { value: 0 },
  "two_fas.deleted_at": { value: "2026-01-01" },
  "passkey_credentials.deleted_at": { value: "2026-01-01" },
  "passkey_credentials.credential_id": { value: "b3RoZXI=", beside: AT_DOMAIN },
  "passkey_credentials.public_key": { value: "b3RoZXI=", beside: AT_DOMAIN },
  "passkey_credentials.sign_count": { value: 3, beside: AT_DOMAIN },
  "passkey_credentials.transports": { value: '["usb"]', beside: AT_DOMAIN },
};

/** A database in memory with all columns of a program. */
const databaseOf = (program: Program, rows: Rows): SourceDatabase => {
  const tables = (Object.keys(SOURCE_TABLES) as SourceTable[]).filter(
    (table) => program === "new-api" || !NEW_TABLES.includes(table),
  );
  const shapes = tables.map((name) => ({
    name,
    columns: Object.keys(SOURCE_TABLES[name]).filter((column) => programsOf(name, column).includes(program)),
  }));
  return {
    engine: "sqlite",
    place: "memory",
    tables: async () => [...shapes, { name: "abilities", columns: ["group"] }],
    counts: async (_, columns) => ({ rows: 0, filled: columns.map(() => 0) }),
    async *rows({ table, columns }) {
      yield (rows[table as SourceTable] ?? []).map((row) => columns.map((column) => row[column] ?? null));
    },
    close: async () => undefined,
  };
};

/** Everything that an import writes, and everything that it reports. */
const resultOf = async (program: Program, rows: Rows): Promise<string> => {
  const written: unknown[] = [];
  const load: Load = {
    lines: (lines) => void written.push(...lines),
    accounts: async (accounts) => void written.push(accounts),
    finish: () => undefined,
    abandon: () => undefined,
  };
  const source = databaseOf(program, rows);
  const report = await runImport({
    sources: { main: source, log: source },
    target: {
      name: "nowhere",
      examine: async () => undefined,
      apply: async (fill) => {
        await fill(load);
        return undefined;
      },
    },
    isApplied: true,
    plans: { subscriptions: "plans", unlimitedQuota: 1000 },
    pricing: undefined,
    priceDecision: "dearest",
    missingPrices: "refuse",
    now: NOW,
    onRead: () => undefined,
  });
  return JSON.stringify({ written, report });
};

const columns = (Object.keys(SOURCE_TABLES) as SourceTable[]).flatMap((table) =>
  [...fatesOf(table)]
    .filter(([column, { kind }]) => kind !== undefined && column !== "id")
    .flatMap(([column, fate]) =>
      programsOf(table, column).map((program) => ({ table, column, program, fate })),
    ),
);

describe("columns of a source", () => {
  it("change the result or the report when they say something", { timeout: 60_000 }, async () => {
    const silent: string[] = [];
    for (const { table, column, program, fate } of someOf(columns)) {
      const trial: Trial = TRIALS[`${table}.${column}`] ?? {
        value: fate.kind === undefined ? null : OF_KIND[fate.kind],
      };
      const rowsWith = (value: SourceValue): Rows => {
        return {
          ...Object.fromEntries(Object.entries(BASE).map(([name, row]) => [name, [row]])),
          ...trial.beside,
          [table]: [{ ...BASE[table], ...trial.with, [column]: value }],
        };
      };
      const usual = await resultOf(program, rowsWith(BASE[table][column] ?? null));
      if ((await resultOf(program, rowsWith(trial.value))) === usual)
        silent.push(`${program} ${table}.${column}`);
    }
    expect(silent).toEqual([]);
  });

  it("are listed in docs/reference/imports.md where they are not read, with the reason", () => {
    const file = join(import.meta.dirname, "../../docs/reference/imports.md");
    const lines = (Object.keys(SOURCE_TABLES) as SourceTable[]).flatMap((table) =>
      [...fatesOf(table)].flatMap(([column, { reason }]) =>
        reason === undefined ? [] : [`| \`${table}.${column}\` | ${reason} |`],
      ),
    );
    const list = ["| column | why nothing is lost |", "|---|---|", ...lines].join("\n");
    const text = readFileSync(file, "utf8");
    const written = text.replace(
      /(<!-- columns:[^\n]*-->\n)[\s\S]*?(<!-- end of columns -->)/,
      `$1\n${list}\n\n$2`,
    );
    if (process.env.UPDATE_DOCS) writeFileSync(file, written);
    expect(readFileSync(file, "utf8")).toBe(written);
  });
});
