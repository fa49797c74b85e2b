import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import { BytePieces } from "@tollgate/protocols/shared/json/byte-pieces";
import { inSteps } from "../in-steps";
import type { UpstreamTarget } from "../ports/directory";
import type { TransportFailure, UpstreamReceiver } from "../ports/transport";
import type { TimeBounds } from "../routing/time-bounds";
import { AnswerDecoder, packingOf } from "./answer-decoder";
import { answerError, concealError, detailOf, errorAsMapped } from "./answer-error";
import type { AnswerStream, StreamWork } from "./answer-stream";
import { AnswerWatch, NO_QUIET_LIMIT, type QuietLimit, type WatchedAnswer } from "./answer-watch";
import type { AttemptOwner } from "./attempt-owner";
import { LARGE_ANSWER_BYTES } from "./encode-json";
import { isBlank, MAX_ANSWER_BYTES, readLargeAnswer, readWholeAnswer } from "./read-whole-answer";

/** Maximum bytes read of an upstream's error. */
const MAX_ERROR_BYTES = 64 * 1024;
/** Maximum bytes accepted after the end of a stream before its connection is closed instead of reused. */
const MAX_LATE_BYTES = 64 * 1024;
const LATE_MS = 2000;

/** So much of a stream is taken before others may come: some milliseconds, if it is the dearest to read. */
const TURN_BYTES = 16 * 1024;

/**
 * One upstream try. Each try has its own object, so that late events of an abandoned connection cannot be mistaken for
 * the next one's.
 */
export class Attempt implements UpstreamReceiver, WatchedAnswer {
  stream: AnswerStream | undefined;
  /** After the channel's overrides. */
  status = 0;
  /** As the upstream sent it; 0 before. */
  sentStatus = 0;
  private isMapped = false;
  private isOver = false;
  private isAborted = false;
  private abortUpstream: (() => void) | undefined;
  private resumeUpstream: (() => void) | undefined;
  private headers: Record<string, string | string[] | undefined> = {};
  /** An answer that is read as a whole; created when it starts. */
  private whole: BytePieces | undefined;
  /** Decompresses the answer, if it is compressed. */
  private decoder: AnswerDecoder | undefined;
  /** The stream is processing large content in steps: bytes that arrive meanwhile wait. */
  private isWorking = false;
  /** Bytes of a stream processed since other requests last had a turn. */
  private sinceTurn = 0;
  private waiting: Buffer[] = [];
  private waitingEnd: (() => void) | undefined;
  /** The client reads slower than it is written to. */
  private isHeldUp = false;
  /** Fires once the stream is complete, if the connection does not end. */
  private late: NodeJS.Timeout | undefined;
  private lateBytes = 0;
  readonly watch: AnswerWatch;

  constructor(
    readonly channel: UpstreamTarget,
    private readonly owner: AttemptOwner,
    limit: QuietLimit = NO_QUIET_LIMIT,
    bounds?: TimeBounds,
  ) {
    this.watch = new AnswerWatch(this, limit, bounds);
  }

  get hasDelivered(): boolean {
    return this.stream?.hasDelivered ?? false;
  }

  get isExcused(): boolean {
    return this.isWorking || this.isHeldUp || (this.stream?.isEnded ?? false);
  }

  /** The upstream's content type, "" when it is missing. */
  get contentType(): string {
    return String(this.headers["content-type"] ?? "");
  }

  /** Gives the attempt up; the owner hears no more of it. */
  abort(): void {
    this.isAborted = true;
    this.disconnect();
  }

  /** Hears no more of the upstream. */
  private disconnect(): void {
    this.isOver = true;
    this.watch.stop();
    this.decoder?.destroy();
    this.abortUpstream?.();
  }

  /** The client can take more. */
  resume(): void {
    this.isHeldUp = false;
    this.watch.onResume();
    this.readOn();
  }

  private readOn(): void {
    if (this.isWorking) return;
    if (this.decoder) this.decoder.resume();
    else this.resumeUpstream?.();
  }

  onStart(abort: () => void): void {
    this.abortUpstream = abort;
    if (this.isOver) abort();
  }

  onHeaders(
    status: number,
    headers: Record<string, string | string[] | undefined>,
    resume: () => void,
  ): void {
    const treatedAs = this.channel.overrides?.statusCodes?.get(status);
    this.status = treatedAs ?? status;
    this.sentStatus = status;
    this.isMapped = treatedAs !== undefined;
    this.headers = headers;
    this.resumeUpstream = resume;
    if (this.isOver) return;
    this.watch.onHead();
    const packing = packingOf(headers["content-encoding"]);
    if (packing !== undefined) {
      const receiver = {
        onData: (chunk: Buffer) => this.take(chunk),
        onEnd: () => this.takeEnd(),
        onBroken: (fault: UpstreamFault) => this.breakDown(fault),
      };
      this.decoder = new AnswerDecoder(packing, receiver, resume);
    }
    this.guard(() => {
      this.owner.onHead(status, treatedAs);
      if (status < 300) this.stream = this.owner.createStream(this.channel, this.contentType);
    });
  }

