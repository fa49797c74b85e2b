import type { LinkProps } from "@tanstack/react-router";
import type { MatterKind } from "@tollgate/contract/api/attention";
import { LOG_ERROR } from "@tollgate/contract/values/statuses";
import type { Tone } from "../../components/badge";

/** The look of a matter, and the page to resolve it. */
interface MatterLook {
  tone: Tone;
  /** Left out if no page of the console resolves it. */
  to?: LinkProps;
}

/** The channel's own row if there is only one, else the list. */
const channelNamed = (names: readonly string[]): LinkProps =>
  names.length === 1 ? { to: "/channel", search: { q: names[0] } } : { to: "/channel" };

/** The order itself if there is only one, else the list. */
const orderNumbered = (numbers: readonly string[], search: { state?: string } = {}): LinkProps =>
  numbers.length === 1 ? { to: "/order/$number", params: { number: numbers[0] } } : { to: "/order", search };

/** The look of each matter. @param names the affected channels, orders and so on. */
export const matterLooks = (names: readonly string[]): Readonly<Record<MatterKind, MatterLook>> => ({
  "backup-failed": { tone: "red" },
  "nodes-silent": { tone: "red", to: { to: "/node" } },
  "channels-disabled": { tone: "red", to: channelNamed(names) },
  "channels-failing": { tone: "red", to: { to: "/log", search: { type: LOG_ERROR } } },
  "keys-disabled": { tone: "yellow", to: channelNamed(names) },
  "upstream-balance-low": { tone: "yellow", to: channelNamed(names) },
  "sold-at-loss": { tone: "red", to: { to: "/profit" } },
  "models-unpriced": { tone: "yellow", to: { to: "/setting/prices", search: { tab: "missing" } } },
  "refunds-open": { tone: "yellow", to: orderNumbered(names) },
  "payments-refused": { tone: "red", to: { to: "/order" } },
  "orders-open": { tone: "grey", to: orderNumbered(names, { state: "pending" }) },
  "payouts-asked": { tone: "yellow", to: { to: "/invitation/manage" } },
  "drafts-refused": { tone: "red", to: { to: "/pricing/rehearsal" } },
  "drafts-due": { tone: "grey", to: { to: "/pricing/rehearsal" } },
});
