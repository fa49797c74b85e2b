import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority } from "./lower-priority";
import { openThread } from "./open-thread";
import type { Call, WorkerSettings } from "./worker-messages";

/*
 * The thread that owns one connection. Calls run one after another in the order in which they were sent: that order
 * keeps stored balances in step with those in memory.
 */

const port = parentPort;
if (!port) throw new Error("the storage worker must be started as a worker thread");

const settings = workerData as WorkerSettings;
if (settings.access === "read") lowerPriority();
const { run, close } = await openThread(settings);

let last: Promise<unknown> = Promise.resolve();
port.on("message", (message: Call | "close") => {
  last = last.then(async () => {
    if (message === "close") {
      close();
      port.close();
    } else {
      port.postMessage(await run(message));
    }
  });
});
port.postMessage("ready");
