import { Worker } from "node:worker_threads";
import { StorageConflict } from "./errors";
import type { Reads, Writes } from "./storage";
import type { Call, Reply, WorkerSettings } from "./worker-messages";

/** The same repositories, seen from another thread: every method answers with a promise. */
export type Remote<Repositories> = {
  [R in keyof Repositories]: {
    [M in keyof Repositories[R]]: Repositories[R][M] extends (...parameters: infer P) => infer V
      ? (...parameters: P) => Promise<Awaited<V>>
      : never;
  };
};

export interface StorageClient {
  /** Queries; a slow one delays no write. */
  read: Remote<Reads>;
  /** Changes, done in the order of the calls. */
  write: Remote<Writes>;
  /** Ends both threads once all that was called is done. */
  close(): Promise<void>;
}

interface Connected<Repositories> {
  repositories: Remote<Repositories>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const connect = <Repositories>(
  workerPath: string,
  settings: WorkerSettings,
): Promise<Connected<Repositories>> =>
  new Promise((resolveStart, rejectStart) => {
    const worker = new Worker(workerPath, { workerData: settings });
    const waiting = new Map<number, Waiting>();
    let nextId = 1;
    let closed: Error | undefined;

    const fail = (error: Error): void => {
      closed = error;
      rejectStart(error);
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.on("error", fail);
    worker.on("exit", () => fail(new Error("the storage thread has ended")));

    const call = (repository: string, method: string, parameters: unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(closed);
          return;
        }
        const id = nextId;
        nextId += 1;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, repository, method, parameters } satisfies Call);
      });

    // A proxy, because the repositories' functions live on the other thread; their types are the contract.
    const repositories = new Proxy(
      {},
      {
        get: (_, repository: string) =>
          new Proxy(
            {},
            {
              get:
                (__, method: string) =>
                (...parameters: unknown[]) =>
                  call(repository, method, parameters),
            },
          ),
      },
    ) as Remote<Repositories>;

    const close = (): Promise<void> =>
      new Promise((resolve) => {
        worker.once("exit", () => resolve());
        worker.postMessage("close");
      });

    worker.on("message", (message: Reply | "ready") => {
      if (message === "ready") {
        resolveStart({ repositories, close });
        return;
      }
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if (!one) return;
      if (message.conflict !== undefined) one.reject(new StorageConflict(message.conflict));
      else if (message.failure !== undefined) one.reject(new Error(message.failure));
      else one.resolve(message.value);
    });
  });

/**
 * Starts the two storage threads on one database file.
 * @param workerPath the built worker script.
 * @param path the database file; its folder must exist.
 */
export const startStorage = async (
  workerPath: string,
  path: string,
  masterKey: Uint8Array,
): Promise<StorageClient> => {
  // The writer first: it creates and migrates the file that the reader opens.
  const writer = await connect<Writes>(workerPath, { access: "write", path, masterKey });
  const reader = await connect<Reads>(workerPath, { access: "read", path, masterKey });
  return {
    read: reader.repositories,
    write: writer.repositories,
    async close() {
      await reader.close();
      await writer.close();
    },
  };
};
