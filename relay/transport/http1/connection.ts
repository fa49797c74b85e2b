import type { Socket } from "node:net";
import type { FailureDetail, TransportFailure } from "../../ports/transport";
import { readFailure } from "../read-failure";
import { AnswerReader } from "./answer-reader";
import type { Call, Carrier } from "./call";
import { copyPart } from "./copy-part";
import type { Deadlines, Watched } from "./deadlines";
import { dial, type Target } from "./dial";
import { MalformedAnswer } from "./malformed-answer";
import { RequestWriter } from "./request-writer";

/** Time-outs in ticks of the clock. */
export interface Patience {
  connect: number;
  firstByte: number;
  idle: number;
}

/** The owner of idle connections. */
export interface ConnectionOwner {
  readonly target: Target;
  readonly clock: Deadlines;
  readonly patience: Patience;
  /** It can carry another request. */
  onIdle(connection: Connection): void;
  /** It is gone. */
  onClosed(connection: Connection): void;
  /** Its request was never seen by the upstream and is to be sent over a new connection. */
  onUnseen(call: Call): void;
  /**
   * The upstream sent an answer without a request: further answers on any of its connections cannot be trusted to match
   * their requests.
   */
  onUnsolicited(): void;
}

/** A read of a TLS connection is never larger. */
const TLS_READ_BYTES = 16 * 1024;
/** All plain connections share this read buffer: a read is processed before the next one of any of them starts. */
const readInto = Buffer.allocUnsafeSlow(32 * 1024);

/** Lifetime of idle connections. */
const KEEP_IDLE_MS = 30_000;
/** Margin by which an idle connection is closed before the upstream closes it, so that no request meets the closing. */
const CLOSE_EARLIER_MS = 2_000;

/** Too short for an upstream to work on a request and close; but this process's event loop may be this late. */
const MIN_UNSEEN_MS = 10;
const MAX_UNSEEN_MS = 1_000;

const CLOSED: TransportFailure = { kind: "reset", detail: { code: "connection-closed" } };

const UNSOLICITED: TransportFailure = {
  kind: "reset",
  detail: { code: "unsolicited-bytes" },
};

const faultOf = (error: unknown): FailureDetail =>
  error instanceof MalformedAnswer ? { code: "answer-malformed", flaw: error.flaw } : String(error);

const TIMEOUT_NOTICE = Buffer.from("HTTP/1.1 408");

/**
 * Some proxies announce that they close an idle connection (https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9),
 * which is not an answer to a request.
 */
const isTimeoutNotice = (bytes: Buffer, length: number): boolean =>
  length >= TIMEOUT_NOTICE.length && bytes.subarray(0, TIMEOUT_NOTICE.length).equals(TIMEOUT_NOTICE);

type SocketError = Error & { code?: string; syscall?: string };

/** The event that the connection waits for. */
type Awaited = "connection" | "first-byte" | "next-byte" | "receiver" | "written" | "request";

/**
 * A connection to an upstream that carries requests one after another. It reuses one read buffer, and passes on copies.
 */
export class Connection implements Carrier, Watched {
  index = -1;
  isClosed = false;
  private call: Call | undefined;
  private awaited: Awaited = "connection";
  private sinceTick: number;
  private readonly socket: Socket;
  private readonly reader = new AnswerReader();
  private readonly writer: RequestWriter;
  /** Number of requests it has carried. */
  private uses = 0;
  /** Time at which the request was written; only known from the second request on. */
  private writtenAtMs = 0;
  private dialledAtMs = 0;
  /** Round-trip time to the upstream, measured by the handshake. */
  private roundTripMs = 0;
  private keepIdleMs = KEEP_IDLE_MS;
  private idleUntilMs = 0;

