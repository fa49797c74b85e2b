import type {
  ManagementKeyChanges,
  ManagementKeyQueries,
} from "@tollgate/contract/records/management-key-record";
import type { PasskeyChanges, PasskeyQueries } from "@tollgate/contract/records/passkey-record";
import type {
  ApiKeyChanges,
  ApiKeyQueries,
  PlanChanges,
  PlanQueries,
  SessionChanges,
  SessionQueries,
  UserChanges,
  UserQueries,
} from "@tollgate/contract/records/people-store";
import type {
  SecondFactorChanges,
  SecondFactorQueries,
} from "@tollgate/contract/records/second-factor-record";
import type {
  SignInProviderChanges,
  SignInProviderQueries,
} from "@tollgate/contract/records/sign-in-provider-record";
import type { SomeOf } from "../consistency";
import type { InvoiceChanges, InvoiceQueries } from "./invoice-ports";
import type {
  CommissionChanges,
  CommissionQueries,
  LedgerQueries,
  OrderChanges,
  OrderQueries,
  ReconciliationChanges,
  ReconciliationQueries,
  RedemptionChanges,
  RedemptionQueries,
  RequestRefundChanges,
  RequestRefundQueries,
} from "./money-ports";
import type { PromotionChanges, PromotionQueries } from "./promotion-ports";
import type {
  AnnouncementChanges,
  AnnouncementQueries,
  AuditChanges,
  AuditQueries,
  BudgetWindowChanges,
  BudgetWindowQueries,
  ChannelChanges,
  ChannelQueries,
  KeyNetworkChanges,
  KeyNetworkQueries,
  NoticeChanges,
  NoticeQueries,
  OptionChanges,
  OptionQueries,
  PriceDraftChanges,
  PriceDraftQueries,
  VerificationChanges,
} from "./site-ports";
import type { TermsChanges, TermsQueries } from "./terms-ports";
import type { TicketChanges, TicketQueries } from "./ticket-ports";

/*
 * Operations of the accounts store: users, API keys, channels, options, codes, sessions, the audit, and charges.
 * Offsets and limits count rows; times are unix seconds.
 */

/** Queries of the accounts; a slow one delays no change. */
export interface AccountQueries {
  users: UserQueries;
  sessions: SessionQueries;
  secondFactors: SecondFactorQueries;
  passkeys: PasskeyQueries;
  signInProviders: SignInProviderQueries;
  managementKeys: ManagementKeyQueries;
  tokens: ApiKeyQueries;
  channels: ChannelQueries;
  options: OptionQueries;
  redemptions: RedemptionQueries;
  promotions: PromotionQueries;
  ledger: LedgerQueries;
  commissions: CommissionQueries;
  audit: AuditQueries;
  notices: NoticeQueries;
  plans: PlanQueries;
  orders: OrderQueries;
  invoices: InvoiceQueries;
  priceDrafts: PriceDraftQueries;
  reconciliations: ReconciliationQueries;
  announcements: AnnouncementQueries;
  budgetWindows: BudgetWindowQueries;
  keyNetworks: KeyNetworkQueries;
  requestRefunds: RequestRefundQueries;
  tickets: TicketQueries;
  terms: TermsQueries;
}

/**
 * Changes of the accounts, done and answered in the order of the calls, and after all charges of before. Each is answered when it is
 * committed: code that takes changes over in memory relies on that order. For the lines that the log has of one, its readers wait.
 */
export interface AccountChanges {
  users: UserChanges;
  sessions: SessionChanges;
  secondFactors: SecondFactorChanges;
  passkeys: PasskeyChanges;
  signInProviders: SignInProviderChanges;
  managementKeys: ManagementKeyChanges;
  tokens: ApiKeyChanges;
  channels: ChannelChanges;
  options: OptionChanges;
  redemptions: RedemptionChanges;
  promotions: PromotionChanges;
  commissions: CommissionChanges;
  verifications: VerificationChanges;
  audit: AuditChanges;
  notices: NoticeChanges;
  plans: PlanChanges;
  orders: OrderChanges;
  invoices: InvoiceChanges;
  priceDrafts: PriceDraftChanges;
  reconciliations: ReconciliationChanges;
  announcements: AnnouncementChanges;
  budgetWindows: BudgetWindowChanges;
  keyNetworks: KeyNetworkChanges;
  requestRefunds: RequestRefundChanges;
  tickets: TicketChanges;
  terms: TermsChanges;
}

/** Where charges become durable. */
export interface ChargeStore {
  /** True while charges cannot be stored: a request that starts meanwhile might not be chargeable. */
  readonly isFailing: boolean;
  /**
   * Stores a batch. One at a time: the next after this one is done.
   * @param changes payers with the quota taken from them. @param entries the log entries. Both as encodeCharges returns
   *   them.
   * @param done called when the batch is durable, or with the error that prevented it.
   */
  append(changes: string, entries: string, done: (error: Error | undefined) => void): void;
}

/**
 * Queries of data that charges do not change. They wait for nothing; all others wait until every charge is in the
 * accounts.
 */
export const UNCHARGED_QUERIES: SomeOf<AccountQueries> = {
  sessions: "all",
  secondFactors: "all",
  passkeys: "all",
  signInProviders: "all",
  managementKeys: "all",
  options: "all",
  redemptions: "all",
  promotions: "all",
  commissions: "all",
  ledger: ["page", "before"],
  audit: "all",
  priceDrafts: "all",
  notices: ["targets", "sent", "open", "remindBelow"],
  plans: ["all", "find", "page", "due", "endingSoon", "followerOf", "lastPeriod", "parked"],
  orders: "all",
  invoices: "all",
  reconciliations: "all",
  announcements: "all",
  budgetWindows: "all",
  keyNetworks: "all",
  requestRefunds: "all",
  tickets: "all",
  terms: "all",
};