  onData(chunk: Buffer): boolean {
    return this.decoder && !this.isOver ? this.decoder.write(chunk) : this.take(chunk);
  }

  onEnd(): void {
    if (this.decoder && !this.isOver) this.decoder.end();
    else this.takeEnd();
  }

  private take(chunk: Buffer): boolean {
    if (this.isWorking) {
      if (!this.isOver) this.waiting.push(chunk);
      return false;
    }
    if (this.late !== undefined) {
      this.lateBytes += chunk.length;
      if (this.lateBytes > MAX_LATE_BYTES) {
        this.stopWaiting();
        return true;
      }
    }
    if (this.isOver) return true;
    try {
      const { stream, watch } = this;
      const isSearched = watch.wantsContent;
      if (stream) stream.isSearched = isSearched;
      const isGoing = stream ? this.onStreamData(stream, chunk) : this.gather(chunk);
      watch.onRead(stream ? stream.isQuiet : isBlank(chunk), this.hasDelivered, isSearched);
      return isGoing;
    } catch (error) {
      this.crash(error);
      return true;
    }
  }

  private takeEnd(): void {
    this.endWith(() => {
      if (this.stream) this.closeStream(this.stream);
      else this.readGathered();
    });
  }

  onFailure({ kind, detail }: TransportFailure): void {
    const code = kind === "timeout" ? "timeout" : "";
    const fail = () => this.owner.onError({ kind: "network", status: 0, message: "", code }, detail);
    this.endWith(() => this.endBroken(fail));
  }

  /** The connection has ended: `conclude` decides about the answer, after pending work. */
  private endWith(conclude: () => void): void {
    if (this.isWorking) {
      this.waitingEnd ??= () => this.endWith(conclude);
      return;
    }
    clearTimeout(this.late);
    this.decoder?.destroy();
    if (this.isOver) return;
    this.isOver = true;
    this.watch.stop();
    this.guard(conclude);
  }

  /** The compressed data is corrupt. */
  private breakDown(fault: UpstreamFault): void {
    if (this.isOver) return;
    if (this.isWorking) {
      this.waitingEnd ??= () => this.breakDown(fault);
      return;
    }
    this.disconnect();
    this.guard(() => this.endBroken(() => this.fail(answerError("unknown", this.status, fault))));
  }

  /** Reads the upstream's own error message from a body that is not a success. */
  readError(bytes: Buffer, body: unknown): UpstreamError {
    const { protocol, conceal } = this.channel;
    const error = protocol.readError(this.status, this.headers, body ?? bytes.toString("utf8"));
    return concealError(errorAsMapped(error, this.isMapped, this.status), conceal);
  }

