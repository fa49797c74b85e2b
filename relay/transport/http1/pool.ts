import type { TransportFailure } from "../../ports/transport";
import type { Call } from "./call";
import { Connection, type ConnectionOwner, type Patience } from "./connection";
import type { Deadlines } from "./deadlines";
import type { Target } from "./dial";

/** Why requests fail when the process ends. */
export const STOPPING: TransportFailure = { kind: "reset", detail: { code: "stopping" } };

/** Maximum idle connections per origin. */
const MAX_IDLE = 512;

/**
 * The connections of one origin. Each carries one request at a time; the most recently used one comes first, because it
 * is the warmest and the least likely to be closed. The number of connections in use has no limit here: it is bounded
 * by rate limits and the number of clients.
 *
 * Unsolicited data from an upstream must not be mistaken for the next answer. So a connection rests until the event
 * loop has polled all sockets once more, and surplus data after an answer is noticed while no request uses the
 * connection. After an upstream has sent anything without a request, none of its connections carries a second request.
 */
export class Pool implements ConnectionOwner {
  private readonly idle: Connection[] = [];
  /** Became idle in this turn of the loop. */
  private resting: Connection[] = [];
  /** Became idle in the turn before. */
  private rested: Connection[] = [];
  private due: Call[] = [];
  private isTurnAwaited = false;
  private isTrusted = true;

  constructor(
    readonly target: Target,
    readonly clock: Deadlines,
    readonly patience: Patience,
  ) {}

  /**
   * Sends a request at the end of this turn of the event loop, together with all others of the turn. Each write wakes
   * the process at its other end, which costs far more between other work than in one batch. After one turn it is also
   * known whether an idle connection was closed.
   */
  send(call: Call): void {
    this.due.push(call);
    this.awaitTurn();
  }

  /** Fails all requests that were not sent yet. */
  close(): void {
    for (const call of this.due.splice(0)) call.fail(STOPPING);
  }

  endTurn(): void {
    this.isTurnAwaited = false;
    for (const connection of this.rested) this.keep(connection);
    this.rested = this.resting;
    this.resting = [];
    const calls = this.due;
    this.due = [];
    const nowMs = performance.now();
    for (const call of calls) if (!call.isOver) this.sendNow(call, nowMs);
    if (this.rested.length > 0 || this.due.length > 0) this.awaitTurn();
  }

  private awaitTurn(): void {
    if (this.isTurnAwaited) return;
    this.isTurnAwaited = true;
    setImmediate(endTurn, this);
  }

  /** Takes an idle connection, waits a turn for one that rests, or opens one. */
  private sendNow(call: Call, nowMs: number): void {
    for (;;) {
      const connection = this.idle.pop();
      if (connection === undefined) break;
      if (connection.isFresh(nowMs)) {
        connection.carry(call, nowMs);
        return;
      }
      connection.close();
    }
    if (this.due.length < this.rested.length) this.due.push(call);
    else this.onUnseen(call);
  }

  private keep(connection: Connection): void {
    if (connection.isClosed) return;
    this.idle.push(connection);
    if (this.idle.length > MAX_IDLE) this.idle[0]?.close();
  }

  onIdle(connection: Connection): void {
    if (!this.isTrusted) {
      connection.close();
      return;
    }
    this.resting.push(connection);
    this.awaitTurn();
  }

  onClosed(connection: Connection): void {
    const index = this.idle.lastIndexOf(connection);
    if (index !== -1) this.idle.splice(index, 1);
  }

  onUnsolicited(): void {
    this.isTrusted = false;
    for (const connection of [...this.idle, ...this.resting, ...this.rested]) connection.close();
  }

  onUnseen(call: Call): void {
    try {
      new Connection(this, call);
    } catch (error) {
      // An address that no socket takes.
      call.fail({ kind: "connect", detail: String(error) });
    }
  }
}

const endTurn = (pool: Pool): void => pool.endTurn();
