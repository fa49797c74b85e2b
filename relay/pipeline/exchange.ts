import type { RequestEnd } from "@tollgate/contract/api/receipts";
import type { GatewayErrorCode, ToldRefusal, UpstreamError } from "@tollgate/contract/relay/error";
import { isComplete } from "@tollgate/contract/relay/usage";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import type { Delivery } from "@tollgate/metering/log-content";
import { checkKey, isRefusal } from "../admission/admit";
import { sendAuthorized } from "../auth/send-authorized";
import type {
  FailureDetail,
  Refusal,
  RelayPorts,
  RequestMemory,
  UpstreamRequest,
  UpstreamTarget,
} from "../ports";
import { mayRetry, refusalFor } from "../routing/after-failure";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import { Attempt, type AttemptOwner, answerError, concealDetail, detailOf } from "./attempt";
import { AttemptPlan, type Choice, type Claim, FULL, type Planned, type RoutingMemory } from "./attempt-plan";
import { type Addressee, ClientWriter, type Ending } from "./client-writer";
import {
  CHOOSING,
  type Closing,
  DELIVERING,
  type Draining,
  type ExchangeState,
  OVER,
  type Over,
  type Preparing,
  type Queued,
  type Reserving,
  type Settling,
  type Storing,
  type Streaming,
  type Unsent,
  type Waiting,
} from "./exchange-state";
import { FallbackChain } from "./fallback-chain";
import { FALLBACK_HEADER, toHeaderValue } from "./fallback-header";
import { deliveryOf, endingOf, type Outcome } from "./outcome";
import { type ClientHeaders, passClientHeaders } from "./pass-client-headers";
import { refusalOfError } from "./refusal-of-error";
import type { Reservation } from "./reserve-quota";
import { IGNORED_HEADER, toIgnoredHeader } from "./screen-fields";
import type { Counts } from "./settle";
import { type Payable, Settlement } from "./settlement";
import { type SlotOwner, SlotWait } from "./slot-wait";
import type { Task } from "./task";
import { withUnseenOutput } from "./with-unseen-output";

/** One client request, from its admission to its charge; its work is its task. */
export interface ExchangeJob extends Planned, Addressee, Payable {
  client: Addressee["client"] & Payable["client"];
  /** The request's own headers; of these only the upstream's allow-list is sent on. */
  clientHeaders: ClientHeaders;
  /** Accounts for its body; released when the request is over. */
  memory: RequestMemory;
}

/** Step size for counting the held bytes of an answer. */
const HELD_STEP_BYTES = 64 * 1024;

/**
 * Total time after which the client's slow reading may be the reason why an upstream ended: proxies close connections
 * that they cannot write to (nginx's `send_timeout`), or that take too long.
 */
const HOLDING_UP_MS = 5000;

const carriesError = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "error" in body && Boolean(body.error);

const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Names the states in which an event changes nothing, so that the compiler finds a missing one. */
const ignoredIn = <_S extends ExchangeState>(_state: _S): void => {};

/**
 * Runs one request as a state machine: `exchange-state.ts` declares the states and their data, the methods that begin
 * with "on" handle each event in each state. Channel choice, output to the client and settlement are in
 * `attempt-plan.ts`, `client-writer.ts` and `settlement.ts`, which do not depend on each other.
 *
 * One object with fixed fields and plain callbacks, because it runs for every request.
 */
export class Exchange implements AttemptOwner, SlotOwner {
  /** Its index in the set of running requests. */
  slot = -1;
  private state: ExchangeState = CHOOSING;
  private plan: AttemptPlan;
  /** Fallbacks for the requested model; created when that one has failed. */
  private fallbacks: FallbackChain | undefined;
  private readonly writer: ClientWriter;
  private readonly settlement: Settlement;
  /** Total queueing deadline; milliseconds since the epoch. */
  private waitsUntilMs: number | undefined;
  /** Bytes of its answer currently counted as held. */
  private heldBytes = 0;

  constructor(
    private readonly ports: RelayPorts,
    private readonly routing: RoutingMemory,
    private readonly job: ExchangeJob,
    private readonly task: Task,
    /** Called once, when the request is over. */
    private readonly onFinish: (exchange: Exchange) => void,
  ) {
    this.plan = new AttemptPlan(ports, routing, job, task);
    this.writer = new ClientWriter(job, ports.now);
    this.settlement = new Settlement(ports, job, task);
    job.response.on("close", () => this.onClientClose());
  }

