import { chooseUpstreamName } from "@tollgate/contract/management/model-mapping";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import type { AtBudget } from "../admission/at-budget";
import type { UpstreamLimits } from "../limits/upstream-limits";
import type { UpstreamQueue } from "../limits/upstream-queue";
import type { ChosenBy } from "../ports/charges";
import type { Refusal } from "../ports/client";
import type { ApiKey, UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import { chooseGroup, groupsOf } from "../routing/choose-group";
import type { Circuits } from "../routing/circuits";
import type { Speeds } from "../routing/speeds";
import type { StickySessions } from "../routing/sticky-sessions";
import { routeFor } from "../routing/upstream-target";
import { choose } from "./choose";
import { modelRefusal } from "./model-refusal";
import type { Task } from "./task";

/** Routing state that is kept between requests. */
export interface RoutingMemory {
  circuits: Circuits;
  sessions: StickySessions;
  speeds: Speeds;
  /** Limits of channels and their keys, with the queue for them. */
  upstreams: UpstreamLimits;
  queue: UpstreamQueue;
}

/** The user of a request, and the only permitted channel's keys if an administrator pinned one. */
export interface Planned {
  key: ApiKey;
  pinned: readonly UpstreamTarget[] | undefined;
  /** What answers because a budget is used up; undefined for nearly all requests. */
  atBudget?: AtBudget | undefined;
}

/** Channels are there, and all of them are full. */
export const FULL = "full";

/** The channel to use; undefined when none is left. */
export type Claim = UpstreamTarget | typeof FULL | undefined;

/** The routing strategy, if not weight alone. */
type Strategy = Exclude<ChosenBy, "conversation">;

/** A number from 0 up to, but without, 1, always the same for a text (FNV-1a). */
const toFraction = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0) / 4_294_967_296;
};

/** The share of requests used for exploration under the strategy "fastest". */
const EXPLORED = 0.05;

/** Maximum number of full channels on a receipt. */
const MAX_FULL_REPORTED = 8;

const NO_KEYS: readonly string[] = [];
const NO_CHANNELS: readonly number[] = [];

/** Searches the groups of a request, in order, for the next channel that it has not tried. */
export class ChannelSearch {
  /** The group of the request: the same for all tries, except for a key that moves through several groups. */
  group: string;
  /** The remaining groups after `group`, in order; undefined when the key may use no other. */
  private further: string[] | undefined;
  /** The group of the last pick, while the request does not use it yet. */
  private pickedGroup: string | undefined;
  /** Hardly ever more than one or two. */
  private triedKeys = NO_KEYS;
  /** Channels that no further key of can help. */
  private givenUp = NO_CHANNELS;
  /** The conversation of this request; undefined when any channel will do. */
  session: string | undefined;
  /** Chooses among several names that a channel's upstream has for the model. */
  private drawn: number | undefined;
  /** Channels skipped because they were full, since they were last reported. */
  private fullChannels: number[] | undefined;
  /**
   * A channel was skipped because its limit of tokens per minute is below the prompt: waiting for it would be useless.
   */
  private isTooLarge = false;
  /** Why the channel was taken that was picked last; undefined for priority and weight. */
  chosenBy: ChosenBy | undefined;

  constructor(
    private readonly ports: RelayPorts,
    private readonly routing: RoutingMemory,
    private readonly job: Planned,
    private readonly task: Task,
  ) {
    const groups = job.atBudget?.groups ?? groupsOf(ports.directory, job.key);
    this.group = chooseGroup(ports.directory, groups, task.model);
    if (job.key.group === AUTO_GROUP && !job.pinned)
      this.further = groups.slice(groups.indexOf(this.group) + 1);
  }

