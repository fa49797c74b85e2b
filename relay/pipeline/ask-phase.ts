import { LIMITS } from "@tollgate/contract/management/limits";
import type { GatewayErrorCode, UpstreamError } from "@tollgate/contract/relay/error";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { checkKey, isRefusal } from "../admission/admit";
import type { NamedChat } from "../admission/resolve-model";
import { sendAuthorized } from "../auth/send-authorized";
import type { Refusal } from "../ports/client";
import type { UpstreamTarget } from "../ports/directory";
import type { UpstreamRequest } from "../ports/transport";
import { patienceOf, type TimeBounds, timeBoundsOf } from "../routing/time-bounds";
import { Attempt } from "./attempt";
import { AttemptPlan, type Choice } from "./attempt-plan";
import { type Claim, FULL } from "./channel-search";
import { type ExchangeCore, messageOf } from "./exchange-core";
import { CHOOSING, type Preparing, type Queued, type Reserving, type Waiting } from "./exchange-state";
import { FallbackChain } from "./fallback-chain";
import { BUDGET_HEADER, FALLBACK_HEADER, toHeaderValue } from "./fallback-header";
import { followAnswer } from "./follow-answer";
import { passClientHeaders } from "./pass-client-headers";
import { refusalOfError } from "./refusal-of-error";
import type { Reservation } from "./reserve-quota";
import { refusalOfAttempt } from "./rewrite-refusal";
import { IGNORED_HEADER, toIgnoredHeader } from "./screen-fields";
import { type SlotOwner, SlotWait } from "./slot-wait";

/** Brings a request to an upstream: chooses a channel, waits for a slot, holds quota, writes and sends the call. */
export class AskPhase implements SlotOwner {
  /** Fallbacks for the requested model; created when that one has failed. */
  private fallbacks: FallbackChain | undefined;
  /** Total queueing deadline; milliseconds since the epoch. */
  private waitsUntilMs: number | undefined;
  /** The refusal when there is no channel; undefined for the default. */
  private orElse: Refusal | undefined;

  constructor(private readonly core: ExchangeCore) {}

  begin(): void {
    const { job, plan, task, writer } = this.core;
    const { atBudget } = job;
    if (atBudget) writer.setHeader(BUDGET_HEADER, LIMITS[atBudget.limit].name);
    if (atBudget && (atBudget.answer.model !== task.model || atBudget.answer.effort))
      this.replaceModel(atBudget.code, atBudget.answer);
    else this.take(plan.next(), undefined);
  }

  onCrash(error: unknown): void {
    this.core.onCrash(error);
  }

  /** The request was read again for another try. */
  private onReadAgain(channel: UpstreamTarget): void {
    if (this.core.state.name !== "choosing") return;
    try {
      this.ask(channel);
    } catch (error) {
      this.core.onCrash(error);
    }
  }

  /** The wait for an upstream's slot has ended, with or without one. */
  onClaim(wait: SlotWait, claim: Claim): void {
    const { state } = this.core;
    if (state.name !== "queued" || state.wait !== wait) return;
    try {
      this.core.enter(CHOOSING);
      this.takeClaim(claim);
    } catch (error) {
      this.core.onCrash(error);
    }
  }

  /** The database has granted or refused a hold. */
  private onReserved(reserving: Reserving, reserved: Reservation | Refusal): void {
    if (this.core.state === reserving) this.takeReserved(reserving.channel, reserved);
    // The request it was for has gone.
    else if (!isRefusal(reserved)) this.core.settlement.release(reserved);
  }

  /** The fetch is done. @param begunMs milliseconds since the epoch. */
  private onGathered(begunMs: number): void {
    if (this.core.state.name !== "choosing") return;
    // The fetch was no wait for a slot.
    if (this.waitsUntilMs !== undefined) this.waitsUntilMs += this.core.ports.now() - begunMs;
    this.take(this.core.plan.next(), this.orElse);
  }

  /** The fetch has failed. */
  private onUngathered(error: unknown): void {
    // The client may have left.
    if (this.core.state.name !== "choosing") return;
    const refusal = refusalOfError(error);
    if (!refusal) throw error;
    this.core.refuse(refusal);
  }

  /** The upstream request could not be built. */
  private onUnsent(attempt: Attempt, error: unknown): void {
    const { state } = this.core;
    if (state.name === "over") return;
    const isUnsent = state.name === "preparing" || state.name === "waiting";
    if (isUnsent && state.attempt === attempt) this.refuseUnsent(state, error);
    else this.core.onCrash(error);
  }

  /** @param orElse the refusal when there is no channel; undefined for the default. */
  private take(choice: Choice, orElse: Refusal | undefined): void {
    this.orElse = orElse;
    if (choice === FULL || choice instanceof Promise) this.awaitSlot(choice);
    else this.takeClaim(choice);
  }

