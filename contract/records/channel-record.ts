import type { BuyingPrices } from "../management/buying-price";
import type { Channel } from "../management/channel";

/** A channel with its upstream credential, for the relay only. */
export interface ChannelRecord {
  channel: Channel;
  /** One key on each line. */
  key: string;
  /** Names of keys that the upstream has called dead. */
  deadKeys: string[];
  /** Address of a proxy with its credentials; "" for none. */
  proxy: string;
  /** What its upstream asks; undefined where nothing is known. */
  buyingPrices?: BuyingPrices | undefined;
}

export interface NewChannel {
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
  /** The text of what its upstream asks; "" where nothing is known. */
  buyingPrices?: string | undefined;
}

export type ChannelChange = Partial<Omit<NewChannel, "createdTime">> & {
  deadKeys?: string[];
  /** JSON of the upstream's own price list (UpstreamPriceList). */
  upstreamPrices?: string;
};
