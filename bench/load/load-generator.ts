import { connect, type Socket } from "node:net";

/*
 * A closed loop over kept-alive connections: each sends its next request when its last answer is complete. Takes its
 * orders as JSON lines on standard input and answers each with a JSON line.
 */

/** One measurement to make. */
export interface LoadOrder {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  durationMs: number;
}

export interface LoadResult {
  requests: number;
  /** Answers that were not 200, and broken connections. */
  errors: number;
  p50Ms: number;
  p99Ms: number;
}

/** The longest run of latencies that is kept. */
const MAX_LATENCIES = 2_000_000;

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

/** Whether the bytes so far hold a whole answer: by length, or by the last chunk. */
const isComplete = (answer: string): boolean => {
  const headEnd = answer.indexOf("\r\n\r\n");
  if (headEnd === -1) return false;
  const length = /content-length: (\d+)/i.exec(answer.slice(0, headEnd))?.[1];
  return length === undefined
    ? answer.endsWith("\r\n0\r\n\r\n")
    : answer.length >= headEnd + 4 + Number(length);
};

const measure = (order: LoadOrder): Promise<LoadResult> =>
  new Promise((resolve) => {
    const request = render(order);
    const latencies: number[] = [];
    let errors = 0;
    let requests = 0;
    const sockets: Socket[] = [];
    const endsAt = performance.now() + order.durationMs;
    let open = order.connections;

    const finish = (): void => {
      latencies.sort((a, b) => a - b);
      const at = (share: number): number =>
        latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
      resolve({ requests, errors, p50Ms: at(0.5), p99Ms: at(0.99) });
    };

    for (let i = 0; i < order.connections; i += 1) {
      const socket = connect(order.port, "127.0.0.1");
      sockets.push(socket);
      socket.setNoDelay(true);
      let answer = "";
      let sentAt = 0;
      const send = (): void => {
        answer = "";
        sentAt = performance.now();
        socket.write(request);
      };
      socket.on("connect", send);
      socket.on("data", (data) => {
        answer += data.toString("latin1");
        if (!isComplete(answer)) return;
        requests += 1;
        if (!answer.startsWith("HTTP/1.1 200")) errors += 1;
        const now = performance.now();
        if (latencies.length < MAX_LATENCIES) latencies.push(now - sentAt);
        if (now < endsAt) send();
        else socket.end();
      });
      socket.on("error", () => {
        errors += 1;
      });
      socket.on("close", () => {
        open -= 1;
        if (open === 0) finish();
      });
    }
  });

let pending = "";
process.stdin.on("data", async (data) => {
  pending += data.toString();
  const end = pending.indexOf("\n");
  if (end === -1) return;
  const order = JSON.parse(pending.slice(0, end)) as LoadOrder;
  pending = pending.slice(end + 1);
  process.stdout.write(`${JSON.stringify(await measure(order))}\n`);
});
