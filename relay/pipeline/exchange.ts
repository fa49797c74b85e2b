import type { RequestEnd } from "@tollgate/contract/control/receipt";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import { type ClientProtocol, RequestInvalid } from "@tollgate/contract/relay/protocol";
import { isComplete, type Usage } from "@tollgate/contract/relay/usage";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { hiddenReasoning } from "@tollgate/metering/estimate";
import { release } from "@tollgate/metering/ledger";
import type { Delivery } from "@tollgate/metering/log-content";
import { sendAuthorized } from "../auth/send-authorized";
import { MemoryRefused } from "../memory-refused";
import type {
  ChannelEntry,
  ClientResponse,
  Describe,
  KeyEntry,
  Refusal,
  RelayPorts,
  RequestMemory,
  RequestRecord,
  UpstreamRequest,
} from "../ports";
import type { Affinity } from "../routing/affinity";
import { isOfKey, mayRetry, refusalFor } from "../routing/after-failure";
import { routeFor } from "../routing/channel-entry";
import { chooseGroup } from "../routing/choose-group";
import type { Circuits } from "../routing/circuits";
import { checkKey, isRefusal } from "./admit";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import { Attempt, type AttemptOwner, answerError, detailOf } from "./attempt";
import { choose } from "./choose";
import { modelRefusal } from "./model-refusal";
import { type ClientHeaders, passClientHeaders } from "./pass-client-headers";
import { type PlacedHold, placeHold } from "./place-hold";
import { RequestRecorder } from "./record-request";
import { sendRefusal } from "./send-refusal";
import { type Counts, settleRequest } from "./settle";
import type { EncodedAnswer, Task } from "./task";

/** One client request, from its admission to its charge; what it asks for is its task. */
export interface ExchangeJob {
  /** In whose shape errors are told. */
  client: Pick<ClientProtocol, "name" | "encodeError" | "encodeStreamError">;
  key: KeyEntry;
  /** The keys of the only channel to use, when an administrator pinned one. */
  pinned: readonly ChannelEntry[] | undefined;
  response: ClientResponse;
  requestId: string;
  /** The request's own headers; of these only the upstream's allow-list is sent on. */
  clientHeaders: ClientHeaders;
  /** Headers that every answer to this client carries. */
  headers: Readonly<Record<string, string>>;
  describe: Describe;
  /** Where its body is counted; given back when nothing of the request is left to do. */
  memory: RequestMemory;
}

/** What is remembered from request to request. */
export interface RoutingMemory {
  circuits: Circuits;
  affinity: Affinity;
}

/** A stream that is read on after its client left. */
interface Drained {
  /** What the client was given. */
  received: ReceivedStream;
  /** Ends reading on. */
  deadline: NodeJS.Timeout;
  /** Only what cannot be counted here is waited for: what was not delivered is not charged. */
  isForCounts: boolean;
}

/**
 * An upstream that was held up for so long, all in all, by a client that did not read may have ended for that: proxies
 * give up whom they cannot write to (nginx's `send_timeout`), or what takes too long.
 */
const HOLDING_UP_MS = 5000;

/** Bytes up to this many are cheaper to copy than to write by themselves. */
const SMALL_BYTES = 64 * 1024;

const joinPieces = (first: Uint8Array | string, second: Uint8Array | string): Uint8Array | string =>
  typeof first === "string" && typeof second === "string"
    ? first + second
    : Buffer.concat([Buffer.from(first as Uint8Array), Buffer.from(second as Uint8Array)]);

/** What was received of a stream, and what was written unseen, which the upstream told at its end. */
const withReasoning = (received: ReceivedStream, told: Usage): ReceivedStream => {
  const content = received.delivered();
  const unseen = hiddenReasoning(told.reasoningTokens ?? 0, content) + (told.rejectedTokens ?? 0);
  const hidden = Math.min(unseen, told.outputTokens ?? 0);
  const estimatedTokens = content.estimatedTokens + hidden;
  return {
    usage: {
      ...told,
      outputTokens: received.usage.outputTokens,
      toolCalls: received.usage.toolCalls,
      toolCallIds: received.usage.toolCallIds,
    },
    delivered: () => ({ ...content, estimatedTokens }),
  };
};

/**
 * Adds to the headers of one answer those that all answers to the client carry. A spread in front of other fields would do
 * the same, for some microseconds more: V8 makes a class of its own of each such object.
 */
