import type { Channel } from "../api/channels";
import type { BuyingPrices } from "../management/buying-price";
import type { ChannelCalendar } from "../management/channel-calendar";
import type { ChannelLimits } from "../management/channel-limits";
import type { ChannelOverrides } from "../management/channel-overrides";

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

export interface NewChannel extends ChannelLimits {
  type: number;
  key: string;
  status: number;
  name: string;
  weight: number;
  priority: number;
  createdTime: number;
  baseUrl: string;
  other: string;
  models: string[];
  groups: string[];
  modelMapping: Record<string, string>;
  /** Address of a proxy with its credentials; "" for none. */
  proxy: string;
  /** Text of the upstream's prices; "" when unknown. */
  buyingPrices?: string | undefined;
  tag: string;
  testModel: string;
  skipsTests: boolean;
  calendar: ChannelCalendar;
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
  usedQuota: number;
}
