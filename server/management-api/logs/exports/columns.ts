import type { AuditEntry } from "@tollgate/contract/api/audit";
import type { Channel } from "@tollgate/contract/api/channels";
import type { LedgerEntry } from "@tollgate/contract/api/ledger";
import type { StoredLog } from "@tollgate/contract/api/logs";
import type { ProfitGrouping, ProfitRowWire } from "@tollgate/contract/api/profit";
import type { Redemption } from "@tollgate/contract/api/redemptions";
import type { StatementWire } from "@tollgate/contract/api/statements";
import { missingRecord, type UsageGrouping, type UsagePointWire } from "@tollgate/contract/api/usage";
import type { User } from "@tollgate/contract/api/user";
import type { RehearsalSum } from "@tollgate/contract/management/price-draft";
import type { ReconciledRow } from "@tollgate/contract/management/reconciliation";
import { formatMinor } from "@tollgate/contract/payments/currencies";
import { promotionLabel } from "@tollgate/contract/payments/promotions";
import type { InvoiceRecord } from "@tollgate/contract/records/invoice-record";
import type { OrderRecord } from "@tollgate/contract/records/order-record";
import type { PromotionRecord } from "@tollgate/contract/records/promotion-record";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import { type Snake, toCamel } from "@tollgate/contract/values/name-case";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import { type AmountScale, amountText, columnPlaces } from "@tollgate/contract/values/shown-amount";
import { DOLLARS } from "@tollgate/contract/values/shown-currency";
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
import type { FailureText } from "../../../relay-api/format-failure";
import type { Cell, FileColumn } from "./file-format";

/*
 * Columns have the names of the wire format, in English for readers of every language, so that one program or sheet
 * reads them all; numbers that stand for a word are written as that word.
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

type PlainNames<Row> = { [Name in keyof Row as Row[Name] extends Cell ? Snake<Name> : never]: Name };

/** Makes columns from unchanged fields, by their names on the wire. */
const plainOf =
  <Row extends object>() =>
  (...names: (keyof PlainNames<Row> & string)[]): FileColumn<Row>[] =>
    names.map((name) => ({
      name,
      of(row) {
        // Rows of answers have their names on the wire already.
        const values = row as Readonly<Record<string, Cell>>;
        return values[toCamel(name)] ?? values[name] ?? null;
      },
    }));

const ofLog = plainOf<StoredLog>();
const ofUsage = plainOf<UsagePointWire>();
const ofProfit = plainOf<ProfitRowWire>();
const ofReconciled = plainOf<ReconciledRow>();
const ofRehearsal = plainOf<RehearsalSum & { name: string }>();
const ofUser = plainOf<User>();
const ofChannel = plainOf<Channel>();
const ofAudit = plainOf<AuditEntry>();
const ofEntry = plainOf<LedgerEntry>();
const ofStatement = plainOf<StatementLine>();
const ofCode = plainOf<Redemption>();
const ofPromotion = plainOf<PromotionRecord>();
const ofOrder = plainOf<OrderRecord>();
const ofInvoice = plainOf<InvoiceRecord>();

/**
 * Lines of the log.
 * @param formatContent returns a line's text. @param failureOf returns the reason of a failed request.
 * @param channelName of a channel's id; undefined for a reader who must see no channel, and only their own lines.
 */
export const logColumns = (
  iso: Iso,
  formatContent: (log: StoredLog) => string,
  failureOf: (log: StoredLog) => FailureText | undefined,
  channelName: ((id: number) => string) | undefined,
): FileColumn<StoredLog>[] => [
  ...ofLog("id"),
  { name: "created_at", of: (log) => iso(log.createdAt) },
  { name: "type", of: (log) => logType(log.type) },
  ...(channelName ? ofLog("user_id", "username") : []),
  ...ofLog("token_name", "model_name"),
  ...(channelName
    ? [
        { name: "channel", of: (log: StoredLog) => log.channelId },
        { name: "channel_name", of: (log: StoredLog) => channelName(log.channelId) },
      ]
    : []),
  ...ofLog("prompt_tokens", "completion_tokens", "quota", "is_stream", "duration_ms", "request_id"),
  { name: "content", of: (log) => failureOf(log)?.reason ?? formatContent(log) },
  ...ofLog("first_byte_ms"),
  { name: "cached_tokens", of: (log) => log.cachedTokens ?? null },
  { name: "status", of: (log) => failureOf(log)?.status ?? null },
  { name: "code", of: (log) => failureOf(log)?.code ?? "" },
  { name: "times", of: (log) => log.failure?.times ?? null },
  { name: "cache_write_tokens", of: (log) => log.cacheWriteTokens ?? null },
];