const withHeaders = (
  own: Record<string, string | number>,
  headers: Readonly<Record<string, string>>,
): Record<string, string | number> => {
  for (const name in headers) own[name] = headers[name] as string;
  return own;
};

const carriesError = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "error" in body && Boolean(body.error);

/**
 * Runs one request: choose → hold → attempt → answer → settle, back to choose while nothing has reached the client.
 * One object with fixed fields and plain callbacks, because it runs for every request. The invariant: `placed` is
 * defined exactly while a hold is open.
 */
export class Exchange implements AttemptOwner {
  /** In the crowd of those that are under way. */
  place = -1;
  /** Hardly ever more than one or two. */
  private readonly triedKeys: string[] = [];
  /** Channels that no further key of can help. */
  private readonly givenUp: number[] = [];
  /** The conversation that this request belongs to; undefined when it does not matter where it goes. */
  private session: string | undefined;
  /** The one of the user's groups by which it goes, from the first try to the last. */
  private readonly group: string;
  private attemptsLeft: number;
  private attempt: Attempt | undefined;
  private placed: PlacedHold | undefined;
  private upstreamModel = "";
  private readonly recorder: RequestRecorder;
  /** The answer is complete and only waits for its charge. */
  private isSettling = false;
  private isClientGone = false;
  /** Since when the upstream waits for the client to read, and how long it did before; milliseconds. */
  private heldUpSinceMs: number | undefined;
  private heldUpMs = 0;
  /** Set while a stream is read on after its client left: what the client was given, and when reading on ends. */
  private drained: Drained | undefined;
  private hasRenewed = false;
  private hasCrashed = false;
  private isCharged = false;
  private isFinished = false;

  constructor(
    private readonly ports: RelayPorts,
    private readonly routing: RoutingMemory,
    private readonly job: ExchangeJob,
    private readonly task: Task,
    /** Called once, when nothing of this request is left to do. */
    private readonly onFinish: (exchange: Exchange) => void,
  ) {
    this.group = chooseGroup(ports.directory, job.key.user.groups, task.model);
    this.attemptsLeft = 1 + (job.pinned ? 0 : ports.pricing.retryTimes());
    this.recorder = new RequestRecorder(ports.now);
    job.response.once("close", () => this.guard(() => this.onClientClose()));
  }

  start(): void {
    const channel = this.chooseChannel();
    if (channel) this.tryChannel(channel);
    else this.refuse(this.noChannel());
  }

  /** Ends the request now: the process is about to stop. What was delivered is charged. */
  interrupt(): void {
    this.guard(() => this.stop());
  }

  private stop(): void {
    if (this.isFinished || this.isSettling) return;
    const { attempt } = this;
    attempt?.abort();
    if (this.drained) this.settleInterrupted(this.drained.received);
    else if (attempt?.stream?.hasDelivered && this.job.response.headersSent)
      this.settleInterrupted(attempt.stream);
    else this.refuse({ code: "shutting-down" });
  }

  // --- what the attempt tells ---

  onHead(status: number): void {
    this.recorder.onUpstreamHead(status);
  }

  createStream(channel: ChannelEntry, contentType: string): AnswerStream | undefined {
    return this.task.openStream(channel, contentType);
  }

  onBytes(bytes: Uint8Array | string): boolean {
    const { response } = this.job;
    if (this.isClientGone) return true;
    if (!response.headersSent) this.writeStreamHead();
    if (response.write(bytes)) return true;
    this.heldUpSinceMs ??= this.ports.now();
    response.once("drain", () => {
      this.endHoldingUp();
      this.attempt?.resume();
    });
    return false;
  }

  private endHoldingUp(): void {
    if (this.heldUpSinceMs !== undefined) this.heldUpMs += this.ports.now() - this.heldUpSinceMs;
    this.heldUpSinceMs = undefined;
  }

  onStreamEnd(stream: AnswerStream, rest: Uint8Array | string | undefined): void {
    if (this.drained) {
      this.settleDrained(stream, this.drained);
      return;
    }
    this.isSettling = true;
    this.countStream(stream, false, (counts) => {
      // Before the charge: what cannot be written must not be charged as if it had been.
      const tail = stream.tail(counts);
      this.settle(counts, "whole", () => {
        const { response } = this.job;
        if (!response.headersSent) this.writeStreamHead();
        // One write for the last read and the end.
        response.end(rest === undefined ? tail : joinPieces(rest, tail));
      });
    });
  }

