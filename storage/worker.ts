import { parentPort, workerData } from "node:worker_threads";
import { StorageConflict } from "./errors";
import { openReader, openWriter } from "./storage";
import type { Call, Reply, WorkerSettings } from "./worker-messages";

/*
 * The thread that owns one connection. Calls run one after another in the order in which they were sent: that order is
 * what keeps stored balances in step with those in memory.
 */

const port = parentPort;
if (!port) throw new Error("the storage worker must be started as a worker thread");

const settings = workerData as WorkerSettings;
const storage =
  settings.access === "write"
    ? openWriter(settings.path, settings.masterKey)
    : openReader(settings.path, settings.masterKey);

type Method = (...parameters: unknown[]) => unknown;
const repositories = storage.repositories as unknown as Record<string, Record<string, Method>>;

const run = async (call: Call): Promise<Reply> => {
  try {
    const method = repositories[call.repository]?.[call.method];
    if (!method) throw new Error(`storage has no ${call.repository}.${call.method}`);
    return { id: call.id, value: await method(...call.parameters) };
  } catch (error) {
    if (error instanceof StorageConflict) return { id: call.id, conflict: error.kind };
    return { id: call.id, failure: error instanceof Error ? error.message : String(error) };
  }
};

let last: Promise<unknown> = Promise.resolve();
port.on("message", (message: Call | "close") => {
  last = last.then(async () => {
    if (message === "close") {
      storage.close();
      port.close();
    } else {
      port.postMessage(await run(message));
    }
  });
});
port.postMessage("ready");