/** The name of a group of requests; in words where no record has one. */
const groupName = (by: string, key: string, name: string): string => {
  const missing = missingRecord(by, key);
  if (missing === "model") return "not offered";
  return missing === "channel" ? "no channel" : name;
};

/** Sums over the log. @param by their grouping. */
export const usageColumns = (iso: Iso, by: UsageGrouping): FileColumn<UsagePointWire>[] => [
  { name: "time", of: (point) => iso(point.time) },
  ...ofUsage("key"),
  {
    name: "name",
    of: ({ key, name, others }) => (others === undefined ? groupName(by, key, name) : name),
  },
  { name: "others", of: (point) => point.others ?? null },
  ...ofUsage("requests", "errors", "prompt_tokens", "completion_tokens", "quota"),
  ...ofUsage("duration_ms", "first_byte_ms", "streams"),
  { name: "cache_prompt_tokens", of: (point) => point.cache_prompt_tokens ?? null },
  { name: "cache_read_tokens", of: (point) => point.cache_read_tokens ?? null },
  { name: "cache_write_tokens", of: (point) => point.cache_write_tokens ?? null },
];

/** Earnings in quota; costs in thousandths of it. @param by their grouping. */
export const profitColumns = (by: ProfitGrouping): FileColumn<ProfitRowWire>[] => [
  ...ofProfit("key"),
  { name: "name", of: ({ key, name }) => groupName(by === "channel_model" ? "channel" : by, key, name) },
  { name: "model", of: ({ model }) => (model === undefined ? "" : groupName("model", model, model)) },
  ...ofProfit("requests", "revenue", "cost_thousandths", "profit_thousandths"),
  { name: "margin", of: (row) => row.margin ?? null },
  ...ofProfit("unknown_requests", "unknown_revenue"),
];

/** Billed beside expected amounts; in thousandths of quota. */
export const reconciledColumns = (): FileColumn<ReconciledRow>[] => [
  ...ofReconciled("day", "model"),
  { name: "expected_thousandths", of: (row) => row.expected },
  { name: "billed_thousandths", of: (row) => row.billed },
  { name: "difference_thousandths", of: (row) => row.billed - row.expected },
  ...ofReconciled("unknown_requests"),
];

/** Results of a price rehearsal by model, group or customer. */
export const rehearsalColumns = (): FileColumn<RehearsalSum & { id?: number; name: string }>[] => [
  { name: "id", of: (row) => row.id ?? null },
  ...ofRehearsal("name", "lines", "charged", "rehearsed"),
  { name: "difference", of: (row) => row.rehearsed - row.charged },
  ...ofRehearsal("cost_thousandths", "costed_lines", "costed_charged", "costed_rehearsed"),
];

/** Users, without passwords and access tokens. */
export const userColumns = (): FileColumn<User>[] => [
  ...ofUser("id", "username", "display_name"),
  { name: "role", of: (user) => role(user.role) },
  { name: "status", of: (user) => userStatus(user.status) },
  ...ofUser("email", "group", "quota", "used_quota", "request_count", "inviter_id"),
  ...SIGN_IN_METHODS.map(({ name, userField }) => ({
    name: userField,
    of: (user: User) => user.identities[name] ?? "",
  })),
];

