import type { RequestEnd } from "@tollgate/contract/api/receipts";
import type { GatewayErrorCode, ToldRefusal } from "@tollgate/contract/relay/error";
import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { release } from "@tollgate/metering/ledger";
import type { Delivery } from "@tollgate/metering/log-content";
import type {
  ApiKey,
  ChargeRecord,
  Refusal,
  RelayPorts,
  ReplacedModel,
  RequestRecord,
  RequestTrace,
  UpstreamTarget,
} from "../ports";
import type { ReceivedStream } from "./answer-stream";
import { RequestRecorder } from "./record-request";
import { type Reservation, reserveQuota } from "./reserve-quota";
import { type Counts, settleRequest } from "./settle";
import type { Task } from "./task";

/** Who pays for which request. */
export interface Payable {
  key: ApiKey;
  requestId: string;
  client: Pick<ClientProtocol, "name">;
  /** Absent where requests are not traced. */
  trace?: RequestTrace | undefined;
}

/** What a request holds, what it is charged, and what is written down of it. */
export class Settlement {
  /** When what happened. */
  readonly recorder: RequestRecorder;
  /** The model that was asked for last, as its channel calls it: the one that is charged. "" when none was, since one was replaced. */
  model = "";
  private replaced: ReplacedModel[] | undefined;
  /** The group by which it was asked last, at whose price it is charged. */
  private group = "";
  /** The model that the client asked for, whichever answers. */
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
   * Sets aside what an answer may cost.
   * @param group the one of the user's by which the request goes.
   * @param model as the channel calls it. @param channel as the task speaks to it.
   * @returns a promise only where the hold has to wait for the database.
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

  /** A model could not answer. @param by the one that is asked in its place, as clients call it. */
  noteReplaced(refusal: GatewayErrorCode, by: string): void {
    this.replaced ??= [];
    this.replaced.push({ model: this.model, refusal, attempts: this.recorder.attemptCount, by });
    this.model = "";
  }

  /** Ends a hold without a charge. */
  release({ hold }: Reservation): void {
    release(hold);
  }

  /** After a failure of this program: ends a hold without a charge, where the failure has left it open. */
  releaseOpen({ hold }: Reservation): void {
    if (hold.isOpen) release(hold);
  }

  /** What a stream is charged by. @param isInterrupted the client did not get all of it. */
  countStream(received: ReceivedStream, isInterrupted: boolean, done: (counts: Counts) => void): void {
    this.task.countStream(received, this.model, isInterrupted, done);
  }

  /** Turns a hold into a charge, in memory. @param isGone whether the client has left. */
  charge(reserved: Reservation, counts: Counts, delivery: Delivery, isGone: boolean): ChargeRecord {
    this.recorder.endAttempt("ok");
    const interruption = isGone ? "client-left" : "interrupted";
    const request = this.record(delivery === "whole" ? "complete" : interruption);
    return settleRequest(reserved, request, counts, delivery, this.ports.pricing.buys);
  }

  /** Stores a charge. @param isDelivered the client was given something. @param done once it is durable, or cannot be. */
  store(charge: ChargeRecord, isDelivered: boolean, done: (error: Error | undefined) => void): void {
    this.ports.charges.commit(charge, done, isDelivered);
  }

  /**
   * Writes down a request that ends without a charge.
   * @param refusal why it was refused, where it was. @param told what its client is told, where it is told something.
   */
  noteFailure(end: RequestEnd, refusal?: GatewayErrorCode, told?: ToldRefusal): void {
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
      isStream: task.isStream ?? false,
      trace: job.trace,
    };
    return this.recorder.finish(request, this.model, end);
  }
}