  get stateName(): ExchangeState["name"] {
    return this.state.name;
  }

  /** Reserved quota of the user's balance; undefined without a hold. */
  get heldQuota(): number | undefined {
    return "reserved" in this.state ? this.state.reserved.hold.quota : undefined;
  }

  start(): void {
    this.take(this.plan.next(), undefined);
  }

  // --- events: what each does in each state ---

  /** The request was read again for another try. */
  private onReadAgain(channel: UpstreamTarget): void {
    if (this.state.name !== "choosing") return;
    try {
      this.ask(channel);
    } catch (error) {
      this.onCrash(error);
    }
  }

  /** The wait for an upstream's slot has ended, with or without one. */
  onClaim(wait: SlotWait, claim: Claim): void {
    const { state } = this;
    if (state.name !== "queued" || state.wait !== wait) return;
    try {
      this.enter(CHOOSING);
      this.takeClaim(claim, state.orElse);
    } catch (error) {
      this.onCrash(error);
    }
  }

  /** The database has granted or refused a hold. */
  private onReserved(reserving: Reserving, reserved: Reservation | Refusal): void {
    if (this.state === reserving) this.takeReserved(reserving.channel, reserved);
    // The request it was for has gone.
    else if (!isRefusal(reserved)) this.settlement.release(reserved);
  }

  /** The upstream request is complete. */
  private onPrepared(preparing: Preparing): void {
    // The client may have left during the fetch.
    if (this.state === preparing) this.send(preparing);
  }

  /** The upstream request could not be built. */
  private onUnsent(attempt: Attempt, error: unknown): void {
    const { state } = this;
    if (state.name === "over") return;
    const isUnsent = state.name === "preparing" || state.name === "waiting";
    if (isUnsent && state.attempt === attempt) this.refuseUnsent(state, error);
    else this.onCrash(error);
  }

  onHead(status: number, treatedAs: number | undefined): void {
    const { recorder } = this.settlement;
    recorder.onUpstreamHead(status);
    if (treatedAs !== undefined) recorder.noteOverrides([`status:${status}:${treatedAs}`]);
  }

  createStream(channel: UpstreamTarget, contentType: string): AnswerStream | undefined {
    return this.task.openStream(channel, contentType);
  }

  onBytes(bytes: Uint8Array | string): boolean {
    const { state } = this;
    switch (state.name) {
      case "streaming":
        return this.writeOn(state, bytes);
      case "waiting":
        return this.beginStream(state, bytes);
      default:
        ignoredIn<Unsent | Closing | Draining>(state);
        return true;
    }
  }

  onStreamEnd(stream: AnswerStream, rest: Uint8Array | string | undefined): void {
    const { state } = this;
    switch (state.name) {
      case "waiting":
      case "streaming":
        this.settle(state, { kind: "stream", stream, rest }, stream);
        return;
      case "draining":
        this.settleDrained(state, stream);
        return;
      default:
        ignoredIn<Unsent | Closing>(state);
    }
  }

  onWholeAnswer(_attempt: Attempt, bytes: Buffer, body: unknown): void {
    const { state } = this;
    switch (state.name) {
      case "waiting":
        this.readWhole(state, bytes, body);
        return;
      default:
        ignoredIn<Unsent | Closing | Streaming | Draining>(state);
    }
  }

  onError(_attempt: Attempt, error: UpstreamError, detail: FailureDetail): void {
    const { state } = this;
    switch (state.name) {
      case "waiting":
        this.endAttempt(error, detail);
        this.replace(state, error);
        return;
      case "streaming":
        this.endAttempt(error, detail);
        this.breakOff(state, state.stream, error);
        return;
      case "draining":
        this.endAttempt(error, detail);
        this.breakOff(state, state.received, error);
        return;
      default:
        ignoredIn<Unsent | Closing>(state);
    }
  }

  onGivenUp(_attempt: Attempt, stream: AnswerStream, error: UpstreamError): void {
    const { state } = this;
    switch (state.name) {
      case "waiting":
      case "streaming":
        this.giveUp(state, stream, error);
        return;
      case "draining":
        this.giveUp(state, state.received, error);
        return;
      default:
        ignoredIn<Unsent | Closing>(state);
    }
  }

