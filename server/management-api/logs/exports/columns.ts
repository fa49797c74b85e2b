import type { Channel } from "@tollgate/contract/api/channels";
import type { LedgerEntry } from "@tollgate/contract/api/ledger";
import type { StoredLog } from "@tollgate/contract/api/logs";
import type { ProfitRowWire } from "@tollgate/contract/api/profit";
import type { Redemption } from "@tollgate/contract/api/redemptions";
import type { StatementWire } from "@tollgate/contract/api/statements";
import type { UsagePointWire } from "@tollgate/contract/api/usage";
import type { User } from "@tollgate/contract/api/user";
import type { RehearsalSum } from "@tollgate/contract/management/price-draft";
import type { ReconciledRow } from "@tollgate/contract/management/reconciliation";
import { formatMinor } from "@tollgate/contract/payments/currencies";
import type { OrderRecord } from "@tollgate/contract/records/order-record";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
  LOG_CONSUME,
  LOG_ERROR,
  LOG_MANAGE,
  LOG_SYSTEM,
  LOG_TOPUP,
  REDEMPTION_DISABLED,
  REDEMPTION_UNUSED,
  REDEMPTION_USED,
  USER_DISABLED,
  USER_ENABLED,
} from "@tollgate/contract/values/statuses";
import type { FailureText } from "../format-failure";
import type { FileColumn } from "./file-format";

/*
 * What files say. Columns are called as on the wire, in English for readers of every language, so that a program or a sheet that
 * reads them works for all; numbers that stand for a word are that word.
 */

type Iso = (seconds: number) => string;

/** @returns the number itself where it has no word. */
const wordOf =
  (words: Readonly<Record<number, string>>) =>
  (value: number): string =>
    words[value] ?? String(value);

const logType = wordOf({
  [LOG_TOPUP]: "topup",
  [LOG_CONSUME]: "consume",
  [LOG_MANAGE]: "manage",
  [LOG_SYSTEM]: "system",
  [LOG_ERROR]: "error",
});
const role = wordOf({ [ROLE_USER]: "user", [ROLE_ADMIN]: "admin", [ROLE_ROOT]: "root" });
const userStatus = wordOf({ [USER_ENABLED]: "enabled", [USER_DISABLED]: "disabled" });
const channelStatus = wordOf({
  [CHANNEL_ENABLED]: "enabled",
  [CHANNEL_DISABLED_BY_HAND]: "disabled",
  [CHANNEL_DISABLED_AUTOMATICALLY]: "disabled automatically",
});
const codeStatus = wordOf({
  [REDEMPTION_UNUSED]: "unused",
  [REDEMPTION_DISABLED]: "disabled",
  [REDEMPTION_USED]: "used",
});

/**
 * Lines of the log.
 * @param formatContent puts what a line says into words. @param failureOf says why a request failed.
 * @param channelName of a channel's id; undefined where the reader is told of no channel, and whose lines they are is clear.
 */
export const logColumns = (
  iso: Iso,
  formatContent: (log: StoredLog) => string,
  failureOf: (log: StoredLog) => FailureText | undefined,
  channelName: ((id: number) => string) | undefined,
): FileColumn<StoredLog>[] => [
  { name: "id", of: (log) => log.id },
  { name: "created_at", of: (log) => iso(log.createdAt) },
  { name: "type", of: (log) => logType(log.type) },
  ...(channelName
    ? [
        { name: "user_id", of: (log: StoredLog) => log.userId },
        { name: "username", of: (log: StoredLog) => log.username },
      ]
    : []),
  { name: "token_name", of: (log) => log.tokenName },
  { name: "model_name", of: (log) => log.modelName },
  ...(channelName
    ? [
        { name: "channel", of: (log: StoredLog) => log.channelId },
        { name: "channel_name", of: (log: StoredLog) => channelName(log.channelId) },
      ]
    : []),
  { name: "prompt_tokens", of: (log) => log.promptTokens },
  { name: "completion_tokens", of: (log) => log.completionTokens },
  { name: "quota", of: (log) => log.quota },
  { name: "is_stream", of: (log) => log.isStream },
  { name: "duration_ms", of: (log) => log.durationMs },
  { name: "request_id", of: (log) => log.requestId },
  { name: "content", of: (log) => failureOf(log)?.reason ?? formatContent(log) },
  { name: "first_byte_ms", of: (log) => log.firstByteMs },
  { name: "cached_tokens", of: (log) => log.cachedTokens },
  { name: "status", of: (log) => failureOf(log)?.status ?? null },
  { name: "code", of: (log) => failureOf(log)?.code ?? "" },
  { name: "times", of: (log) => log.failure?.times ?? null },
];

