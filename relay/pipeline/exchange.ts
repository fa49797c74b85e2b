import type { RequestEnd } from "@tollgate/contract/api/receipts";
import type { GatewayErrorCode, SentRefusal, UpstreamError } from "@tollgate/contract/relay/error";
import { withAlias } from "../admission/resolve-model";
import type { Refusal } from "../ports/client";
import type { UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import type { FailureDetail } from "../ports/transport";
import { concealDetail } from "./answer-error";
import type { AnswerStream } from "./answer-stream";
import { AskPhase } from "./ask-phase";
import type { Attempt } from "./attempt";
import { AttemptPlan } from "./attempt-plan";
import type { RoutingMemory } from "./channel-search";
import { ClientWriter } from "./client-writer";
import { ClosePhase } from "./close-phase";
import { mayBeCharged } from "./ended-cost";
import { type ExchangeCore, type ExchangeJob, messageOf } from "./exchange-core";
import {
  CHOOSING,
  type Closing,
  type Draining,
  type ExchangeState,
  OVER,
  type Over,
  type Streaming,
  type Unsent,
} from "./exchange-state";
import { withoutQuotedWords } from "./quoted-words";
import type { Reservation } from "./reserve-quota";
import { rewriteRefusal } from "./rewrite-refusal";
import { Settlement } from "./settlement";
import { StreamPhase } from "./stream-phase";
import type { Task } from "./task";

/** Step size for counting the held bytes of an answer. */
const HELD_STEP_BYTES = 64 * 1024;

/** Names the states in which an event changes nothing, so that the compiler finds a missing one. */
const ignoredIn = <_S extends ExchangeState>(_state: _S): void => {};

/**
 * Runs one request as a state machine: `exchange-state.ts` declares the states and their data, the methods that begin
 * with "on" say for each event what it does in each state. How a channel is asked, how a stream is passed on and how an
 * answer is charged stand in `ask-phase.ts`, `stream-phase.ts` and `close-phase.ts`.
 *
 * Objects with fixed fields and plain callbacks, because they run for every request.
 */
export class Exchange implements ExchangeCore {
  /** Its index in the set of running requests. */
  slot = -1;
  state: ExchangeState = CHOOSING;
  plan: AttemptPlan;
  readonly writer: ClientWriter;
  readonly settlement: Settlement;
  private readonly asking: AskPhase;
  private readonly streaming: StreamPhase;
  private readonly closing: ClosePhase;
  /** Bytes of its answer currently counted as held. */
  private heldBytes = 0;

  constructor(
    readonly ports: RelayPorts,
    readonly routing: RoutingMemory,
    readonly job: ExchangeJob,
    readonly task: Task,
    /** Called once, when the request is over. */
    private readonly onFinish: (exchange: Exchange) => void,
  ) {
    this.plan = new AttemptPlan(ports, routing, job, task);
    this.writer = new ClientWriter(job, ports.now);
    this.settlement = new Settlement(ports, job, task);
    this.asking = new AskPhase(this);
    this.closing = new ClosePhase(this);
    this.streaming = new StreamPhase(this, this.closing);
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
    this.asking.begin();
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
        return this.streaming.writeOn(state, bytes);
      case "waiting":
        return this.streaming.beginStream(state, bytes);
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
        this.closing.settle(state, { kind: "stream", stream, rest }, stream);
        return;
      case "draining":
        this.closing.settleDrained(state, stream);
        return;
      default:
        ignoredIn<Unsent | Closing>(state);
    }
  }

  onWholeAnswer(bytes: Buffer, body: unknown): void {
    const { state } = this;
    switch (state.name) {
      case "waiting":
        this.closing.readWhole(state, bytes, body);
        return;
      default:
        ignoredIn<Unsent | Closing | Streaming | Draining>(state);
    }
  }

  onError(said: UpstreamError, detail: FailureDetail): void {
    const { state } = this;
    const error = withoutQuotedWords(said, this.job);
    switch (state.name) {
      case "waiting":
        if (mayBeCharged(error, detail, state.attempt.stream)) this.noteEnded(state.attempt);
        this.endAttempt(error, detail);
        this.asking.replace(state, error);
        return;
      case "streaming":
        this.endAttempt(error, detail);
        this.streaming.breakOff(state, state.stream, error);
        return;
      case "draining":
        this.endAttempt(error, detail);
        this.streaming.breakOff(state, state.received, error);
        return;
      default:
        ignoredIn<Unsent | Closing>(state);
    }
  }

  onGivenUp(stream: AnswerStream, said: UpstreamError): void {
    const { state } = this;
    const error = withoutQuotedWords(said, this.job);
    switch (state.name) {
      case "waiting":
      case "streaming":
        this.streaming.giveUp(state, stream, error);
        return;
      case "draining":
        this.streaming.giveUp(state, state.received, error);
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
        if (state.name === "waiting") this.noteEnded(state.attempt);
        state.attempt.abort();
        this.plan.abandoned();
        this.release(state.reserved);
        this.finish("client-left");
        return;
      case "streaming":
        this.streaming.leaveStream(state);
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
        if (state.name === "waiting") this.noteEnded(state.attempt);
        state.attempt.abort();
        this.release(state.reserved);
        this.refuse({ code: "shutting-down" });
        return;
      case "streaming":
        state.attempt.abort();
        this.closing.settleInterrupted(state, state.stream, "shutting-down", "received");
        return;
      case "draining":
        state.attempt.abort();
        this.closing.settleInterrupted(state, state.received, "shutting-down", "received");
        return;
      // A complete answer is charged.
      default:
        ignoredIn<Closing>(state);
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
        this.closing.settleInterrupted(state, state.stream, "internal", "stopped", true);
        return;
      case "draining":
        state.attempt.abort();
        this.closing.settleInterrupted(state, state.received, "internal", "stopped", true);
        return;
      case "settling":
        state.attempt.abort();
        if (!state.isAfterCrash && state.received && state.reserved.hold.isOpen && this.writer.hasBegun) {
          this.closing.settleInterrupted(state, state.received, "internal", "stopped", true);
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

  /** The last resort: the hold is closed, and the client sees that its connection ends. */
  private abandon(): void {
    const { state } = this;
    if ("reserved" in state) this.settlement.releaseOpen(state.reserved);
    if (state.name !== "over") this.finish("failed");
    this.writer.destroy();
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

  private noteEnded({ channel, stream }: Attempt): void {
    this.settlement.noteEnded(channel.channel.id, stream);
  }

  private endAttempt(error: UpstreamError, detail: FailureDetail): void {
    this.settlement.recorder.endAttempt(error.kind);
    this.report(this.plan.asked, error.kind, detail);
  }

  /**
   * Counts the held bytes of the answer against the user's memory limit, roughly: this runs for each write.
   * @param bytes held bytes, except those waiting for the client. @returns whether the user is within the bounds.
   */
  countHeld(bytes: number): boolean {
    const held = bytes + this.writer.waitingBytes;
    if (Math.abs(held - this.heldBytes) < HELD_STEP_BYTES) return true;
    this.heldBytes = held;
    return this.job.memory.hold(held);
  }

  /** Ends a hold without a charge; its state is left. */
  release(reserved: Reservation): void {
    this.settlement.release(reserved);
    this.enter(CHOOSING);
  }

  /**
   * Answers with an error; nothing was delivered, no hold is open and nothing is charged.
   * @param told the refusal for the client, if it differs from the last model's.
   */
  refuse(refusal: Refusal, told = refusal): void {
    const named = withAlias(rewriteRefusal(this.ports, told), {
      model: this.settlement.requestedModel,
      alias: this.job.alias,
    });
    this.finish("failed", refusal.code, named);
    this.writer.refuse(named);
  }

  /**
   * @param failure reason for ending without a charge; undefined when it was charged. @param told the refusal sent to
   * the client.
   */
  finish(failure?: RequestEnd, refusal?: GatewayErrorCode, told?: SentRefusal): void {
    if (this.state.name === "over") return;
    this.enter(OVER);
    if (failure !== undefined) this.settlement.noteFailure(failure, refusal, told);
    this.onFinish(this);
  }

  enter(state: ExchangeState): void {
    const { state: left } = this;
    this.state = state;
    if (left.name === "draining") clearTimeout(left.deadline);
    else if (left.name === "queued") left.wait.end();
    if (state.name === "over") this.plan.end();
  }

  report(channel: UpstreamTarget | undefined, kind: string, detail: FailureDetail): void {
    const channelId = channel?.channel.id ?? 0;
    // An error message may repeat secrets from the request.
    const said = channel ? concealDetail(detail, channel.conceal) : detail;
    this.ports.reportFailure({ requestId: this.job.requestId, channelId, kind, detail: said });
  }
}