  /** The client's connection has closed: it has all, or has left. */
  private onClientClose(): void {
    this.writer.isGone = true;
    try {
      this.leave();
    } catch (error) {
      this.onCrash(error);
    }
  }

  private leave(): void {
    const { state } = this;
    switch (state.name) {
      case "choosing":
      case "queued":
      case "reserving":
        this.finish("client-left");
        return;
      case "preparing":
      case "waiting":
        state.attempt.abort();
        this.plan.abandoned();
        this.release(state.reserved);
        this.finish("client-left");
        return;
      case "streaming":
        this.leaveStream(state);
        return;
      default:
        // A complete answer is charged.
        ignoredIn<Draining | Closing>(state);
    }
  }

  /** Ends the request now, because the process is about to stop. The delivered part is charged. */
  interrupt(): void {
    try {
      this.stop();
    } catch (error) {
      this.onCrash(error);
    }
  }

  private stop(): void {
    const { state } = this;
    switch (state.name) {
      case "choosing":
      case "queued":
      case "reserving":
        this.refuse({ code: "shutting-down" });
        return;
      case "preparing":
      case "waiting":
        state.attempt.abort();
        this.release(state.reserved);
        this.refuse({ code: "shutting-down" });
        return;
      case "streaming":
        state.attempt.abort();
        this.settleInterrupted(state, state.stream, "shutting-down", "received");
        return;
      case "draining":
        state.attempt.abort();
        this.settleInterrupted(state, state.received, "shutting-down", "received");
        return;
      // A complete answer is charged.
      default:
        ignoredIn<Closing>(state);
    }
  }

  /** A stream was read on for long enough. */
  private onDeadline(): void {
    const { state } = this;
    // Every other state has cleared its timer.
    if (state.name !== "draining") return;
    try {
      state.attempt.abort();
      this.plan.abandoned();
      this.settleInterrupted(state, state.received, "shutting-down", "received");
    } catch (error) {
      this.onCrash(error);
    }
  }

  private onCounted(settling: Settling, counts: Counts): void {
    // This program may have failed meanwhile.
    if (this.state !== settling) return;
    try {
      // Before the charge: an answer that cannot be written must not be charged.
      const ending = endingOf(settling.outcome, counts);
      if (!("then" in ending)) this.charge(settling, counts, ending);
      else {
        ending.then(
          (written) => this.onEndingWritten(settling, counts, written),
          (error: unknown) => this.onCrash(error),
        );
      }
    } catch (error) {
      this.onCrash(error);
    }
  }

  /** A large answer has been written for the client, in steps. */
  private onEndingWritten(settling: Settling, counts: Counts, ending: Ending): void {
    if (this.state !== settling) return;
    try {
      this.charge(settling, counts, ending);
    } catch (error) {
      this.onCrash(error);
    }
  }

  private onStored(storing: Storing, error: Error | undefined): void {
    if (this.state !== storing) return;
    try {
      this.deliver(storing, error);
    } catch (failure) {
      this.onCrash(failure);
    }
  }

  /**
   * An internal error occurred while handling this request: it ends the request, but neither another one nor the
   * process. The delivered part is charged, the hold is closed, and the client receives an error.
   */
  onCrash(error: unknown): void {
    const { asked } = this.plan;
    this.report(asked, "internal", messageOf(error));
    // Not the channel's fault.
    this.plan.abandoned();
    try {
      this.recover();
    } catch {
      this.abandon();
    }
  }

  private recover(): void {
    const { state } = this;
    switch (state.name) {
      case "choosing":
      case "queued":
      case "reserving":
        this.refuse({ code: "internal" });
        return;
      case "preparing":
      case "waiting":
        state.attempt.abort();
        this.release(state.reserved);
        this.refuse({ code: "internal" });
        return;
      case "streaming":
        state.attempt.abort();
        this.settleInterrupted(state, state.stream, "internal", "stopped", true);
        return;
      case "draining":
        state.attempt.abort();
        this.settleInterrupted(state, state.received, "internal", "stopped", true);
        return;
      case "settling":
        state.attempt.abort();
        if (!state.isAfterCrash && state.received && state.reserved.hold.isOpen && this.writer.hasBegun) {
          this.settleInterrupted(state, state.received, "internal", "stopped", true);
          return;
        }
        this.settlement.releaseOpen(state.reserved);
        this.endUncharged(state.attempt);
        return;
      case "storing":
        state.attempt.abort();
        this.endUncharged(state.attempt);
        return;
      case "delivering":
        this.finish();
        this.writer.destroy();
        return;
      default:
        ignoredIn<Over>(state);
    }
  }

