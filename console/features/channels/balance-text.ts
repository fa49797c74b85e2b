import { findCard } from "@tollgate/vendors/slim/find-card";
import { formatQuota } from "../../lib/format";

/** A balance in the unit of its channel type (specification section 9); undefined if unknown. */
export const balanceText = (type: number, balance: number): string | undefined => {
  switch (findCard(type)?.balanceUnit) {
    case "usd":
      return `$${balance.toFixed(2)}`;
    case "cny":
      return `¥${balance.toFixed(2)}`;
    case "cny-per-10000":
      return `¥${(balance / 10_000).toFixed(2)}`;
    case "quota":
      return formatQuota(balance);
    case undefined:
      return undefined;
  }
};