  /** Whatever an upstream sends, it ends at most its own request. */
  private guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.crash(error);
    }
  }

  private crash(error: unknown): void {
    this.abort();
    this.owner.onCrash(error);
  }

  /** The delivered part of an answer that this gateway ends by its own bound is charged. */
  onLate(error: UpstreamError, fault: UpstreamFault): void {
    if (this.isWorking) this.abort();
    else this.disconnect();
    const begun = error.kind === "late-token" ? this.stream : undefined;
    const fail = () => (begun ? this.owner.onGivenUp(begun, error) : this.owner.onError(error, fault));
    this.guard(() => (this.isAborted ? fail() : this.endBroken(fail)));
  }

  private gather(chunk: Buffer): boolean {
    this.whole ??= new BytePieces();
    this.whole.push(chunk);
    if (this.whole.length > (this.status < 300 ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES)) {
      this.whole = undefined;
      this.abort();
      this.fail(answerError("unknown", this.status, { code: "answer-too-large" }));
    }
    return true;
  }

  private readGathered(): void {
    const bytes = this.whole?.take() ?? Buffer.alloc(0);
    if (bytes.length > LARGE_ANSWER_BYTES) {
      this.readLarge(bytes);
      return;
    }
    const body = readWholeAnswer(bytes);
    if (this.status < 300) this.owner.onWholeAnswer(bytes, body);
    else this.fail(this.readError(bytes, body));
  }

  /** Only a success is that large. */
  private readLarge(bytes: Buffer): void {
    const tell = (body: unknown): void => {
      // Meanwhile the client may have left.
      if (!this.isAborted) this.guard(() => this.owner.onWholeAnswer(bytes, body));
    };
    inSteps(readLargeAnswer(bytes)).then(tell, () => tell(undefined));
  }

  private onStreamData(stream: AnswerStream, chunk: Buffer): boolean {
    const isLong = chunk.length > TURN_BYTES;
    const bytes = stream.push(isLong ? chunk.subarray(0, TURN_BYTES) : chunk);
    if (isLong) this.waiting.push(chunk.subarray(TURN_BYTES));
    if (stream.work === undefined) {
      const isGoing = this.passOn(stream, bytes);
      this.sinceTurn += chunk.length;
      if (this.sinceTurn < TURN_BYTES) return isGoing;
      this.sinceTurn = 0;
      if (this.isOver || !(isGoing || isLong)) return isGoing;
      // The rest of a read is processed even when the client is slow: no more is read from the upstream meanwhile.
      this.letOthersCome();
      return false;
    }
    this.doWork(stream.work, () => {
      this.watch.onRead(stream.isQuiet, stream.hasDelivered, true);
      const isGoing = this.passOn(stream, undefined);
      this.takeWaiting(isGoing && !this.isHeldUp);
    });
    return false;
  }

  /** A socket that has more to give is read again and again before the event loop looks at any other. */
  private letOthersCome(): void {
    this.isWorking = true;
    setImmediate(() => {
      this.isWorking = false;
      if (!this.isAborted) this.guard(() => this.takeWaiting(!this.isHeldUp));
    });
  }

  /** Runs the pending work of a read in steps. @param onDone not called when the attempt is abandoned meanwhile. */
  private doWork(work: StreamWork, onDone: () => void): void {
    this.isWorking = true;
    const onStep = (bytes: Uint8Array | undefined): void => {
      if (this.isAborted) work.return();
      else if (bytes !== undefined) this.give(bytes);
    };
    inSteps(work, onStep).then(
      () => {
        this.isWorking = false;
        if (!this.isAborted) this.guard(onDone);
      },
      (error: unknown) => {
        this.isWorking = false;
        if (!this.isAborted) this.crash(error);
      },
    );
  }

  /**
   * Processes bytes that arrived during the pending work, then resumes reading. @param isGoing whether the client
   * reads.
   */
  private takeWaiting(isGoing: boolean): void {
    let isNext = isGoing;
    const chunks = this.waiting;
    this.waiting = [];
    for (const chunk of chunks) isNext = this.take(chunk) && isNext;
    // Another large event delays the bytes after it.
    if (this.isWorking) return;
    const end = this.waitingEnd;
    this.waitingEnd = undefined;
    if (end) end();
    else if (isNext && !this.isOver) this.readOn();
  }

  private passOn(stream: AnswerStream, bytes: Uint8Array | string | undefined): boolean {
    if (stream.error) {
      this.abort();
      this.breakOff(stream, stream.error, bytes);
      return true;
    }
    if (stream.isEnded) this.late ??= setTimeout(() => this.stopWaiting(), LATE_MS).unref();
    if (stream.isEnded && stream.endsWithMark) {
      // The end mark is there: do not wait for the upstream to close.
      this.isOver = true;
      this.watch.stop();
      this.endStream(stream, bytes);
      return true;
    }
    return bytes === undefined || this.give(bytes);
  }

  private give(bytes: Uint8Array | string): boolean {
    if (this.owner.onBytes(bytes)) return true;
    this.isHeldUp = true;
    return false;
  }

  /** The stream is complete, but its connection does not end. */
  private stopWaiting(): void {
    if (this.isWorking) {
      this.waitingEnd ??= () => this.stopWaiting();
      return;
    }
    clearTimeout(this.late);
    const { stream } = this;
    const isUnread = !this.isOver;
    this.disconnect();
    if (isUnread && stream) this.guard(() => this.closeStream(stream));
  }

  /** No more bytes of this stream will come. */
  private closeStream(stream: AnswerStream): void {
    const rest = stream.end();
    if (stream.work === undefined) this.endRead(stream, rest);
    else this.doWork(stream.work, () => this.endRead(stream, undefined));
  }

  /** The connection failed: behind a whole answer, that has no effect. @param fail reports it. */
  private endBroken(fail: () => void): void {
    if (this.stream?.isWhole) this.closeStream(this.stream);
    else fail();
  }

  private endRead(stream: AnswerStream, rest: Uint8Array | string | undefined): void {
    if (stream.error) this.breakOff(stream, stream.error, rest);
    else this.endStream(stream, rest);
  }

  private endStream(stream: AnswerStream, rest: Uint8Array | string | undefined): void {
    if (stream.hasDelivered) this.owner.onStreamEnd(stream, rest);
    // An answer without content counts when the model demonstrably worked for it.
    else if ((stream.usage.outputTokens ?? 0) > 0) this.owner.onStreamEnd(stream, stream.release());
    else this.fail(answerError("empty", this.status));
  }

  private breakOff(stream: AnswerStream, error: UpstreamError, rest: Uint8Array | string | undefined): void {
    if (rest !== undefined) this.owner.onBytes(rest);
    const told = concealError(error, this.channel.conceal);
    if (stream.isGivenUp && stream.hasDelivered) this.owner.onGivenUp(stream, told);
    else this.fail(told);
  }

  private fail(error: UpstreamError): void {
    this.owner.onError(error, detailOf(error));
  }
}