  // --- choosing, preparing, waiting ---

  /** @param orElse the refusal when there is no channel; undefined for the default. */
  private take(choice: Choice, orElse: Refusal | undefined): void {
    if (choice === FULL || choice instanceof Promise) this.awaitSlot(choice, orElse);
    else this.takeClaim(choice, orElse);
  }

  private takeClaim(claim: Claim, orElse: Refusal | undefined): void {
    const { plan } = this;
    if (claim !== undefined && claim !== FULL) {
      this.tryChannel(claim);
      return;
    }
    this.noteFull();
    const refusal = orElse ?? (claim === FULL ? plan.fullRefusal() : plan.refusal());
    if (!this.fallBack(refusal)) this.refuse(refusal, this.fallbacks?.refusal(refusal));
  }

  /** Switches to a fallback model, with its own groups and prices. @returns false without one. */
  private fallBack(refusal: Refusal): boolean {
    const { job, ports, routing, settlement, task } = this;
    this.fallbacks ??= new FallbackChain(ports, job, task, settlement.recorder.startedAtMs);
    const model = this.fallbacks.next(refusal);
    if (model === undefined) return false;
    this.settlement.noteReplaced(refusal.code, model);
    task.useModel?.(model);
    this.plan.end();
    this.plan = new AttemptPlan(ports, routing, job, task);
    this.writer.tell(FALLBACK_HEADER, toHeaderValue(model));
    this.enter(CHOOSING);
    this.take(this.plan.next(), undefined);
    return true;
  }

  private awaitSlot(choice: Promise<Claim> | typeof FULL, orElse: Refusal | undefined): void {
    const { job, plan, ports, routing, task } = this;
    this.waitsUntilMs ??= ports.now() + (ports.upstreamBounds?.queueMs() ?? 0);
    const { promptTokens } = task;
    const wait = new SlotWait(
      { plan, userId: job.key.user.id, tokens: promptTokens, deadlineMs: this.waitsUntilMs },
      routing.queue,
      ports,
      this,
    );
    const queued: Queued = { name: "queued", wait, orElse };
    this.enter(queued);
    wait.begin(choice);
  }

  /** Adds the full channels to the receipt. */
  private noteFull(): void {
    for (const channelId of this.plan.takeFull()) this.settlement.recorder.noteFull(channelId);
  }

  private tryChannel(channel: UpstreamTarget): void {
    const reading = this.task.readAgain?.();
    if (!reading) {
      this.ask(channel);
      return;
    }
    reading.then(
      () => this.onReadAgain(channel),
      (error: unknown) => {
        if (this.state.name !== "over") this.onCrash(error);
      },
    );
  }

  private ask(channel: UpstreamTarget): void {
    const { plan, settlement } = this;
    const model = plan.modelOf(channel);
    const entry = plan.resolve(channel, model);
    const reserved = settlement.reserve(plan.group, model, entry);
    if (reserved instanceof Promise) this.awaitHold(entry, reserved);
    else this.takeReserved(entry, reserved);
  }

  private awaitHold(channel: UpstreamTarget, reserved: Promise<Reservation | Refusal>): void {
    const reserving: Reserving = { name: "reserving", channel };
    this.enter(reserving);
    reserved
      .then((outcome) => this.onReserved(reserving, outcome))
      .catch((error: unknown) => this.onCrash(error));
  }

  private takeReserved(entry: UpstreamTarget, reserved: Reservation | Refusal): void {
    const { plan, settlement, task } = this;
    if (isRefusal(reserved)) {
      this.take(plan.afterUnreserved(reserved), reserved);
      return;
    }
    const attempt = new Attempt(entry, this, this.ports);
    const preparing: Preparing = { name: "preparing", attempt, reserved };
    this.enter(preparing);
    plan.begin(entry);
    this.noteFull();
    const { model } = task;
    const fallbackModel = model === settlement.requestedModel ? undefined : model;
    settlement.recorder.beginAttempt(entry.channel.id, plan.chosenBy, fallbackModel);
    try {
      const gathering = task.gather?.(entry);
      if (gathering) {
        gathering.then(
          () => this.onPrepared(preparing),
          (error: unknown) => this.onUnsent(attempt, error),
        );
      } else this.onPrepared(preparing);
    } catch (error) {
      this.onUnsent(attempt, error);
    }
  }