  /** Opens a connection for a call. */
  constructor(
    private readonly owner: ConnectionOwner,
    call: Call,
  ) {
    this.sinceTick = owner.clock.tick;
    this.call = call;
    call.carrier = this;
    const { isSecure } = owner.target;
    const socket = dial(owner.target, {
      buffer: isSecure ? Buffer.allocUnsafeSlow(TLS_READ_BYTES) : readInto,
      callback: (length, bytes) => this.onRead(length, bytes as Buffer),
    });
    this.socket = socket;
    this.writer = new RequestWriter(socket, () => this.onWritten());
    socket.on("connectionAttempt", () => {
      this.dialledAtMs = performance.now();
    });
    socket.on("connect", () => {
      this.roundTripMs = performance.now() - this.dialledAtMs;
    });
    socket.on(isSecure ? "secureConnect" : "connect", () => this.write());
    socket.on("drain", () => this.onDrain());
    socket.on("end", () => this.onEnd());
    socket.on("error", (error) => this.onLost(error));
    socket.on("close", () => this.onClose());
    owner.clock.add(this);
  }

  /** Whether an idle connection may still be used. */
  isFresh(nowMs: number): boolean {
    return !this.isClosed && nowMs < this.idleUntilMs && this.socket.readable;
  }

  /** Sends a request over an idle connection. */
  carry(call: Call, nowMs: number): void {
    this.call = call;
    call.carrier = this;
    this.writtenAtMs = nowMs;
    this.socket.ref();
    this.write();
  }

  /** Ends it; a request that waits for an answer hears why. */
  close(failure: TransportFailure = CLOSED): void {
    const { call } = this;
    this.destroy();
    call?.fail(failure);
  }

  abandon(): void {
    this.call = undefined;
    // A complete answer leaves the connection in order, wanted or not.
    if (!this.reader.isDone) this.destroy();
  }

  proceed(): void {
    if (this.awaited !== "receiver") return;
    this.await("next-byte");
    this.socket.resume();
  }

  check(tick: number): void {
    const { patience, clock } = this.owner;
    const own = this.call?.request.patience;
    const ticks = tick - this.sinceTick;
    switch (this.awaited) {
      case "connection":
        if (ticks >= patience.connect) this.giveUp("connect-timeout");
        break;
      case "first-byte":
        if (ticks >= Math.max(patience.firstByte, clock.ticksOf(own?.firstByteMs ?? 0)))
          this.giveUp("answer-timeout");
        break;
      case "next-byte":
        if (ticks >= Math.max(patience.idle, clock.ticksOf(own?.idleMs ?? 0))) this.giveUp("idle-timeout");
        break;
      case "written":
        if (ticks >= patience.idle) this.destroy();
        break;
      case "request":
        if (performance.now() >= this.idleUntilMs) this.destroy();
        break;
      default:
      // No time-out while the client is slow to read.
    }
  }

  private giveUp(code: "connect-timeout" | "answer-timeout" | "idle-timeout"): void {
    this.close({ kind: "timeout", detail: { code } });
  }

  private await(awaited: Awaited): void {
    this.awaited = awaited;
    this.sinceTick = this.owner.clock.tick;
  }

  private write(): void {
    const { call } = this;
    if (call === undefined) return;
    this.uses += 1;
    this.reader.reset();
    this.await("first-byte");
    this.writer.write(call.head, call.request.body, call.bodyBytes);
  }

  private onDrain(): void {
    if (this.awaited === "first-byte") this.await("first-byte");
    this.writer.proceed();
  }

  /** @returns false to receive no more bytes until `resume` */
  private onRead(length: number, bytes: Buffer): boolean {
    const { call, reader } = this;
    if (call === undefined || this.awaited === "connection") {
      // An unsolicited answer, which must not be mistaken for the next one.
      if (call !== undefined || !isTimeoutNotice(bytes, length)) this.owner.onUnsolicited();
      this.close(UNSOLICITED);
      return false;
    }
    const hadHead = reader.head !== undefined;
    try {
      reader.read(bytes, length);
    } catch (error) {
      this.close({ kind: "reset", detail: faultOf(error) });
      return false;
    }
    const { head } = reader;
    // A slow head is as late as a missing one.
    if (head === undefined) return true;
    // Frames of chunks and trailers are no part of the answer.
    if (!hadHead || reader.payloadTo > reader.payloadFrom) this.await("next-byte");
    if (!hadHead) call.begin(head.status, head.headers);
    const isGoing = this.pushPayload(call, bytes);
    if (reader.isDone) {
      this.finish();
      return true;
    }
    if (this.isClosed) return false;
    if (!isGoing) this.awaited = "receiver";
    return isGoing;
  }

