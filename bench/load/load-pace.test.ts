import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { closedLoop, type Pace, type PacedConnection, steadyRate } from "./load-pace";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

class Connection implements PacedConnection {
  dueAt: number[] = [];
  isClosed = false;
  isWaiting = false;
  get sent(): number {
    return this.dueAt.length;
  }
  send(dueAt = performance.now()): void {
    this.isWaiting = true;
    this.dueAt.push(dueAt);
  }
  answer(pace: Pace): void {
    this.isWaiting = false;
    pace.onFree(this);
  }
  close(): void {
    this.isClosed = true;
  }
}

describe("a closed loop", () => {
  it("sends again on each answer until the time is over", () => {
    const connection = new Connection();
    const pace = closedLoop({ durationMs: 100 });
    pace.start([connection]);
    connection.answer(pace);
    expect(connection).toMatchObject({ sent: 2, isClosed: false });
    vi.advanceTimersByTime(100);
    connection.answer(pace);
    expect(connection).toMatchObject({ sent: 2, isClosed: true });
  });

  it("sends no more than each connection may", () => {
    const connection = new Connection();
    const pace = closedLoop({ durationMs: 100, requestsPerConnection: 1 });
    pace.start([connection]);
    connection.answer(pace);
    expect(connection).toMatchObject({ sent: 1, isClosed: true });
  });
});

describe("a steady rate", () => {
  it("goes on while answers are missing, and counts the wait for a free connection", () => {
    const connection = new Connection();
    const pace = steadyRate({ durationMs: 100 }, 100);
    const startedAt = performance.now();
    pace.start([connection]);
    vi.advanceTimersByTime(35);
    // The first is under way, the second and the third wait.
    expect(connection.dueAt).toEqual([startedAt + 10]);
    connection.answer(pace);
    expect(connection.dueAt).toEqual([startedAt + 10, startedAt + 20]);
  });

  it("sends all that were due before it closes", () => {
    const connections = [new Connection(), new Connection()];
    const pace = steadyRate({ durationMs: 100 }, 100);
    pace.start(connections);
    for (let ms = 0; ms < 200; ms += 1) {
      vi.advanceTimersByTime(1);
      for (const connection of connections) if (connection.isWaiting) connection.answer(pace);
    }
    expect(connections.reduce((sum, { sent }) => sum + sent, 0)).toBe(10);
    expect(connections.every(({ isClosed }) => isClosed)).toBe(true);
  });
});
