import type { LinkProps } from "@tanstack/react-router";
import type { Matter, MatterKind } from "@tollgate/contract/api/attention";
import { CHANNEL_DISABLED_AUTOMATICALLY, LOG_ERROR } from "@tollgate/contract/values/statuses";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import type { Tone } from "../../components/badge";
import { formatTime } from "../../lib/format";
import type { ListSearch } from "../../lib/list-search";

/** The look of a matter, and the page to resolve it. */
interface MatterLook {
  tone: Tone;
  /** Left out if no page of the console resolves it. */
  to?: LinkProps;
}

/** The channel's page if there is only one, else the list, which has filters besides those of every list. */
const channelPage = ({ ids = [] }: Named, search: ListSearch & { status?: number } = {}): LinkProps => {
  const [id] = ids;
  return ids.length === 1 ? { to: "/channel/$id", params: { id: String(id) } } : { to: "/channel", search };
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

/** The affected channels, orders and so on. */
type Named = Pick<Matter, "names" | "ids">;

/** The look of each matter. */
export const matterLooks = (named: Named): Readonly<Record<MatterKind, MatterLook>> => ({
  "backup-failed": { tone: "red" },
  "nodes-silent": { tone: "red", to: { to: "/node" } },
  "channels-disabled": { tone: "red", to: channelPage(named, { status: CHANNEL_DISABLED_AUTOMATICALLY }) },
  "channels-failing": {
    tone: "red",
    to: failedLines(named.ids?.length === 1 ? named.ids[0] : undefined, Date.now()),
  },
  "keys-disabled": { tone: "yellow", to: channelPage(named) },
  "upstream-balance-low": { tone: "yellow", to: channelPage(named) },
  "sold-at-loss": { tone: "red", to: { to: "/profit" } },
  "models-unpriced": { tone: "yellow", to: { to: "/setting/prices", search: { tab: "missing" } } },
  "refunds-open": { tone: "yellow", to: orderNumbered(named, { refund: "open" }) },
  "payments-refused": { tone: "red", to: { to: "/order" } },
  "orders-open": { tone: "grey", to: orderNumbered(named, { state: "pending" }) },
  "payouts-asked": { tone: "yellow", to: { to: "/invitation/manage" } },
  "drafts-refused": { tone: "red", to: { to: "/pricing/rehearsal" } },
  "drafts-due": { tone: "grey", to: { to: "/pricing/rehearsal" } },
});
