import type { Channel } from "@tollgate/contract/api/channels";
import type { BuyingPrices } from "@tollgate/contract/management/buying-price";
import { calendarState } from "@tollgate/contract/management/channel-calendar";
import { upstreamNamesOf } from "@tollgate/contract/management/model-mapping";
import type { Change } from "@tollgate/contract/records/change";
import type { ChannelChange, ChannelRecord, NewChannel } from "@tollgate/contract/records/channel-record";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
} from "@tollgate/contract/values/statuses";
import type { ChannelIncidents, ChannelStore, IncidentReason, UpstreamTarget } from "../ports/directory";
import { ModelRoutes, type RoutedChannel } from "./model-routes";
import { createUpstreamTargets, nameKey, splitKeys } from "./upstream-target";

interface KnownChannel {
  readonly record: ChannelRecord;
  /** The usable keys; all keys when none is usable, so that a test can probe them. */
  readonly targets: readonly UpstreamTarget[];
  /** Whether its calendar has it open now. */
  readonly isOpen: boolean;
}

/** A change made by the gateway itself that is not stored yet. */
interface PendingChange {
  status?: number;
  deadKeys?: string[];
  /** Number of such changes in progress. */
  count: number;
}

/** Dependencies of the channels other than their store. */
export interface ChannelTools {
  /** Receives what the gateway switches off and on automatically. */
  incidents: ChannelIncidents;
  /** Whether dead keys are disabled (option AutomaticDisableChannelEnabled). */
  isDisablingOn(): boolean;
  /** Receives every change, once it is stored and in memory. */
  announce(change: Change): void;
  /** Receives errors of storing when no caller waits for it. */
  reportError(error: Error): void;
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

const isUsable = ({ record, targets }: KnownChannel): boolean =>
  targets.length > 0 && record.channel.status === CHANNEL_ENABLED;

/** A channel as the routes know it: without keys while it is out of use, or closed. */
const routedOf = (known: KnownChannel): RoutedChannel => {
  const { id, priority, groups, models } = known.record.channel;
  return { id, priority, groups, models, targets: isUsable(known) && known.isOpen ? known.targets : [] };
};

/** The name of a target's key, as it is stored among a channel's dead ones (see nameKey). */
const keyNameOf = (target: UpstreamTarget): string => target.id.slice(target.id.indexOf("/") + 1);

/**
 * The channels in memory, so that no request waits for the database. Every change of a channel is made here: it is
 * stored, applied to the routes and announced.
 */
export class Channels {
  private readonly byId = new Map<number, KnownChannel>();
  private readonly routes = new ModelRoutes();
  private readonly pending = new Map<number, PendingChange>();

  constructor(
    private readonly store: ChannelStore,
    private readonly tools: ChannelTools,
  ) {}

  /** Loads the stored channels at startup. */
  async load(pages: AsyncIterable<readonly ChannelRecord[]>): Promise<void> {
    for await (const page of pages) for (const record of page) this.add(record);
    this.routes.load([...this.byId.values()].map(routedOf));
  }

  /**
   * Applies the stored state of channels, whichever node changed them. The records must not be older than any
   * acknowledged change of this process: they are read in the order of its changes.
   * @param ids the ids read; one without a record was deleted.
   */
  refresh(ids: readonly number[], records: readonly ChannelRecord[]): void {
    const stored = new Set(records.map(({ channel }) => channel.id));
    for (const id of ids) if (!stored.has(id) && this.byId.has(id)) this.forget(id);
    for (const record of records) {
      const { id } = record.channel;
      const what = this.byId.has(id) ? "changed" : "created";
      this.apply(this.withPending(record));
      this.tools.announce({ of: "channel", id, what });
    }
  }

  /** Every channel, and the number of its keys that the gateway has disabled. */
  *overview(): Generator<{
    channel: Channel;
    deadKeys: number;
    requestChanges: ChannelRecord["requestChanges"];
  }> {
    for (const { record } of this.byId.values()) {
      const { channel, deadKeys, requestChanges } = record;
      yield { channel, deadKeys: deadKeys.length, requestChanges };
    }
  }

  /** The ids of all channels. */
  ids(): number[] {
    return [...this.byId.keys()];
  }

  keysOf(id: number): readonly UpstreamTarget[] {
    return this.byId.get(id)?.targets ?? [];
  }

  /** The targets of a channel after a hypothetical change; empty when it was deleted, or would be unreachable. */
  targetsAfter(id: number, change: ChannelChange): readonly UpstreamTarget[] {
    const record = this.byId.get(id)?.record;
    if (!record) return [];
    const { deadKeys: _, key, proxy, requestChanges: __, ifRouteUnchanged: ___, ...plain } = change;
    return createUpstreamTargets(
      { ...record.channel, ...plain },
      {
        key: key ?? record.key,
        proxy: proxy ?? record.proxy,
        requestChanges: "requestChanges" in change ? change.requestChanges : record.requestChanges,
      },
    );
  }

