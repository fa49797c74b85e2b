import type { Channel } from "@tollgate/contract/api/channels";
import type { ChannelChange, ChannelRecord, NewChannel } from "@tollgate/contract/records/channel-record";
import type { ChannelFields, UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import type { PayingKey as ApiKey, PayingUser as User } from "@tollgate/metering/payers";
import type { Vendor, VendorRoute } from "@tollgate/vendors/define-vendor";
import type { RateSubject } from "../limits/rates";
import type { PreparedOverrides } from "../routing/prepare-overrides";
import type { Authorizer } from "./transport";

/* Ports to keys, users and channels as requests find them in memory, and to the storage of channels. */

/** Keys and users as requests find them in memory. */
export type { ApiKey, User };

/** One key of a channel that can be relayed to, with everything precomputed that does not change between requests. */
export interface UpstreamTarget {
  /** The same as long as the channel keeps this key. */
  readonly id: string;
  /** Number of usable keys of the channel. */
  readonly keyCount: number;
  readonly channel: Channel;
  /** Address of a proxy; "" for a direct connection. */
  readonly proxy: string;
  readonly vendor: Vendor;
  /** The route chosen among the vendor's routes. */
  readonly route: VendorRoute;
  readonly protocol: UpstreamProtocol;
  /** "https://host:port", or "wss://host:port". */
  readonly origin: string;
  /** Path of the base address, without a slash at its end. */
  readonly basePath: string;
  /** Whether the base address already names an API version, so that a leading "/v1" must go. */
  readonly hasVersion: boolean;
  /** Credential and vendor headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Adds the credential where fixed headers are not enough. */
  readonly authorizer: Authorizer | undefined;
  /** Removes the channel's own secrets from the upstream's messages before they are passed on. */
  readonly conceal: (text: string) => string;
  /** The channel's own fields that requests carry. */
  readonly fields: ChannelFields;
  /** Changes to its requests; absent for most channels. */
  readonly overrides?: PreparedOverrides;
  /** Limits of its requests: the channel's, the key's or both; undefined without limits. */
  readonly limited?: readonly RateSubject[] | undefined;
  /** Other ways, for models with such names. */
  readonly byModel?: readonly { models: RegExp; entry: UpstreamTarget }[];
}

export interface Directory {
  /** @param key without the "sk-" prefix. */
  findKey(key: string): ApiKey | undefined;
  /** The keys of an enabled or disabled channel; empty when the channel does not exist. */
  keysOfChannel(id: number): readonly UpstreamTarget[];
  /** The groups of a key's requests, in order; empty when the key may no longer use its group. */
  groupsOf(key: ApiKey): readonly string[];
  /** The keys of enabled channels for a model of a group, the highest priority first. */
  candidates(group: string, model: string): readonly UpstreamTarget[];
  /** Whether any channel lists a model for a group, disabled channels included. */
  isListed(group: string, model: string): boolean;
  /** Whether names of models may end with an effort (option EffortNames); false without it. */
  readsEffortNames?(): boolean;
  /** Stores that a key turned out to be expired or exhausted. */
  markKey(key: ApiKey, status: number): void;
  /** Reports that the upstream declared this key dead. */
  reportDeadKey(channel: UpstreamTarget, reason: string): void;
}

/** Reasons to switch a channel off other than the upstream's own words. */
export type IncidentCode = "response-too-slow" | "balance-used-up";

/** Reason why a channel or a key was switched off: the upstream's own words, or the gateway's finding. */
export type IncidentReason = string | { code: IncidentCode; params?: Readonly<Record<string, string>> };

/** Receives what the gateway switches off and on automatically. */
export interface ChannelIncidents {
  /** A channel is off, because no key of it works (or it is too slow, or out of money). */
  channelDisabled(channel: Channel, reason: IncidentReason): void;
  /** One of a channel's keys was disabled; its other keys stay in use. */
  keyDisabled(channel: Channel, reason: IncidentReason): void;
  /** A disabled channel works again. */
  channelEnabled(channel: Channel): void;
}

/** Storage of channels. Calls run in their order; each resolves when its change is stored. */
export interface ChannelStore {
  /** Stores all of them or none. */
  create(channels: NewChannel[]): Promise<ChannelRecord[]>;
  /**
   * @returns undefined when the channel does not exist, or its type, addresses or proxy differ from those the change
   * expects.
   */
  change(id: number, change: ChannelChange): Promise<ChannelRecord | undefined>;
  remove(id: number): Promise<void>;
  /** Deletes the channels that are switched off, by hand or automatically. @returns their ids. */
  removeDisabled(): Promise<number[]>;
}
