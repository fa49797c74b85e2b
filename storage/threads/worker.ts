import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { openThread } from "./open-thread";
import type { Call, WorkerSettings } from "./worker-messages";

/*
 * The thread that owns one connection. Calls run one after another in the order in which they were sent: that order is
 * what keeps stored balances in step with those in memory.
 */

const port = parentPort;
if (!port) throw new Error("the storage worker must be started as a worker thread");

/**
 * Lets relaying go first where cores are few: nobody streams through a query. Linux gives threads a priority of their own;
 * elsewhere it would be that of the whole process.
 */
const giveWay = (): void => {
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
};

const settings = workerData as WorkerSettings;
if (settings.access === "read") giveWay();
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