  /** A channel with its secrets, as it is now; undefined when it is gone. */
  recordOf(id: number): Pick<ChannelRecord, "channel" | "requestChanges"> | undefined {
    return this.byId.get(id)?.record;
  }

  /** The current name of a channel; "" when it was deleted. */
  nameOf(id: number): string {
    return this.byId.get(id)?.record.channel.name ?? "";
  }

  /** The upstream's prices of a channel, and its vendor's own list; undefined when nothing is known. */
  buyingPricesOf(id: number): BuyingPrices | undefined {
    return this.byId.get(id)?.record.buyingPrices;
  }

  candidates(group: string, model: string): readonly UpstreamTarget[] {
    return this.routes.candidates(group, model);
  }

  isListed(group: string, model: string): boolean {
    return this.routes.isListed(group, model);
  }

  /** Models that a group can use now. */
  modelsOf(group: string): string[] {
    return this.routes.modelsOf(group);
  }

  /**
   * Models that a key can use now. @param groups the groups of its requests. @param models the key's permitted models.
   */
  modelsOfKey(groups: readonly string[], models: ReadonlySet<string> | undefined): string[] {
    const offered =
      groups.length === 1
        ? this.modelsOf(groups[0] ?? "")
        : [...new Set(groups.flatMap((group) => this.modelsOf(group)))].sort();
    return models ? offered.filter((model) => models.has(model)) : offered;
  }

  /** The keys of all channels that have limits. */
  limited(): UpstreamTarget[] {
    return [...this.byId.values()].flatMap(({ targets }) =>
      targets.filter((target) => target.limited !== undefined),
    );
  }

  /**
   * The models offered to a group, currently usable or not, each with its upstream names. Channels disabled by an
   * administrator are excluded.
   * @param groups all groups by default.
   */
  offered(groups?: ReadonlySet<string>): Map<string, Set<string>> {
    const offered = new Map<string, Set<string>>();
    for (const { record } of this.byId.values()) {
      const { channel } = record;
      if (channel.status === CHANNEL_DISABLED_BY_HAND) continue;
      if (groups && !channel.groups.some((group) => groups.has(group))) continue;
      for (const model of channel.models) {
        const names = offered.get(model) ?? new Set();
        for (const name of upstreamNamesOf(channel.modelMapping, model)) names.add(name);
        offered.set(model, names);
      }
    }
    return offered;
  }

  /** Enabled channels that can be relayed to, in the order of their ids. */
  enabled(): Channel[] {
    return [...this.byId.values()]
      .filter(isUsable)
      .map(({ record }) => record.channel)
      .sort((a, b) => a.id - b.id);
  }

  /** The same, of those that a test of all is for: open ones that do not keep out of it. */
  toTest(): Channel[] {
    return this.enabled().filter(({ id, skipsTests }) => !skipsTests && this.byId.get(id)?.isOpen);
  }

  /** Opens and closes channels by their calendars. Must be called every minute, the resolution of calendars. */
  reviewCalendars(): void {
    for (const known of [...this.byId.values()]) {
      if (this.isOpen(known.record.channel) === known.isOpen) continue;
      this.apply(known.record);
    }
  }

  /** The keys that the gateway itself has taken out of use. */
  keysOutOfUse(): UpstreamTarget[] {
    const found: UpstreamTarget[] = [];
    for (const { record, targets } of this.byId.values()) {
      const { channel, key, deadKeys, proxy, requestChanges } = record;
      if (deadKeys.length > 0 && channel.status !== CHANNEL_DISABLED_BY_HAND) {
        const dead = splitKeys(key).filter((each) => deadKeys.includes(nameKey(each)));
        found.push(...createUpstreamTargets(channel, { key: dead.join("\n"), proxy, requestChanges }));
      } else if (channel.status === CHANNEL_DISABLED_AUTOMATICALLY && targets[0]) {
        found.push(targets[0]);
      }
    }
    return found;
  }

  /**
   * Copies a channel with its keys; the copy is disabled, so that an administrator can check it before it gets
   * requests.
   * @param createdTime unix seconds.
   * @returns undefined when there is no channel with this id.
   */
  async copy(id: number, name: string, createdTime: number): Promise<Channel | undefined> {
    const record = this.byId.get(id)?.record;
    if (!record) return undefined;
    const { channel, key, proxy, requestChanges, buyingPrices } = record;
    const [copy] = await this.create([
      { ...channel, key, proxy, requestChanges, name, createdTime, status: CHANNEL_DISABLED_BY_HAND },
    ]);
    // Rules may be factors of it: without the list the cost of the copy's answers would not be known.
    const upstream = buyingPrices?.upstream;
    if (copy && upstream) await this.change(copy.id, { upstreamPrices: JSON.stringify(upstream) });
    return copy;
  }

  async create(channels: NewChannel[]): Promise<Channel[]> {
    const records = await this.store.create(channels);
    for (const record of records) {
      this.apply(record);
      this.tools.announce({ of: "channel", id: record.channel.id, what: "created" });
    }
    return records.map(({ channel }) => channel);
  }