/** Sums over the log. */
export const usageColumns = (iso: Iso): FileColumn<UsagePointWire>[] => [
  { name: "time", of: (point) => iso(point.time) },
  { name: "key", of: (point) => point.key },
  { name: "name", of: (point) => point.name },
  { name: "others", of: (point) => point.others ?? null },
  { name: "requests", of: (point) => point.requests },
  { name: "errors", of: (point) => point.errors },
  { name: "prompt_tokens", of: (point) => point.prompt_tokens },
  { name: "completion_tokens", of: (point) => point.completion_tokens },
  { name: "quota", of: (point) => point.quota },
  { name: "duration_ms", of: (point) => point.duration_ms },
  { name: "first_byte_ms", of: (point) => point.first_byte_ms },
  { name: "streams", of: (point) => point.streams },
];

/** What was earned; in quota, costs in thousandths of it. */
export const profitColumns = (): FileColumn<ProfitRowWire>[] => [
  { name: "key", of: (row) => row.key },
  { name: "name", of: (row) => row.name },
  { name: "model", of: (row) => row.model ?? "" },
  { name: "requests", of: (row) => row.requests },
  { name: "revenue", of: (row) => row.revenue },
  { name: "cost_thousandths", of: (row) => row.cost_thousandths },
  { name: "profit_thousandths", of: (row) => row.profit_thousandths },
  { name: "margin", of: (row) => row.margin ?? null },
  { name: "unknown_requests", of: (row) => row.unknown_requests },
  { name: "unknown_revenue", of: (row) => row.unknown_revenue },
];

/** What was billed beside what was expected; in thousandths of quota. */
export const reconciledColumns = (): FileColumn<ReconciledRow>[] => [
  { name: "day", of: (row) => row.day },
  { name: "model", of: (row) => row.model },
  { name: "expected_thousandths", of: (row) => row.expected },
  { name: "billed_thousandths", of: (row) => row.billed },
  { name: "difference_thousandths", of: (row) => row.billed - row.expected },
  { name: "unknown_requests", of: (row) => row.unknown_requests },
];

/** What a rehearsal of prices says of models, groups or customers. */
export const rehearsalColumns = (): FileColumn<RehearsalSum & { id?: number; name: string }>[] => [
  { name: "id", of: (row) => row.id ?? null },
  { name: "name", of: (row) => row.name },
  { name: "lines", of: (row) => row.lines },
  { name: "charged", of: (row) => row.charged },
  { name: "rehearsed", of: (row) => row.rehearsed },
  { name: "difference", of: (row) => row.rehearsed - row.charged },
  { name: "cost_thousandths", of: (row) => row.cost_thousandths },
  { name: "costed_lines", of: (row) => row.costed_lines },
  { name: "costed_charged", of: (row) => row.costed_charged },
  { name: "costed_rehearsed", of: (row) => row.costed_rehearsed },
];

