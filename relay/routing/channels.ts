import type { Channel } from "@tollgate/contract/api/channels";
import type { BuyingPrices } from "@tollgate/contract/management/buying-price";
import { calendarState } from "@tollgate/contract/management/channel-calendar";
import type { Change } from "@tollgate/contract/records/change";
import type { ChannelChange, ChannelRecord, NewChannel } from "@tollgate/contract/records/channel-record";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
} from "@tollgate/contract/values/statuses";
import type { ChannelIncidents, ChannelStore, IncidentReason, UpstreamTarget } from "../ports";
import { ModelRoutes, type RoutedChannel } from "./model-routes";
import { createUpstreamTargets, nameKey, splitKeys, upstreamModelOf } from "./upstream-target";

interface KnownChannel {
  readonly record: ChannelRecord;
  /** The keys that may be used; all of them when none may, so that a test can find out how they are. */
  readonly targets: readonly UpstreamTarget[];
  /** Whether its calendar has it open now. */
  readonly isOpen: boolean;
}

/** What the gateway has changed by itself and storage does not have yet. */
interface PendingChange {
  status?: number;
  deadKeys?: string[];
  /** How many such changes are under way. */
  count: number;
}

/** What the channels need besides their store. */
export interface ChannelTools {
  /** Told what the gateway switches off and on by itself. */
  incidents: ChannelIncidents;
  /** Whether dead keys are taken out of use (option AutomaticDisableChannelEnabled). */
  isDisablingOn(): boolean;
  /** Told of every change, once it is stored and in memory. */
  announce(change: Change): void;
  /** Told of what could not be stored where no caller waits for it. */
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
 * The channels, in memory: what every request needs is here, and no request waits for the database. A caller that changes one
 * does it here, where it is stored, takes its place among the routes and is announced.
 */
export class Channels {
  private readonly byId = new Map<number, KnownChannel>();
  private readonly routes = new ModelRoutes();
  private readonly pending = new Map<number, PendingChange>();

  constructor(
    private readonly store: ChannelStore,
    private readonly tools: ChannelTools,
  ) {}

  /** Takes over what is stored, at a start. */
  async load(pages: AsyncIterable<readonly ChannelRecord[]>): Promise<void> {
    for await (const page of pages) for (const record of page) this.add(record);
    this.routes.load([...this.byId.values()].map(routedOf));
  }

  /**
   * Takes over how channels are stored now, no matter who changed them. What is read must be older than none of this process's own changes
   * that were answered: it is asked for in the order of these.
   * @param ids which were read; what is not among the records is gone.
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

  /** Every channel, and how many of its keys the gateway has taken out of use. */
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

  /** How a channel would be reached after a change that is not made; none when it is gone, or could not be. */
  targetsAfter(id: number, change: ChannelChange): readonly UpstreamTarget[] {
    const record = this.byId.get(id)?.record;
    if (!record) return [];
    const { deadKeys: _, key, proxy, requestChanges: __, whileOnWay: ___, ...plain } = change;
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

  /** What a channel is called now; "" when it is gone. */
  nameOf(id: number): string {
    return this.byId.get(id)?.record.channel.name ?? "";
  }

  /** What a channel's upstream asks, and what that one's own list says; undefined where nothing is known. */
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

  /** Models that a key can use now. @param groups by which its requests go. @param models those that it may use, of these. */
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
   * The models that a group is offered, whether they can be used now or not, each with the names that upstreams are asked for it by.
   * What was switched off by hand is offered no more.
   * @param groups those of all channels where none are named.
   */
  offered(groups?: ReadonlySet<string>): Map<string, Set<string>> {
    const offered = new Map<string, Set<string>>();
    for (const { record } of this.byId.values()) {
      const { channel } = record;
      if (channel.status === CHANNEL_DISABLED_BY_HAND) continue;
      if (groups && !channel.groups.some((group) => groups.has(group))) continue;
      for (const model of channel.models) {
        const names = offered.get(model) ?? new Set();
        names.add(upstreamModelOf(channel, model));
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

  /** Opens and closes channels by their calendars. To be asked at each minute, to which calendars are exact. */
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
   * Makes a channel that is as another one is, with its keys; switched off, so that nothing goes to it before an administrator has looked.
   * @param createdTime unix seconds.
   * @returns undefined when there is none of this id.
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

  /** @returns the channel as it is stored; undefined when there is none of this id. */
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

  /** An upstream says that a key is dead: it is used no more, at once. */
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

  /** Switches a channel off at once and stores it; requests under way go on. */
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
    // In place: requests under way see it.
    channel.status = status;
    this.routes.set(routedOf(known));
    this.storeLater(channel.id, { status });
  }

  private changeDeadKeys({ record }: KnownChannel, deadKeys: string[]): void {
    this.apply({ ...record, deadKeys });
    this.storeLater(record.channel.id, { deadKeys });
  }

  /** Stores what is in memory already. */
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

  /** A channel that was stored before what is still on its way there. */
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