  /** @returns the stored channel; undefined when there is no channel with this id. */
  async change(id: number, change: ChannelChange): Promise<Channel | undefined> {
    const record = await this.store.change(id, change);
    if (!record) return undefined;
    this.apply(this.withPending(record));
    this.tools.announce({ of: "channel", id, what: "changed" });
    return record.channel;
  }

  async remove(id: number): Promise<void> {
    await this.store.remove(id);
    this.forget(id);
  }

  /** Deletes the channels that are switched off, by hand or automatically. @returns their ids. */
  async removeDisabled(): Promise<number[]> {
    const ids = await this.store.removeDisabled();
    for (const id of ids) this.forget(id);
    return ids;
  }

  /** Disables a key immediately, after an upstream declared it dead. */
  reportDeadKey(target: UpstreamTarget, reason: string): void {
    if (!this.tools.isDisablingOn()) return;
    const known = this.byId.get(target.channel.id);
    // Many requests may find out at the same time: one incident, one notice.
    const isKnown = known?.targets.some(({ id }) => id === target.id) ?? false;
    if (!known || !isKnown || known.record.channel.status !== CHANNEL_ENABLED) return;
    const { channel } = known.record;
    const isLast = known.targets.length <= 1;
    this.changeDeadKeys(known, [...known.record.deadKeys, keyNameOf(target)]);
    if (isLast) this.disable(channel.id, reason);
    else this.tools.incidents.keyDisabled(channel, reason);
  }

  /** Disables a channel immediately and stores it; running requests continue. */
  disable(id: number, reason: IncidentReason): void {
    const known = this.byId.get(id);
    if (known?.record.channel.status !== CHANNEL_ENABLED) return;
    this.changeStatus(known, CHANNEL_DISABLED_AUTOMATICALLY);
    this.tools.incidents.channelDisabled(known.record.channel, reason);
  }

  /** A key that the gateway had taken out of use works again: it is used, and its channel with it. */
  reviveKey(target: UpstreamTarget): void {
    const known = this.byId.get(target.channel.id);
    if (!known || known.record.channel.status === CHANNEL_DISABLED_BY_HAND) return;
    const { deadKeys, channel } = known.record;
    const others = deadKeys.filter((name) => name !== keyNameOf(target));
    if (others.length < deadKeys.length) this.changeDeadKeys(known, others);
    const now = this.byId.get(channel.id) ?? known;
    if (channel.status === CHANNEL_DISABLED_AUTOMATICALLY) this.changeStatus(now, CHANNEL_ENABLED);
    this.tools.incidents.channelEnabled(channel);
  }

  private changeStatus(known: KnownChannel, status: number): void {
    const { channel } = known.record;
    // Changed in place, so that running requests see it.
    channel.status = status;
    this.routes.set(routedOf(known));
    this.storeLater(channel.id, { status });
  }

  private changeDeadKeys({ record }: KnownChannel, deadKeys: string[]): void {
    this.apply({ ...record, deadKeys });
    this.storeLater(record.channel.id, { deadKeys });
  }

  /** Stores a state that is already in memory. */
  private storeLater(id: number, change: Pick<ChannelChange, "status" | "deadKeys">): void {
    const pending: PendingChange = this.pending.get(id) ?? { count: 0 };
    this.pending.set(id, Object.assign(pending, change, { count: pending.count + 1 }));
    const announce = (): void => this.tools.announce({ of: "channel", id, what: "changed" });
    this.store
      .change(id, change)
      .finally(() => {
        pending.count -= 1;
        if (pending.count === 0) this.pending.delete(id);
      })
      .then(announce, (error: Error) => this.tools.reportError(error));
  }

  /** A stored channel with its pending changes applied. */
  private withPending(record: ChannelRecord): ChannelRecord {
    const pending = this.pending.get(record.channel.id);
    if (!pending) return record;
    const { status = record.channel.status, deadKeys = record.deadKeys } = pending;
    return { ...record, channel: { ...record.channel, status }, deadKeys };
  }

  private apply(record: ChannelRecord): void {
    this.routes.set(routedOf(this.add(record)));
  }

  private isOpen({ calendar, closedUntil }: Channel): boolean {
    return calendarState(calendar, closedUntil, this.tools.nowMs()) === "open";
  }

  private forget(id: number): void {
    this.byId.delete(id);
    this.routes.remove(id);
    this.tools.announce({ of: "channel", id, what: "removed" });
  }

  private add(record: ChannelRecord): KnownChannel {
    const { channel, deadKeys } = record;
    const usable = createUpstreamTargets(channel, record, deadKeys);
    const targets = usable.length > 0 ? usable : createUpstreamTargets(channel, record);
    const known = { record, targets, isOpen: this.isOpen(channel) };
    this.byId.set(channel.id, known);
    return known;
  }
}