  onWholeAnswer(attempt: Attempt, bytes: Buffer, body: unknown): void {
    const answer = this.task.readWhole(attempt.channel, bytes, body, attempt.contentType);
    if (!answer) {
      this.onNoAnswer(attempt, bytes, body);
      return;
    }
    this.isSettling = true;
    answer.count(this.upstreamModel, (counts) =>
      this.guard(() => {
        // Before the charge: what cannot be written must not be charged.
        const encoded = answer.encode(counts);
        this.settle(counts, "whole", () => this.sendWhole(encoded));
      }),
    );
  }

  /** A success that gives the client nothing: an error in disguise, or emptiness. */
  private onNoAnswer(attempt: Attempt, bytes: Buffer, body: unknown): void {
    const said = attempt.readError(bytes, body);
    // Vendors put errors into successes in many ways: what the protocol recognises is one.
    const isError = carriesError(body) || said.kind !== "unknown" || said.message !== "";
    const isNothing = bytes.length === 0 || (body !== undefined && !isError);
    const error = isNothing ? answerError("empty", attempt.status) : said;
    this.onError(attempt, error, detailOf({ ...error, status: attempt.status }));
  }

  onError(attempt: Attempt, error: UpstreamError, detail: string): void {
    this.recorder.endAttempt(error.kind);
    this.report(attempt, error.kind, detail);
    if (error.kind === "dead-key" && this.renewsCredential(attempt)) {
      this.releaseHold();
      this.attemptsLeft += 1;
      this.tryChannel(attempt.channel);
      return;
    }
    this.routing.circuits.fail(attempt.channel.id, this.task.model, error);
    if (!isOfKey(error)) this.givenUp.push(attempt.channel.channel.id);
    this.endHoldingUp();
    if (attempt.stream?.hasDelivered && this.heldUpMs >= HOLDING_UP_MS) {
      // Otherwise whoever reads slowly enough would have all but the end of every long answer for nothing.
      this.settleInterrupted(this.drained?.received ?? attempt.stream, "upstream-interrupted", "held-up");
      return;
    }
    this.releaseHold();
    // A writer may still hold everything back: then the client knows of nothing yet.
    if (attempt.hasDelivered && this.job.response.headersSent) {
      this.breakOff({ code: "upstream-interrupted" });
      return;
    }
    if (error.kind === "dead-key") this.ports.directory.reportDeadKey(attempt.channel, error.message);
    const next =
      this.attemptsLeft > 0 && mayRetry(error) && !this.isClientGone ? this.chooseChannel() : undefined;
    if (next) this.tryChannel(next);
    else this.refuse(refusalFor(error));
  }

  onGivenUp(attempt: Attempt, stream: AnswerStream, error: UpstreamError): void {
    this.report(attempt, error.kind, detailOf(error));
    this.routing.circuits.fail(attempt.channel.id, this.task.model, error);
    this.settleInterrupted(this.drained?.received ?? stream, "upstream-interrupted");
  }

  /**
   * Something of this program failed over this request: that ends the request, but neither another one nor the process.
   * What was delivered is charged, the hold is closed, and the client is told.
   */
  onCrash(error: unknown): void {
    const { attempt } = this;
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const detail = attempt?.channel.conceal(said) ?? said;
    this.ports.reportFailure({
      requestId: this.job.requestId,
      channelId: attempt?.channel.channel.id ?? 0,
      kind: "internal",
      detail,
    });
    if (this.isFinished) return;
    attempt?.abort();
    if (this.isCharged) {
      this.finish();
      this.job.response.destroy();
      return;
    }
    const isFirst = !this.hasCrashed;
    this.hasCrashed = true;
    try {
      if (isFirst && this.placed && attempt?.stream?.hasDelivered && this.job.response.headersSent) {
        this.settleInterrupted(this.drained?.received ?? attempt.stream, "internal");
        return;
      }
      this.isSettling = false;
      if (this.job.response.headersSent) {
        this.releaseHold();
        this.breakOff({ code: "internal" });
      } else this.refuse({ code: "internal" });
    } catch {
      this.abandon();
    }
  }

  /** The last resort: the hold is closed, and the client sees that its connection ends. */
  private abandon(): void {
    this.releaseHold();
    if (!this.isFinished) this.finish("failed");
    this.job.response.destroy();
  }

