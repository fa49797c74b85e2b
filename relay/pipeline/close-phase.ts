import { isComplete } from "@tollgate/contract/relay/usage";
import type { Delivery } from "@tollgate/metering/log-content";
import { answerError, detailOf } from "./answer-error";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import type { Ending } from "./client-writer";
import type { ExchangeCore } from "./exchange-core";
import {
  DELIVERING,
  type Draining,
  type Settling,
  type Storing,
  type Streaming,
  type Waiting,
} from "./exchange-state";
import { deliveryOf, endingOf, type Outcome } from "./outcome";
import type { Counts } from "./settle";
import { withUnseenOutput } from "./with-unseen-output";

const carriesError = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "error" in body && Boolean(body.error);

/** Ends an exchange whose answer is over: counts it, charges it, stores the charge, and sends the last bytes. */
export class ClosePhase {
  constructor(private readonly core: ExchangeCore) {}

  readWhole(state: Waiting, bytes: Buffer, body: unknown): void {
    const { attempt } = state;
    const answer = this.core.task.readWhole(attempt.channel, bytes, body, attempt.contentType);
    if (answer) {
      this.core.plan.measured();
      this.settle(state, { kind: "whole", answer }, undefined);
      return;
    }
    // A success without content for the client: a disguised error, or an empty answer.
    const said = attempt.readError(bytes, this.core.task.errorIn?.(attempt.channel, body) ?? body);
    // Vendors put errors into successes in many forms; the protocol recognizes some of them.
    const isError =
      carriesError(body) || said.kind !== "unknown" || said.message !== "" || said.fault !== undefined;
    const isNothing = bytes.length === 0 || (body !== undefined && !isError);
    const error = isNothing ? answerError("empty", attempt.status) : said;
    this.core.onError(error, detailOf({ ...error, status: attempt.status }));
  }

  /** A stream ended after its client had left. If the upstream reports no usage, draining gained nothing. */
  settleDrained(state: Draining, stream: AnswerStream): void {
    const { received, isForCounts } = state;
    const isReported = isComplete(stream.usage);
    if (isReported && !isForCounts) {
      this.settle(state, { kind: "drained", stream }, received);
      return;
    }
    this.core.plan.succeeded();
    const { reportsCallsAtEnd = false } = state.attempt.channel.protocol;
    const counted = isReported ? withUnseenOutput(received, stream.usage, reportsCallsAtEnd) : received;
    this.settleInterrupted(state, counted, "shutting-down", "received");
  }

  /** The client left or must leave in the middle of a stream: the delivered part is counted here and charged. */
  settleInterrupted(
    state: Waiting | Streaming | Draining | Settling,
    received: ReceivedStream,
    code: "shutting-down" | "upstream-interrupted" | "internal",
    delivery: Delivery,
    isAfterCrash = false,
  ): void {
    this.settle(state, { kind: "interrupted", received, code, delivery }, received, isAfterCrash);
  }

  /** @param received charged if handling the outcome fails internally. */
  settle(
    { attempt, reserved }: Waiting | Streaming | Draining | Settling,
    outcome: Outcome,
    received: ReceivedStream | undefined,
    isAfterCrash = false,
  ): void {
    const settling: Settling = { name: "settling", attempt, reserved, outcome, received, isAfterCrash };
    this.core.enter(settling);
    const onCounts = (counts: Counts): void => this.onCounted(settling, counts);
    switch (outcome.kind) {
      case "whole":
        outcome.answer.count(this.core.settlement.model, onCounts);
        return;
      case "interrupted":
        this.core.settlement.countStream(outcome.received, true, onCounts);
        return;
      case "stream":
      case "drained":
        this.core.settlement.countStream(outcome.stream, false, onCounts);
        return;
    }
  }

  private onCounted(settling: Settling, counts: Counts): void {
    // This program may have failed meanwhile.
    if (this.core.state !== settling) return;
    try {
      // Before the charge: an answer that cannot be written must not be charged.
      const ending = endingOf(settling.outcome, counts);
      if (!("then" in ending)) this.charge(settling, counts, ending);
      else {
        ending.then(
          (written) => this.onEndingWritten(settling, counts, written),
          (error: unknown) => this.core.onCrash(error),
        );
      }
    } catch (error) {
      this.core.onCrash(error);
    }
  }

  /** A large answer has been written for the client, in steps. */
  private onEndingWritten(settling: Settling, counts: Counts, ending: Ending): void {
    if (this.core.state !== settling) return;
    try {
      this.charge(settling, counts, ending);
    } catch (error) {
      this.core.onCrash(error);
    }
  }

  private charge({ attempt, reserved, outcome }: Settling, counts: Counts, ending: Ending): void {
    const { plan, settlement, writer } = this.core;
    const isDelivered = writer.hasBegun;
    const delivery = deliveryOf(outcome);
    if (delivery === "whole" || delivery === "drained") plan.succeeded();
    if (writer.isGone && !isDelivered) {
      // The client left before it received anything, and the upstream has answered.
      settlement.noteEnded(attempt.channel.channel.id, undefined, counts);
      this.core.release(reserved);
      this.core.finish("client-left");
      return;
    }
    const charge = settlement.charge(reserved, counts, delivery, writer.isGone, attempt.channel);
    plan.used(charge.promptTokens + charge.completionTokens);
    const storing: Storing = { name: "storing", attempt, ending, isDelivered };
    this.core.enter(storing);
    settlement.store(charge, isDelivered, (error) => this.onStored(storing, error));
  }

  private onStored(storing: Storing, error: Error | undefined): void {
    if (this.core.state !== storing) return;
    try {
      this.deliver(storing, error);
    } catch (failure) {
      this.core.onCrash(failure);
    }
  }

  private deliver({ attempt, ending, isDelivered }: Storing, error: Error | undefined): void {
    const contentType = attempt.stream?.contentType;
    if (!error) {
      this.core.enter(DELIVERING);
      this.core.writer.end(ending, contentType);
      // A client may read the last write at its own pace.
      this.core.countHeld(0);
      this.core.finish();
    } else if (isDelivered) {
      // It is charged later, and so it is no failed request; but its answer must not end as if it had been paid.
      this.core.finish();
      this.core.writer.endWithError({ code: "storage-interrupted" }, contentType);
    } else this.core.refuse({ code: "storage-failing" });
  }
}