  private pushPayload(call: Call, bytes: Buffer): boolean {
    const { payloadFrom, payloadTo } = this.reader;
    if (payloadTo === payloadFrom || call.isOver) return true;
    // The receiver may keep the copy; the read buffer is overwritten by the next read.
    return call.push(copyPart(bytes, payloadFrom, payloadTo));
  }

  /** The answer is complete. */
  private finish(): void {
    const { call, reader, writer } = this;
    const head = reader.head;
    this.call = undefined;
    if (reader.hasExtra) this.owner.onUnsolicited();
    // If the answer arrives before the request is completely sent, the upstream still expects the rest on this
    // connection.
    if (head === undefined || head.isLast || reader.hasExtra || !writer.isGiven) this.destroy();
    else {
      this.readKeepAlive(head.keepAliveSeconds);
      if (writer.isDone) this.rest();
      else this.await("written");
    }
    call?.end();
  }

  private onWritten(): void {
    if (this.awaited === "written" && !this.isClosed) this.rest();
  }

  private readKeepAlive(seconds: number | undefined): void {
    if (seconds !== undefined) this.keepIdleMs = Math.min(KEEP_IDLE_MS, seconds * 1000 - CLOSE_EARLIER_MS);
  }

  /** Waits for the next request. */
  private rest(): void {
    if (this.keepIdleMs <= 0) {
      this.destroy();
      return;
    }
    this.writer.clear();
    this.await("request");
    this.idleUntilMs = performance.now() + this.keepIdleMs;
    // An idle connection keeps no process alive.
    this.socket.unref();
    this.owner.onIdle(this);
  }

  private onEnd(): void {
    if (this.call !== undefined && this.reader.close()) this.finish();
    else this.onLost(undefined);
  }

  private onClose(): void {
    if (!this.isClosed) this.onLost(undefined);
  }

  /** The connection broke: with an error, or because the upstream closed it in order. */
  private onLost(error: SocketError | undefined): void {
    const { call } = this;
    if (call === undefined || !this.isUnseen(error)) {
      this.close(error === undefined ? CLOSED : readFailure(error));
      return;
    }
    this.destroy();
    this.owner.onUnseen(call);
  }

  /**
   * Whether the upstream cannot have worked on the request, so that a retry cannot cost twice. A request to a model is
   * not idempotent: one that may have arrived is never retried here
   * (https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2). Its failure is reported to the exchange, which decides by
   * the administrator's RetryTimes. A retry happens only after an upstream closed an idle connection:
   *
   * - the connection had carried a request before, which the new one has not: so a request is sent at most twice;
   * - no byte of an answer has come;
   * - it was closed in order, or could not be written to. A reset is reported: it may come from an upstream that was at
   *   work;
   * - all that came sooner after the request was written than a packet takes to the upstream and back. So the upstream
   *   had closed before the request arrived.
   *
   * One case remains: an upstream that takes a request and closes in order within MIN_UNSEEN_MS. That time is accepted
   * because this process's event loop may be this late, and no model has answered by then.
   */
  private isUnseen(error: SocketError | undefined): boolean {
    const isClosed = error === undefined || error.code === "EPIPE" || error.syscall === "write";
    if (!isClosed || this.uses < 2 || this.reader.hasBegun) return false;
    const allowedMs = Math.min(MAX_UNSEEN_MS, Math.max(MIN_UNSEEN_MS, this.roundTripMs));
    return performance.now() - this.writtenAtMs <= allowedMs;
  }

  /** Closes the socket without notice to the upstream, and releases everything. */
  private destroy(): void {
    this.call = undefined;
    if (this.isClosed) return;
    this.isClosed = true;
    this.writer.clear();
    this.owner.clock.remove(this);
    this.socket.destroy();
    this.owner.onClosed(this);
  }
}
