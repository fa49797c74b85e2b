import type { UpstreamError } from "@tollgate/contract/relay/error";
import {
  type AnswerStamp,
  type ClientProtocol,
  RequestInvalid,
  type RequestOutline,
} from "@tollgate/contract/relay/protocol";
import { isComplete, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { withMessageOverhead } from "@tollgate/metering/estimate";
import { release } from "@tollgate/metering/ledger";
import type {
  ChannelEntry,
  ClientResponse,
  Describe,
  KeyEntry,
  Refusal,
  RelayPorts,
  TransportFailure,
  UpstreamReceiver,
} from "../ports";
import { mayRetry, refusalFor } from "../routing/after-failure";
import { isRefusal } from "./admit";
import type { AnswerStream } from "./answer-stream";
import { buildCall } from "./build-call";
import { choose } from "./choose";
import { partsOf } from "./parts-of";
import { PassStream } from "./pass-stream";
import { type PlacedHold, placeHold } from "./place-hold";
import { type Counts, estimatePromptTokens, settleRequest } from "./settle";
import { TranslateStream } from "./translate-stream";

/** The largest answer in one piece that is read: far above any model's output, but a bound on memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** How much of an upstream's error is read. */
const MAX_ERROR_BYTES = 64 * 1024;

/** One client request, from its admission to its charge. */
export interface ExchangeJob {
  client: ClientProtocol;
  key: KeyEntry;
  /** The only channel to use, when an administrator pinned one. */
  pinned: ChannelEntry | undefined;
  rawBody: Uint8Array;
  body: Record<string, unknown>;
  outline: RequestOutline;
  response: ClientResponse;
  requestId: string;
  /** Headers that every answer to this client carries. */
  headers: Readonly<Record<string, string>>;
  describe: Describe;
  /** Called once, when nothing of this request is left to do. */
  done(): void;
}

const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  connection: "keep-alive",
  "x-accel-buffering": "no",
} as const;

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
};

const joinPieces = (first: Uint8Array | string, second: Uint8Array | string): Uint8Array | string =>
  typeof first === "string" && typeof second === "string"
    ? first + second
    : Buffer.concat([Buffer.from(first as Uint8Array), Buffer.from(second as Uint8Array)]);

const emptyAnswer = (status: number): UpstreamError => ({ kind: "empty", status, message: "", code: "" });

/**
 * Runs one request: choose → hold → attempt → stream → settle, back to choose while nothing has reached the client.
 * One object with fixed fields and plain callbacks, because it runs for every request. The invariant: `placed` is
 * defined exactly while a hold is open.
 */
export class Exchange implements UpstreamReceiver {
  private readonly tried = new Set<number>();
  private attemptsLeft: number;
  private placed: PlacedHold | undefined;
  private channel: ChannelEntry | undefined;
  private upstreamModel = "";
  private readonly prompt: { text: string; messages: number };
  /** An estimate for the hold; the charge goes by the upstream's count, or by ours. */
  private readonly promptTokens: number;

  private abortUpstream: (() => void) | undefined;
  private resumeUpstream: (() => void) | undefined;
  private status = 0;
  private upstreamHeaders: Record<string, string | string[] | undefined> = {};
  private stream: AnswerStream | undefined;
  private pieces: Buffer[] = [];
  private piecesBytes = 0;
  /** The current attempt is over; late events of its connection are ignored. */
  private isAttemptOver = false;
  private isClientGone = false;
  private isFinished = false;

  constructor(
    private readonly ports: RelayPorts,
    private readonly job: ExchangeJob,
  ) {
    this.attemptsLeft = 1 + (job.pinned ? 0 : ports.pricing.retryTimes());
    this.prompt = job.client.promptText(job.body);
    this.promptTokens = withMessageOverhead(estimatePromptTokens(this.prompt.text), this.prompt.messages);
    job.response.once("close", () => this.onClientClose());
  }

  /** Chooses a channel, places the hold and sends the request. */
  start(): void {
    const { job, ports } = this;
    const { key, outline } = job;
    const channel = job.pinned ?? this.chooseChannel();
    if (!channel) {
      this.refuse({
        code: "channel-unavailable",
        params: { group: key.user.group, model: outline.model },
      });
      return;
    }
    this.attemptsLeft -= 1;
    this.tried.add(channel.channel.id);
    this.channel = channel;
    this.upstreamModel = channel.channel.modelMapping[outline.model] ?? outline.model;
    const limit = outline.maxOutputTokens;
    const placed = placeHold(
      ports.pricing,
      key,
      this.upstreamModel,
      this.promptTokens,
      limit === undefined ? undefined : limit * outline.choices,
    );
    if (isRefusal(placed)) {
      this.refuse(placed);
      return;
    }
    this.placed = placed;
    this.isAttemptOver = false;
    this.status = 0;
    this.stream = undefined;
    this.pieces = [];
    this.piecesBytes = 0;
    try {
      const call = buildCall(
        job.client,
        channel,
        job.rawBody,
        job.body,
        this.upstreamModel,
        outline.isStream,
      );
      ports.transport.send(call, this);
    } catch (error) {
      this.isAttemptOver = true;
      if (!(error instanceof RequestInvalid)) {
        this.report("internal", error instanceof Error ? (error.stack ?? error.message) : String(error));
        this.refuse({ code: "internal" });
        return;
      }
      this.refuse({
        code: "request-invalid",
        params: { reason: error.message },
        ...(error.param === undefined ? {} : { field: error.param }),
      });
    }
  }

