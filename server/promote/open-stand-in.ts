import { createServer } from "node:http";

/** How long the address may still be taken by who had it before. */
const TRIES = 200;
const PAUSE_MS = 10;

/** When to come again, in seconds. */
const RETRY_SECONDS = 2;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Answers for a gateway that is away for some seconds: 503, and when to come again.
 * @returns lets go of the address. @throws Error where somebody else has it.
 */
export const openStandIn = async (host: string, port: number): Promise<() => Promise<void>> => {
  const server = createServer((_, response) => {
    response.writeHead(503, { "content-type": "application/json", "retry-after": String(RETRY_SECONDS) });
    const message = "The data of this gateway is being moved: try again in some seconds.";
    response.end(JSON.stringify({ success: false, message, error: { type: "overloaded_error", message } }));
  });
  server.keepAliveTimeout = 1;
  for (let left = TRIES; ; left -= 1) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve();
        });
      });
      break;
    } catch (error) {
      if (left === 0) throw error;
      await pause(PAUSE_MS);
    }
  }
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
};
