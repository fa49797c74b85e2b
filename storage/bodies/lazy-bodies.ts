import { existsSync } from "node:fs";
import type { BodyDeletion, BodyRepository } from "./sqlite/bodies.repository";
import type { StoredBody } from "./stored-body";

/** The repository, on its thread. */
type OnThread<Repository> = {
  [M in keyof Repository]: Repository[M] extends (...parameters: infer P) => infer V
    ? (...parameters: P) => Promise<V>
    : never;
};

/** The thread of the stored bodies. */
interface BodyThread {
  bodies: OnThread<BodyRepository>;
  close(): Promise<void>;
}

/** What requests and answers said, where the site keeps it. */
export interface StoredBodies {
  /** @see bodyRepository; what is asked for later sees it. */
  add(body: StoredBody, maxTotalBytes: number): Promise<void>;
  /** @param userId only this user's; undefined for anybody's. @returns undefined when nothing is stored. */
  find(requestId: string, userId: number | undefined): Promise<StoredBody | undefined>;
  /** Whether anything is stored of a request. */
  has(requestId: string): Promise<boolean>;
  /** Deletes what is older than a moment. @param timestamp unix seconds. @returns how many bodies. */
  clearBefore(timestamp: number): Promise<number>;
  /** Deletes what a user's requests said. @returns how many bodies. */
  clearUser(userId: number): Promise<number>;
  close(): Promise<void>;
}

const repeat = async (step: () => Promise<BodyDeletion>): Promise<number> => {
  let count = 0;
  for (;;) {
    const { deleted, isDone } = await step();
    count += deleted;
    if (isDone) return count;
  }
};

/**
 * The stored bodies, without a file or a thread until the first one comes: most sites keep none.
 * @param path the file of stored bodies.
 */
export const lazyBodies = (path: string, start: () => Promise<BodyThread>): StoredBodies => {
  let running: Promise<BodyThread> | undefined;

  /** The whole thread: its repository alone is a proxy that any `await` would take for a promise. */
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
      return repeat(() => bodies.clearBefore(timestamp));
    },
    async clearUser(userId) {
      if (!isAny()) return 0;
      const { bodies } = await thread();
      return repeat(() => bodies.clearUser(userId));
    },
    async close() {
      await (await running?.catch(() => undefined))?.close();
    },
  };
};
