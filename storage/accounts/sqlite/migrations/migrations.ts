import type { Migrations } from "../../../sqlite/migrate";
import { initial } from "./0001-initial";
import { identities } from "./0002-identities";
import { notices } from "./0003-notices";
import { keyRotation } from "./0004-key-rotation";
import { noticeThresholds } from "./0005-notice-thresholds";
import { ledgerEntries } from "./0006-ledger-entries";
import { keyGroups } from "./0007-key-groups";
import { channelOverrides } from "./0008-channel-overrides";
import { orders } from "./0009-orders";
import { plans } from "./0010-plans";
import { upstreamLimits } from "./0011-upstream-limits";
import { invitations } from "./0012-invitations";
import { priceDrafts } from "./0013-price-drafts";
import { buyingPrices } from "./0014-buying-prices";
import { fallbackModels } from "./0015-fallback-models";
import { channelWork } from "./0016-channel-work";
import { typedBalances } from "./0017-typed-balances";
import { planOrders } from "./0018-plan-orders";
import { settledRefunds } from "./0019-settled-refunds";
import { actors } from "./0020-actors";
import { unsupportedFields } from "./0021-unsupported-fields";

/** Those of the main file, in order; a released one is never edited. */
export const ACCOUNTS_MIGRATIONS: Migrations = {
  "0001-initial": initial,
  "0002-identities": identities,
  "0003-notices": notices,
  "0004-key-rotation": keyRotation,
  "0005-notice-thresholds": noticeThresholds,
  "0006-ledger-entries": ledgerEntries,
  "0007-key-groups": keyGroups,
  "0008-channel-overrides": channelOverrides,
  "0009-orders": orders,
  "0010-plans": plans,
  "0011-upstream-limits": upstreamLimits,
  "0012-invitations": invitations,
  "0013-price-drafts": priceDrafts,
  "0014-buying-prices": buyingPrices,
  "0015-fallback-models": fallbackModels,
  "0016-channel-work": channelWork,
  "0017-typed-balances": typedBalances,
  "0018-plan-orders": planOrders,
  "0019-settled-refunds": settledRefunds,
  "0020-actors": actors,
  "0021-unsupported-fields": unsupportedFields,
};
