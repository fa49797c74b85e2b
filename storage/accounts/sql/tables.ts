import type { Plan, PlanTerms } from "@tollgate/contract/api/plans";
import type { Redemption } from "@tollgate/contract/api/redemptions";
import type { KeySettings } from "@tollgate/contract/api/tokens";
import type { CHANNEL_LIMITS } from "@tollgate/contract/management/channel-limits";
import type { LIMITS } from "@tollgate/contract/management/limits";
import type { OrderState } from "@tollgate/contract/payments/order-machine";
import type { Commission, Payout } from "@tollgate/contract/records/commission-record";
import type { LedgerAccount, LedgerCause } from "@tollgate/contract/records/ledger-entry";
import type {
  PaymentFaultRecord,
  PlanOrderFault,
  RefundRecord,
} from "@tollgate/contract/records/order-record";
import type { PriceDraftRecord } from "@tollgate/contract/records/price-draft-record";
import type {
  NewBalanceMovement,
  ReconciliationRecord,
} from "@tollgate/contract/records/reconciliation-record";
import type { Session } from "@tollgate/contract/records/session";
import type { LimitColumnsOf } from "@tollgate/contract/resource/limits";
import type { SettingColumns } from "@tollgate/contract/resource/settings";
import type { ColumnType, Generated } from "kysely";
import type { ColumnsOf } from "../../sql/row-names";

/** The tables as they stand after all migrations. Column names are the contract's where it has them. */
export interface Tables {
  users: UsersTable;
  identities: IdentitiesTable;
  sessions: SessionsTable;
  tokens: TokensTable;
  channels: ChannelsTable;
  options: OptionsTable;
  outbox: OutboxTable;
  redemptions: RedemptionsTable;
  verifications: VerificationsTable;
  audit: AuditTable;
  notice_ways: NoticeTargetsTable;
  notice_incidents: NoticeIncidentsTable;
  notices: NoticesTable;
  notice_thresholds: NoticeThresholdsTable;
  orders: OrdersTable;
  order_refunds: OrderRefundsTable;
  payment_faults: PaymentFaultsTable;
  ledger_entries: LedgerEntriesTable;
  redemption_uses: RedemptionUsesTable;
  commission_accounts: CommissionAccountsTable;
  commissions: CommissionsTable;
  payouts: PayoutsTable;
  plans: PlansTable;
  subscriptions: SubscriptionsTable;
  plan_periods: PlanPeriodsTable;
  plan_accounts: PlanAccountsTable;
  price_drafts: PriceDraftsTable;
  balance_movements: BalanceMovementsTable;
  reconciliations: ReconciliationsTable;
  announcements: AnnouncementsTable;
}

export interface AnnouncementsTable {
  id: Generated<number>;
  title: string;
  body: string;
  level: string;
  is_pinned: number;
  groups: string;
  is_public: number;
  starts_at: number;
  ends_at: number;
  author: string;
  created_time: number;
  updated_time: number;
}

export interface BalanceMovementsTable extends TableOf<NewBalanceMovement> {
  id: Generated<number>;
}

export interface ReconciliationsTable extends TableOf<Omit<ReconciliationRecord, "content">, "id"> {
  /** JSON of ReconciliationContent (contract/management/reconciliation.ts). */
  content: string;
}

type StoredAs<Value> = Value extends boolean ? number : Value;
type ColumnsFor<Fields> = { -readonly [Name in keyof ColumnsOf<Fields>]: StoredAs<ColumnsOf<Fields>[Name]> };

/** The table of a record. An insert may leave out columns with a default. */
type TableOf<Fields, WithDefault extends keyof ColumnsOf<Fields> = never> = Omit<
  ColumnsFor<Fields>,
  WithDefault
> & { [Name in WithDefault]: Generated<ColumnsFor<Fields>[Name]> };

/** Columns with a default, which an insert may leave out. */
type Defaulted<Columns> = { [Name in keyof Columns]: Generated<Columns[Name]> };

/** Null means unlimited. */
export interface LimitColumns extends Defaulted<LimitColumnsOf<typeof LIMITS>> {}

