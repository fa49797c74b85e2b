import { Worker } from "node:worker_threads";
import type { RehearsedLines, RehearsedRange } from "./rehearse-lines";

export interface RehearsalData {
  /** The draft's options, by their names. */
  texts: Readonly<Record<string, string>>;
  /** The texts of shapes by their numbers. */
  shapes: readonly (readonly [id: number, text: string])[];
  range: RehearsedRange;
}

/** Lines of an hour. */
export interface RehearsalPart {
  hour: number;
  data: Uint8Array;
}

/** A thread that prices lines again. */
export interface RehearsalThread {
  /** @returns how many lines were read so far. */
  add(parts: readonly RehearsalPart[]): Promise<number>;
  read(): Promise<RehearsedLines>;
  end(): Promise<void>;
}

/** @param path the built script. */
export const startRehearsalThread = (path: string | URL, data: RehearsalData): RehearsalThread => {
  const worker = new Worker(path, { workerData: data });
  worker.unref();
  let fault: Error | undefined;
  let waiting: { resolve(value: unknown): void; reject(error: Error): void } | undefined;
  const fail = (error: Error): void => {
    fault ??= error;
    waiting?.reject(error);
    waiting = undefined;
  };
  worker.on("message", (value: unknown) => {
    const answered = waiting;
    waiting = undefined;
    answered?.resolve(value);
  });
  worker.on("error", fail);
  worker.on("exit", () => fail(new Error("the thread of the rehearsal has ended")));
  const ask = <T>(message: readonly RehearsalPart[] | "end"): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (fault) {
        reject(fault);
        return;
      }
      // The thread's reply has the type declared by its script.
      waiting = { resolve: (value) => resolve(value as T), reject };
      worker.postMessage(message);
    });
  return {
    add: (parts) => ask<number>(parts),
    read: () => ask<RehearsedLines>("end"),
    async end() {
      await worker.terminate();
    },
  };
};
