import type { UpstreamAccount } from "@tollgate/contract/api/channel-upstream";
import type { Channel } from "@tollgate/contract/api/channels";
import { balanceUnitAt } from "@tollgate/vendors/slim/balance-unit";
import { findCard } from "@tollgate/vendors/slim/find-card";
import { formatQuota } from "../../lib/format";

/** A balance in its unit (specification section 9). */
export const formatBalance = (unit: UpstreamAccount["unit"], balance: number): string => {
  switch (unit) {
    case "usd":
      return `$${balance.toFixed(2)}`;
    case "cny":
      return `¥${balance.toFixed(2)}`;
    case "cny-per-10000":
      return `¥${(balance / 10_000).toFixed(2)}`;
    case "quota":
      return formatQuota(balance);
  }
};

/** The balance that a channel's upstream reported; undefined where it reports none. */
export const balanceText = ({ type, baseUrl, balance }: Channel): string | undefined => {
  const unit = balanceUnitAt(findCard(type)?.balance, baseUrl);
  return unit && formatBalance(unit, balance);
};
