import { buyingPriceRoutes } from "./channels/buying-price.routes";
import { channelRoutes } from "./channels/channel.routes";
import { upstreamRoutes } from "./channels/upstream.routes";
import { bodyRoutes } from "./logs/body.routes";
import { exportRoutes } from "./logs/export.routes";
import { logRoutes } from "./logs/log.routes";
import { receiptRoutes } from "./logs/receipt.routes";
import { translationRoutes } from "./logs/translation.routes";
import { usageRoutes } from "./logs/usage.routes";
import { invitationRoutes } from "./money/invitation.routes";
import { invoiceRoutes } from "./money/invoice.routes";
import { ledgerRoutes } from "./money/ledger.routes";
import { orderRoutes } from "./money/order.routes";
import { planRoutes } from "./money/plan.routes";
import { profitRoutes } from "./money/profit.routes";
import { promotionRoutes } from "./money/promotion.routes";
import { reconciliationRoutes } from "./money/reconciliation.routes";
import { redemptionRoutes } from "./money/redemption.routes";
import { statementRoutes } from "./money/statement.routes";
import { groupRoutes } from "./prices/group.routes";
import { priceRoutes } from "./prices/price.routes";
import { priceDraftRoutes } from "./prices/price-draft.routes";
import { priceRuleRoutes } from "./prices/price-rule.routes";
import { pricingRoutes } from "./prices/pricing.routes";
import type { Route } from "./route";
import type { Services } from "./services";
import { identityRoutes } from "./sign-in/identity.routes";
import { oauthRoutes } from "./sign-in/oauth.routes";
import { passkeyRoutes } from "./sign-in/passkey.routes";
import { presenceRoutes } from "./sign-in/presence.routes";
import { providerSignInRoutes } from "./sign-in/provider-sign-in.routes";
import { registerRoutes } from "./sign-in/register.routes";
import { secondFactorRoutes } from "./sign-in/second-factor.routes";
import { sessionRoutes } from "./sign-in/session.routes";
import { setupRoutes } from "./sign-in/setup.routes";
import { signInProviderRoutes } from "./sign-in/sign-in-provider.routes";
import { announcementRoutes } from "./site/announcement.routes";
import { attentionRoutes } from "./site/attention.routes";
import { auditRoutes } from "./site/audit.routes";
import { configurationRoutes } from "./site/configuration.routes";
import { modelStatusRoutes } from "./site/model-status.routes";
import { nodeRoutes } from "./site/node.routes";
import { noticeRoutes } from "./site/notice.routes";
import { optionRoutes } from "./site/option.routes";
import { statusRoutes } from "./site/status.routes";
import { termsRoutes } from "./site/terms.routes";
import { ticketRoutes } from "./site/ticket.routes";
import { apiKeyRoutes } from "./users/api-key.routes";
import { apiKeyBatchRoutes } from "./users/api-key-batch.routes";
import { limitRoutes } from "./users/limit.routes";
import { managementKeyRoutes } from "./users/management-key.routes";
import { permissionSetRoutes } from "./users/permission-set.routes";
import { userRoutes } from "./users/user.routes";
import { userAdminRoutes } from "./users/user-admin.routes";

/** All calls below /api that are declared in the contract. */
export const managementRoutes = (services: Services): Route[] => [
  ...statusRoutes,
  ...setupRoutes,
  ...userRoutes,
  ...sessionRoutes,
  ...presenceRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...registerRoutes,
  ...oauthRoutes(services),
  ...signInProviderRoutes,
  ...providerSignInRoutes(services),
  ...identityRoutes,
  ...userAdminRoutes(),
  ...permissionSetRoutes,
  ...managementKeyRoutes,
  ...channelRoutes,
  ...upstreamRoutes,
  ...apiKeyRoutes,
  ...apiKeyBatchRoutes(),
  ...limitRoutes,
  ...groupRoutes,
  ...redemptionRoutes,
  ...planRoutes,
  ...logRoutes,
  ...receiptRoutes,
  ...bodyRoutes,
  ...translationRoutes,
  ...usageRoutes,
  ...profitRoutes,
  ...buyingPriceRoutes,
  ...reconciliationRoutes,
  ...exportRoutes,
  ...optionRoutes,
  ...configurationRoutes(services),
  ...auditRoutes,
  ...announcementRoutes,
  ...promotionRoutes,
  ...attentionRoutes(services),
  ...invoiceRoutes,
  ...termsRoutes,
  ...ticketRoutes,
  ...ledgerRoutes,
  ...invitationRoutes,
  ...statementRoutes,
  ...modelStatusRoutes(services),
  ...nodeRoutes,
  ...priceRoutes(services),
  ...priceDraftRoutes,
  ...priceRuleRoutes,
  ...pricingRoutes(services),
  ...noticeRoutes(services),
  ...orderRoutes,
];
