import { Agent, request } from "node:http";

/** What somebody who asks without a pause has got so far. */
export interface Asking {
  /** How long each answer took, whole, in milliseconds. */
  times: number[];
  /** Waits for the answer that is under way and stops. */
  stop(): Promise<void>;
}

const ask = (agent: Agent, url: string, cookie: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers: { cookie } }, (response) => {
      // Read to the end and thrown away: what the answer costs its reader is not measured here.
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
  // Told to whoever stops it.
  ended.catch(() => {});
  return {
    times,
    stop: () => {
      isStopped = true;
      return ended;
    },
  };
};
