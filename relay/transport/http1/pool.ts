import type { Call } from "./call";
import { Connection, type ConnectionOwner, type Patience } from "./connection";
import type { Deadlines } from "./deadlines";
import type { Target } from "./dial";

/** How many idle connections of an origin are kept. */
const MAX_IDLE = 512;

/**
 * The connections of one origin. Each carries one request at a time; the one that was used last is used first, because
 * it is the warmest and the least likely to be closed by now. There is no bound on how many are in use: limits and the
 * clients' own number hold it.
 */
export class Pool implements ConnectionOwner {
  private readonly idle: Connection[] = [];

  constructor(
    readonly target: Target,
    readonly clock: Deadlines,
    readonly patience: Patience,
  ) {}

  /** Sends a request over an idle connection, or a new one. */
  send(call: Call): void {
    const nowMs = performance.now();
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
    new Connection(this, call);
  }
}