  /** Ends the request now: the process is about to stop. What was delivered is charged. */
  interrupt(): void {
    if (this.isFinished) return;
    if (this.stream?.hasDelivered) {
      this.abort();
      this.settleInterrupted();
    } else {
      this.abort();
      this.refuse({ code: "shutting-down" });
    }
  }

  onStart(abort: () => void): void {
    this.abortUpstream = abort;
    if (this.isClientGone) abort();
  }

  onHeaders(
    status: number,
    headers: Record<string, string | string[] | undefined>,
    resume: () => void,
  ): void {
    this.status = status;
    this.upstreamHeaders = headers;
    this.resumeUpstream = resume;
    const contentType = String(headers["content-type"] ?? "");
    if (status < 300 && this.job.outline.isStream && !contentType.startsWith("application/json")) {
      this.stream = this.createStream();
    }
  }

  onData(chunk: Buffer): boolean {
    if (this.isAttemptOver) return true;
    if (this.stream) return this.onStreamData(this.stream, chunk);
    this.piecesBytes += chunk.length;
    const limit = this.status < 300 ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES;
    if (this.piecesBytes > limit) {
      this.abort();
      this.onUpstreamError({
        kind: "unknown",
        status: this.status,
        message: "the answer is too large",
        code: "",
      });
      return true;
    }
    this.pieces.push(chunk);
    return true;
  }