  private takeClaim(claim: Claim): void {
    const { plan } = this.core;
    if (claim !== undefined && claim !== FULL) {
      this.tryChannel(claim);
      return;
    }
    this.noteFull();
    const refusal = this.orElse ?? (claim === FULL ? plan.search.fullRefusal() : plan.search.refusal());
    if (!this.fallBack(refusal)) this.core.refuse(refusal, this.fallbacks?.refusal(refusal));
  }

  /** Switches to a fallback model, with its own groups and prices. @returns false without one. */
  private fallBack(refusal: Refusal): boolean {
    const { job, ports, settlement, task } = this.core;
    this.fallbacks ??= new FallbackChain(ports, job, task, settlement.recorder.startedAtMs);
    const next = this.fallbacks.next(refusal);
    if (next === undefined) return false;
    this.replaceModel(refusal.code, next);
    return true;
  }

  /** Starts over with another model. @param reason why the current one does not answer. */
  private replaceModel(reason: GatewayErrorCode, next: NamedChat): void {
    const { job, ports, routing, settlement, task } = this.core;
    const { model } = next;
    settlement.noteReplaced(reason, model);
    task.useModel?.(next);
    this.core.plan.end();
    this.core.plan = new AttemptPlan(ports, routing, job, task);
    this.core.writer.setHeader(FALLBACK_HEADER, toHeaderValue(model));
    this.core.enter(CHOOSING);
    this.take(this.core.plan.next(), undefined);
  }

  private awaitSlot(choice: Promise<Claim> | typeof FULL): void {
    const { job, plan, ports, routing, task } = this.core;
    this.waitsUntilMs ??= ports.now() + (ports.upstreamBounds?.queueMs() ?? 0);
    const { promptTokens } = task;
    const wait = new SlotWait(
      { plan, userId: job.key.user.id, tokens: promptTokens, deadlineMs: this.waitsUntilMs },
      routing.queue,
      ports,
      this,
    );
    const queued: Queued = { name: "queued", wait };
    this.core.enter(queued);
    wait.begin(choice);
  }

  /** Adds the full channels to the receipt. */
  private noteFull(): void {
    for (const channelId of this.core.plan.search.takeFull())
      this.core.settlement.recorder.noteFull(channelId);
  }

  private tryChannel(channel: UpstreamTarget): void {
    const reading = this.core.task.readAgain?.();
    if (!reading) {
      this.ask(channel);
      return;
    }
    reading.then(
      () => this.onReadAgain(channel),
      (error: unknown) => {
        if (this.core.state.name !== "over") this.core.onCrash(error);
      },
    );
  }

  private ask(channel: UpstreamTarget): void {
    const { plan, settlement } = this.core;
    const model = plan.search.modelOf(channel);
    const entry = this.resolve(channel, model);
    if (!entry) return;
    const reserved = settlement.reserve(plan.search.group, model, entry);
    if (reserved instanceof Promise) this.awaitHold(entry, reserved);
    else this.takeReserved(entry, reserved);
  }

  /**
   * The channel as the task's target; undefined when its vendor does not support the request, which then goes to another
   * channel or is refused.
   */
  private resolve(channel: UpstreamTarget, model: string): UpstreamTarget | undefined {
    const { plan } = this.core;
    try {
      return plan.resolve(channel, model);
    } catch (error) {
      const refusal = refusalOfError(error);
      if (!refusal) throw error;
      this.take(plan.afterUnsupported(channel), refusal);
      return undefined;
    }
  }

  private awaitHold(channel: UpstreamTarget, reserved: Promise<Reservation | Refusal>): void {
    const reserving: Reserving = { name: "reserving", channel };
    this.core.enter(reserving);
    reserved
      .then((outcome) => this.onReserved(reserving, outcome))
      .catch((error: unknown) => this.core.onCrash(error));
  }

  private takeReserved(entry: UpstreamTarget, reserved: Reservation | Refusal): void {
    const { plan, settlement, task } = this.core;
    if (isRefusal(reserved)) {
      this.take(plan.afterUnreserved(reserved), reserved);
      return;
    }
    if (this.isGathering(entry, reserved)) return;
    const bounds = this.boundsOf(entry);
    const attempt = new Attempt(entry, this.core, this.core.ports, bounds);
    const preparing: Preparing = { name: "preparing", attempt, reserved, bounds };
    this.core.enter(preparing);
    plan.begin(entry);
    this.noteFull();
    const { model } = task;
    const fallbackModel = model === settlement.requestedModel ? undefined : model;
    settlement.recorder.beginAttempt(entry.channel.id, plan.search.chosenBy, fallbackModel);
    this.send(preparing);
  }

