import { closeSync, existsSync, ftruncate, ftruncateSync, openSync, readFileSync, write } from "node:fs";
import { dirname, join } from "node:path";
import { decodeRecords, type JournalBatch, type JournalRecord } from "./journal-record";

/** A file is left for the other one from this size on. */
const FULL_BYTES = 4 * 1024 * 1024;

interface JournalFile {
  descriptor: number;
  /** Bytes of whole records. */
  size: number;
  /** The newest batch in it. */
  newest: number;
  isEmptying: boolean;
}

/** The journal beside a main file. */
export const journalPaths = (mainPath: string): string[] =>
  ["charges-a.journal", "charges-b.journal"].map((name) => join(dirname(mainPath), name));

/** Every whole batch that the journal holds, the oldest first. Most of them may be in the main file already. */
export const readJournal = (mainPath: string): JournalBatch[] =>
  journalPaths(mainPath)
    .filter((path) => existsSync(path))
    .flatMap((path) => decodeRecords(readFileSync(path)))
    .sort((one, other) => one.id - other.id);

/**
 * The two files of the journal. One is written until it is full, then the other, once the main file has all of it. What
 * is written survives the end of the process; what the machine had not written to the disk may be lost with its power.
 */
export class JournalFiles {
  private active: JournalFile;
  private resting: JournalFile;

  /** Empties what is there: to be read, and brought to the main file, before. */
  constructor(mainPath: string) {
    const [first, second] = journalPaths(mainPath).map((path): JournalFile => {
      // "a+" would append wherever the file ends, also behind a record that was not written whole.
      const descriptor = openSync(path, existsSync(path) ? "r+" : "w+", 0o600);
      ftruncateSync(descriptor, 0);
      return { descriptor, size: 0, newest: 0, isEmptying: false };
    });
    this.active = first as JournalFile;
    this.resting = second as JournalFile;
  }

  /**
   * Writes a batch. One at a time: the next when this one is done.
   * @param done called when it survives the process, or with the error that prevented it.
   */
  append({ id, bytes }: JournalRecord, done: (error: Error | undefined) => void): void {
    if (this.active.size >= FULL_BYTES && this.resting.size === 0) {
      [this.active, this.resting] = [this.resting, this.active];
    }
    const file = this.active;
    write(file.descriptor, bytes, 0, bytes.length, file.size, (error, written) => {
      if (!error && written === bytes.length) {
        file.size += bytes.length;
        file.newest = id;
        done(undefined);
        return;
      }
      // Nothing of it may stay: the charges are taken back.
      ftruncate(file.descriptor, file.size, () =>
        done(error ?? new Error("the charge journal could not be written: is the disk full?")),
      );
    });
  }

  /** Says that the main file has every batch up to this one. */
  release(upTo: number): void {
    const file = this.resting;
    if (file.size === 0 || file.newest > upTo || file.isEmptying) return;
    file.isEmptying = true;
    ftruncate(file.descriptor, 0, (error) => {
      file.isEmptying = false;
      if (!error) file.size = 0;
    });
  }

  /** @param isApplied whether the main file has everything. */
  close(isApplied: boolean): void {
    for (const { descriptor } of [this.active, this.resting]) {
      if (isApplied) ftruncateSync(descriptor, 0);
      closeSync(descriptor);
    }
  }
}
