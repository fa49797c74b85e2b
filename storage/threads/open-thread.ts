import { openBodies, openLogWriter, openReader, openWriter } from "../open-sqlite";
import { lockFolder } from "../sqlite/folder-lock";
import { answerCall, type Groups } from "./answer-call";
import type { Call, Reply, WorkerSettings } from "./worker-messages";

interface Opened {
  groups: Groups;
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

/** Operations of a thread on its connection. */
export interface OpenThread {
  /** Runs a call; one after another, in the order in which they were sent. */
  run(call: Call): Promise<Reply>;
  close(): void;
}

/** Opens a thread's connection. @throws Error with the reason of a failure. */
export const openThread = async (settings: WorkerSettings): Promise<OpenThread> => {
  const { groups, close, newestBatch } = await open(settings);
  return {
    close,
    async run(call) {
      const reply = await answerCall(groups, call);
      const batch = "value" in reply ? newestBatch?.() : undefined;
      return batch === undefined ? reply : { ...reply, batch };
    },
  };
};