/** Channels, without their keys. @param vendorName of a channel's type. */
export const channelColumns = (iso: Iso, vendorName: (type: number) => string): FileColumn<Channel>[] => [
  ...ofChannel("id", "name", "type"),
  { name: "vendor", of: (channel) => vendorName(channel.type) },
  { name: "status", of: (channel) => channelStatus(channel.status) },
  { name: "group", of: (channel) => channel.groups.join(",") },
  { name: "models", of: (channel) => channel.models.join(",") },
  {
    name: "model_mapping",
    of: ({ modelMapping }) => (Object.keys(modelMapping).length === 0 ? "" : JSON.stringify(modelMapping)),
  },
  ...ofChannel(
    "base_url",
    "proxy",
    "priority",
    "weight",
    "key_count",
    "dead_key_count",
    "used_quota",
    "balance",
  ),
  { name: "balance_updated_time", of: (channel) => iso(channel.balanceUpdatedTime) },
  { name: "created_time", of: (channel) => iso(channel.createdTime) },
  { name: "test_time", of: (channel) => iso(channel.testTime) },
  { name: "response_time", of: (channel) => channel.responseTimeMs },
];

/**
 * Entries of the ledger.
 * @param isOwn for the entries' own user, who must not see which administrator acted.
 */
export const ledgerColumns = (iso: Iso, isOwn: boolean): FileColumn<LedgerEntry>[] => [
  ...ofEntry("id"),
  { name: "created_at", of: (entry) => iso(entry.createdAt) },
  ...(isOwn ? [] : ofEntry("user_id", "username")),
  ...ofEntry("account"),
  { name: "token_id", of: (entry) => (entry.keyId === 0 ? null : entry.keyId) },
  { name: "token_name", of: (entry) => entry.keyName },
  ...ofEntry("amount", "cause", "reference", "order_number", "plan_fault", "request_id"),
  ...(isOwn ? [] : ofEntry("actor_id", "actor_name")),
  ...ofEntry("reason"),
];

/** Lines of the audit. */
export const auditColumns = (iso: Iso): FileColumn<AuditEntry>[] => [
  ...ofAudit("id"),
  { name: "created_at", of: (entry) => iso(entry.createdAt) },
  ...ofAudit("user_id", "username", "address", "action", "target", "beneficiary_id", "beneficiary", "detail"),
];

/** A line of a statement: its kind, and the amount it adds to the balance. */
export interface StatementLine {
  section: "opening" | "movement" | "charge" | "closing" | "charge by model" | "charge by token";
  /** The cause, the model, or the key's number. */
  key: string;
  name: string;
  /** Number of entries or requests. */
  count: number | null;
  /** Null if unknown. */
  quota: number | null;
}

/** A statement line by line: the lines above `closing` add up to it; the rest breaks down the charges. */
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

/** @param scale adds the amounts that the statement shows, in a column that names their currency; not for US dollars. */
export const statementColumns = (
  lines: readonly StatementLine[],
  scale: AmountScale | undefined,
): FileColumn<StatementLine>[] => {
  const columns = ofStatement("section", "key", "name", "count", "quota");
  if (scale === undefined || scale.shown.currency === DOLLARS.currency) return columns;
  const places = columnPlaces(
    lines.map(({ quota }) => quota ?? 0),
    scale,
  );
  columns.push({
    name: `amount_${scale.shown.currency.toLowerCase()}`,
    of: ({ quota }) => (quota === null ? null : Number(amountText(quota, scale, places))),
  });
  return columns;
};

/** Redemption codes with the code itself, the purpose of the export. */
export const codeColumns = (iso: Iso): FileColumn<Redemption>[] => [
  ...ofCode("id", "name", "key"),
  { name: "status", of: (code) => codeStatus(code.status) },
  ...ofCode("quota", "user_id"),
  { name: "created_time", of: (code) => iso(code.createdTime) },
  { name: "redeemed_time", of: (code) => iso(code.redeemedTime) },
  { name: "expired_time", of: (code) => iso(code.expiresTime) },
  { name: "max_uses", of: (code) => code.mostUses },
  ...ofCode("used_count"),
  { name: "used_user_id", of: (code) => code.usedBy },
];

