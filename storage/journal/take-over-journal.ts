import type { ChargeWrites } from "../repositories/charges.repository";
import { readJournal } from "./journal-files";
import { encodeRecord } from "./journal-record";

type Maybe<T> = T | Promise<T>;

/** What taking over needs of the main file, on this thread or on another. */
export type JournalTarget = {
  [M in "newestBatch" | "commitJournal" | "skipTo"]: (
    ...parameters: Parameters<ChargeWrites[M]>
  ) => Maybe<ReturnType<ChargeWrites[M]>>;
};

/**
 * Brings the charges to the main file that only the journal has: those of a process that ended before it could. To be
 * done before anything else is charged.
 * @param path the main file.
 * @returns the newest batch that the main file has.
 */
export const takeOverJournal = async (
  path: string,
  charges: JournalTarget,
  reportError: (error: Error) => void,
): Promise<number> => {
  let newest = await charges.newestBatch();
  for (const batch of readJournal(path)) {
    if (batch.id <= newest) continue;
    if (batch.id !== newest + 1) {
      reportError(new Error(`the charge journal lacks the batches from ${newest + 1} to ${batch.id - 1}`));
      await charges.skipTo(batch.id - 1);
    }
    await charges.commitJournal([{ id: batch.id, bytes: encodeRecord(batch) }]);
    newest = batch.id;
  }
  return newest;
};