  private guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.onCrash(error);
    }
  }

  /** A token that was remembered may have ended early: once, a new one is tried. */
  private renewsCredential({ channel, hasDelivered }: Attempt): boolean {
    if (this.hasRenewed || this.isClientGone || hasDelivered) return false;
    this.hasRenewed = channel.authorizer?.renew?.() ?? false;
    return this.hasRenewed;
  }

  // --- choosing and sending ---

  /** The keys that the model and the group of the request, or an administrator, leave to choose from. */
  private candidates(): readonly ChannelEntry[] {
    const { pinned } = this.job;
    return pinned ?? this.ports.directory.candidates(this.group, this.task.model);
  }

  /** What works comes first; what has been failing lately is better than nothing. */
  private chooseChannel(): ChannelEntry | undefined {
    const { task } = this;
    const { circuits, affinity } = this.routing;
    const candidates = this.candidates();
    let preferred: string | undefined;
    if (candidates.length > 1) {
      this.session ??= task.session(this.job.key.id);
      preferred = this.session === undefined ? undefined : affinity.find(this.session);
    }
    const isUntried = (entry: ChannelEntry): boolean =>
      !this.triedKeys.includes(entry.id) && !this.givenUp.includes(entry.channel.id) && this.isOffered(entry);
    const isWorking = (entry: ChannelEntry): boolean =>
      isUntried(entry) && !circuits.isOpen(entry.id, task.model);
    const random = this.ports.random();
    return (
      choose(candidates, isWorking, random, preferred) ?? choose(candidates, isUntried, random, preferred)
    );
  }

  /** Whether the way that a channel takes for the model can do it. */
  private isOffered(entry: ChannelEntry): boolean {
    const { task } = this;
    // Every channel knows chats.
    if (task.operation === undefined) return true;
    return task.isOffered(routeFor(entry, entry.channel.modelMapping[task.model] ?? task.model));
  }

  /** Why no channel can be asked. */
  private noChannel(): Refusal {
    const { model, operation } = this.task;
    if (operation !== undefined && this.candidates().length > 0)
      return { code: "operation-unavailable", params: { model, operation } };
    return modelRefusal(this.ports.directory, this.group, model);
  }

  private tryChannel(channel: ChannelEntry): void {
    const reading = this.task.readAgain?.();
    if (!reading) {
      this.tryRead(channel);
      return;
    }
    // The last one has failed; nothing is to be asked of it while the next one waits.
    this.attempt = undefined;
    reading.then(
      () => {
        if (!this.isFinished) this.guard(() => this.tryRead(channel));
      },
      (error: unknown) => this.onCrash(error),
    );
  }

  private tryRead(channel: ChannelEntry): void {
    const { job, ports, task } = this;
    this.triedKeys.push(channel.id);
    this.upstreamModel = channel.channel.modelMapping[task.model] ?? task.model;
    const entry = task.speakTo?.(channel, this.upstreamModel) ?? routeFor(channel, this.upstreamModel);
    const placed = placeHold(ports.pricing, job.key, this.group, this.upstreamModel, task, entry);
    if (isRefusal(placed)) {
      // Another channel may map the model to one that has a price.
      const isUnpriced = placed.code === "model-price-missing" || placed.code === "output-price-missing";
      const next = isUnpriced && !job.pinned ? this.chooseChannel() : undefined;
      if (next) this.tryChannel(next);
      else this.refuse(placed);
      return;
    }
    this.attemptsLeft -= 1;
    this.placed = placed;
    const attempt = new Attempt(entry, this);
    this.attempt = attempt;
    this.routing.circuits.begin(channel.id, task.model);
    this.recorder.beginAttempt(channel.channel.id);
    try {
      const gathering = task.gather?.(entry);
      if (gathering) {
        gathering.then(
          () => this.send(attempt),
          (error: unknown) => this.onUnsent(attempt, error),
        );
      } else this.send(attempt);
    } catch (error) {
      this.onUnsent(attempt, error);
    }
  }

  private send(attempt: Attempt): void {
    // The client may have left while something was fetched for it.
    if (this.isFinished) return;
    // Images and earlier attempts may have taken long: meanwhile the key may be gone or its user be banned.
    const { directory, now } = this.ports;
    const refusal = checkKey(this.job.key, directory, toUnixSeconds(now()));
    if (refusal) {
      attempt.abort();
      this.routing.circuits.abandon(attempt.channel.id, this.task.model);
      this.refuse(refusal);
      return;
    }
    try {
      const { channel } = attempt;
      const { placed } = this;
      if (!placed) throw new Error("a request is sent without a hold");
      const call = this.task.buildCall(channel, this.upstreamModel, placed.price);
      if (!(call instanceof Promise)) this.sendCall(attempt, call);
      else {
        call
          .then((written) => {
            // Meanwhile the client may have left.
            if (!this.isFinished) this.sendCall(attempt, written);
          })
          .catch((error: unknown) => this.onUnsent(attempt, error));
      }
    } catch (error) {
      this.onUnsent(attempt, error);
    }
  }

  private sendCall(attempt: Attempt, call: UpstreamRequest): void {
    const { channel } = attempt;
    sendAuthorized(channel, passClientHeaders(call, channel, this.job.clientHeaders), this.ports, attempt);
  }

  /** There is nothing that could be sent to the upstream. */
  private onUnsent(attempt: Attempt, error: unknown): void {
    if (this.isFinished) return;
    attempt.abort();
    const isCallers = error instanceof RequestInvalid || error instanceof MemoryRefused;
    this.recorder.endAttempt(isCallers ? "caller" : "internal");
    if (error instanceof RequestInvalid) {
      const field = error.param === undefined ? {} : { field: error.param };
      const wireCode = error.code === undefined ? {} : { wireCode: error.code };
      this.refuse({
        code: "request-invalid",
        params: { reason: error.message },
        ...field,
        ...wireCode,
      });
      return;
    }
    if (error instanceof MemoryRefused) {
      this.refuse(error.refusal);
      return;
    }
    this.report(attempt, "internal", error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.refuse({ code: "internal" });
  }

  // --- answering ---

  private writeStreamHead(): void {
    this.recorder.onFirstByte();
    const { response, headers } = this.job;
    const contentType = this.attempt?.stream?.contentType;
    if (contentType !== undefined) {
      response.writeHead(200, withHeaders({ "content-type": contentType }, headers));
      return;
    }
    const own = {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      connection: "keep-alive",
      "x-accel-buffering": "no",
    };
    response.writeHead(200, withHeaders(own, headers));
  }

  private sendWhole({ contentType, body }: EncodedAnswer): void {
    const { response, headers } = this.job;
    if (contentType === undefined) {
      this.writeStreamHead();
    } else {
      const length = Buffer.byteLength(body);
      const own = { "content-type": contentType, "content-length": length };
      response.writeHead(200, withHeaders(own, headers));
    }
    // Node writes a head and a text as one, but a head and bytes as two.
    if (typeof body !== "string" && body.length < SMALL_BYTES)
      response.end(body.toString("latin1"), "latin1");
    else response.end(body);
  }

  /** The answer cannot be completed: the client is told in its stream, and charged nothing. */
  private breakOff(refusal: Refusal): void {
    if (this.isFinished) return;
    this.finish("interrupted");
    this.endWithError(refusal);
  }

  /** Ends a stream that has begun. Bytes have no place for an error: only a broken connection says that they lack. */
  private endWithError(refusal: Refusal): void {
    const { response, client, describe, requestId } = this.job;
    if (response.destroyed) return;
    if (this.attempt?.stream?.contentType !== undefined) response.destroy();
    else response.end(client.encodeStreamError(describe(refusal), requestId));
  }

  /** Answers with an error; nothing was delivered and nothing is charged. */
  private refuse(refusal: Refusal): void {
    this.releaseHold();
    if (this.isFinished) return;
    this.finish("failed");
    sendRefusal(this.job, refusal);
  }

  private onClientClose(): void {
    if (this.isFinished) return;
    this.isClientGone = true;
    if (this.isSettling) return;
    const { attempt } = this;
    const stream = attempt?.stream;
    // Only events tell usage: bytes have their price already.
    if (attempt && stream?.hasDelivered && stream.contentType === undefined) {
      const { pricing } = this.ports;
      const drainMs = pricing.drainMs();
      const isForCounts =
        drainMs === 0 &&
        (this.task.isToldAtEnd?.(attempt.channel, this.upstreamModel, stream.usage) ?? false);
      const patienceMs = isForCounts ? pricing.countsDrainMs() : drainMs;
      if (patienceMs > 0) {
        this.drain(attempt, stream, patienceMs, isForCounts);
        return;
      }
    }
    attempt?.abort();
    if (attempt) this.routing.circuits.abandon(attempt.channel.id, this.task.model);
    if (stream?.hasDelivered) {
      this.settleInterrupted(stream);
    } else {
      this.releaseHold();
      this.finish("client-left");
    }
  }

  /** @param failure how the request ended without a charge; undefined when it was charged. */
  private finish(failure?: RequestEnd): void {
    if (this.isFinished) return;
    this.isFinished = true;
    clearTimeout(this.drained?.deadline);
    if (failure !== undefined) {
      this.recorder.endAttempt(failure);
      this.ports.charges.noteFailure(this.record(failure));
    }
    this.onFinish(this);
  }

  private record(end: RequestEnd): RequestRecord {
    const { job, task } = this;
    const request = {
      requestId: job.requestId,
      key: job.key,
      requestedModel: task.model,
      isStream: task.isStream ?? false,
    };
    return this.recorder.finish(request, this.upstreamModel, end);
  }

  private report(attempt: Attempt, kind: string, detail: string): void {
    this.ports.reportFailure({
      requestId: this.job.requestId,
      channelId: attempt.channel.channel.id,
      kind,
      detail,
    });
  }

  // --- counting and charging ---

  private noteSuccess(): void {
    if (!this.attempt) return;
    const { channel } = this.attempt;
    const { circuits, affinity } = this.routing;
    circuits.succeed(channel.id, this.task.model);
    if (this.session !== undefined) affinity.remember(this.session, channel.id);
  }

  private releaseHold(): void {
    if (!this.placed) return;
    release(this.placed.hold);
    this.placed = undefined;
  }

  private countStream(
    received: ReceivedStream,
    isInterrupted: boolean,
    done: (counts: Counts) => void,
  ): void {
    this.task.countStream(received, this.upstreamModel, isInterrupted, (counts) =>
      this.guard(() => done(counts)),
    );
  }

  /**
   * The client left, or has to go, in the middle of a stream: what it was given is charged, counted here.
   * @param code why it has to go.
   */
  private settleInterrupted(
    received: ReceivedStream,
    code: "shutting-down" | "upstream-interrupted" | "internal" = "shutting-down",
    delivery: Delivery = code === "shutting-down" ? "received" : "stopped",
  ): void {
    this.isSettling = true;
    clearTimeout(this.drained?.deadline);
    this.countStream(received, true, (counts) =>
      this.settle(counts, delivery, () => this.endWithError({ code })),
    );
  }

  /** The client left in the middle of a stream, which is read to its end for the upstream's own count, but not for ever. */
  private drain(attempt: Attempt, stream: AnswerStream, drainMs: number, isForCounts: boolean): void {
    const { usage } = stream;
    const content = stream.delivered();
    const received = { usage, delivered: () => content };
    const deadline = setTimeout(
      () =>
        this.guard(() => {
          attempt.abort();
          this.routing.circuits.abandon(attempt.channel.id, this.task.model);
          this.settleInterrupted(received);
        }),
      drainMs,
    );
    this.drained = { received, deadline, isForCounts };
    this.endHoldingUp();
    // It may have been slowed down for a client that read slowly.
    attempt.resume();
  }

  /** A stream came to its end after its client had left. An upstream that tells nothing has only been read in vain. */
  private settleDrained(stream: AnswerStream, { received, isForCounts }: Drained): void {
    const isTold = isComplete(stream.usage);
    if (!isTold || isForCounts) {
      this.noteSuccess();
      this.settleInterrupted(isTold ? withReasoning(received, stream.usage) : received);
      return;
    }
    this.isSettling = true;
    this.countStream(stream, false, (counts) => this.settle(counts, "drained", () => {}));
  }

  /** Charges, and calls `deliver` for the rest of the answer once the charge is durable. */
  private settle(counts: Counts, delivery: Delivery, deliver: () => void): void {
    const { placed } = this;
    if (!placed) throw new Error("a request is settled without a hold");
    const { response } = this.job;
    if (this.isClientGone && !response.headersSent) {
      // It left before it was given anything.
      this.releaseHold();
      this.finish("client-left");
      return;
    }
    this.placed = undefined;
    if (delivery === "whole" || delivery === "drained") this.noteSuccess();
    this.recorder.endAttempt("ok");
    const interruption = this.isClientGone ? "client-left" : "interrupted";
    const request = this.record(delivery === "whole" ? "complete" : interruption);
    const record = settleRequest(placed, request, counts, delivery);
    const isDelivered = response.headersSent;
    const onStored = (error: Error | undefined): void => {
      if (!error) {
        this.isCharged = true;
        deliver();
        this.finish();
      } else if (isDelivered) {
        // It is charged later, and so it is no failed request; but its answer must not end as if it had been paid.
        this.isCharged = true;
        this.finish();
        this.endWithError({ code: "storage-interrupted" });
      } else this.refuse({ code: "storage-failing" });
    };
    this.ports.charges.commit(record, (error) => this.guard(() => onStored(error)), isDelivered);
  }
}
