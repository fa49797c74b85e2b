import type { TransportFailure } from "../../ports";
import type { Call } from "./call";
import { Connection, type ConnectionOwner, type Patience } from "./connection";
import type { Deadlines } from "./deadlines";
import type { Target } from "./dial";

/** Why requests fail when the process ends. */
export const STOPPING: TransportFailure = { kind: "reset", detail: "the process is stopping" };

/** How many idle connections of an origin are kept. */
const MAX_IDLE = 512;

/**
 * The connections of one origin. Each carries one request at a time; the one that was used last is used first, because
 * it is the warmest and the least likely to be closed by now. There is no bound on how many are in use: limits and the
 * clients' own number hold it.
 */
export class Pool implements ConnectionOwner {
  private readonly idle: Connection[] = [];
  private due: Call[] = [];

  constructor(
    readonly target: Target,
    readonly clock: Deadlines,
    readonly patience: Patience,
  ) {}

  /**
   * Sends a request at the end of this turn of the loop, together with all others of the turn. Each write wakes whoever
   * reads at its other end, and done between other work that costs far more than done one after another. A turn is also
   * what it takes to see that an idle connection was closed.
   */
  send(call: Call): void {
    if (this.due.push(call) === 1) setImmediate(sendDue, this);
  }

  sendDue(): void {
    const calls = this.due;
    this.due = [];
    const nowMs = performance.now();
    for (const call of calls) if (!call.isOver) this.sendNow(call, nowMs);
  }

  /** Fails what was not sent yet. */
  close(): void {
    for (const call of this.due.splice(0)) call.fail(STOPPING);
  }

  /** Takes an idle connection, or opens one. */
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
    this.onUnseen(call);
  }

  onIdle(connection: Connection): void {
    this.idle.push(connection);
    if (this.idle.length > MAX_IDLE) this.idle[0]?.close();
  }

  onClosed(connection: Connection): void {
    const place = this.idle.lastIndexOf(connection);
    if (place !== -1) this.idle.splice(place, 1);
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

const sendDue = (pool: Pool): void => pool.sendDue();