/** Promotions with their uses. */
export const promotionColumns = (iso: Iso): FileColumn<PromotionRecord>[] => [
  ...ofPromotion("id", "kind", "code", "name", "effect", "unit"),
  { name: "steps", of: ({ steps }) => steps.map(({ from, value }) => `${from}:${value}`).join(" ") },
  ...ofPromotion("max_effect"),
  { name: "products", of: ({ products }) => products.join(",") },
  { name: "groups", of: ({ groups }) => groups.join(",") },
  { name: "is_enabled", of: (promotion) => String(promotion.isEnabled) },
  { name: "is_first_only", of: (promotion) => String(promotion.isFirstOnly) },
  { name: "is_combinable", of: (promotion) => String(promotion.isCombinable) },
  { name: "starts_at", of: (promotion) => iso(promotion.startsAt) },
  { name: "ends_at", of: (promotion) => iso(promotion.endsAt) },
  ...ofPromotion("max_uses", "max_uses_per_user", "max_total", "used_count", "used_total", "author"),
  { name: "created_time", of: (promotion) => iso(promotion.createdTime) },
  { name: "updated_time", of: (promotion) => iso(promotion.updatedTime) },
];

/** Applications for invoices, for a sheet from which invoices are issued. */
export const invoiceColumns = (iso: Iso): FileColumn<InvoiceRecord>[] => [
  ...ofInvoice("id", "user_id", "username", "state"),
  { name: "is_special", of: (invoice) => String(invoice.isSpecial) },
  { name: "title_kind", of: ({ title }) => title.kind },
  { name: "title_name", of: ({ title }) => title.name },
  { name: "tax_number", of: ({ title }) => title.taxNumber },
  { name: "email", of: ({ title }) => title.email },
  { name: "address", of: ({ title }) => title.address },
  { name: "phone", of: ({ title }) => title.phone },
  { name: "bank", of: ({ title }) => title.bank },
  { name: "account", of: ({ title }) => title.account },
  { name: "amount", of: (invoice) => formatMinor(invoice.amount, invoice.currency) },
  ...ofInvoice("currency"),
  { name: "orders", of: ({ orders }) => orders.map(({ number }) => number).join(" ") },
  ...ofInvoice("note", "number", "link", "file_type", "file_size"),
  { name: "needs_reversal", of: (invoice) => String(invoice.needsReversal) },
  { name: "created_time", of: (invoice) => iso(invoice.createdAt) },
  { name: "decided_time", of: (invoice) => iso(invoice.decidedAt) },
  ...ofInvoice("decided_name", "reason"),
  { name: "reversed_time", of: (invoice) => iso(invoice.reversedAt) },
  ...ofInvoice("reversed_name", "reversed_reason"),
];

/** Orders, without their payment data. */
export const orderColumns = (iso: Iso): FileColumn<OrderRecord>[] => [
  ...ofOrder("id", "number", "user_id", "username", "provider", "method", "state", "usd"),
  { name: "amount", of: (order) => formatMinor(order.amount, order.currency) },
  ...ofOrder("currency", "quota", "bonus", "payment"),
  { name: "refunded", of: (order) => formatMinor(order.refunded, order.currency) },
  { name: "disputed", of: (order) => formatMinor(order.disputed, order.currency) },
  ...ofOrder("taken"),
  { name: "created_time", of: (order) => iso(order.createdAt) },
  { name: "paid_time", of: (order) => iso(order.paidAt) },
  { name: "completed_by", of: (order) => order.completedName },
  ...ofOrder("reason"),
  { name: "plan_id", of: (order) => order.plan?.id ?? null },
  { name: "plan_title", of: (order) => order.plan?.terms.title ?? "" },
  ...ofOrder("plan_fault", "plan_back"),
  { name: "subscription_id", of: (order) => (order.subscriptionId === 0 ? null : order.subscriptionId) },
  ...ofOrder("factor"),
  { name: "discount", of: (order) => formatMinor(order.discount, order.currency) },
  ...ofOrder("promotion_bonus"),
  { name: "promotions", of: ({ promotions }) => promotionLabel(promotions) },
  { name: "unit_price", of: (order) => order.unitPrice ?? "" },
  { name: "quota_per_unit", of: (order) => order.quotaPerUnit ?? "" },
];
