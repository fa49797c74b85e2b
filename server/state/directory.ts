import type { Channel } from "@tollgate/contract/control/channel";
import type { ChannelRecord } from "@tollgate/contract/records/channel-record";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
} from "@tollgate/contract/values/statuses";
import type { ChannelEntry, KeyEntry } from "@tollgate/relay/ports";
import { createChannelEntries, nameKey, splitKeys } from "@tollgate/relay/routing/channel-entry";
import type { AccountChanges, AccountQueries } from "@tollgate/storage/accounts/ports";
import { readPages } from "@tollgate/storage/read-pages";
import type { Reason } from "../locales/say-log";
import { ModelRoutes, type RoutedChannel } from "./model-routes";
import type { Options } from "./options";

interface KnownChannel {
  readonly record: ChannelRecord;
  /** The keys that may be used; all of them when none may, so that a test can find out how they are. */
  readonly entries: readonly ChannelEntry[];
}

/** Told what the gateway switches off and on by itself. */
export interface ChannelIncidents {
  /** A channel is off, because no key of it works (or it is too slow, or out of money). */
  channelDisabled(channel: Channel, reason: Reason): void;
  /** One of a channel's keys is off; others go on. */
  keyDisabled(channel: Channel, reason: Reason): void;
  /** What was off works again. */
  channelEnabled(channel: Channel): void;
}

const isUsable = ({ record, entries }: KnownChannel): boolean =>
  entries.length > 0 && record.channel.status === CHANNEL_ENABLED;

/** A channel as the routes know it: without keys while it is out of use. */
const routedOf = (known: KnownChannel): RoutedChannel => {
  const { id, priority, groups, models } = known.record.channel;
  return { id, priority, groups, models, entries: isUsable(known) ? known.entries : [] };
};

/** Rows that are read at once at a start. */
const PAGE_ROWS = 5000;

/** The name of an entry's key, as it is stored among a channel's dead ones (see nameKey). */
const keyNameOf = (entry: ChannelEntry): string => entry.id.slice(entry.id.indexOf("/") + 1);

/**
 * The channels in memory: what every request needs is here, and no request waits for the database. Whoever changes one of
 * them stores it first and then says so here.
 */
export class Directory {
  private readonly channels = new Map<number, KnownChannel>();
  private readonly routes = new ModelRoutes();

  constructor(
    private readonly write: AccountChanges,
    private readonly options: Options,
    private readonly reportError: (error: Error) => void,
    private readonly incidents: ChannelIncidents,
  ) {}

  async load(read: AccountQueries): Promise<void> {
    for await (const page of readPages(read.channels.after, ({ channel }) => channel.id, PAGE_ROWS))
      for (const record of page) this.keepChannel(record);
    this.routes.load([...this.channels.values()].map(routedOf));
  }

  keysOfChannel(id: number): readonly ChannelEntry[] {
    return this.channels.get(id)?.entries ?? [];
  }

  /** What a channel is called now; "" when it is gone. */
  channelName(id: number): string {
    return this.channels.get(id)?.record.channel.name ?? "";
  }

  candidates(group: string, model: string): readonly ChannelEntry[] {
    return this.routes.candidates(group, model);
  }

  isListed(group: string, model: string): boolean {
    return this.routes.isListed(group, model);
  }

  /** Models that a group can use now. */
  modelsOf(group: string): string[] {
    return this.routes.modelsOf(group);
  }

  /** Models that a key can use now. */
  modelsOfKey({ user, models }: KeyEntry): string[] {
    const offered =
      user.groups.length === 1
        ? this.modelsOf(user.groups[0] ?? "")
        : [...new Set(user.groups.flatMap((group) => this.modelsOf(group)))].sort();
    return models ? offered.filter((model) => models.has(model)) : offered;
  }

  /** Enabled channels that can be relayed to, in the order of their ids. */
  enabledChannels(): Channel[] {
    return this.enabled().map(({ record }) => record.channel);
  }

  /** The keys that the gateway itself has taken out of use. */
  keysOutOfUse(): ChannelEntry[] {
    const found: ChannelEntry[] = [];
    for (const { record, entries } of this.channels.values()) {
      const { channel, key, deadKeys, proxy } = record;
      if (deadKeys.length > 0 && channel.status !== CHANNEL_DISABLED_BY_HAND) {
        const dead = splitKeys(key).filter((each) => deadKeys.includes(nameKey(each)));
        found.push(...createChannelEntries(channel, { key: dead.join("\n"), proxy }));
      } else if (channel.status === CHANNEL_DISABLED_AUTOMATICALLY && entries[0]) {
        found.push(entries[0]);
      }
    }
    return found;
  }

  setChannels(records: ChannelRecord[]): void {
    for (const record of records) this.routes.set(routedOf(this.keepChannel(record)));
  }

  removeChannels(ids: number[]): void {
    for (const id of ids) {
      this.channels.delete(id);
      this.routes.remove(id);
    }
  }

  reportDeadKey(entry: ChannelEntry, reason: string): void {
    if (!this.options.isOn("AutomaticDisableChannelEnabled")) return;
    const known = this.channels.get(entry.channel.id);
    // Many requests may find out at the same time: one incident, one notice.
    const isKnown = known?.entries.some(({ id }) => id === entry.id) ?? false;
    if (!known || !isKnown || known.record.channel.status !== CHANNEL_ENABLED) return;
    const { channel } = known.record;
    const isLast = known.entries.length <= 1;
    this.changeDeadKeys(known, [...known.record.deadKeys, keyNameOf(entry)]);
    if (isLast) this.disableChannel(channel.id, reason);
    else this.incidents.keyDisabled(channel, reason);
  }

  /** Switches a channel off at once and stores it; requests under way go on. */
  disableChannel(id: number, reason: Reason): void {
    const known = this.channels.get(id);
    if (known?.record.channel.status !== CHANNEL_ENABLED) return;
    this.changeStatus(known, CHANNEL_DISABLED_AUTOMATICALLY);
    this.incidents.channelDisabled(known.record.channel, reason);
  }

  /** A key that the gateway had taken out of use works again: it is used, and its channel with it. */
  reviveKey(entry: ChannelEntry): void {
    const known = this.channels.get(entry.channel.id);
    if (!known || known.record.channel.status === CHANNEL_DISABLED_BY_HAND) return;
    const { deadKeys, channel } = known.record;
    const others = deadKeys.filter((name) => name !== keyNameOf(entry));
    if (others.length < deadKeys.length) this.changeDeadKeys(known, others);
    const now = this.channels.get(channel.id) ?? known;
    if (channel.status === CHANNEL_DISABLED_AUTOMATICALLY) this.changeStatus(now, CHANNEL_ENABLED);
    this.incidents.channelEnabled(channel);
  }

  private changeStatus(known: KnownChannel, status: number): void {
    const { channel } = known.record;
    channel.status = status;
    this.routes.set(routedOf(known));
    this.write.channels.change(channel.id, { status }).catch(this.reportError);
  }

  private changeDeadKeys({ record }: KnownChannel, deadKeys: string[]): void {
    this.setChannels([{ ...record, deadKeys }]);
    this.write.channels.change(record.channel.id, { deadKeys }).catch(this.reportError);
  }

  private keepChannel(record: ChannelRecord): KnownChannel {
    const { channel, deadKeys } = record;
    const usable = createChannelEntries(channel, record, deadKeys);
    const entries = usable.length > 0 ? usable : createChannelEntries(channel, record);
    const known = { record, entries };
    this.channels.set(channel.id, known);
    return known;
  }

  private enabled(): KnownChannel[] {
    return [...this.channels.values()].filter(isUsable);
  }
}
