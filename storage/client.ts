import { Worker } from "node:worker_threads";
import { lazyBodies, type StoredBodies } from "./bodies/lazy-bodies";
import type { BodyRepository } from "./bodies/sqlite/bodies.repository";
import { bodyFilePath } from "./bodies/sqlite/body-file";
import { StorageConflict } from "./errors";
import { ChargeJournal } from "./journal/charge-journal";
import { JournalFiles } from "./journal/journal-files";
import type { JournalRecord } from "./journal/journal-record";
import { takeOverJournal } from "./journal/take-over-journal";
import { LogFeed } from "./outbox/outbox-consumer";
import type { LogWrites, Reads, Writes } from "./storage";
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
  /** Queries; a slow one delays no write. Those of the log see everything that was stored before. */
  read: Remote<Reads>;
  /** Changes, done in the order of the calls. */
  write: Remote<Writes>;
  /** Charges, which are durable long before the main file has them; reads and writes see them all the same. */
  charges: Pick<ChargeJournal, "append" | "isFailing">;
  /** Changes of the log file. */
  log: Remote<LogWrites>["log"];
  /** What requests and answers said, in a file and on a thread of its own, which exist only where it is kept. */
  bodies: StoredBodies;
  /** Ends the threads once all that was called is done. */
  close(): Promise<void>;
}

/** Calls a method of a repository on another thread. */
type Caller = (repository: string, method: string, parameters: unknown[]) => Promise<Reply>;

interface Connected {
  call: Caller;
  close(): Promise<void>;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

const connect = (workerPath: string, settings: WorkerSettings): Promise<Connected> =>
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

    const call: Caller = (repository, method, parameters) =>
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
      else if (message.failure !== undefined) one.reject(new Error(message.failure));
      else one.resolve(message);
    });
  });

/** A proxy, because the repositories' functions live on the other thread; their types are the contract. */
const remote = <Repositories>(
  call: (repository: string, method: string, parameters: unknown[]) => Promise<unknown>,
): Remote<Repositories> =>
  new Proxy(
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

const valueOfReply = async (reply: Promise<Reply>): Promise<unknown> => (await reply).value;

/** Lines gather for as long before they are taken over together; whoever reads the log does not wait for it. */
const GATHER_MS = 150;
/** Repositories that read the log file. */
const OF_THE_LOG: ReadonlySet<string> = new Set(["logs", "usage", "receipts"]);
/** Repositories that know nothing of charges. */
const WITHOUT_CHARGES: ReadonlySet<string> = new Set(["sessions", "options", "redemptions", "audit"]);
/** Repositories whose changes say something in the log, which must be there when they are done. */
const WITH_LINES: ReadonlySet<string> = new Set(["users", "redemptions"]);

/**
 * Starts the two storage threads: one writes the main file and the log file beside it, one reads both. A third for stored
 * bodies starts when there are any.
 * @param workerPath the built worker script.
 * @param path the main file; its folder must exist.
 * @param reportError told of what fails where nobody waits: log lines that cannot be written yet.
 */
export const startStorage = async (
  workerPath: string,
  path: string,
  masterKey: Uint8Array,
  reportError: (error: Error) => void,
): Promise<StorageClient> => {
  // In this order: each opens what the one before has created and migrated.
  const writer = await connect(workerPath, { access: "write", path, masterKey });
  const reader = await connect(workerPath, { access: "read", path, masterKey });

  const innerWrite = remote<Writes>((...call) => valueOfReply(writer.call(...call)));
  const { log } = remote<LogWrites>((...call) => valueOfReply(writer.call(...call)));
  const applied = await log.lastBatch();
  const feed = new LogFeed(log.ingest, innerWrite.outbox.trim, reportError, applied, GATHER_MS);

  const newest = await takeOverJournal(path, innerWrite.charges, reportError);
  const applyJournal = async (records: JournalRecord[]): Promise<void> => {
    const { batch } = await writer.call("charges", "commitJournal", [records]);
    if (batch !== undefined) feed.note(batch);
  };
  const charges = new ChargeJournal(new JournalFiles(path), applyJournal, reportError, newest);
  await innerWrite.charges.noteReservedJournal();

  const write = remote<Writes>(async (repository, method, parameters) => {
    // Stored balances change in the order of those in memory.
    void charges.applied();
    const { value, batch } = await writer.call(repository, method, parameters);
    if (batch !== undefined) {
      feed.note(batch);
      if (WITH_LINES.has(repository)) await feed.ingested();
    }
    return value;
  });
  const read = remote<Reads>(async (repository, method, parameters) => {
    if (!WITHOUT_CHARGES.has(repository)) await charges.applied();
    if (OF_THE_LOG.has(repository)) await feed.ingested();
    return valueOfReply(reader.call(repository, method, parameters));
  });

  // Notes what was left behind, too.
  await write.outbox.startAfter(applied);
  await feed.ingested();

  const bodies = lazyBodies(bodyFilePath(path), async () => {
    const thread = await connect(workerPath, { access: "bodies", path, masterKey });
    const repositories = remote<{ bodies: BodyRepository }>((...call) => valueOfReply(thread.call(...call)));
    return { bodies: repositories.bodies, close: thread.close };
  });

  return {
    read,
    write,
    charges,
    log,
    bodies,
    async close() {
      await charges.close();
      await bodies.close();
      await feed.close();
      await reader.close();
      await writer.close();
    },
  };
};
