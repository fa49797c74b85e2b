import type { DataFault } from "../errors";
import { type JournalReading, journalFaults, readJournal } from "../journal/read-journal";
import { decodeEntries } from "../outbox/log-entry";
import type { Connection } from "../sqlite/connection";

const TRIES = 20;

/**
 * Reads the journal beside a main file. While the product runs, one half of a file may be read before a write and the
 * other after it, so a damaged looking file is read again.
 */
export const readSettledJournal = (path: string, main: Connection): JournalReading => {
  const { isReserved } = main.prepare("SELECT is_reserved AS isReserved FROM journal_state").get() as {
    isReserved: number;
  };
  let reading = readJournal(path, isReserved === 1);
  for (let i = 1; i < TRIES && reading.damages.length > 0; i += 1)
    reading = readJournal(path, isReserved === 1);
  return reading;
};

/**
 * Counts the charges that only the journal has, and checks that their batches follow the main file's.
 * @param journal read before the main file, so that neither misses a charge that moves meanwhile.
 */
export const checkJournal = (
  main: Connection,
  journal: JournalReading,
): { charges: number; faults: DataFault[] } => {
  const { id: newest } = main.prepare("SELECT newest_batch AS id FROM journal_state").get() as { id: number };
  const faults = journalFaults(journal, newest);
  let charges = 0;
  for (const { id, entries } of journal.batches) {
    if (id <= newest) continue;
    try {
      decodeEntries(
        entries,
        (entry) => {
          if (entry.count === "answered") charges += 1;
        },
        () => {},
      );
    } catch {
      faults.push({ code: "journal-batch-unknown", batch: id });
    }
  }
  return { charges, faults };
};
