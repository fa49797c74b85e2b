import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { StorageConflict } from "../errors";
import { openBodies, openLogWriter, openReader, openWriter } from "../open-sqlite";
import { lockFolder } from "../sqlite/folder-lock";
import type { Call, Reply, WorkerSettings } from "./worker-messages";

/*
 * The thread that owns one connection. Calls run one after another in the order in which they were sent: that order is
 * what keeps stored balances in step with those in memory.
 */

const port = parentPort;
if (!port) throw new Error("the storage worker must be started as a worker thread");

type Method = (...parameters: unknown[]) => unknown;

interface Opened {
  repositories: Record<string, Record<string, Method>>;
  close(): void;
  /** The newest outbox row. */
  newestBatch?: () => number | undefined;
}

/**
 * Lets relaying go first where cores are few: nobody streams through a query. Linux gives threads a priority of their own;
 * elsewhere it would be that of the whole process.
 */
const giveWay = (): void => {
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
};

const open = async ({ access, path, masterKey }: WorkerSettings): Promise<Opened> => {
  const asMethods = (repositories: object) => repositories as Opened["repositories"];
  if (access === "read") {
    giveWay();
    const reader = openReader(path, masterKey);
    return { repositories: asMethods(reader.repositories), close: reader.close };
  }
  if (access === "bodies") {
    const bodies = await openBodies(path, masterKey);
    return { repositories: asMethods(bodies.repositories), close: bodies.close };
  }
  const unlock = lockFolder(path);
  const writer = await openWriter(path, masterKey);
  // In this order: the main file is migrated before the log looks at it.
  const log = await openLogWriter(path);
  const newestBatch = (): number | undefined => writer.repositories.outbox.newest();
  return {
    repositories: asMethods({ ...writer.repositories, ...log.repositories }),
    close() {
      log.close();
      writer.close();
      unlock();
    },
    newestBatch,
  };
};

const { repositories, close, newestBatch } = await open(workerData as WorkerSettings);

const run = async (call: Call): Promise<Reply> => {
  try {
    const method = repositories[call.group]?.[call.method];
    if (!method) throw new Error(`storage has no ${call.group}.${call.method}`);
    const value = await method(...call.parameters);
    const batch = newestBatch?.();
    return batch === undefined ? { id: call.id, value } : { id: call.id, value, batch };
  } catch (error) {
    if (error instanceof StorageConflict) return { id: call.id, conflict: error.kind };
    return { id: call.id, failure: error instanceof Error ? error.message : String(error) };
  }
};

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
