import {
  type AccountChanges,
  type AccountQueries,
  type ChargeStore,
  UNCHARGED_QUERIES,
} from "./accounts/ports";
import { lazyBodies } from "./bodies/lazy-bodies";
import type { BodySteps } from "./bodies/ports";
import { bodyFilePath } from "./bodies/sqlite/body-file";
import { isOneOf, type SomeOf } from "./consistency";
import { ChargeJournal } from "./journal/charge-journal";
import { JournalFiles } from "./journal/journal-files";
import type { JournalRecord } from "./journal/journal-record";
import { replayJournal } from "./journal/replay-journal";
import { LINE_QUERIES, type LogChanges, type LogQueries } from "./log/ports";
import { OutboxConsumer } from "./outbox/outbox-consumer";
import type { Stores } from "./stores";
import type { StorageThread } from "./threads/connect-worker";
import { type PortCall, remotePort } from "./threads/remote-port";
import type { TakeOver } from "./threads/take-over";
import type { WorkerSettings } from "./threads/worker-messages";

/** The stores in files of this process. */
export interface SqliteStores extends Stores {
  /** Charges, which are durable long before the accounts have them; queries and changes see them anyway. */
  charges: ChargeStore;
  /** How far the files are behind each other: batches of the journal (and their bytes), and rows of the outbox. */
  lag(): { journalBatches: number; journalBytes: number; outboxBatches: number };
}

const AT_ONCE: SomeOf<AccountQueries & LogQueries> = { ...UNCHARGED_QUERIES, health: "all" };

/** Lines gather for as long before they are taken over together; readers of the log do not wait for it. */
const GATHER_MS = 150;

/** Calls a thread without a request that waits. */
const directly =
  (thread: StorageThread): PortCall =>
  async (...call) =>
    (await thread.call(...call)).value;

/**
 * Starts the two storage threads: one writes the main file and the log file beside it, one reads both. A third for
 * stored bodies starts when there are any.
 * @param start starts a thread.
 * @param path the main file; its folder must exist.
 * @param reportError receives errors where no caller waits: log lines that cannot be written yet.
 */
export const startSqliteStores = async (
  start: (settings: WorkerSettings) => Promise<StorageThread>,
  path: string,
  masterKey: Uint8Array,
  reportError: (error: Error) => void,
): Promise<SqliteStores> => {
  // In this order: each opens files that the one before has created and migrated.
  const writer = await start({ access: "write", path, masterKey });
  const reader = await start({ access: "read", path, masterKey });

  const takeOver = remotePort<TakeOver>(directly(writer));
  const { log } = remotePort<LogChanges>(directly(writer));
  const ingested = await takeOver.log.lastBatch();
  const consumer = new OutboxConsumer(
    takeOver.log.ingest,
    takeOver.outbox.trim,
    reportError,
    ingested,
    GATHER_MS,
  );

  const newest = await replayJournal(path, takeOver.charges, reportError);
  const applyJournal = async (records: JournalRecord[]): Promise<void> => {
    const { batch } = await writer.call("charges", "commitJournal", [records]);
    if (batch !== undefined) consumer.note(batch);
  };
  const charges = new ChargeJournal(new JournalFiles(path), applyJournal, reportError, newest);
  const lag = () => ({ ...charges.backlog, outboxBatches: consumer.waiting });
  await takeOver.charges.noteReservedJournal();

  const change: PortCall = async (group, method, parameters) => {
    // Stored balances change in the order of those in memory.
    void charges.applied();
    const { value, batch } = await writer.call(group, method, parameters);
    if (batch !== undefined) consumer.note(batch);
    return value;
  };
  const write = remotePort<AccountChanges>(change);
  const read = remotePort<AccountQueries & LogQueries>(async (group, method, parameters) => {
    if (!isOneOf(AT_ONCE, group, method)) await charges.applied();
    if (isOneOf(LINE_QUERIES, group, method)) await consumer.ingested();
    return (await reader.call(group, method, parameters)).value;
  });

  // Includes entries left behind by the last process.
  await change("outbox", "startAfter", [ingested]);
  await consumer.ingested();

  const bodies = lazyBodies(bodyFilePath(path), async () => {
    const thread = await start({ access: "bodies", path, masterKey });
    const steps = remotePort<{ bodies: BodySteps }>(directly(thread));
    return { bodies: steps.bodies, close: thread.close };
  });

  return {
    read,
    write,
    charges,
    lag,
    log,
    bodies,
    // There is no other process.
    exclusively: (_job, step) => step(),
    upkeep: [],
    async close() {
      await charges.close();
      await bodies.close();
      await consumer.close();
      await reader.close();
      await writer.close();
    },
  };
};