  onEnd(): void {
    if (this.isAttemptOver) return;
    this.isAttemptOver = true;
    if (this.stream) {
      this.onStreamEnd(this.stream);
      return;
    }
    const bytes = this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces);
    const body = parseJson(bytes);
    if (this.status >= 300) this.onUpstreamError(this.readError(body));
    else this.onWholeAnswer(bytes, body);
  }

  onFailure(failure: TransportFailure): void {
    if (this.isAttemptOver) return;
    this.isAttemptOver = true;
    this.report(failure.kind, failure.detail);
    if (this.stream?.hasDelivered) {
      this.breakOff({ code: "upstream-interrupted" });
      return;
    }
    this.onUpstreamError({
      kind: "network",
      status: 0,
      message: "",
      code: failure.kind === "timeout" ? "timeout" : "",
    });
  }

  private chooseChannel(): ChannelEntry | undefined {
    const { directory, random } = this.ports;
    const candidates = directory.candidates(this.job.key.user.group, this.job.outline.model);
    let left = candidates;
    // Lower priorities come into play once the higher ones are used up.
    while (left.length > 0) {
      const chosen = choose(left, this.tried, random());
      if (chosen) return chosen;
      const priority = left[0]?.channel.priority;
      left = left.filter((entry) => entry.channel.priority !== priority);
    }
    return undefined;
  }

  private createStream(): AnswerStream {
    const { client, outline } = this.job;
    const protocol = this.currentChannel().protocol;
    return protocol.name === client.name
      ? new PassStream(protocol, outline.wantsUsageChunk)
      : new TranslateStream(
          protocol.createStreamReader(),
          client.createStreamWriter(this.stamp(), outline.wantsUsageChunk),
        );
  }

  private stamp(): AnswerStamp {
    const { requestId, outline } = this.job;
    return {
      id: requestId,
      createdAt: toUnixSeconds(this.ports.now()),
      model: outline.model,
      requestId,
      promptTokens: this.promptTokens,
    };
  }

  private currentChannel(): ChannelEntry {
    if (!this.channel) throw new Error("no channel was chosen");
    return this.channel;
  }

  private readError(body: unknown): UpstreamError {
    const text = this.pieces.length === 0 ? "" : Buffer.concat(this.pieces).toString("utf8");
    return this.currentChannel().protocol.readError(this.status, this.upstreamHeaders, body ?? text);
  }

  // --- an answer in one piece ---

  private onWholeAnswer(bytes: Buffer, body: unknown): void {
    const { client, outline } = this.job;
    const protocol = this.currentChannel().protocol;
    if (!protocol.isAnswer(body)) {
      const isNothing = bytes.length === 0 || (body !== undefined && !this.hasError(body));
      this.onUpstreamError(isNothing ? emptyAnswer(this.status) : this.readError(body));
      return;
    }
    const isPassed = protocol.name === client.name && !outline.isStream;
    const usage = protocol.readUsage(body);
    if (isPassed && isComplete(usage) && (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) > 0) {
      this.settle(
        {
          promptTokens: usage.inputTokens ?? 0,
          completionTokens: usage.outputTokens ?? 0,
          source: "upstream",
        },
        false,
        () => this.sendWhole(bytes),
      );
      return;
    }
    const response = protocol.readResponse(body);
    if (!response) {
      this.onUpstreamError(emptyAnswer(this.status));
      return;
    }
    const text = response.parts
      .map((part) => (part.kind === "tool-call" ? part.name + part.arguments : part.text))
      .join("");
    this.count(usage, text + (response.refusal ?? ""), false, (counts) => {
      const answer = {
        ...response,
        usage: { ...usage, inputTokens: counts.promptTokens, outputTokens: counts.completionTokens },
      };
      if (outline.isStream) {
        const writer = client.createStreamWriter(this.stamp(), outline.wantsUsageChunk);
        const start = partsOf(answer)
          .map((part) => writer.push(part))
          .join("");
        this.settle(counts, false, () => {
          this.job.response.writeHead(200, { ...this.job.headers, ...SSE_HEADERS });
          this.job.response.end(start + writer.end());
        });
      } else {
        const encoded = isPassed ? bytes : JSON.stringify(client.encodeResponse(answer, this.stamp()));
        this.settle(counts, false, () => this.sendWhole(encoded));
      }
    });
  }

  private hasError(body: unknown): boolean {
    return typeof body === "object" && body !== null && "error" in body && Boolean(body.error);
  }

  private sendWhole(body: Buffer | string): void {
    this.job.response.writeHead(200, {
      ...this.job.headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    this.job.response.end(body);
  }

  // --- a stream ---

  private onStreamData(stream: AnswerStream, chunk: Buffer): boolean {
    const bytes = stream.push(chunk);
    if (stream.error) {
      if (bytes !== undefined) this.send(bytes);
      this.abort();
      this.onStreamError(stream, stream.error);
      return true;
    }
    if (stream.isEnded && stream instanceof PassStream) {
      // The end mark is there: do not wait for the upstream to close.
      this.isAttemptOver = true;
      this.onStreamEnd(stream, bytes);
      return true;
    }
    return bytes === undefined || this.send(bytes);
  }

  /** @param unsent what the last read brought, to be sent in one piece with the end. */
  private onStreamEnd(stream: AnswerStream, unsent?: Uint8Array | string): void {
    const rest = unsent ?? stream.end();
    if (stream.error) {
      if (rest !== undefined) this.send(rest);
      this.onStreamError(stream, stream.error);
      return;
    }
    if (!stream.hasDelivered) {
      this.onUpstreamError(emptyAnswer(this.status));
      return;
    }
    this.count(
      stream.usage,
      () => stream.deliveredText(),
      false,
      (counts) =>
        this.settle(counts, false, () => {
          const { response } = this.job;
          const tail = stream.tail(counts);
          if (!response.headersSent) response.writeHead(200, { ...this.job.headers, ...SSE_HEADERS });
          response.end(rest === undefined ? tail : joinPieces(rest, tail));
        }),
    );
  }

  private onStreamError(stream: AnswerStream, error: UpstreamError): void {
    this.isAttemptOver = true;
    if (!stream.hasDelivered) {
      this.onUpstreamError(error);
      return;
    }
    this.report(error.kind, error.message);
    this.breakOff({ code: "upstream-interrupted" });
  }

  /** @returns false when the client reads slower than the upstream writes. */
  private send(bytes: Uint8Array | string): boolean {
    const { response } = this.job;
    if (!response.headersSent) response.writeHead(200, { ...this.job.headers, ...SSE_HEADERS });
    if (response.write(bytes)) return true;
    response.once("drain", () => this.resumeUpstream?.());
    return false;
  }

  /** The upstream failed after something had been delivered: the client is told, and charged nothing. */
  private breakOff(refusal: Refusal): void {
    this.releaseHold();
    const { response, client, describe, requestId } = this.job;
    this.finish();
    response.end(client.encodeStreamError(describe(refusal), requestId));
  }

  // --- endings ---

  private onUpstreamError(error: UpstreamError): void {
    this.isAttemptOver = true;
    const channel = this.currentChannel();
    this.releaseHold();
    if (error.kind !== "network") this.report(error.kind, `${error.status} ${error.code} ${error.message}`);
    if (error.kind === "dead-key") this.ports.directory.reportDeadKey(channel, error.message);
    if (this.attemptsLeft > 0 && mayRetry(error) && !this.isClientGone) {
      const next = this.chooseChannel();
      if (next && next.channel.status === CHANNEL_ENABLED) {
        this.start();
        return;
      }
    }
    this.refuse(
      error.kind === "network" && error.code === "timeout" ? { code: "upstream-timeout" } : refusalFor(error),
    );
  }

  private onClientClose(): void {
    if (this.isFinished) return;
    this.isClientGone = true;
    if (this.isAttemptOver) return;
    this.abort();
    if (this.stream?.hasDelivered) {
      this.settleInterrupted();
    } else {
      this.releaseHold();
      this.finish();
    }
  }

  /** The client left, or has to go, in the middle of a stream: what it was given is charged, counted here. */
  private settleInterrupted(): void {
    const stream = this.stream;
    if (!stream) return;
    this.count(
      stream.usage,
      () => stream.deliveredText(),
      true,
      (counts) =>
        this.settle(counts, true, () => {
          if (!this.job.response.destroyed) {
            const error = this.job.describe({ code: "shutting-down" });
            this.job.response.end(this.job.client.encodeStreamError(error, this.job.requestId));
          }
        }),
    );
  }

  private abort(): void {
    this.isAttemptOver = true;
    this.abortUpstream?.();
  }

  private releaseHold(): void {
    if (!this.placed) return;
    release(this.placed.hold);
    this.placed = undefined;
  }

  /** Answers with an error; nothing was delivered and nothing is charged. */
  private refuse(refusal: Refusal): void {
    this.releaseHold();
    if (this.isFinished) return;
    const { response, client, describe, requestId, headers } = this.job;
    this.finish();
    if (response.destroyed || response.writableEnded) return;
    const error = describe(refusal);
    const body = JSON.stringify(client.encodeError(error, requestId));
    response.writeHead(error.status, {
      ...headers,
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  }

  private finish(): void {
    if (this.isFinished) return;
    this.isFinished = true;
    this.job.done();
  }

  private report(kind: string, detail: string): void {
    this.ports.reportFailure({
      requestId: this.job.requestId,
      channelId: this.currentChannel().channel.id,
      kind,
      detail,
    });
  }

  // --- counting and charging ---

  /**
   * The counts to charge: the upstream's where it told them, else counted here. An interrupted answer is always
   * counted, because the upstream's number would cover what was never delivered.
   */
  private count(
    usage: Usage,
    text: string | (() => string),
    isInterrupted: boolean,
    done: (counts: Counts) => void,
  ): void {
    const known = usage ?? NO_USAGE;
    const isTold = (known.inputTokens ?? 0) + (known.outputTokens ?? 0) > 0;
    if (!isInterrupted && isTold && known.inputTokens !== undefined && known.outputTokens !== undefined) {
      done({ promptTokens: known.inputTokens, completionTokens: known.outputTokens, source: "upstream" });
      return;
    }
    const { tokenCounter } = this.ports;
    const model = this.upstreamModel;
    const delivered = typeof text === "string" ? text : text();
    const toldOutput = isInterrupted || !isTold ? undefined : known.outputTokens;
    const toldInput = isTold ? known.inputTokens : undefined;
    const countOutput = (promptTokens: number): void => {
      if (toldOutput !== undefined) {
        done({ promptTokens, completionTokens: toldOutput, source: "counted" });
        return;
      }
      tokenCounter.count(model, delivered, (completionTokens) =>
        done({ promptTokens, completionTokens, source: "counted" }),
      );
    };
    if (toldInput !== undefined) {
      countOutput(toldInput);
      return;
    }
    tokenCounter.count(model, this.prompt.text, (tokens) =>
      countOutput(withMessageOverhead(tokens, this.prompt.messages)),
    );
  }

  /** Charges, and calls `deliver` for the rest of the answer once the charge is durable. */
  private settle(counts: Counts, isInterrupted: boolean, deliver: () => void): void {
    const placed = this.placed;
    if (!placed) throw new Error("a request is settled without a hold");
    if (this.isClientGone && !this.job.response.headersSent) {
      // It left before it was given anything.
      this.releaseHold();
      this.finish();
      return;
    }
    this.placed = undefined;
    const { key, requestId } = this.job;
    const record = settleRequest(
      placed,
      key,
      this.currentChannel().channel.id,
      requestId,
      counts,
      isInterrupted,
    );
    this.ports.charges.commit(record, (error) => {
      if (this.isFinished) return;
      if (!error) {
        deliver();
        this.finish();
        return;
      }
      // The charge could not be stored and was taken back: the answer must not end as if it had been paid.
      if (this.job.response.headersSent) this.breakOff({ code: "internal" });
      else this.refuse({ code: "internal" });
    });
  }
}