  private send(preparing: Preparing): void {
    const { attempt, reserved } = preparing;
    try {
      // Images and earlier attempts may have taken long: meanwhile the key may be gone or its user be banned.
      const { directory, now } = this.ports;
      const refusal = checkKey(this.job.key, directory, toUnixSeconds(now()));
      if (refusal) {
        attempt.abort();
        this.plan.abandoned();
        this.release(reserved);
        this.refuse(refusal);
        return;
      }
      const call = this.task.buildCall(attempt.channel, this.settlement.model, reserved.price);
      if (!("then" in call)) this.sendCall(preparing, call);
      else {
        call
          .then((written) => {
            // Meanwhile the client may have left.
            if (this.state === preparing) this.sendCall(preparing, written);
          })
          .catch((error: unknown) => this.onUnsent(attempt, error));
      }
    } catch (error) {
      this.onUnsent(attempt, error);
    }
  }

  private sendCall({ attempt, reserved }: Preparing, call: UpstreamRequest): void {
    const { channel } = attempt;
    const request = this.withTrace(passClientHeaders(call, channel, this.job.clientHeaders));
    this.enter({ name: "waiting", attempt, reserved });
    if (request.applied) this.settlement.recorder.noteOverrides(request.applied);
    this.writer.tell(IGNORED_HEADER, request.ignored && toIgnoredHeader(request.ignored));
    this.plan.sent();
    sendAuthorized(channel, request, this.ports, attempt);
  }

  /** Adds the trace header to the upstream request, if the operator enabled it. */
  private withTrace(request: UpstreamRequest): UpstreamRequest {
    const { trace } = this.job;
    if (!trace) return request;
    const traceparent = trace.upstreamHeader(this.settlement.recorder.attemptCount - 1);
    return traceparent === undefined ? request : { ...request, headers: { ...request.headers, traceparent } };
  }

  private refuseUnsent({ attempt, reserved }: Preparing | Waiting, error: unknown): void {
    attempt.abort();
    const refusal = refusalOfError(error);
    this.settlement.recorder.endAttempt(refusal ? "caller" : "internal");
    if (!refusal) this.report(attempt.channel, "internal", messageOf(error));
    this.plan.abandoned();
    try {
      this.release(reserved);
      this.refuse(refusal ?? { code: "internal" });
    } catch (failure) {
      this.onCrash(failure);
    }
  }

  private endAttempt(error: UpstreamError, detail: FailureDetail): void {
    this.settlement.recorder.endAttempt(error.kind);
    this.report(this.plan.asked, error.kind, detail);
  }

  /** Tries another channel: the upstream failed before the client received anything. */
  private replace({ attempt, reserved }: Waiting, error: UpstreamError): void {
    const { plan } = this;
    this.release(reserved);
    if (error.kind === "dead-key" && !attempt.hasDelivered && plan.renewsCredential()) {
      this.tryChannel(attempt.channel);
      return;
    }
    plan.failed(error);
    this.take(plan.afterFailure(error), refusalFor(error));
  }

  // --- streaming and draining ---

  private beginStream({ attempt, reserved }: Waiting, bytes: Uint8Array | string): boolean {
    const { stream } = attempt;
    // Only a stream emits bytes.
    if (!stream) return true;
    this.settlement.recorder.onFirstByte();
    this.plan.measured();
    this.writer.begin(stream.contentType);
    const streaming: Streaming = { name: "streaming", attempt, reserved, stream };
    this.enter(streaming);
    return this.writeOn(streaming, bytes);
  }

  private writeOn({ attempt, stream }: Streaming, bytes: Uint8Array | string): boolean {
    const isGoing = this.writer.write(bytes, attempt);
    if (!this.countHeld(stream.heldBytes ?? 0)) stream.shed?.();
    return isGoing;
  }

  /**
   * Counts the held bytes of the answer against the user's memory limit, roughly: this runs for each write.
   * @param bytes held bytes, except those waiting for the client. @returns whether the user is within the bounds.
   */
  private countHeld(bytes: number): boolean {
    const held = bytes + this.writer.waitingBytes;
    if (Math.abs(held - this.heldBytes) < HELD_STEP_BYTES) return true;
    this.heldBytes = held;
    return this.job.memory.hold(held);
  }

