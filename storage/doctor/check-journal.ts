import type { Connection } from "../dialects/sqlite";
import type { JournalBatch } from "../journal/journal-record";
import { decodeEntries } from "../log/log-line";

/**
 * Counts the charges that only the journal has, and looks whether their batches follow on what the main file has.
 * @param journal read before the main file, so that what is on its way meanwhile is missed by neither.
 */
export const checkJournal = (
  main: Connection,
  journal: readonly JournalBatch[],
): { charges: number; faults: string[] } => {
  const { id: newest } = main.prepare("SELECT newest_batch AS id FROM journal_state").get() as { id: number };
  const batches = journal.filter(({ id }) => id > newest);
  let charges = 0;
  const faults: string[] = [];
  for (const [index, { id, entries }] of batches.entries()) {
    const expected = newest + 1 + index;
    if (faults.length === 0 && id !== expected)
      faults.push(`the charge journal lacks the batches from ${expected} to ${id - 1}`);
    decodeEntries(
      entries,
      (entry) => {
        if (entry.count === "answered") charges += 1;
      },
      () => {},
    );
  }
  return { charges, faults };
};
