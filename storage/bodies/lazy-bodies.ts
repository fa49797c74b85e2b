import { existsSync } from "node:fs";
import { clearInSteps } from "./clear-in-steps";
import type { BodySteps, StoredBodies } from "./ports";

/** The thread of the stored bodies. */
interface BodyThread {
  bodies: BodySteps;
  close(): Promise<void>;
}

/** Stored bodies that are closed with the process. */
export interface LazyBodies extends StoredBodies {
  close(): Promise<void>;
}

/**
 * The stored bodies, without a file or a thread until the first one comes: most sites keep none.
 * @param path the file of stored bodies.
 */
export const lazyBodies = (path: string, start: () => Promise<BodyThread>): LazyBodies => {
  let running: Promise<BodyThread> | undefined;

  const thread = async (): Promise<BodyThread> => {
    running ??= start();
    try {
      return await running;
    } catch (error) {
      // A file that cannot be opened now may be mended by the next time.
      running = undefined;
      throw error;
    }
  };
  const isAny = (): boolean => running !== undefined || existsSync(path);

  return {
    add: async (body, maxTotalBytes) => (await thread()).bodies.add(body, maxTotalBytes),
    find: async (requestId, userId) =>
      isAny() ? (await thread()).bodies.find(requestId, userId) : undefined,
    has: async (requestId) => isAny() && (await thread()).bodies.has(requestId),
    async clearBefore(timestamp) {
      if (!isAny()) return 0;
      const { bodies } = await thread();
      return clearInSteps(() => bodies.clearBefore(timestamp));
    },
    async clearUser(userId) {
      if (!isAny()) return 0;
      const { bodies } = await thread();
      return clearInSteps(() => bodies.clearUser(userId));
    },
    async close() {
      await (await running?.catch(() => undefined))?.close();
    },
  };
};