  private leaveStream(state: Streaming): void {
    const { attempt, stream } = state;
    // Only events report usage: the price of binary data is already known.
    if (stream.contentType === undefined) {
      const { pricing } = this.ports;
      const drainMs = pricing.drainMs();
      const isForCounts =
        drainMs === 0 &&
        (this.task.isToldAtEnd?.(attempt.channel, this.settlement.model, stream.usage) ?? false);
      const patienceMs = isForCounts ? pricing.countsDrainMs() : drainMs;
      if (patienceMs > 0) {
        this.drain(state, patienceMs, isForCounts);
        return;
      }
    }
    attempt.abort();
    this.plan.abandoned();
    this.settleInterrupted(state, stream, "shutting-down", "received");
  }

  /**
   * The client left in the middle of a stream, which is read to its end for the upstream's own count, for a limited
   * time.
   */
  private drain({ attempt, reserved, stream }: Streaming, drainMs: number, isForCounts: boolean): void {
    const { usage } = stream;
    const content = stream.delivered();
    const received = { usage, delivered: () => content };
    const deadline = setTimeout(() => this.onDeadline(), drainMs);
    this.enter({ name: "draining", attempt, reserved, received, deadline, isForCounts });
    this.writer.endHoldingUp();
    // It may have been slowed down for a client that read slowly.
    attempt.resume();
  }

  /** The upstream failed after part of the answer was delivered. @param received the delivered part. */
  private breakOff(state: Streaming | Draining, received: ReceivedStream, error: UpstreamError): void {
    this.plan.failed(error);
    if (this.writer.heldUpMs >= HOLDING_UP_MS) {
      // Otherwise a slow reader could get long answers for free.
      this.settleInterrupted(state, received, "upstream-interrupted", "held-up");
      return;
    }
    this.release(state.reserved);
    // A reason that lies in the request helps its client; any other stays the operator's.
    const refusal: Refusal = mayRetry(error) ? { code: "upstream-interrupted" } : refusalFor(error);
    this.finish("interrupted", undefined, refusal);
    this.writer.endWithError(refusal, state.attempt.stream?.contentType);
  }

  private giveUp(
    state: Waiting | Streaming | Draining,
    received: ReceivedStream,
    error: UpstreamError,
  ): void {
    this.report(state.attempt.channel, error.kind, detailOf(error));
    this.plan.failed(error);
    this.settleInterrupted(state, received, "upstream-interrupted", "stopped");
  }

  // --- settling, storing, delivering ---

  private readWhole(state: Waiting, bytes: Buffer, body: unknown): void {
    const { attempt } = state;
    const answer = this.task.readWhole(attempt.channel, bytes, body, attempt.contentType);
    if (answer) {
      this.plan.measured();
      this.settle(state, { kind: "whole", answer }, undefined);
      return;
    }
    // A success without content for the client: a disguised error, or an empty answer.
    const said = attempt.readError(bytes, body);
    // Vendors put errors into successes in many forms; the protocol recognizes some of them.
    const isError =
      carriesError(body) || said.kind !== "unknown" || said.message !== "" || said.fault !== undefined;
    const isNothing = bytes.length === 0 || (body !== undefined && !isError);
    const error = isNothing ? answerError("empty", attempt.status) : said;
    this.onError(attempt, error, detailOf({ ...error, status: attempt.status }));
  }

  /** A stream ended after its client had left. If the upstream reports no usage, draining gained nothing. */
  private settleDrained(state: Draining, stream: AnswerStream): void {
    const { received, isForCounts } = state;
    const isTold = isComplete(stream.usage);
    if (isTold && !isForCounts) {
      this.settle(state, { kind: "drained", stream }, received);
      return;
    }
    this.plan.succeeded();
    const counted = isTold ? withUnseenOutput(received, stream.usage) : received;
    this.settleInterrupted(state, counted, "shutting-down", "received");
  }

  /** The client left or must leave in the middle of a stream: the delivered part is counted here and charged. */
  private settleInterrupted(
    state: Waiting | Streaming | Draining | Settling,
    received: ReceivedStream,
    code: "shutting-down" | "upstream-interrupted" | "internal",
    delivery: Delivery,
    isAfterCrash = false,
  ): void {
    this.settle(state, { kind: "interrupted", received, code, delivery }, received, isAfterCrash);
  }

