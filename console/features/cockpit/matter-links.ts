import type { LinkProps } from "@tanstack/react-router";
import type { Matter, MatterKind } from "@tollgate/contract/api/attention";
import { TO_REVERSE } from "@tollgate/contract/api/invoices";
import { CHANNEL_DISABLED_AUTOMATICALLY, LOG_ERROR } from "@tollgate/contract/values/statuses";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import type { Tone } from "../../components/badge";
import { formatTime } from "../../lib/format";
import type { ListSearch } from "../../lib/list-search";
import { hasListExtra } from "../../lib/status";

/** The look of a matter, and the page to resolve it. */
interface MatterLook {
  tone: Tone;
  /** Left out if no page of the console resolves it. */
  to?: LinkProps;
  /** The matter whose text names that page, if it is not this one. */
  action?: MatterKind;
}

/** The channel's page if there is only one, else the list of these channels, where the server can filter by ids. */
const channelPage = ({ ids = [] }: Named): LinkProps => {
  const [id] = ids;
  if (ids.length === 1) return { to: "/channel/$id", params: { id: String(id) } };
  const search: ListSearch & { ids?: string } =
    ids.length > 0 && hasListExtra("channel-ids") ? { ids: ids.join() } : {};
  return { to: "/channel", search };
};

/** The channel's page if there is only one, else the list of all that are disabled. */
const disabledChannels = (named: Named): LinkProps => {
  const search: ListSearch & { status: number } = { status: CHANNEL_DISABLED_AUTOMATICALLY };
  return named.ids?.length === 1 ? channelPage(named) : { to: "/channel", search };
};

const HOUR_SECONDS = 3600;

/** The failed requests of a channel, or of all, in the hours in which the server looks for failing channels. */
export const failedLines = (id: number | undefined, nowMs: number): LinkProps => {
  const now = toUnixSeconds(nowMs);
  const from = formatTime(now - (now % HOUR_SECONDS) - HOUR_SECONDS);
  return {
    to: "/log",
    search: { type: LOG_ERROR, from, ...(id === undefined ? {} : { channel: String(id) }) },
  };
};

/** The order itself if there is only one, else the list. */
const orderNumbered = ({ names }: Named, search: { state?: string; refund?: string }): LinkProps =>
  names.length === 1 ? { to: "/order/$number", params: { number: names[0] } } : { to: "/order", search };

/** The applications for invoices in this state. */
const invoicesIn = (state: string): LinkProps => {
  const search: ListSearch & { state: string } = { state };
  return { to: "/invoice/manage", search };
};

/** The tickets that wait for an answer. */
const waitingTickets = (): LinkProps => {
  const search: ListSearch & { state: string } = { state: "waiting-for-support" };
  return { to: "/ticket/manage", search };
};

/** The affected channels, orders and so on. */
type Named = Pick<Matter, "names" | "ids">;

/** The look of each matter. */
export const matterLooks = (named: Named): Readonly<Record<MatterKind, MatterLook>> => ({
  "backup-failed": { tone: "red" },
  "nodes-silent": { tone: "red", to: { to: "/node" } },
  "channels-disabled": { tone: "red", to: disabledChannels(named) },
  "channels-failing": {
    tone: "red",
    // The log has no filter by several channels; each name leads to its lines.
    ...(named.ids?.length === 1
      ? { to: failedLines(named.ids[0], Date.now()) }
      : { to: channelPage(named), action: "channels-disabled" }),
  },
  "keys-disabled": { tone: "yellow", to: channelPage(named) },
  "upstream-balance-low": { tone: "yellow", to: channelPage(named) },
  "sold-at-loss": { tone: "red", to: { to: "/profit" } },
  "models-unpriced": { tone: "yellow", to: { to: "/setting/prices", search: { tab: "missing" } } },
  "refunds-open": { tone: "yellow", to: orderNumbered(named, { refund: "open" }) },
  "payments-refused": { tone: "red", to: { to: "/order" } },
  "orders-open": { tone: "grey", to: orderNumbered(named, { state: "pending" }) },
  "invoices-to-reverse": { tone: "red", to: invoicesIn(TO_REVERSE) },
  "invoices-open": { tone: "yellow", to: invoicesIn("open") },
  "tickets-waiting": { tone: "yellow", to: waitingTickets() },
  "payouts-asked": { tone: "yellow", to: { to: "/invitation/manage" } },
  "drafts-refused": { tone: "red", to: { to: "/pricing/rehearsal" } },
  "drafts-due": { tone: "grey", to: { to: "/pricing/rehearsal" } },
});