  /**
   * Fetches what the upstream does not fetch itself; afterwards a channel is chosen again. Meanwhile the request has
   * neither a slot nor a hold, because the addresses are the client's and may be as slow as it likes.
   * @returns false when there is nothing to fetch.
   */
  private isGathering(entry: UpstreamTarget, reserved: Reservation): boolean {
    const { plan, ports, task } = this.core;
    let gathering: Promise<void> | undefined;
    try {
      gathering = task.gather?.(entry);
    } catch (error) {
      gathering = Promise.reject(error);
    }
    if (!gathering) return false;
    this.core.release(reserved);
    plan.putOff();
    const begunMs = ports.now();
    gathering
      .then(
        () => this.onGathered(begunMs),
        (error: unknown) => this.onUngathered(error),
      )
      .catch((error: unknown) => this.core.onCrash(error));
    return true;
  }

  private send(preparing: Preparing): void {
    const { attempt, reserved } = preparing;
    try {
      // Images and earlier attempts may have taken long: meanwhile the key may be gone or its user be banned.
      const { directory, now } = this.core.ports;
      const refusal = checkKey(this.core.job.key, directory, toUnixSeconds(now()));
      if (refusal) {
        attempt.abort();
        this.core.plan.abandoned();
        this.core.release(reserved);
        this.core.refuse(refusal);
        return;
      }
      const call = this.core.task.buildCall(attempt.channel, this.core.settlement.model, reserved.price);
      if (!("then" in call)) this.sendCall(preparing, call);
      else {
        call
          .then((written) => {
            // Meanwhile the client may have left.
            if (this.core.state === preparing) this.sendCall(preparing, written);
          })
          .catch((error: unknown) => this.onUnsent(attempt, error));
      }
    } catch (error) {
      this.onUnsent(attempt, error);
    }
  }

  /** The time limits of the channel, else of the request's group. */
  private boundsOf({ channel }: UpstreamTarget): TimeBounds | undefined {
    const { plan, ports, settlement, task } = this.core;
    const group = ports.timeLimitsOf?.(plan.search.group);
    const mayThink = (): boolean => task.mayThink?.(settlement.model) ?? false;
    return timeBoundsOf(channel, group, task.isStream ?? false, mayThink);
  }

  private sendCall({ attempt, reserved, bounds }: Preparing, call: UpstreamRequest): void {
    const { channel } = attempt;
    const request = this.withTrace(passClientHeaders(call, channel, this.core.job.clientHeaders));
    this.core.enter({ name: "waiting", attempt, reserved });
    if (request.applied) this.core.settlement.recorder.noteOverrides(request.applied);
    this.core.writer.setHeader(IGNORED_HEADER, request.ignored && toIgnoredHeader(request.ignored));
    this.core.plan.sent();
    attempt.watch.onSent();
    const sent = bounds ? { ...request, patience: patienceOf(bounds) } : request;
    const followUp = this.core.task.followUp?.(channel);
    const { job, ports } = this.core;
    if (followUp)
      followAnswer({ channel, request: sent, followUp, ports, memory: job.memory, receiver: attempt });
    else sendAuthorized(channel, sent, ports, attempt);
  }

  /** Adds the trace header to the upstream request, if the operator enabled it. */
  private withTrace(request: UpstreamRequest): UpstreamRequest {
    const { trace } = this.core.job;
    if (!trace) return request;
    const traceparent = trace.upstreamHeader(this.core.settlement.recorder.attemptCount - 1);
    return traceparent === undefined ? request : { ...request, headers: { ...request.headers, traceparent } };
  }

  private refuseUnsent({ attempt, reserved }: Preparing | Waiting, error: unknown): void {
    attempt.abort();
    const refusal = refusalOfError(error);
    this.core.settlement.recorder.endAttempt(refusal ? "caller" : "internal");
    if (!refusal) this.core.report(attempt.channel, "internal", messageOf(error));
    this.core.plan.abandoned();
    try {
      this.core.release(reserved);
      this.core.refuse(refusal ?? { code: "internal" });
    } catch (failure) {
      this.core.onCrash(failure);
    }
  }

  /** Tries another channel: the upstream failed before the client received anything. */
  replace({ attempt, reserved }: Waiting, error: UpstreamError): void {
    const { plan } = this.core;
    this.core.release(reserved);
    if (error.kind === "dead-key" && !attempt.hasDelivered && plan.renewsCredential()) {
      this.tryChannel(attempt.channel);
      return;
    }
    plan.failed(error);
    this.take(plan.afterFailure(error), refusalOfAttempt(attempt, error));
  }
}