/** Users, without passwords and access tokens. */
export const userColumns = (): FileColumn<User>[] => [
  { name: "id", of: (user) => user.id },
  { name: "username", of: (user) => user.username },
  { name: "display_name", of: (user) => user.displayName },
  { name: "role", of: (user) => role(user.role) },
  { name: "status", of: (user) => userStatus(user.status) },
  { name: "email", of: (user) => user.email },
  { name: "group", of: (user) => user.group },
  { name: "quota", of: (user) => user.quota },
  { name: "used_quota", of: (user) => user.usedQuota },
  { name: "request_count", of: (user) => user.requestCount },
  { name: "inviter_id", of: (user) => user.inviterId },
  ...SIGN_IN_METHODS.map(({ name, userField }) => ({
    name: userField,
    of: (user: User) => user.identities[name] ?? "",
  })),
];

/** Channels, without their keys. @param vendorName of a channel's type. */
export const channelColumns = (iso: Iso, vendorName: (type: number) => string): FileColumn<Channel>[] => [
  { name: "id", of: (channel) => channel.id },
  { name: "name", of: (channel) => channel.name },
  { name: "type", of: (channel) => channel.type },
  { name: "vendor", of: (channel) => vendorName(channel.type) },
  { name: "status", of: (channel) => channelStatus(channel.status) },
  { name: "group", of: (channel) => channel.groups.join(",") },
  { name: "models", of: (channel) => channel.models.join(",") },
  {
    name: "model_mapping",
    of: ({ modelMapping }) => (Object.keys(modelMapping).length === 0 ? "" : JSON.stringify(modelMapping)),
  },
  { name: "base_url", of: (channel) => channel.baseUrl },
  { name: "proxy", of: (channel) => channel.proxy },
  { name: "priority", of: (channel) => channel.priority },
  { name: "weight", of: (channel) => channel.weight },
  { name: "key_count", of: (channel) => channel.keyCount },
  { name: "dead_key_count", of: (channel) => channel.deadKeyCount },
  { name: "used_quota", of: (channel) => channel.usedQuota },
  { name: "balance", of: (channel) => channel.balance },
  { name: "balance_updated_time", of: (channel) => iso(channel.balanceUpdatedTime) },
  { name: "created_time", of: (channel) => iso(channel.createdTime) },
  { name: "test_time", of: (channel) => iso(channel.testTime) },
  { name: "response_time", of: (channel) => channel.responseTimeMs },
];

/**
 * Entries of the ledger.
 * @param isOwn for the user whose they are, who is not told which administrator did it.
 */
export const ledgerColumns = (iso: Iso, isOwn: boolean): FileColumn<LedgerEntry>[] => [
  { name: "id", of: (entry) => entry.id },
  { name: "created_at", of: (entry) => iso(entry.createdAt) },
  ...(isOwn
    ? []
    : [
        { name: "user_id", of: (entry: LedgerEntry) => entry.userId },
        { name: "username", of: (entry: LedgerEntry) => entry.username },
      ]),
  { name: "account", of: (entry) => entry.account },
  { name: "token_id", of: (entry) => (entry.keyId === 0 ? null : entry.keyId) },
  { name: "token_name", of: (entry) => entry.keyName },
  { name: "amount", of: (entry) => entry.amount },
  { name: "cause", of: (entry) => entry.cause },
  { name: "reference", of: (entry) => entry.reference },
  { name: "order_number", of: (entry) => entry.orderNumber },
  { name: "plan_fault", of: (entry) => entry.planFault },
  ...(isOwn
    ? []
    : [
        { name: "actor_id", of: (entry: LedgerEntry) => entry.actorId },
        { name: "actor_name", of: (entry: LedgerEntry) => entry.actorName },
      ]),
  { name: "reason", of: (entry) => entry.reason },
];

/** A line of a statement: what it is of, and how much it adds to the balance. */
export interface StatementLine {
  section: "opening" | "movement" | "charge" | "closing" | "charge by model" | "charge by token";
  /** The cause, the model, or the key's number. */
  key: string;
  name: string;
  /** How many entries or requests. */
  count: number | null;
  /** Null for what is not known. */
  quota: number | null;
}

