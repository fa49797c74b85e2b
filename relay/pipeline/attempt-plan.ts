import type { UpstreamError } from "@tollgate/contract/relay/error";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import type { UpstreamLimits, UpstreamSlot } from "../limits/upstream-limits";
import type { UpstreamQueue } from "../limits/upstream-queue";
import type { ChosenBy } from "../ports/charges";
import type { Refusal } from "../ports/client";
import type { ApiKey, UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import { isOfKey, mayRetry } from "../routing/after-failure";
import { chooseGroup, groupsOf } from "../routing/choose-group";
import type { Circuits } from "../routing/circuits";
import type { Speeds } from "../routing/speeds";
import type { StickySessions } from "../routing/sticky-sessions";
import { routeFor, upstreamModelOf } from "../routing/upstream-target";
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

/** Channels are there, and all of them are full. */
export const FULL = "full";

/** The channel to use, with a slot at its key if the key is limited; undefined when none is left. */
export type Claim = UpstreamTarget | typeof FULL | undefined;

/** A promise only when several nodes share a channel's limits. */
export type Choice = Claim | Promise<Claim>;

const NONE: readonly string[] = [];

/** The routing strategy, if not weight alone. */
type Strategy = Exclude<ChosenBy, "conversation">;

/** The share of requests used for exploration under the strategy "fastest". */
const EXPLORED = 0.05;

/** Maximum number of full channels on a receipt. */
const MAX_FULL_TOLD = 8;

/** The balance is below the worst-case price, or held by running requests. */
const BEYOND_BALANCE: ReadonlySet<Refusal["code"]> = new Set([
  "user-quota-exceeded",
  "user-quota-held",
  "token-quota-exceeded",
  "token-quota-held",
]);

/** The user of a request, and the only permitted channel's keys if an administrator pinned one. */
export interface Planned {
  key: ApiKey;
  pinned: readonly UpstreamTarget[] | undefined;
}

/** Chooses the channels of a request, and reports the results of its attempts to the routing state. */
export class AttemptPlan {
  /** The group of the request: the same for all tries, except for a key that moves through several groups. */
  group: string;
  /** The remaining groups after `group`, in order; undefined when the key may use no other. */
  private further: string[] | undefined;
  /** The last channel tried, as the resolved target. */
  asked: UpstreamTarget | undefined;
  /** Hardly ever more than one or two. */
  private readonly triedKeys: string[] = [];
  /** Channels that no further key of can help. */
  private readonly givenUp: number[] = [];
  /** The conversation of this request; undefined when any channel will do. */
  private session: string | undefined;
  private attemptsLeft: number;
  private hasRenewed = false;
  /** The slot at the current key, if the key is limited. */
  private slot: UpstreamSlot | undefined;
  /** Channels skipped because they were full, since they were last reported. */
  private fullChannels: number[] | undefined;
  /**
   * A channel was skipped because its limit of tokens per minute is below the prompt: waiting for it would be useless.
   */
  private isTooLarge = false;
  private isOver = false;
  /** Send time of the request; milliseconds since the epoch. */
  private sentAtMs = 0;
  /** Why the channel was taken that was picked last; undefined for priority and weight. */
  chosenBy: ChosenBy | undefined;
  /** The group of the last pick, while the request does not use it yet. */
  private pickedGroup: string | undefined;

  constructor(
    private readonly ports: RelayPorts,
    private readonly routing: RoutingMemory,
    private readonly job: Planned,
    private readonly task: Task,
  ) {
    const groups = groupsOf(ports.directory, job.key);
    this.group = chooseGroup(ports.directory, groups, task.model);
    if (job.key.group === AUTO_GROUP && !job.pinned)
      this.further = groups.slice(groups.indexOf(this.group) + 1);
    this.attemptsLeft = this.attemptsPerGroup();
  }

  /**
   * The next channel of the request's group. When that group has none left and the key may move on, it is one of the
   * next group, whose price applies from then on. Full channels are skipped without costing a try; the request waits
   * for them before it tries failing ones.
   */
  next(): Choice {
    this.leaveUpstream();
    return this.claim(this.routing.queue.size === 0);
  }

  /**
   * Takes a channel, and a slot at its key if the key is limited.
   * @param mayEnter whether no other request has a prior claim to the slot.
   * @param mayFail whether failing channels are tried although others are only full.
   */
  claim(mayEnter = true, mayFail = false): Choice {
    let foundFull = NONE;
    const { upstreams } = this.routing;
    for (;;) {
      const entry = this.pick(foundFull, mayFail);
      if (entry === undefined || entry === FULL) return entry;
      if (entry.limited === undefined) return this.occupy(entry, undefined);
      if (!mayEnter) return FULL;
      const slot = upstreams.enter(entry, entry.limited, this.task.promptTokens);
      if (slot !== undefined && "then" in slot) return this.claimShared(entry, slot, foundFull, mayFail);
      if (slot !== undefined) return this.occupy(entry, slot);
      foundFull = [...foundFull, entry.id];
    }
  }

  /** Queries each key in turn, because other nodes use these limits as well. */
  private async claimShared(
    entry: UpstreamTarget,
    first: Promise<UpstreamSlot | undefined>,
    foundBefore: readonly string[],
    mayFail: boolean,
  ): Promise<Claim> {
    const { upstreams } = this.routing;
    const foundFull = [...foundBefore];
    let [asked, slot] = [entry, await first];
    while (slot === undefined) {
      foundFull.push(asked.id);
      // Meanwhile the request may have ended.
      const next = this.isOver ? undefined : this.pick(foundFull, mayFail);
      if (next === undefined || next === FULL) return next;
      asked = next;
      if (next.limited === undefined) break;
      slot = await upstreams.enter(next, next.limited, this.task.promptTokens);
    }
    return this.occupy(asked, slot);
  }

  private occupy(entry: UpstreamTarget, slot: UpstreamSlot | undefined): Claim {
    if (this.isOver) {
      slot?.end();
      return undefined;
    }
    this.slot = slot;
    if (this.pickedGroup !== undefined) this.goTo(this.pickedGroup);
    return entry;
  }

  /** Moves to the next group that offers the model. @returns false when none is left. */
  private entersNextGroup(): boolean {
    const { directory } = this.ports;
    const next = this.further?.find((group) => directory.candidates(group, this.task.model).length > 0);
    if (next !== undefined) this.goTo(next);
    return next !== undefined;
  }

  private goTo(group: string): void {
    this.group = group;
    this.further = this.further?.slice(this.further.indexOf(group) + 1);
    this.pickedGroup = undefined;
    this.attemptsLeft = this.attemptsPerGroup();
  }

  private attemptsPerGroup(): number {
    return 1 + (this.job.pinned ? 0 : this.ports.pricing.retryTimes());
  }

  /**
   * Searches the groups in order and sets `pickedGroup` to the group of the result, if that is not the request's
   * current group.
   * @param foundFull ids of keys that had no free slot just now.
   */
  private pick(foundFull: readonly string[], mayFail: boolean): Claim {
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

  /** The tried channel has started to answer. */
  measured(): void {
    const { asked, task } = this;
    const firstByteMs = Math.max(0, this.ports.now() - this.sentAtMs);
    if (asked) this.routing.speeds.measure(asked.id, task.model, task.isStream ?? false, firstByteMs);
  }

  private noteFull(channelId: number): void {
    this.fullChannels ??= [];
    if (this.fullChannels.length < MAX_FULL_TOLD && !this.fullChannels.includes(channelId))
      this.fullChannels.push(channelId);
  }

  /** The channels found full since the last call. */
  takeFull(): readonly number[] {
    const full = this.fullChannels ?? [];
    this.fullChannels = undefined;
    return full;
  }

  /** The request is sent to the chosen channel. */
  sent(): void {
    this.sentAtMs = this.ports.now();
    this.slot?.send();
  }

  /** The answer is over. @param tokens read and written, as they are charged. */
  used(tokens: number): void {
    this.slot?.used(tokens);
    this.slot = undefined;
  }

  /** The chosen channel is no longer in use. */
  leaveUpstream(): void {
    const { slot } = this;
    this.slot = undefined;
    slot?.end();
  }

  /** Releases everything when the request is over. */
  end(): void {
    this.isOver = true;
    this.leaveUpstream();
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

  /**
   * The next choice when a channel was not tried, for lack of a price or of a covering balance. Another channel may map
   * the model to one that has a price, and the next group of a key with several groups may cost less, even at the same
   * key.
   */
  afterUnreserved({ code }: Refusal): Choice {
    if (code === "model-price-missing" || code === "output-price-missing")
      return this.job.pinned ? undefined : this.next();
    if (!BEYOND_BALANCE.has(code) || !this.entersNextGroup()) return undefined;
    this.triedKeys.pop();
    return this.next();
  }

  /** The reason why no channel can be tried. */
  refusal(): Refusal {
    const { model, operation } = this.task;
    if (this.isTooLarge) return { code: "prompt-beyond-limits", params: { model } };
    if (operation !== undefined && this.candidates().length > 0)
      return { code: "operation-unavailable", params: { model, operation } };
    return modelRefusal(this.ports.directory, this.group, model);
  }

  /** A channel's name for the model. */
  modelOf(channel: UpstreamTarget): string {
    return upstreamModelOf(channel.channel, this.task.model);
  }

  /** The channel as the task's target. From now on its key counts as tried. @param model the channel's name. */
  resolve(channel: UpstreamTarget, model: string): UpstreamTarget {
    this.triedKeys.push(channel.id);
    return this.task.resolveTarget?.(channel, model) ?? routeFor(channel, model);
  }

  /** A channel is being tried. */
  begin(entry: UpstreamTarget): void {
    this.attemptsLeft -= 1;
    this.asked = entry;
    this.routing.circuits.begin(entry.id, this.task.model);
  }

  /** Retries once with a fresh token, because the cached one may have expired early. @returns whether to retry. */
  renewsCredential(): boolean {
    if (this.hasRenewed) return false;
    this.hasRenewed = this.asked?.authorizer?.renew?.() ?? false;
    if (this.hasRenewed) this.attemptsLeft += 1;
    return this.hasRenewed;
  }

  /** The last channel tried answered properly. */
  succeeded(): void {
    const { asked, session } = this;
    if (!asked) return;
    const { circuits, sessions } = this.routing;
    circuits.succeed(asked.id, this.task.model);
    if (session !== undefined) sessions.remember(session, asked.id);
  }

  /** It failed. */
  failed(error: UpstreamError): void {
    const { asked } = this;
    if (!asked) return;
    this.routing.circuits.fail(asked.id, this.task.model, error);
    if (!isOfKey(error)) this.givenUp.push(asked.channel.id);
  }

  /** The try was abandoned without a result for the channel. */
  abandoned(): void {
    if (this.asked) this.routing.circuits.abandon(this.asked.id, this.task.model);
  }

  /** The next channel after a failure that the client has not seen. */
  afterFailure(error: UpstreamError): Choice {
    if (this.asked && error.kind === "dead-key")
      this.ports.directory.reportDeadKey(this.asked, error.message);
    if (!mayRetry(error)) return undefined;
    if (this.attemptsLeft > 0) return this.next();
    return this.entersNextGroup() ? this.next() : undefined;
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
