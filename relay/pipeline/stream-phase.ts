import type { UpstreamError } from "@tollgate/contract/relay/error";
import { mayRetry } from "../routing/after-failure";
import { detailOf } from "./answer-error";
import type { ReceivedStream } from "./answer-stream";
import type { ClosePhase } from "./close-phase";
import type { ExchangeCore } from "./exchange-core";
import type { Draining, Streaming, Waiting } from "./exchange-state";
import { interruptionOfAttempt, refusalOfAttempt, rewriteRefusal } from "./rewrite-refusal";

/**
 * Total time after which the client's slow reading may be the reason why an upstream ended: proxies close connections
 * that they cannot write to (nginx's `send_timeout`), or that take too long.
 */
const HOLDING_UP_MS = 5000;

/** Passes a stream on to its client, reads on when the client has left, and ends it when the upstream breaks off. */
export class StreamPhase {
  constructor(
    private readonly core: ExchangeCore,
    private readonly closing: ClosePhase,
  ) {}

  beginStream({ attempt, reserved }: Waiting, bytes: Uint8Array | string): boolean {
    const { stream } = attempt;
    // Only a stream emits bytes.
    if (!stream) return true;
    this.core.settlement.recorder.onFirstByte();
    this.core.plan.measured();
    this.core.writer.begin(stream.contentType);
    const streaming: Streaming = { name: "streaming", attempt, reserved, stream };
    this.core.enter(streaming);
    return this.writeOn(streaming, bytes);
  }

  writeOn({ attempt, stream }: Streaming, bytes: Uint8Array | string): boolean {
    const isGoing = this.core.writer.write(bytes, attempt);
    if (!this.core.countHeld(stream.heldBytes ?? 0)) stream.shed?.();
    return isGoing;
  }

  leaveStream(state: Streaming): void {
    const { attempt, stream } = state;
    // Only events report usage: the price of binary data is already known.
    if (stream.contentType === undefined) {
      const { pricing } = this.core.ports;
      const drainMs = pricing.drainMs();
      const isForCounts =
        drainMs === 0 &&
        (this.core.task.isReportedAtEnd?.(attempt.channel, this.core.settlement.model, stream.usage) ??
          false);
      const patienceMs = isForCounts ? pricing.countsDrainMs() : drainMs;
      if (patienceMs > 0) {
        this.drain(state, patienceMs, isForCounts);
        return;
      }
    }
    attempt.abort();
    this.core.plan.abandoned();
    this.closing.settleInterrupted(state, stream, "shutting-down", "received");
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
    this.core.enter({ name: "draining", attempt, reserved, received, deadline, isForCounts });
    this.core.writer.endHoldingUp();
    // It may have been slowed down for a client that read slowly.
    attempt.resume();
  }

  /** A stream was read on for long enough. */
  private onDeadline(): void {
    const { state } = this.core;
    // Every other state has cleared its timer.
    if (state.name !== "draining") return;
    try {
      state.attempt.abort();
      this.core.plan.abandoned();
      this.closing.settleInterrupted(state, state.received, "shutting-down", "received");
    } catch (error) {
      this.core.onCrash(error);
    }
  }

  /** The upstream failed after part of the answer was delivered. @param received the delivered part. */
  breakOff(state: Streaming | Draining, received: ReceivedStream, error: UpstreamError): void {
    this.core.plan.failed(error);
    if (this.core.writer.heldUpMs >= HOLDING_UP_MS) {
      // Otherwise a slow reader could get long answers for free.
      this.closing.settleInterrupted(state, received, "upstream-interrupted", "held-up");
      return;
    }
    this.core.settlement.noteEnded(state.attempt.channel.channel.id, received);
    this.core.release(state.reserved);
    // A reason that lies in the request helps its client; any other stays the operator's.
    const refusalOf = mayRetry(error) ? interruptionOfAttempt : refusalOfAttempt;
    const refusal = rewriteRefusal(this.core.ports, refusalOf(state.attempt, error));
    this.core.finish("interrupted", undefined, refusal);
    this.core.writer.endWithError(refusal, state.attempt.stream?.contentType);
  }

  giveUp(state: Waiting | Streaming | Draining, received: ReceivedStream, error: UpstreamError): void {
    this.core.settlement.recorder.endAttempt(error.kind);
    this.core.report(state.attempt.channel, error.kind, detailOf(error));
    this.core.plan.failed(error);
    this.closing.settleInterrupted(state, received, "upstream-interrupted", "stopped");
  }
}
