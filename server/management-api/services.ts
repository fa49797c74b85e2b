import type { Accounts } from "@tollgate/accounts/accounts";
import type { Plans } from "@tollgate/accounts/plans";
import type { PlanChanges } from "@tollgate/contract/records/people-store";
import type { Limiter } from "@tollgate/relay/limits/limiter";
import type { Relay } from "@tollgate/relay/relay";
import type { Channels } from "@tollgate/relay/routing/channels";
import type { ModelLister } from "@tollgate/relay/upstream-models";
import type { InvoiceChanges } from "@tollgate/storage/accounts/invoice-ports";
import type {
  CommissionChanges,
  ReconciliationChanges,
  RedemptionChanges,
  RequestRefundChanges,
} from "@tollgate/storage/accounts/money-ports";
import type { ChangeFeed } from "@tollgate/storage/accounts/node-ports";
import type { AccountChanges } from "@tollgate/storage/accounts/ports";
import type { PromotionChanges } from "@tollgate/storage/accounts/promotion-ports";
import type {
  AnnouncementChanges,
  ChannelChanges,
  NoticeChanges,
} from "@tollgate/storage/accounts/site-ports";
import type { TermsChanges } from "@tollgate/storage/accounts/terms-ports";
import type { TicketChanges } from "@tollgate/storage/accounts/ticket-ports";
import type { Secrets } from "@tollgate/storage/secrets";
import type { Stores } from "@tollgate/storage/stores";
import type { Logger } from "pino";
import type { AllowedOrigins } from "../http/allowed-origins";
import type { ClientAddresses } from "../http/client-address";
import type { RateLimits } from "../http/rate-limit";
import type { ChannelTests } from "../jobs/test-channels";
import type { NoticeSender } from "../notices/notice-sender";
import type { Notices } from "../notices/notices";
import type { Operator } from "../operator/operator";
import type { Orders } from "../payments/orders";
import type { PriceDrafts } from "../rehearsal/price-drafts";
import type { Rehearsals } from "../rehearsal/rehearsals";
import type { GroupAccess } from "../state/group-access";
import type { KnownNodes } from "../state/known-nodes";
import type { Options } from "../state/options";
import type { SitePricing } from "../state/pricing";
import type { StatementPrinter } from "../statements/statement-printer";
import type { UpstreamAccountReader } from "./channels/upstream-account";
import type { TranslationTools } from "./logs/translation";
import type { Mailer } from "./mailer";
import type { CodeExchanges } from "./sign-in/code-exchanges";
import type { OfferedProviders } from "./sign-in/offered-providers";
import type { RootSetup } from "./sign-in/root-setup";
import type { SignInLimits } from "./sign-in/sign-in-limits";
import type { Turnstile } from "./sign-in/turnstile";

/**
 * Storage for routes: they may query everything, but data that is also kept in memory is changed only by its owner
 * (`accounts`, `channels`, `options`).
 */
export interface RouteStorage extends Pick<Stores, "read" | "log" | "bodies"> {
  write: Pick<
    AccountChanges,
    "verifications" | "secondFactors" | "passkeys" | "signInProviders" | "managementKeys" | "audit"
  > & {
    notices: Pick<NoticeChanges, "addTarget" | "changeTarget" | "removeTarget" | "setRemindBelow">;
    redemptions: Omit<RedemptionChanges, "redeem">;
    promotions: PromotionChanges;
    commissions: Omit<CommissionChanges, "transfer">;
    channels: Pick<ChannelChanges, "saveTest" | "saveBalance" | "saveTypedBalance">;
    announcements: AnnouncementChanges;
    invoices: InvoiceChanges;
    tickets: Omit<TicketChanges, "closeSilent" | "removeClosed">;
    terms: TermsChanges;
    reconciliations: ReconciliationChanges;
    /** Only beside the accounts, whose balances it moves (logs/refund-request.ts). */
    requestRefunds: RequestRefundChanges;
    plans: Pick<PlanChanges, "create" | "change" | "remove" | "setRenews">;
  };
}

/** Services used by the routes of /api. */
export interface Services {
  /** Current usage of channels' limits. @param targets the keys of channels that have limits. */
  channelUse: Relay["channelUse"];
  /** Usage of the limits of keys, users and groups. */
  limiter: Pick<Limiter, "look">;
  /** Recent speeds of channels' keys. */
  speedsOf: Relay["speedsOf"];
  storage: RouteStorage;
  accounts: Accounts;
  plans: Plans;
  channels: Channels;
  options: Options;
  pricing: SitePricing;
  groupAccess: GroupAccess;
  priceDrafts: PriceDrafts;
  rehearsals: Rehearsals;
  statementPrinter: Pick<StatementPrinter, "print">;
  channelTests: ChannelTests;
  upstreamAccounts: UpstreamAccountReader;
  upstreamModels: ModelLister;
  /** Makes the body for an upstream once more from a client's request, without sending it. */
  remake: TranslationTools["remake"];
  secrets: Secrets;
  addresses: ClientAddresses;
  /** A caller from the machine that has the data, with the command `tollgate`. */
  operator: Operator;
  allowedOrigins: AllowedOrigins;
  rateLimits: RateLimits;
  rootSetup: RootSetup;
  signInLimits: SignInLimits;
  mailer: Mailer;
  notices: Notices;
  noticeSender: Pick<NoticeSender, "test">;
  codeExchanges: CodeExchanges;
  offeredProviders: OfferedProviders;
  turnstile: Turnstile;
  orders: Orders;
  nodes: KnownNodes;
  /** Changes by other nodes; undefined without other nodes. */
  feed: Pick<ChangeFeed, "catchUp" | "isDeaf"> | undefined;
  logger: Logger;
  /** Unix seconds at which the process started. */
  startTime: number;
  /** Unix seconds. */
  now(): number;
}
