import type { Kysely } from "kysely";
import type { Secrets } from "../../secrets";
import type { SqlDialect } from "../../sql/dialect";
import type { AccountChanges, AccountQueries } from "../ports";
import { announcementReads, announcementWrites } from "./announcements.repository";
import { apiKeyReads, apiKeyWrites } from "./api-keys.repository";
import { auditReads, auditWrites } from "./audit.repository";
import { budgetWindowReads, budgetWindowWrites } from "./budget-windows.repository";
import { channelReads, channelWrites } from "./channels.repository";
import { commissionReads } from "./commission-reads";
import { commissionWrites } from "./commissions.repository";
import { invoiceReads, invoiceWrites } from "./invoices.repository";
import { keyNetworkReads, keyNetworkWrites } from "./key-networks.repository";
import { ledgerReads } from "./ledger.repository";
import { managementKeyReads, managementKeyWrites } from "./management-keys.repository";
import { noticeReads } from "./notice-reads";
import { noticeWrites } from "./notices.repository";
import { optionReads, optionWrites } from "./options.repository";
import { orderReads, orderWrites } from "./orders.repository";
import { passkeyReads, passkeyWrites } from "./passkeys.repository";
import { planReads, planWrites } from "./plans.repository";
import { priceDraftReads, priceDraftWrites } from "./price-drafts.repository";
import { promotionReads, promotionWrites } from "./promotions.repository";
import { reconciliationReads, reconciliationWrites } from "./reconciliations.repository";
import { redemptionReads, redemptionWrites } from "./redemptions.repository";
import { requestRefundReads, requestRefundWrites } from "./request-refunds.repository";
import { secondFactorReads, secondFactorWrites } from "./second-factors.repository";
import { sessionReads, sessionWrites } from "./sessions.repository";
import { signInProviderReads, signInProviderWrites } from "./sign-in-providers.repository";
import type { Tables } from "./tables";
import { termsReads, termsWrites } from "./terms.repository";
import { ticketReads, ticketWrites } from "./tickets.repository";
import { userReads, userWrites } from "./users.repository";
import { verificationWrites } from "./verifications.repository";

/*
 * The accounts in SQL that every engine runs. An engine adds its schema, the grouped writing of charges, and the
 * emptying of the outbox.
 */

export const accountQueries = (
  db: Kysely<Tables>,
  secrets: Secrets,
  dialect: SqlDialect,
): AccountQueries => ({
  users: userReads(db, secrets, dialect),
  sessions: sessionReads(db),
  secondFactors: secondFactorReads(db, secrets),
  passkeys: passkeyReads(db),
  signInProviders: signInProviderReads(db, secrets),
  managementKeys: managementKeyReads(db),
  tokens: apiKeyReads(db, secrets, dialect),
  channels: channelReads(db, secrets, dialect),
  options: optionReads(db, secrets),
  redemptions: redemptionReads(db, secrets, dialect),
  promotions: promotionReads(db, dialect),
  ledger: ledgerReads(db),
  commissions: commissionReads(db),
  audit: auditReads(db),
  notices: noticeReads(db, secrets, dialect),
  plans: planReads(db, dialect),
  orders: orderReads(db),
  invoices: invoiceReads(db, secrets, dialect),
  priceDrafts: priceDraftReads(db),
  reconciliations: reconciliationReads(db),
  announcements: announcementReads(db),
  budgetWindows: budgetWindowReads(db),
  keyNetworks: keyNetworkReads(db),
  requestRefunds: requestRefundReads(db),
  tickets: ticketReads(db, secrets, dialect),
  terms: termsReads(db),
});

export const accountChanges = (
  db: Kysely<Tables>,
  secrets: Secrets,
  dialect: SqlDialect,
): AccountChanges => ({
  users: userWrites(db, secrets, dialect),
  sessions: sessionWrites(db),
  secondFactors: secondFactorWrites(db, secrets),
  passkeys: passkeyWrites(db),
  signInProviders: signInProviderWrites(db, secrets, dialect),
  managementKeys: managementKeyWrites(db),
  tokens: apiKeyWrites(db, secrets, dialect),
  channels: channelWrites(db, secrets),
  options: optionWrites(db, secrets),
  redemptions: redemptionWrites(db, secrets),
  promotions: promotionWrites(db, dialect),
  commissions: commissionWrites(db),
  verifications: verificationWrites(db, secrets),
  audit: auditWrites(db),
  notices: noticeWrites(db, secrets),
  plans: planWrites(db, dialect),
  orders: orderWrites(db, dialect),
  invoices: invoiceWrites(db, secrets),
  priceDrafts: priceDraftWrites(db, secrets),
  reconciliations: reconciliationWrites(db),
  announcements: announcementWrites(db),
  budgetWindows: budgetWindowWrites(db),
  keyNetworks: keyNetworkWrites(db, secrets),
  requestRefunds: requestRefundWrites(db, dialect),
  tickets: ticketWrites(db, secrets),
  terms: termsWrites(db, secrets),
});
