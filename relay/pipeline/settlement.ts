import type { RequestEnd } from "@tollgate/contract/api/receipts";
import { LIMITS } from "@tollgate/contract/management/limits";
import type { GatewayErrorCode, SentRefusal } from "@tollgate/contract/relay/error";
import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { isSameModel } from "@tollgate/contract/values/same-model";
import { release } from "@tollgate/metering/ledger";
import type { Delivery } from "@tollgate/metering/log-content";
import type { AtBudget } from "../admission/at-budget";
import type { ChargeRecord, ReplacedModel, RequestRecord, RequestTrace } from "../ports/charges";
import type { Refusal } from "../ports/client";
import type { ApiKey, UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import type { ReceivedStream } from "./answer-stream";
import { costOfEnded } from "./ended-cost";
import { RequestRecorder } from "./record-request";
import { type Reservation, reserveQuota } from "./reserve-quota";
import { type Counts, settleRequest } from "./settle";
import type { Task } from "./task";

/** The payer of a request. */
export interface Payable {
  key: ApiKey;
  requestId: string;
  client: Pick<ClientProtocol, "name">;
  alias?: string | undefined;
  atBudget?: AtBudget | undefined;
  /** Absent when requests are not traced. */
  trace?: RequestTrace | undefined;
}

/** The hold, the charge and the log record of a request. */
export class Settlement {
  /** Records the times of its events. */
  readonly recorder: RequestRecorder;
  /**
   * The last upstream model, as its channel calls it, which is the charged one. "" when none was tried since a
   * fallback.
   */
  model = "";
  private replaced: ReplacedModel[] | undefined;
  /** The last group, at whose price the request is charged. */
  private group = "";
  /** The requested model, whichever answers; the model of its alias, if the client named one. */
  readonly requestedModel: string;

  constructor(
    private readonly ports: RelayPorts,
    private readonly job: Payable,
    private readonly task: Task,
  ) {
    this.recorder = new RequestRecorder(ports.now);
    this.requestedModel = task.model;
  }

  /**
   * Reserves the cost of an answer.
   * @param group the user's group for this request.
   * @param model the channel's name. @param channel the target resolved for the task.
   * @returns a promise only when the hold must wait for the database.
   */
  reserve(
    group: string,
    model: string,
    channel: UpstreamTarget,
  ): Reservation | Refusal | Promise<Reservation | Refusal> {
    this.model = model;
    this.group = group;
    return reserveQuota(this.ports, this.job.key, group, model, this.task, channel);
  }

  /** Notes that a model could not answer. @param by the fallback model, as clients call it. */
  noteReplaced(refusal: GatewayErrorCode, by: string): void {
    this.replaced ??= [];
    this.replaced.push({ model: this.model, refusal, attempts: this.recorder.attemptCount, by });
    this.model = "";
  }

  /**
   * Notes the cost of the last attempt, for whose answer nothing is charged.
   * @param received the part that arrived. @param counts those of a whole answer.
   */
  noteEnded(channelId: number, received: ReceivedStream | undefined, counts?: Counts): void {
    const price = this.ports.pricing.buys?.(channelId, this.model);
    this.recorder.noteEndedCost(costOfEnded(price, this.task, this.model, received, counts));
  }

  /** Ends a hold without a charge. */
  release({ hold }: Reservation): void {
    release(hold);
  }

  /** Releases a hold that an internal failure has left open, without a charge. */
  releaseOpen({ hold }: Reservation): void {
    if (hold.isOpen) release(hold);
  }

  /** Counts a stream for its charge. @param isInterrupted the client did not receive all of it. */
  countStream(received: ReceivedStream, isInterrupted: boolean, done: (counts: Counts) => void): void {
    this.task.countStream(received, this.model, isInterrupted, done);
  }

  /**
   * Turns a hold into a charge, in memory.
   * @param isGone whether the client has left. @param channel the target that answered.
   */
  charge(
    reserved: Reservation,
    counts: Counts,
    delivery: Delivery,
    isGone: boolean,
    { conceal, route }: Pick<UpstreamTarget, "conceal" | "route">,
  ): ChargeRecord {
    const served = counts.usage?.servedModel;
    if (served !== undefined) {
      const isOther = route.hasOwnModelNames ? undefined : !isSameModel(this.model, served);
      this.recorder.noteServedModel(conceal(served), isOther);
    }
    this.recorder.endAttempt("ok");
    const interruption = isGone ? "client-left" : "interrupted";
    const request = this.record(delivery === "whole" ? "complete" : interruption);
    return settleRequest(reserved, request, counts, delivery, this.ports.pricing.buys);
  }

  /**
   * Stores a charge. @param isDelivered the client received something. @param done called once it is durable, or has
   * failed.
   */
  store(charge: ChargeRecord, isDelivered: boolean, done: (error: Error | undefined) => void): void {
    this.ports.charges.commit(charge, done, isDelivered);
  }

  /**
   * Records a request that ends without a charge.
   * @param refusal the reason for refusing it, if any. @param told the refusal sent to its client, if any.
   */
  noteFailure(end: RequestEnd, refusal?: GatewayErrorCode, told?: SentRefusal): void {
    this.recorder.endAttempt(end);
    this.ports.charges.noteFailure({ ...this.record(end), refusal, told });
  }

  private record(end: RequestEnd): RequestRecord {
    const { job, task } = this;
    const request = {
      requestId: job.requestId,
      key: job.key,
      protocol: job.client.name,
      operation: task.operation ?? "chat",
      group: this.group,
      requestedModel: this.requestedModel,
      replaced: this.replaced,
      alias: job.alias,
      atBudget: job.atBudget && LIMITS[job.atBudget.limit].name,
      isStream: task.isStream ?? false,
      trace: job.trace,
    };
    return this.recorder.finish(request, this.model, end);
  }
}
