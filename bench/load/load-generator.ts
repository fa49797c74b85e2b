import { createInterface } from "node:readline";
import { LoadConnection } from "./load-connection";
import type { LoadOrder, LoadResult } from "./load-order";

/*
 * Sends requests over kept-alive connections, all opened before the first one. Takes its orders as JSON lines on standard
 * input and answers each with a JSON line.
 */

/** The longest run of latencies that is kept. */
const MAX_LATENCIES = 2_000_000;
const TICK_MS = 1;
/** Connections that are being opened at a time: fewer than any server's queue of new ones holds. */
const MAX_OPENING = 64;

const render = (order: LoadOrder): Buffer => {
  const headers = Object.entries({
    host: "127.0.0.1",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(order.body)),
    ...order.headers,
  });
  return Buffer.from(
    `POST ${order.path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${order.body}`,
  );
};

/** Who sends when. */
interface Pace {
  start(connections: readonly LoadConnection[]): void;
  /** An answer is complete: sends the next request, keeps the connection for later, or closes it. */
  onFree(connection: LoadConnection): void;
}

const closedLoop = ({ durationMs, requestsPerConnection = Number.POSITIVE_INFINITY }: LoadOrder): Pace => {
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

const steadyRate = ({ durationMs }: LoadOrder, perSecond: number): Pace => {
  const total = Math.floor((durationMs / 1000) * perSecond);
  const free: LoadConnection[] = [];
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

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const measure = (order: LoadOrder): Promise<LoadResult> =>
  new Promise((resolve) => {
    const request = render(order);
    const pace = order.perSecond === undefined ? closedLoop(order) : steadyRate(order, order.perSecond);
    const opened: LoadConnection[] = [];
    const latencies: number[] = [];
    let requests = 0;
    let failed = 0;
    let failure: string | undefined;
    let begun = 0;
    let closed = 0;
    let isStarted = false;
    let startedAt = 0;
    let lastAnswerAt = 0;

    const fail = (what: string): void => {
      failed += 1;
      failure ??= what.slice(0, 300);
    };
    const openNext = (): void => {
      if (begun === order.connections) return;
      begun += 1;
      new LoadConnection(order.port, request, listener);
    };
    const startWhenOpen = (): void => {
      openNext();
      if (isStarted || opened.length + closed < order.connections) return;
      isStarted = true;
      startedAt = performance.now();
      pace.start(opened);
    };
    const finish = (): void => {
      latencies.sort((a, b) => a - b);
      resolve({
        requests,
        failed,
        failure,
        p50Ms: percentile(latencies, 0.5),
        p99Ms: percentile(latencies, 0.99),
        elapsedMs: lastAnswerAt - startedAt,
      });
    };
    const listener = {
      onOpen(connection: LoadConnection) {
        opened.push(connection);
        startWhenOpen();
      },
      onAnswer(connection: LoadConnection, latencyMs: number, answer: string) {
        requests += 1;
        lastAnswerAt = performance.now();
        if (!answer.startsWith("HTTP/1.1 200")) fail(answer);
        if (latencies.length < MAX_LATENCIES) latencies.push(latencyMs);
        pace.onFree(connection);
      },
      onClose(_connection: LoadConnection, problem: string | undefined) {
        if (problem !== undefined) fail(problem);
        closed += 1;
        startWhenOpen();
        if (closed === order.connections) finish();
      },
    };
    for (let i = 0; i < MAX_OPENING; i += 1) openNext();
  });

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await measure(JSON.parse(line) as LoadOrder))}\n`);
}
