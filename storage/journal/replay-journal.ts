import { existsSync, renameSync } from "node:fs";
import { DataRefused } from "../errors";
import { encodeRecord } from "./journal-record";
import type { JournalTarget } from "./journal-target";
import { journalFaults, readJournal } from "./read-journal";

/** Gives a file a name under which nothing writes it. @returns the new name. */
const setAside = (path: string): string => {
  for (let count = 1; ; count += 1) {
    const aside = `${path}.damaged-${count}`;
    if (existsSync(aside)) continue;
    renameSync(path, aside);
    return aside;
  }
};

/**
 * Moves charges that only the journal has to the main file: those of a process that ended too early. Must run before
 * anything else is charged. Batches behind damaged bytes are taken over as well; a damaged file is kept under another
 * name.
 * @param path the main file.
 * @param reportError receives everything that is missing or damaged.
 * @returns the newest batch that the main file has.
 */
export const replayJournal = async (
  path: string,
  charges: Omit<JournalTarget, "noteReservedJournal">,
  reportError: (error: DataRefused) => void,
): Promise<number> => {
  let newest = await charges.newestBatch();
  const reading = readJournal(path, await charges.hasReservedJournal());
  const faults = journalFaults(reading, newest);
  for (const batch of reading.batches) {
    if (batch.id <= newest) continue;
    if (batch.id !== newest + 1) await charges.skipTo(batch.id - 1);
    await charges.commitJournal([{ id: batch.id, bytes: encodeRecord(batch) }]);
    newest = batch.id;
  }
  for (const { id } of reading.unfinished) {
    // No client was told of it, so that this is no fault; but it is no secret either.
    if (id === undefined || id > newest) reportError(new DataRefused({ code: "journal-batch-unfinished" }));
  }
  // Not earlier: until the main file has all readable batches, the next start must find the file.
  const damaged = new Set(reading.damages.map((damage) => damage.path));
  for (const file of damaged)
    if (existsSync(file)) faults.push({ code: "journal-set-aside", path: setAside(file) });
  for (const fault of faults) reportError(new DataRefused(fault));
  return newest;
};
