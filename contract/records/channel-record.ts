import { CHANNEL_FIELDS, type Channel } from "../api/channels";
import type { BuyingPrices } from "../management/buying-price";
import type { ChannelCalendar } from "../management/channel-calendar";
import type { ChannelLimits } from "../management/channel-limits";
import type { ChannelOverrides } from "../management/channel-overrides";
import type { StoredValues } from "../resource/columns";
import { text } from "../resource/fields";

/** A channel with its upstream credential, for the relay only. */
export interface ChannelRecord {
  channel: Channel;
  /** One key on each line. */
  key: string;
  /** Names of keys that the upstream has called dead. */
  deadKeys: string[];
  /** Address of a proxy with its credentials; "" for none. */
  proxy: string;
  /** The upstream's prices; undefined when unknown. */
  buyingPrices?: BuyingPrices | undefined;
  /** Its overrides in clear; undefined where nothing is changed. */
  requestChanges?: ChannelOverrides | undefined;
}

const { id, type, name, status, weight, priority, createdTime, testTime, responseTimeMs } = CHANNEL_FIELDS;
const { baseUrl, other, balance, balanceUpdatedTime, usedQuota, keyCount, proxy, tag } = CHANNEL_FIELDS;
const { testModel, closedUntil, usedRequests, buyingPrices } = CHANNEL_FIELDS;

/** Fields that a creation sets, and an edit. */
const written = { type, status, name, weight, priority, baseUrl, other, tag, testModel };

/** Fields whose column has the value itself. */
export const PLAIN_CHANNEL_FIELDS = {
  ...written,
  ...{ id, createdTime, testTime, responseTimeMs, balance, balanceUpdatedTime, usedQuota, keyCount, proxy },
  ...{ closedUntil, usedRequests },
};

/** The written fields, and JSON of the upstream's own price list (UpstreamPriceList). */
export const EDITED_CHANNEL_FIELDS = {
  ...written,
  buyingPrices: text(buyingPrices.name),
  upstreamPrices: text("upstream_prices"),
};

export interface NewChannel
  extends StoredValues<typeof written>,
    Pick<Channel, "createdTime" | "models" | "groups" | "modelMapping" | "skipsTests" | "calendar">,
    ChannelLimits {
  key: string;
  /** Address of a proxy with its credentials; "" for none. */
  proxy: string;
  /** Text of the upstream's prices; "" when unknown. */
  buyingPrices?: string | undefined;
  /** The channel's overrides in clear; undefined where nothing is changed. */
  requestChanges?: ChannelOverrides | undefined;
}

/** Where a channel's secrets are sent to. */
export type ChannelRoute = Pick<Channel, "type" | "baseUrl" | "other" | "proxy">;

/** `requestChanges` that are named and undefined are taken away. */
export type ChannelChange = Partial<Omit<NewChannel, "createdTime">> & {
  deadKeys?: string[];
  /** JSON of the upstream's own price list (UpstreamPriceList). */
  upstreamPrices?: string;
  windows?: WindowStates;
  /** As it was when the change was read: one that brings a secret is not stored for another way, which another person chose meanwhile. */
  ifRouteUnchanged?: ChannelRoute;
};

/** Where one window of a channel's calendar stands. */
export interface WindowState {
  /** Unix seconds; 0 while no request has begun it. */
  startedAt: number;
  /** The channel's count before it. */
  from: number;
}

/** Where the windows of a channel's calendar stand. */
export interface WindowStates {
  /** By their place in the calendar. */
  states: readonly WindowState[];
  /** Unix seconds until which one of them keeps the channel closed; 0 for none. */
  closedUntil: number;
}

/** A channel with windows, as far as these go. */
export interface WindowedChannel extends WindowStates {
  id: number;
  calendar: ChannelCalendar;
  usedRequests: number;
  /** Quota of all charges. Refunds of requests do not lower it: the upstream has answered them. */
  chargedQuota: number;
}