export interface UsersTable extends LimitColumns {
  id: Generated<number>;
  username: string;
  password_hash: string;
  display_name: string;
  role: number;
  status: number;
  email: string;
  access_token_hash: string | null;
  access_token_sealed: string | null;
  quota: number;
  used_quota: number;
  request_count: number;
  group: string;
  aff_code: string | null;
  inviter_id: number;
  created_time: number;
  /** All that was ever given and not taken back: quota + used_quota. It is moved with an entry of the ledger (move-balance.ts). */
  granted_quota: ColumnType<number, number, never>;
  /** Part of used_quota that the log does not know of, from before it had a file of its own. */
  unlogged_quota: Generated<number>;
  /** The groups of the user's plans, separated by commas; they stand before the user's own. */
  plan_groups: Generated<string>;
}

/** The accounts elsewhere by which users sign in. */
export interface IdentitiesTable {
  user_id: number;
  /** A sign-in method's name. */
  method: string;
  /** The method's id of the account. */
  subject: string;
}

/** The value of a session's cookie is never stored, only its hash. */
export interface SessionsTable extends TableOf<Session> {}

export interface TokensTable extends LimitColumns, Defaulted<SettingColumns<KeySettings>> {
  id: Generated<number>;
  user_id: number;
  key_hash: string;
  key_sealed: string;
  /** The secret before the last rotation, and until when it may be used: "" and 0 for none. */
  former_key_hash: Generated<string>;
  former_key_sealed: Generated<string>;
  former_until: Generated<number>;
  status: number;
  name: string;
  created_time: number;
  accessed_time: number;
  expired_time: number;
  remain_quota: number;
  unlimited_quota: number;
  used_quota: number;
  /** All that was ever given and not taken back: remain_quota + taken_quota. It is moved as a user's. */
  granted_quota: ColumnType<number, number, never>;
  /** Part of used_quota that was taken from remain_quota, and not used while the key was unlimited. */
  taken_quota: Generated<number>;
  /** The rest of used_quota: use of the key while it had no limit, or beyond its balance. */
  untaken_quota: Generated<number>;
}

export interface ChannelsTable extends Defaulted<LimitColumnsOf<typeof CHANNEL_LIMITS>> {
  id: Generated<number>;
  type: number;
  key_sealed: string;
  status: number;
  name: string;
  weight: number;
  created_time: number;
  test_time: number;
  response_time: number;
  base_url: string;
  other: string;
  balance: number;
  balance_updated_time: number;
  models: string;
  group: string;
  used_quota: number;
  model_mapping: string;
  priority: number;
  /** The keyed hash of each line of key_sealed, each between commas: `,hash,hash,`. */
  key_hashes: string;
  /** How many lines key_sealed has. */
  key_count: number;
  /** Names of keys that the upstream has called dead, joined by commas. */
  dead_keys: string;
  /** JSON of the upstream's prices, and of its own price list (contract/management/buying-price.ts); "" for none. */
  buying_prices: string;
  upstream_prices: string;
  /** The proxy's address with its password; "" for none. */
  proxy_sealed: string;
  /** The same without the password, for people. */
  proxy: string;
  tag: string;
  test_model: string;
  /** 1 for one that has no part in tests of all. */
  skips_tests: number;
  /** JSON; "" for none. */
  calendar: string;
  /** JSON of where the calendar's windows stand. */
  windows: string;
  /** Unix seconds; 0 for none. */
  closed_until: number;
  used_requests: number;
  /** JSON of the changes made to its requests, sealed because headers hold secrets. "" for none. */
  overrides_sealed: string;
  /** Limits of all keys together, and of each; null for no limit. */
  /** Cost of its answers, in thousandths of quota. */
  spent: number;
  /** USD; null where nothing was typed in. */
  typed_balance: number | null;
  /** Value of `spent` when the balance was typed in. */
  typed_spent: number;
}

export interface OptionsTable {
  key: string;
  value: string;
  /** 1 when the value is sealed, because the option is a secret. */
  is_sealed: number;
}

export interface OutboxTable {
  id: Generated<number>;
  /** Log entries on their way to the log file, as log/log-line.ts writes them. */
  batch: string;
}

