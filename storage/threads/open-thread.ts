import { DataRefused, StorageConflict } from "../errors";
import { openBodies, openLogWriter, openReader, openWriter } from "../open-sqlite";
import { lockFolder } from "../sqlite/folder-lock";
import type { Call, Reply, WorkerSettings } from "./worker-messages";

type Method = (...parameters: unknown[]) => unknown;

interface Opened {
  groups: Record<string, Record<string, Method>>;
  close(): void;
  /** The newest outbox row. */
  newestBatch?: () => number | undefined;
}

const open = async ({ access, path, masterKey }: WorkerSettings): Promise<Opened> => {
  const asMethods = (repositories: object) => repositories as Opened["groups"];
  if (access === "read") {
    const reader = openReader(path, masterKey);
    return { groups: asMethods(reader.repositories), close: reader.close };
  }
  if (access === "bodies") {
    const bodies = await openBodies(path, masterKey);
    return { groups: asMethods(bodies.repositories), close: bodies.close };
  }
  const unlock = lockFolder(path);
  const writer = await openWriter(path, masterKey);
  // In this order: the main file is migrated before the log looks at it.
  const log = await openLogWriter(path);
  return {
    groups: asMethods({ ...writer.repositories, ...log.repositories }),
    close() {
      log.close();
      writer.close();
      unlock();
    },
    newestBatch: () => writer.repositories.outbox.newest(),
  };
};

/** What a thread does with its connection. */
export interface OpenThread {
  /** Runs a call; one after another, in the order in which they were sent. */
  run(call: Call): Promise<Reply>;
  close(): void;
}

/** Opens what a thread is for. @throws Error why it cannot be opened. */
export const openThread = async (settings: WorkerSettings): Promise<OpenThread> => {
  const { groups, close, newestBatch } = await open(settings);
  return {
    close,
    async run({ id, group, method, parameters }) {
      try {
        const run = groups[group]?.[method];
        if (!run) throw new Error(`storage has no ${group}.${method}`);
        const value = await run(...parameters);
        const batch = newestBatch?.();
        return batch === undefined ? { id, value } : { id, value, batch };
      } catch (error) {
        if (error instanceof StorageConflict) return { id, conflict: error.kind };
        if (error instanceof DataRefused) return { id, fault: error.fault };
        return { id, failure: error instanceof Error ? error.message : String(error) };
      }
    },
  };
};