  /** @param received charged if handling the outcome fails internally. */
  private settle(
    { attempt, reserved }: Waiting | Streaming | Draining | Settling,
    outcome: Outcome,
    received: ReceivedStream | undefined,
    isAfterCrash = false,
  ): void {
    const settling: Settling = { name: "settling", attempt, reserved, outcome, received, isAfterCrash };
    this.enter(settling);
    const onCounts = (counts: Counts): void => this.onCounted(settling, counts);
    switch (outcome.kind) {
      case "whole":
        outcome.answer.count(this.settlement.model, onCounts);
        return;
      case "interrupted":
        this.settlement.countStream(outcome.received, true, onCounts);
        return;
      case "stream":
      case "drained":
        this.settlement.countStream(outcome.stream, false, onCounts);
        return;
    }
  }

  private charge({ attempt, reserved, outcome }: Settling, counts: Counts, ending: Ending): void {
    const { plan, settlement, writer } = this;
    const isDelivered = writer.hasBegun;
    const delivery = deliveryOf(outcome);
    if (delivery === "whole" || delivery === "drained") plan.succeeded();
    if (writer.isGone && !isDelivered) {
      // The client left before it received anything.
      this.release(reserved);
      this.finish("client-left");
      return;
    }
    const charge = settlement.charge(reserved, counts, delivery, writer.isGone);
    plan.used(charge.promptTokens + charge.completionTokens);
    const storing: Storing = { name: "storing", attempt, ending, isDelivered };
    this.enter(storing);
    settlement.store(charge, isDelivered, (error) => this.onStored(storing, error));
  }

  private deliver({ attempt, ending, isDelivered }: Storing, error: Error | undefined): void {
    const contentType = attempt.stream?.contentType;
    if (!error) {
      this.enter(DELIVERING);
      this.writer.end(ending, contentType);
      // A client may read the last write at its own pace.
      this.countHeld(0);
      this.finish();
    } else if (isDelivered) {
      // It is charged later, and so it is no failed request; but its answer must not end as if it had been paid.
      this.finish();
      this.writer.endWithError({ code: "storage-interrupted" }, contentType);
    } else this.refuse({ code: "storage-failing" });
  }

  // --- over ---

  /** Ends a hold without a charge; its state is left. */
  private release(reserved: Reservation): void {
    this.settlement.release(reserved);
    this.enter(CHOOSING);
  }

  /**
   * Answers with an error; nothing was delivered, no hold is open and nothing is charged.
   * @param told the refusal for the client, if it differs from the last model's.
   */
  private refuse(refusal: Refusal, told = refusal): void {
    this.finish("failed", refusal.code, told);
    this.writer.refuse(told);
  }

  /**
   * The answer cannot be completed: the client receives an error, in its stream if that has started, and is charged
   * nothing.
   */
  private endUncharged(attempt: Attempt): void {
    if (!this.writer.hasBegun) {
      this.refuse({ code: "internal" });
      return;
    }
    const refusal: Refusal = { code: "internal" };
    this.finish("interrupted", undefined, refusal);
    this.writer.endWithError(refusal, attempt.stream?.contentType);
  }

  /** The last resort: the hold is closed, and the client sees that its connection ends. */
  private abandon(): void {
    const { state } = this;
    if ("reserved" in state) this.settlement.releaseOpen(state.reserved);
    if (state.name !== "over") this.finish("failed");
    this.writer.destroy();
  }

  /**
   * @param failure reason for ending without a charge; undefined when it was charged. @param told the refusal sent to
   * the client.
   */
  private finish(failure?: RequestEnd, refusal?: GatewayErrorCode, told?: ToldRefusal): void {
    if (this.state.name === "over") return;
    this.enter(OVER);
    if (failure !== undefined) this.settlement.noteFailure(failure, refusal, told);
    this.onFinish(this);
  }

  private enter(state: ExchangeState): void {
    const { state: left } = this;
    this.state = state;
    if (left.name === "draining") clearTimeout(left.deadline);
    else if (left.name === "queued") left.wait.end();
    if (state.name === "over") this.plan.end();
  }

  private report(channel: UpstreamTarget | undefined, kind: string, detail: FailureDetail): void {
    const channelId = channel?.channel.id ?? 0;
    // An error message may repeat secrets from the request.
    const said = channel ? concealDetail(detail, channel.conceal) : detail;
    this.ports.reportFailure({ requestId: this.job.requestId, channelId, kind, detail: said });
  }
}