  /**
   * Picks a channel, of the request's group or of a later one; `enterPicked` moves the request to that group.
   * @param foundFull ids of keys that had no free slot just now. @param mayFail whether failing channels are picked
   * although others are only full.
   */
  pick(foundFull: readonly string[], mayFail: boolean): Claim {
    this.pickedGroup = undefined;
    const found = this.pickOf(this.group, this.candidates(), foundFull, mayFail, false);
    if (this.further === undefined || (found !== undefined && found !== FULL)) return found;
    let isFull = found === FULL;
    for (const group of this.further) {
      const candidates = this.ports.directory.candidates(group, this.task.model);
      const ofGroup = this.pickOf(group, candidates, foundFull, mayFail, isFull);
      if (ofGroup === undefined) continue;
      if (ofGroup !== FULL) {
        this.pickedGroup = group;
        return ofGroup;
      }
      isFull = true;
    }
    return isFull ? FULL : undefined;
  }

  /** Moves to the group of the last pick. @returns false when the request uses it already. */
  enterPicked(): boolean {
    if (this.pickedGroup === undefined) return false;
    this.goTo(this.pickedGroup);
    return true;
  }

  /** Moves to the next group that offers the model. @returns false when none is left. */
  enterNextGroup(): boolean {
    const { directory } = this.ports;
    const next = this.further?.find((group) => directory.candidates(group, this.task.model).length > 0);
    if (next !== undefined) this.goTo(next);
    return next !== undefined;
  }

  private goTo(group: string): void {
    this.group = group;
    this.further = this.further?.slice(this.further.indexOf(group) + 1);
    this.pickedGroup = undefined;
  }

  /** Picks this key no more. A list of one is copied, because one that grows reserves room for many. */
  noteTried(keyId: string): void {
    this.triedKeys = this.triedKeys.concat(keyId);
  }

  /** The key tried last may be picked again, in another group. */
  forgetLastTried(): void {
    this.triedKeys = this.triedKeys.slice(0, -1);
  }

  /** Picks no key of this channel any more. */
  giveUp(channelId: number): void {
    this.givenUp = this.givenUp.concat(channelId);
  }

  /** The channels found full since the last call. */
  takeFull(): readonly number[] {
    const full = this.fullChannels ?? NO_CHANNELS;
    this.fullChannels = undefined;
    return full;
  }

  /**
   * Queue key: requests with the same key compete for the same slots. After a failed try it includes the tried keys.
   */
  get route(): string {
    const { task, group, further = [], triedKeys, givenUp } = this;
    const where = this.job.pinned?.[0]?.channel.id ?? [group, ...further].join(",");
    return [where, task.model, task.operation ?? "", ...triedKeys, ...givenUp].join("\n");
  }

  /** The possible channels that have limits. */
  limitedChannels(): Set<number> {
    const limited = this.allCandidates().filter((entry) => entry.limited !== undefined);
    return new Set(limited.map(({ channel }) => channel.id));
  }

  /** Why a request that has waited for a channel is not answered. */
  fullRefusal(): Refusal {
    return {
      code: "upstream-rate-limited",
      retryAfterSeconds: this.routing.upstreams.waitSeconds(this.allCandidates()),
    };
  }

  /** The reason why no channel can be tried. */
  refusal(): Refusal {
    const { model, operation } = this.task;
    if (this.isTooLarge) return { code: "prompt-beyond-limits", params: { model } };
    if (operation !== undefined && this.candidates().length > 0)
      return { code: "operation-unavailable", params: { model, operation } };
    return modelRefusal(this.ports.directory, this.group, model);
  }

  /** A channel's name for the model, the same for the whole request. */
  modelOf(channel: UpstreamTarget): string {
    return chooseUpstreamName(channel.channel.modelMapping, this.task.model, () => this.drawName());
  }

  /** One number for the whole request; all requests of a conversation have the same, so that its prompt stays cached. */
  private drawName(): number {
    if (this.drawn === undefined) {
      const session = this.session ?? this.task.session(this.job.key.id);
      this.drawn = session === undefined ? this.ports.random() : toFraction(session);
    }
    return this.drawn;
  }

