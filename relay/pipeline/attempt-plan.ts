import { AUTO_GROUP } from "@tollgate/contract/management/group";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { ApiKey, Refusal, RelayPorts, UpstreamTarget } from "../ports";
import { isOfKey, mayRetry } from "../routing/after-failure";
import { chooseGroup, groupsOf } from "../routing/choose-group";
import type { Circuits } from "../routing/circuits";
import type { StickySessions } from "../routing/sticky-sessions";
import { routeFor, upstreamModelOf } from "../routing/upstream-target";
import { choose } from "./choose";
import { modelRefusal } from "./model-refusal";
import type { Task } from "./task";

/** What is remembered from request to request. */
export interface RoutingMemory {
  circuits: Circuits;
  sessions: StickySessions;
}

/** Whose request it is, and the keys of the only channel to use, when an administrator pinned one. */
export interface Planned {
  key: ApiKey;
  pinned: readonly UpstreamTarget[] | undefined;
}

/** Which channel a request asks next, and what its attempts say of the channels. */
export class AttemptPlan {
  /** The group by which it goes: the same from the first try to the last, but for a key that goes from group to group. */
  group: string;
  /** The groups that are left to try after `group`, the next one first; undefined where none may be. */
  private further: string[] | undefined;
  /** The channel that was asked last, as it was spoken to. */
  asked: UpstreamTarget | undefined;
  /** Hardly ever more than one or two. */
  private readonly triedKeys: string[] = [];
  /** Channels that no further key of can help. */
  private readonly givenUp: number[] = [];
  /** The conversation that this request belongs to; undefined when it does not matter where it goes. */
  private session: string | undefined;
  private attemptsLeft: number;
  private hasRenewed = false;

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
   * The next channel to ask, of the group by which the request goes now, or where that has none left and the key may, of the next
   * one: from then on that one's price holds.
   */
  next(): UpstreamTarget | undefined {
    let found = this.nextOfGroup();
    while (!found && this.entersNextGroup()) found = this.nextOfGroup();
    return found;
  }

  /** Goes on with the next group that offers the model. @returns false when none is left. */
  private entersNextGroup(): boolean {
    const { directory } = this.ports;
    const { further } = this;
    for (let next = further?.shift(); next !== undefined; next = further?.shift()) {
      if (directory.candidates(next, this.task.model).length === 0) continue;
      this.group = next;
      this.attemptsLeft = this.attemptsPerGroup();
      return true;
    }
    return false;
  }

  private attemptsPerGroup(): number {
    return 1 + (this.job.pinned ? 0 : this.ports.pricing.retryTimes());
  }

  /** What works comes first; what has been failing lately is better than nothing. */
  private nextOfGroup(): UpstreamTarget | undefined {
    const { task } = this;
    const { circuits, sessions } = this.routing;
    const candidates = this.candidates();
    let preferred: string | undefined;
    if (candidates.length > 1) {
      this.session ??= task.session(this.job.key.id);
      preferred = this.session === undefined ? undefined : sessions.find(this.session);
    }
    const isUntried = (entry: UpstreamTarget): boolean =>
      !this.triedKeys.includes(entry.id) && !this.givenUp.includes(entry.channel.id) && this.isOffered(entry);
    const isWorking = (entry: UpstreamTarget): boolean =>
      isUntried(entry) && !circuits.isOpen(entry.id, task.model);
    const random = this.ports.random();
    return (
      choose(candidates, isWorking, random, preferred) ?? choose(candidates, isUntried, random, preferred)
    );
  }

  /** Another channel in place of one whose model has no price: it may map the model to one that has. */
  nextUnpriced({ code }: Refusal): UpstreamTarget | undefined {
    const isUnpriced = code === "model-price-missing" || code === "output-price-missing";
    return isUnpriced && !this.job.pinned ? this.next() : undefined;
  }

  /** Why no channel can be asked. */
  refusal(): Refusal {
    const { model, operation } = this.task;
    if (operation !== undefined && this.candidates().length > 0)
      return { code: "operation-unavailable", params: { model, operation } };
    return modelRefusal(this.ports.directory, this.group, model);
  }

  /** How a channel calls the model. */
  modelOf(channel: UpstreamTarget): string {
    return upstreamModelOf(channel.channel, this.task.model);
  }

  /** A channel as the task speaks to it. From now on its key counts as tried. @param model as the channel calls it. */
  resolve(channel: UpstreamTarget, model: string): UpstreamTarget {
    this.triedKeys.push(channel.id);
    return this.task.resolveTarget?.(channel, model) ?? routeFor(channel, model);
  }

  /** A channel is asked. */
  begin(entry: UpstreamTarget): void {
    this.attemptsLeft -= 1;
    this.asked = entry;
    this.routing.circuits.begin(entry.id, this.task.model);
  }

  /** A token that was remembered may have ended early: once, a new one is tried. @returns whether to ask again. */
  renewsCredential(): boolean {
    if (this.hasRenewed) return false;
    this.hasRenewed = this.asked?.authorizer?.renew?.() ?? false;
    if (this.hasRenewed) this.attemptsLeft += 1;
    return this.hasRenewed;
  }

  /** The channel that was asked last answered as it should. */
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

  /** It was given up without having said anything about itself. */
  abandoned(): void {
    if (this.asked) this.routing.circuits.abandon(this.asked.id, this.task.model);
  }

  /** The next channel after a failure of which the client knows nothing. */
  afterFailure(error: UpstreamError): UpstreamTarget | undefined {
    if (this.asked && error.kind === "dead-key")
      this.ports.directory.reportDeadKey(this.asked, error.message);
    if (!mayRetry(error)) return undefined;
    if (this.attemptsLeft > 0) return this.next();
    return this.entersNextGroup() ? this.next() : undefined;
  }

  /** The keys that the model and the group of the request, or an administrator, leave to choose from. */
  private candidates(): readonly UpstreamTarget[] {
    return this.job.pinned ?? this.ports.directory.candidates(this.group, this.task.model);
  }

  /** Whether the way that a channel takes for the model can do it. */
  private isOffered(entry: UpstreamTarget): boolean {
    const { task } = this;
    // Every channel knows chats.
    return task.operation === undefined || task.isOffered(routeFor(entry, this.modelOf(entry)));
  }
}
