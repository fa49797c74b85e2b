import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { UpstreamSlot } from "../limits/upstream-limits";
import type { Refusal } from "../ports/client";
import type { UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import { isOfKey, mayRetry } from "../routing/after-failure";
import { routeFor } from "../routing/upstream-target";
import { ChannelSearch, type Claim, FULL, type Planned, type RoutingMemory } from "./channel-search";
import type { Task } from "./task";

/** A claim of a slot, too, if the key is limited; a promise only when several nodes share a channel's limits. */
export type Choice = Claim | Promise<Claim>;

const NONE: readonly string[] = [];

/** The balance is below the worst-case price, or held by running requests. */
const BEYOND_BALANCE: ReadonlySet<Refusal["code"]> = new Set([
  "user-quota-exceeded",
  "user-quota-held",
  "token-quota-exceeded",
  "token-quota-held",
]);

/** Limits the tries of a request, takes slots for them, and reports their results to the routing state. */
export class AttemptPlan {
  /** The choice of the next channel. */
  readonly search: ChannelSearch;
  /** The last channel tried, as the resolved target. */
  asked: UpstreamTarget | undefined;
  private attemptsLeft: number;
  private hasRenewed = false;
  /** The slot at the current key, if the key is limited. */
  private slot: UpstreamSlot | undefined;
  private isOver = false;
  /** Send time of the request; milliseconds since the epoch. */
  private sentAtMs = 0;

  constructor(
    private readonly ports: RelayPorts,
    private readonly routing: RoutingMemory,
    private readonly job: Planned,
    private readonly task: Task,
  ) {
    this.search = new ChannelSearch(ports, routing, job, task);
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
      const entry = this.search.pick(foundFull, mayFail);
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
      const next = this.isOver ? undefined : this.search.pick(foundFull, mayFail);
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
    if (this.search.enterPicked()) this.attemptsLeft = this.attemptsPerGroup();
    return entry;
  }

  private entersNextGroup(): boolean {
    const hasNext = this.search.enterNextGroup();
    if (hasNext) this.attemptsLeft = this.attemptsPerGroup();
    return hasNext;
  }

  private attemptsPerGroup(): number {
    return 1 + (this.job.pinned ? 0 : this.ports.pricing.retryTimes());
  }

  /** The channel as the task's target. From now on its key counts as tried. @param model the channel's name. */
  resolve(channel: UpstreamTarget, model: string): UpstreamTarget {
    this.search.noteTried(channel.id);
    return this.task.resolveTarget?.(channel, model) ?? routeFor(channel, model);
  }

  /** A channel is being tried. */
  begin(entry: UpstreamTarget): void {
    this.attemptsLeft -= 1;
    this.asked = entry;
    this.routing.circuits.begin(entry.id, this.task.model);
  }

  /** The request is sent to the chosen channel. */
  sent(): void {
    this.sentAtMs = this.ports.now();
    this.slot?.send();
  }

  /** The tried channel has started to answer. */
  measured(): void {
    const { asked, task } = this;
    const firstByteMs = Math.max(0, this.ports.now() - this.sentAtMs);
    if (asked) this.routing.speeds.measure(asked.id, task.model, task.isStream ?? false, firstByteMs);
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

  /** The chosen channel is not tried yet: it may be chosen again, and others may use its slot meanwhile. */
  putOff(): void {
    this.search.forgetLastTried();
    this.leaveUpstream();
  }

  /** Releases everything when the request is over. */
  end(): void {
    this.isOver = true;
    this.leaveUpstream();
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
    const { asked } = this;
    if (!asked) return;
    const { circuits, sessions } = this.routing;
    const { session } = this.search;
    circuits.succeed(asked.id, this.task.model);
    if (session !== undefined) sessions.remember(session, asked.id);
  }

  /** It failed. */
  failed(error: UpstreamError): void {
    const { asked } = this;
    if (!asked) return;
    this.routing.circuits.fail(asked.id, this.task.model, error);
    if (!isOfKey(error)) this.search.giveUp(asked.channel.id);
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

  /** The next choice when a channel was not tried because its vendor does not support the request. */
  afterUnsupported({ channel }: UpstreamTarget): Choice {
    this.search.giveUp(channel.id);
    return this.next();
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
    this.search.forgetLastTried();
    return this.next();
  }
}
