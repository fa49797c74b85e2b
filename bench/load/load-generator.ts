import { createInterface } from "node:readline";
import { LoadConnection } from "./load-connection";
import type { LoadOrder, LoadResult } from "./load-order";
import { closedLoop, steadyRate } from "./load-pace";

/*
 * Sends requests over kept-alive connections, all opened before the first one. Takes its orders as JSON lines on standard
 * input and answers each with a JSON line.
 */

/** The longest run of latencies that is kept. */
const MAX_LATENCIES = 2_000_000;
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