export interface RedemptionsTable
  extends TableOf<Omit<Redemption, "key" | "usedBy">, "id" | "expires_time" | "most_uses" | "used_count"> {
  key_hash: string;
  key_sealed: string;
  redeemed_by: number;
}

/** Who used a code. */
export interface RedemptionUsesTable {
  id: Generated<number>;
  redemption_id: number;
  user_id: number;
  used_at: number;
  quota: number;
}

/** Commission balances of inviters. */
export interface CommissionAccountsTable {
  user_id: number;
  commission: Generated<number>;
  /** Asked for, and not decided yet. */
  payout: Generated<number>;
}

/** Commissions that inviters earned from payments. */
export interface CommissionsTable
  extends TableOf<Omit<Commission, "inviter" | "username">, "id" | "taken_back" | "missing"> {}

/** Commissions that inviters ask to be paid out. */
export interface PayoutsTable
  extends TableOf<Omit<Payout, "username" | "actorName" | "missing">, "id" | "decided_at" | "reason"> {
  actor_id: Generated<number>;
}

export interface VerificationsTable {
  /** "email" or "password-reset". */
  purpose: string;
  /** The e-mail address. */
  subject: string;
  code_hash: string;
  expires_time: number;
  attempts_left: number;
}

export interface AuditTable {
  id: Generated<number>;
  created_at: number;
  user_id: number;
  username: string;
  address: string;
  /** "channel.update", "user.promote" … */
  action: string;
  /** Target of the action: an id, a name, an option's key. */
  target: string;
  /** The person whose account, money or price it concerns; 0 and "" for none. */
  beneficiary_id: Generated<number>;
  beneficiary: Generated<string>;
  /** JSON of the changes, without secrets. */
  detail: string;
}

export interface NoticeTargetsTable {
  id: Generated<number>;
  /** null for those of the site. */
  user_id: number | null;
  /** A target's name (contract/notices/notice-targets.ts). */
  kind: string;
  name: string;
  is_enabled: number;
  language: string;
  /** Names of events with commas before, between and behind them. */
  events: string;
  /** JSON of the target's fields, sealed. */
  fields_sealed: string;
  created_time: number;
}

/** Incidents that notices were sent for, so that each is sent once. */
export interface NoticeIncidentsTable {
  event: string;
  subject: string;
  user_id: number | null;
  params: string;
  opened_at: number;
  /** Since when it seems to be over; null while it goes on. */
  resolved_at: number | null;
  /** How often it was raised. */
  raised: number;
}

/** Movements of money other than charges (contract/records/ledger-entry.ts). */
export interface LedgerEntriesTable {
  id: Generated<number>;
  user_id: number;
  account: LedgerAccount;
  /** 0 but for a key's own limit. */
  key_id: number;
  /** Never 0. */
  amount: number;
  cause: LedgerCause;
  /** Null where a movement has none; of others there is one of each cause on each kind of account. */
  reference: string | null;
  /** 0 for the gateway itself. */
  actor_id: number;
  created_at: number;
  reason: string;
}

/** Below which balance users want to be told. */
export interface NoticeThresholdsTable {
  user_id: number;
  quota: number;
}

/** Notices to send, and sent ones. */
export interface NoticesTable {
  id: Generated<number>;
  /** Whose it is; null for the site. */
  user_id: number | null;
  /** 0 for the e-mail of who has set no target. */
  way_id: number;
  /** The target as it was when the notice was stored. */
  way_kind: string;
  way_name: string;
  event: string;
  phase: string;
  subject: string;
  params: string;
  message_id: string;
  created_at: number;
  /** "waiting", "sent" or "failed". */
  state: string;
  due_at: number;
  /** Until when a node is at it; 0 for none. */
  claimed_until: Generated<number>;
  tried_at: Generated<number>;
  attempts: Generated<number>;
  fault: Generated<string>;
  /** HTTP status of the last answer; 0 for none. */
  status: Generated<number>;
  /** The service's answer, without secrets. */
  detail: Generated<string>;
}

/** Terms of a plan, which a subscription keeps a copy of. */
interface TermColumns extends TableOf<PlanTerms> {}

