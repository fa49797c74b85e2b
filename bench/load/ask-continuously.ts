import { Agent, request } from "node:http";

/** Results so far of a client that requests without a pause. */
export interface Asking {
  /** Duration of each whole answer, in milliseconds. */
  times: number[];
  /** Waits for the current answer and stops. */
  stop(): Promise<void>;
}

const ask = (agent: Agent, url: string, cookie: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers: { cookie } }, (response) => {
      // Discards the answer: the reader's cost is not measured here.
      response.resume();
      response.on("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} was answered ${response.statusCode}`));
      });
    });
    asked.on("error", reject);
    asked.end();
  });

/** Asks for these addresses in turn, each as soon as the one before is answered. */
export const askContinuously = (urls: readonly string[], cookie: string): Asking => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let isStopped = false;
  const run = async (): Promise<void> => {
    for (let i = 0; !isStopped; i += 1) {
      const startedAt = performance.now();
      await ask(agent, urls[i % urls.length] ?? "", cookie);
      times.push(performance.now() - startedAt);
    }
    agent.destroy();
  };
  const ended = run();
  // `stop` reports the error to its caller.
  ended.catch(() => {});
  return {
    times,
    stop: () => {
      isStopped = true;
      return ended;
    },
  };
};
