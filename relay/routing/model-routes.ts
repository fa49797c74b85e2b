import type { UpstreamTarget } from "../ports/directory";

/** The fields of a channel that matter for choosing. */
export interface RoutedChannel {
  id: number;
  priority: number;
  groups: readonly string[];
  models: readonly string[];
  /** The usable keys, empty while the channel is disabled. */
  targets: readonly UpstreamTarget[];
}

/** The routes of one channel as inserted; separate from its record, which is changed in place. */
interface ListedRoutes {
  priority: number;
  routes: ReadonlySet<string>;
  targets: readonly UpstreamTarget[];
}

const routeOf = (group: string, model: string): string => `${group}\n${model}`;

const routesOf = ({ groups, models }: RoutedChannel): Set<string> => {
  const routes = new Set<string>();
  for (const group of groups) for (const model of models) routes.add(routeOf(group, model));
  return routes;
};

const listedOf = (channel: RoutedChannel): ListedRoutes => ({
  priority: channel.priority,
  routes: routesOf(channel),
  targets: channel.targets,
});

/**
 * The channels that serve a model for a group. A change of a channel touches only its own routes: each route is sorted
 * by priority and id, so that a binary search finds a channel's keys.
 */
export class ModelRoutes {
  private readonly listed = new Map<number, ListedRoutes>();
  /** The keys of enabled channels, the highest priority first, one channel's side by side. */
  private readonly routes = new Map<string, UpstreamTarget[]>();
  /** Number of channels that list a model for a group, disabled ones included. */
  private readonly listings = new Map<string, number>();

  /** Adds many channels at once, none of which is known yet. */
  load(channels: readonly RoutedChannel[]): void {
    for (const channel of channels) {
      const listed = listedOf(channel);
      this.listed.set(channel.id, listed);
      this.list(listed.routes, 1);
      if (listed.targets.length === 0) continue;
      for (const route of listed.routes) {
        const others = this.routes.get(route);
        if (others) others.push(...listed.targets);
        else this.routes.set(route, [...listed.targets]);
      }
    }
    for (const targets of this.routes.values()) targets.sort((a, b) => this.compare(a, b));
  }

  set(channel: RoutedChannel): void {
    const before = this.listed.get(channel.id);
    const after = listedOf(channel);
    // Incremented before decremented, so that a remaining listing is not removed and created again.
    this.list(after.routes, 1);
    if (before) this.list(before.routes, -1);
    for (const route of before?.routes ?? []) {
      const stays = after.priority === before?.priority && after.routes.has(route);
      if (!stays) this.take(channel.id, before as ListedRoutes, route);
    }
    this.listed.set(channel.id, after);
    for (const route of after.routes) {
      const stays = after.priority === before?.priority && before.routes.has(route);
      this.put(channel.id, after, route, stays ? before.targets.length : 0);
    }
  }

  remove(id: number): void {
    const before = this.listed.get(id);
    if (!before) return;
    this.list(before.routes, -1);
    for (const route of before.routes) this.take(id, before, route);
    this.listed.delete(id);
  }

  /** The keys of enabled channels for a model of a group, the highest priority first. */
  candidates(group: string, model: string): readonly UpstreamTarget[] {
    return this.routes.get(routeOf(group, model)) ?? [];
  }

  /** Whether any channel lists a model for a group, disabled channels included. */
  isListed(group: string, model: string): boolean {
    return this.listings.has(routeOf(group, model));
  }

  /** Models that a group can use now, sorted. */
  modelsOf(group: string): string[] {
    const prefix = routeOf(group, "");
    const models: string[] = [];
    for (const route of this.routes.keys()) {
      if (route.startsWith(prefix)) models.push(route.slice(prefix.length));
    }
    return models.sort();
  }

  private take(id: number, { priority, targets }: ListedRoutes, route: string): void {
    const others = this.routes.get(route);
    if (!others || targets.length === 0) return;
    others.splice(this.indexIn(others, priority, id), targets.length);
    if (others.length === 0) this.routes.delete(route);
  }

  /** @param known number of the channel's keys that are already in the route. */
  private put(id: number, { priority, targets }: ListedRoutes, route: string, known: number): void {
    const others = this.routes.get(route);
    if (others) others.splice(this.indexIn(others, priority, id), known, ...targets);
    else if (targets.length > 0) this.routes.set(route, [...targets]);
    if (others?.length === 0) this.routes.delete(route);
  }

  /** The index of a channel's keys, or their insertion point. */
  private indexIn(targets: readonly UpstreamTarget[], priority: number, id: number): number {
    let low = 0;
    let high = targets.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = (targets[middle] as UpstreamTarget).channel.id;
      const isBefore = this.compareRanks(this.priorityOf(other), other, priority, id) < 0;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private compare({ channel: a }: UpstreamTarget, { channel: b }: UpstreamTarget): number {
    return this.compareRanks(this.priorityOf(a.id), a.id, this.priorityOf(b.id), b.id);
  }

  private compareRanks(priorityA: number, idA: number, priorityB: number, idB: number): number {
    return priorityB - priorityA || idA - idB;
  }

  /** The priority that the channel was placed by. */
  private priorityOf(id: number): number {
    return this.listed.get(id)?.priority ?? 0;
  }

  private list(routes: ReadonlySet<string>, change: 1 | -1): void {
    for (const route of routes) {
      const count = (this.listings.get(route) ?? 0) + change;
      if (count > 0) this.listings.set(route, count);
      else this.listings.delete(route);
    }
  }
}