export interface PlansTable extends TableOf<Plan, "id"> {
  /** The person who saved it last, and so decides its price; 0 where that is not known. */
  saved_by: Generated<number>;
}

export interface SubscriptionsTable extends TermColumns {
  id: Generated<number>;
  user_id: number;
  /** The plan may be gone. */
  plan_id: number;
  starts_at: number;
  ends_at: number;
  /** "waiting", "active" or "ended". */
  state: string;
  source: string;
  /** Names the purchase for ever. */
  reference: string;
  /** The subscription that this one takes the place of. */
  follows: number | null;
  end_reason: Generated<string>;
  renews: number;
  /** Whether the user was told that it ends soon. */
  is_told: Generated<number>;
  created_time: number;
}

/** Uses of the quota that a period includes: granted = unspent + spent + withdrawn + taken. */
export interface PlanPeriodsTable {
  subscription_id: number;
  number: number;
  user_id: number;
  starts_at: number;
  ends_at: number;
  /** "open", "over" while requests under way hold some of it, or "closed". */
  state: string;
  granted: number;
  unspent: number;
  spent: Generated<number>;
  withdrawn: Generated<number>;
  /** Taken back at the end. */
  taken: Generated<number>;
}

/** How the balances of users with plans are made up (contract/values/plan-money.ts). */
export interface PlanAccountsTable {
  user_id: number;
  counted: number;
  own_spent: number;
  /** Quota of the user's own that is put aside while a plan of theirs stops at its end. */
  parked: number;
}

export interface OrdersTable {
  id: Generated<number>;
  number: string;
  user_id: number;
  username: string;
  /** A provider's name (contract/payments/providers.ts). */
  provider: string;
  method: string;
  state: OrderState;
  /** US dollars of quota, as they were asked for. */
  usd: string;
  /** Minor units of the currency. */
  amount: number;
  currency: string;
  quota: number;
  bonus: number;
  factor: string;
  /** The provider's ids of the checkout and the payment. */
  checkout: Generated<string>;
  payment: Generated<string>;
  pay_kind: Generated<"" | "redirect" | "qr">;
  pay_content: Generated<string>;
  /** JSON of the provider's last answer, without secrets. */
  words: Generated<string>;
  refunded: Generated<number>;
  disputed: Generated<number>;
  taken: Generated<number>;
  is_late: Generated<number>;
  created_at: number;
  expires_at: number;
  paid_at: Generated<number>;
  /** When the provider was last queried about the order. */
  asked_at: Generated<number>;
  completed_by: Generated<number>;
  completed_name: Generated<string>;
  reason: Generated<string>;
  detail: Generated<string>;
  /** Of an order whose product is a plan; 0 and "" otherwise. */
  plan_id: Generated<number>;
  /** Decimals of the day on which it was quoted: the price of a US dollar of quota, and its quota. "" in orders of before. */
  unit_price: Generated<string>;
  quota_per_unit: Generated<string>;
  /** JSON of its terms when it was ordered. */
  plan_terms: Generated<string>;
  /** Why it did not begin; "" where it did, or is not paid. */
  plan_fault: Generated<PlanOrderFault | "">;
  /** The part of its price that came back when the plan was ended for a refund. */
  plan_back: Generated<number>;
  subscription_id: Generated<number>;
}

type Settled = "by" | "name" | "reason" | "at";

/** Money that went back to buyers. */
export interface OrderRefundsTable
  extends TableOf<
    RefundRecord,
    "id" | "taken" | "missing" | "reason" | "detail" | `actor_${"id" | "name"}` | `settled_${Settled}`
  > {
  /** The provider's name for a refund of its own that failed after it had been made. */
  failure: Generated<string>;
}

/** Callbacks that changed nothing, counted. */
export interface PaymentFaultsTable extends TableOf<Omit<PaymentFaultRecord, "words">> {
  words: string;
}

/** Drafts of prices. */
export interface PriceDraftsTable extends TableOf<PriceDraftRecord, "id"> {
  /** "" before the first one. */
  rehearsal_state: string;
  rehearsal_seen: number;
  /** JSON; "" before the first one. */
  rehearsal: string;
}
