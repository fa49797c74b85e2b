import type { LoadOrder } from "./load-order";

const TICK_MS = 1;

/** A pace's view of a connection. */
export interface PacedConnection {
  readonly sent: number;
  /** @param dueAt from when its latency counts, on the clock of `performance`; now when left out */
  send(dueAt?: number): void;
  close(): void;
}

/** Decides when each connection sends. */
export interface Pace {
  start(connections: readonly PacedConnection[]): void;
  /** An answer is complete: sends the next request, keeps the connection for later, or closes it. */
  onFree(connection: PacedConnection): void;
}

/** Each connection sends its next request when its last answer is complete. */
export const closedLoop = ({
  durationMs,
  requestsPerConnection = Number.POSITIVE_INFINITY,
}: Pick<LoadOrder, "durationMs" | "requestsPerConnection">): Pace => {
  let endsAt = 0;
  return {
    start(connections) {
      endsAt = performance.now() + durationMs;
      for (const connection of connections) connection.send();
    },
    onFree(connection) {
      if (performance.now() < endsAt && connection.sent < requestsPerConnection) connection.send();
      else connection.close();
    },
  };
};

/**
 * Requests become due evenly, independent of earlier ones; one without a free connection waits for one, and its latency
 * counts from its due time.
 */
export const steadyRate = ({ durationMs }: Pick<LoadOrder, "durationMs">, perSecond: number): Pace => {
  const total = Math.floor((durationMs / 1000) * perSecond);
  const free: PacedConnection[] = [];
  /** When those became due for which no connection was free. */
  const waiting: number[] = [];
  let due = 0;
  let startedAt = 0;

  const sendDue = (): void => {
    const now = performance.now();
    const dueByNow = Math.min(total, Math.floor(((now - startedAt) / 1000) * perSecond));
    for (; due < dueByNow; due += 1) {
      // Due since this tick: how late our own timer is does not count against the relay.
      const connection = free.shift();
      if (connection) connection.send(now);
      else waiting.push(now);
    }
    if (due < total) setTimeout(sendDue, TICK_MS);
    else for (const connection of free.splice(0)) connection.close();
  };
  return {
    start(connections) {
      free.push(...connections);
      startedAt = performance.now();
      sendDue();
    },
    onFree(connection) {
      const dueAt = waiting.shift();
      if (dueAt !== undefined) connection.send(dueAt);
      else if (due < total) free.push(connection);
      else connection.close();
    },
  };
};
