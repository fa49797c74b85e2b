import { Worker } from "node:worker_threads";
import { ChargesRefused, DatabaseRefused, DataRefused, StorageConflict } from "../errors";
import type { Call, Reply } from "./worker-messages";

/** A thread that owns a connection. */
export interface StorageThread {
  /** Calls a method there, after all calls of before. */
  call(group: string, method: string, parameters: unknown[]): Promise<Reply>;
  /** Ends the thread once all that was called is done. */
  close(): Promise<void>;
}

/** One that was started here. */
export interface StartedThread extends StorageThread {
  /** When the thread is gone, asked to or not, and why. */
  readonly ended: Promise<Error>;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

type Refusal = DataRefused | DatabaseRefused;

/** An error thrown in a thread comes with its fields, but without its class. */
const isNamed = <Kind extends Refusal>(error: unknown, name: Kind["name"]): error is Kind =>
  error instanceof Error && error.name === name && "fault" in error;

const withClass = (error: Error): Error => {
  if (isNamed<DataRefused>(error, "DataRefused")) return new DataRefused(error.fault);
  if (isNamed<DatabaseRefused>(error, "DatabaseRefused")) return new DatabaseRefused(error.fault);
  return error;
};

/**
 * Starts a thread, and lets it open its connection.
 * @param workerPath the built worker script. @param settings sent at its start.
 * @param onNote receives its messages other than answers.
 * @throws Error with the reason why it could not be opened.
 */
export const connectWorker = <Note extends { note: string } = never>(
  workerPath: string,
  settings: unknown,
  onNote: (note: Note) => void = () => {},
): Promise<StartedThread> =>
  new Promise((resolveStart, rejectStart) => {
    const worker = new Worker(workerPath, { workerData: settings });
    const waiting = new Map<number, Waiting>();
    let nextId = 1;
    let closed: Error | undefined;

    let noteEnd: (error: Error) => void = () => {};
    const ended = new Promise<Error>((resolve) => {
      noteEnd = resolve;
    });

    const fail = (error: Error): void => {
      // After an error comes the end, which says less.
      closed ??= error;
      rejectStart(error);
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    worker.on("error", (error) => fail(withClass(error)));
    worker.on("exit", () => {
      const error = closed ?? new Error("the storage thread has ended");
      fail(error);
      noteEnd(error);
    });

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
        ended.then(() => resolve());
        worker.postMessage("close");
      });

    worker.on("message", (message: Reply | Note | "ready") => {
      if (message === "ready") {
        resolveStart({ call, close, ended });
        return;
      }
      if ("note" in message) {
        onNote(message);
        return;
      }
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if (!one) return;
      if (message.conflict !== undefined) one.reject(new StorageConflict(message.conflict));
      else if (message.fault !== undefined) one.reject(new DataRefused(message.fault));
      else if (message.refusal !== undefined) one.reject(new DatabaseRefused(message.refusal));
      else if (message.refused !== undefined) one.reject(new ChargesRefused(message.refused));
      else if (message.failure !== undefined) one.reject(new Error(message.failure));
      else one.resolve(message);
    });
  });