  /** @param areOthersFull whether a group before this one has channels that are only full. */
  private pickOf(
    group: string,
    candidates: readonly UpstreamTarget[],
    foundFull: readonly string[],
    mayFail: boolean,
    areOthersFull: boolean,
  ): Claim {
    const { task } = this;
    const { circuits, sessions, upstreams } = this.routing;
    let preferred: string | undefined;
    if (candidates.length > 1) {
      this.session ??= task.session(this.job.key.id);
      preferred = this.session === undefined ? undefined : sessions.find(this.session);
    }
    const isUntried = (entry: UpstreamTarget): boolean =>
      !this.triedKeys.includes(entry.id) && !this.givenUp.includes(entry.channel.id) && this.isOffered(entry);
    let isFull = areOthersFull;
    const hasRoom = (entry: UpstreamTarget): boolean => {
      if (entry.limited === undefined) return true;
      if (!upstreams.isEverFree(entry, task.promptTokens)) {
        this.isTooLarge = true;
        this.noteFull(entry.channel.id);
        return false;
      }
      if (!foundFull.includes(entry.id) && !upstreams.isFull(entry, task.promptTokens)) return true;
      isFull = true;
      this.noteFull(entry.channel.id);
      return false;
    };
    const isWorking = (entry: UpstreamTarget): boolean =>
      isUntried(entry) && !circuits.isOpen(entry.id, task.model) && hasRoom(entry);
    const random = this.ports.random();
    const strategy = this.strategyOf(group, candidates);
    const rankOf = strategy === undefined ? undefined : this.rankBy(strategy);
    let found = choose(candidates, isWorking, random, preferred, rankOf);
    if (!found && isFull && !mayFail) return FULL;
    const failing = (entry: UpstreamTarget): boolean => isUntried(entry) && hasRoom(entry);
    found ??= choose(candidates, failing, random, preferred, rankOf);
    this.chosenBy = found !== undefined && found.id === preferred ? "conversation" : strategy;
    return found ?? (isFull ? FULL : undefined);
  }

  private noteFull(channelId: number): void {
    this.fullChannels ??= [];
    if (this.fullChannels.length < MAX_FULL_REPORTED && !this.fullChannels.includes(channelId))
      this.fullChannels.push(channelId);
  }

  private strategyOf(group: string, candidates: readonly UpstreamTarget[]): Strategy | undefined {
    const strategy = candidates.length > 1 ? this.ports.pricing.strategyOf?.(group) : undefined;
    // Once in a while another one is tried: it may be the faster one by now.
    return strategy === "fastest" && this.ports.random() < EXPLORED ? "exploring" : strategy;
  }

  private rankBy(strategy: Strategy): ((entry: UpstreamTarget) => number | undefined) | undefined {
    const { model, isStream = false } = this.task;
    switch (strategy) {
      case "cheapest":
        return (entry) => this.ports.pricing.usualCost?.(entry.channel.id, this.modelOf(entry));
      case "fastest":
        return ({ id }) => this.routing.speeds.firstByteMs(id, model, isStream);
      case "exploring":
        return undefined;
    }
  }

  /** Candidates of all remaining groups. */
  private allCandidates(): UpstreamTarget[] {
    const { directory } = this.ports;
    const further = this.further?.flatMap((group) => directory.candidates(group, this.task.model)) ?? [];
    return [...this.candidates(), ...further];
  }

  /** The keys that the model and the group of the request, or an administrator, leave to choose from. */
  private candidates(): readonly UpstreamTarget[] {
    return this.job.pinned ?? this.ports.directory.candidates(this.group, this.task.model);
  }

  /** Whether the channel's route for the model supports the task. */
  private isOffered(entry: UpstreamTarget): boolean {
    const { task } = this;
    // Every channel knows chats.
    return task.operation === undefined || task.isOffered(routeFor(entry, this.modelOf(entry)));
  }
}
