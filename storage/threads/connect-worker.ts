import { Worker } from "node:worker_threads";
import { DataRefused, StorageConflict } from "../errors";
import type { Call, Reply, WorkerSettings } from "./worker-messages";

/** A thread that owns a connection. */
export interface StorageThread {
  /** Calls a method there, after all calls of before. */
  call(group: string, method: string, parameters: unknown[]): Promise<Reply>;
  /** Ends the thread once all that was called is done. */
  close(): Promise<void>;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** What is thrown in a thread comes with its fields, but without its class. */
const isRefusal = (error: unknown): error is DataRefused =>
  error instanceof Error && error.name === "DataRefused" && "fault" in error;

/**
 * Starts a thread, and lets it open what it is for.
 * @param workerPath the built worker script.
 * @throws Error why it could not be opened.
 */
export const connectWorker = (workerPath: string, settings: WorkerSettings): Promise<StorageThread> =>
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
    worker.on("error", (error) => fail(isRefusal(error) ? new DataRefused(error.fault) : error));
    worker.on("exit", () => fail(new Error("the storage thread has ended")));

    const call: StorageThread["call"] = (group, method, parameters) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(closed);
          return;
        }
        const id = nextId;
        nextId += 1;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, group, method, parameters } satisfies Call);
      });

    const close = (): Promise<void> =>
      new Promise((resolve) => {
        worker.once("exit", () => resolve());
        worker.postMessage("close");
      });

    worker.on("message", (message: Reply | "ready") => {
      if (message === "ready") {
        resolveStart({ call, close });
        return;
      }
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if (!one) return;
      if (message.conflict !== undefined) one.reject(new StorageConflict(message.conflict));
      else if (message.fault !== undefined) one.reject(new DataRefused(message.fault));
      else if (message.failure !== undefined) one.reject(new Error(message.failure));
      else one.resolve(message);
    });
  });