/** A statement line by line: what stands above `closing` adds up to it; the rest tells the charges apart. */
export const statementLines = (statement: StatementWire): StatementLine[] => [
  { section: "opening", key: "", name: "", count: null, quota: statement.opening },
  ...statement.movements.map(
    ({ cause, entries, quota }): StatementLine => ({
      section: "movement",
      key: cause,
      name: "",
      count: entries,
      quota,
    }),
  ),
  { section: "charge", key: "", name: "", count: null, quota: 0 - statement.charged },
  { section: "closing", key: "", name: "", count: null, quota: statement.closing },
  ...(["model", "token"] as const).flatMap((by) =>
    statement[`${by}s`].map(
      ({ key, name, requests, quota }): StatementLine => ({
        section: `charge by ${by}`,
        key,
        name,
        count: requests,
        quota: 0 - quota,
      }),
    ),
  ),
];

export const statementColumns = (): FileColumn<StatementLine>[] => [
  { name: "section", of: (line) => line.section },
  { name: "key", of: (line) => line.key },
  { name: "name", of: (line) => line.name },
  { name: "count", of: (line) => line.count },
  { name: "quota", of: (line) => line.quota },
];

/** Redemption codes with the code itself, which is what they are exported for. */
export const codeColumns = (iso: Iso): FileColumn<Redemption>[] => [
  { name: "id", of: (code) => code.id },
  { name: "name", of: (code) => code.name },
  { name: "key", of: (code) => code.key },
  { name: "status", of: (code) => codeStatus(code.status) },
  { name: "quota", of: (code) => code.quota },
  { name: "user_id", of: (code) => code.userId },
  { name: "created_time", of: (code) => iso(code.createdTime) },
  { name: "redeemed_time", of: (code) => iso(code.redeemedTime) },
  { name: "expired_time", of: (code) => iso(code.expiresTime) },
  { name: "max_uses", of: (code) => code.mostUses },
  { name: "used_count", of: (code) => code.usedCount },
  { name: "used_user_id", of: (code) => code.usedBy },
];

/** Orders, without what pays them. */
export const orderColumns = (iso: Iso): FileColumn<OrderRecord>[] => [
  { name: "id", of: (order) => order.id },
  { name: "number", of: (order) => order.number },
  { name: "user_id", of: (order) => order.userId },
  { name: "username", of: (order) => order.username },
  { name: "provider", of: (order) => order.provider },
  { name: "method", of: (order) => order.method },
  { name: "state", of: (order) => order.state },
  { name: "usd", of: (order) => order.usd },
  { name: "amount", of: (order) => formatMinor(order.amount, order.currency) },
  { name: "currency", of: (order) => order.currency },
  { name: "quota", of: (order) => order.quota },
  { name: "bonus", of: (order) => order.bonus },
  { name: "payment", of: (order) => order.payment },
  { name: "refunded", of: (order) => formatMinor(order.refunded, order.currency) },
  { name: "disputed", of: (order) => formatMinor(order.disputed, order.currency) },
  { name: "taken", of: (order) => order.taken },
  { name: "created_time", of: (order) => iso(order.createdAt) },
  { name: "paid_time", of: (order) => iso(order.paidAt) },
  { name: "completed_by", of: (order) => order.completedName },
  { name: "reason", of: (order) => order.reason },
  { name: "plan_id", of: (order) => order.plan?.id ?? null },
  { name: "plan_title", of: (order) => order.plan?.terms.title ?? "" },
  { name: "plan_fault", of: (order) => order.planFault },
  { name: "plan_back", of: (order) => order.planBack },
  { name: "subscription_id", of: (order) => (order.subscriptionId === 0 ? null : order.subscriptionId) },
  { name: "factor", of: (order) => order.factor },
  { name: "unit_price", of: (order) => order.unitPrice ?? "" },
  { name: "quota_per_unit", of: (order) => order.quotaPerUnit ?? "" },
];
