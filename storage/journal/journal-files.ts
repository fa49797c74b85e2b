import {
  closeSync,
  existsSync,
  ftruncate,
  ftruncateSync,
  openSync,
  readFileSync,
  write,
  writeSync,
} from "node:fs";
import { DataRefused } from "../errors";
import { freeSpace, LEAST_FREE_BYTES, piecesBackwards } from "./free-space";
import { encodeRecord, type JournalBatch, type JournalRecord } from "./journal-record";
import { JOURNAL_LETTERS, journalPaths } from "./read-journal";

/** Bytes that each file takes from the disk at the start, and by which it grows. */
export interface JournalSizes {
  initial: number;
  /**
   * Free bytes behind the records. A file is left for the other one, or grows, before they are used: they are for
   * requests under way when the disk becomes full.
   */
  reserve: number;
}

const SIZES: JournalSizes = { initial: 4 * 1024 * 1024, reserve: 1024 * 1024 };

/** Operations on the disk while requests are under way; tests let them fail. */
export interface JournalDisk {
  write(
    descriptor: number,
    bytes: Uint8Array,
    from: number,
    length: number,
    position: number,
    done: (error: Error | null, written: number) => void,
  ): void;
  ftruncate(descriptor: number, length: number, done: (error: Error | null) => void): void;
}

interface JournalFile {
  letter: string;
  descriptor: number;
  /** Bytes of whole records. */
  size: number;
  /** Bytes that the file has: records, and free space behind them. */
  reserved: number;
  /** The newest batch in it. */
  newest: number;
  isBusy: boolean;
  /** Up to where a record that could not be written may have left something. */
  dirtyTo: number;
}

type Done = (error: Error | undefined) => void;

/**
 * The two files of the journal. One is written until it is full, then the other, once the main file has all of it.
 * Written records survive the end of the process; a power cut may lose those that the machine had not written to the
 * disk.
 *
 * Records are replaced by free space from the last one to the first: whenever the process ends meanwhile, the file
 * holds whole records, one that is not whole, and free space, as after any other end.
 */
export class JournalFiles {
  private active: JournalFile;
  private resting: JournalFile;
  /** Why there is less free space than there should be. */
  private shortage: Error | undefined;

  /** Empties existing files: their batches must have been read, and moved to the main file, before. */
  constructor(
    mainPath: string,
    private readonly sizes: JournalSizes = SIZES,
    private readonly disk: JournalDisk = { write, ftruncate },
  ) {
    const paths = journalPaths(mainPath);
    this.active = this.open(paths[0], JOURNAL_LETTERS[0]);
    this.resting = this.open(paths[1], JOURNAL_LETTERS[1]);
  }

  /** Whether a batch of any usual size can be stored. */
  get isShort(): boolean {
    return this.shortage !== undefined || this.active.dirtyTo > this.active.size;
  }

  /**
   * Writes a batch. One at a time: the next when this one is done.
   * @param done called when it survives the process, with its record, or with the error that prevented it. Then nothing
   * of it stays.
   */
  append(batch: JournalBatch, done: (error: Error | undefined, record: JournalRecord) => void): void {
    if (this.mayLeave) {
      [this.active, this.resting] = [this.resting, this.active];
      this.shortage = undefined;
    }
    const file = this.active;
    const bytes = encodeRecord(batch, { file: file.letter, offset: file.size });
    const record = { id: batch.id, bytes };
    const needed = file.size + bytes.length + LEAST_FREE_BYTES;
    const writeRecord = (): void =>
      this.write(file, bytes, file.size, (error) => {
        if (error) {
          file.dirtyTo = Math.max(file.dirtyTo, file.size + bytes.length);
          this.clean(file, () => done(error, record));
          return;
        }
        file.size += bytes.length;
        file.newest = batch.id;
        this.keepReserve(file, () => done(undefined, record));
      });
    if (needed <= file.reserved) writeRecord();
    else {
      this.grow(file, needed + this.sizes.reserve, (error) => {
        // The record may fit without all of the reserve behind it.
        if (error && needed > file.reserved) done(error, record);
        else writeRecord();
      });
    }
  }

  /** Tries whether the disk takes something again. @param done told whether it does. */
  probe(done: Done): void {
    const file = this.active;
    this.clean(file, (error) => {
      if (error) done(error);
      else this.keepReserve(file, () => done(this.shortage));
    });
  }

  /** Says that the main file has every batch up to this one. */
  release(upTo: number): void {
    const file = this.resting;
    if (file.size === 0 || file.newest > upTo || file.isBusy) return;
    file.isBusy = true;
    this.fill(file, 0, Math.max(file.size, file.dirtyTo), (error) => {
      if (!error) file.size = 0;
      if (error || file.reserved <= this.sizes.initial) {
        file.isBusy = false;
        return;
      }
      this.disk.ftruncate(file.descriptor, this.sizes.initial, (failure) => {
        if (!failure) file.reserved = this.sizes.initial;
        file.isBusy = false;
      });
    });
  }

  /** @param isApplied whether the main file has everything. */
  close(isApplied: boolean): void {
    for (const file of [this.active, this.resting]) {
      try {
        if (isApplied) this.fillNow(file.descriptor, file.letter, 0, Math.max(file.size, file.dirtyTo));
      } catch {
        // The main file has these records: the next start skips them.
      }
      closeSync(file.descriptor);
    }
  }

  /** Whether the active file is full and the other one is ready. */
  private get mayLeave(): boolean {
    const { initial, reserve } = this.sizes;
    const { size, isBusy, reserved } = this.resting;
    return this.active.size + reserve >= initial && size === 0 && !isBusy && reserved >= initial;
  }

  private open(path: string, letter: string): JournalFile {
    const isThere = existsSync(path);
    const old = isThere ? readFileSync(path) : Buffer.alloc(0);
    // "a+" would append wherever the file ends, also behind a record that was not written whole.
    const descriptor = openSync(path, isThere ? "r+" : "w+", 0o600);
    const file = { letter, descriptor, size: 0, reserved: 0, newest: 0, isBusy: false, dirtyTo: 0 };
    const { initial } = this.sizes;
    try {
      if (old.length < initial) {
        ftruncateSync(descriptor, 0);
        for (const piece of piecesBackwards(0, initial).reverse()) this.fillNow(descriptor, letter, ...piece);
      } else {
        this.fillNow(descriptor, letter, 0, usedBytes(old.subarray(0, initial), letter));
        ftruncateSync(descriptor, initial);
      }
      file.reserved = initial;
    } catch (error) {
      // Nothing of before may stay, and nothing is reserved: requests have to wait until there is room.
      ftruncateSync(descriptor, 0);
      this.shortage = error as Error;
    }
    return file;
  }

  private fillNow(descriptor: number, letter: string, from: number, to: number): void {
    for (const [start, end] of piecesBackwards(from, to)) {
      const written = writeSync(descriptor, freeSpace(letter, start, end), 0, end - start, start);
      if (written < end - start) throw noRoom();
    }
  }

  /** Writes all of it or fails. */
  private write(file: JournalFile, bytes: Uint8Array, position: number, done: Done): void {
    this.disk.write(file.descriptor, bytes, 0, bytes.length, position, (error, written) => {
      done(error ?? (written === bytes.length ? undefined : noRoom()));
    });
  }

  /** Writes free space over a range, the last piece first. */
  private fill(file: JournalFile, from: number, to: number, done: Done): void {
    const pieces = piecesBackwards(from, to);
    const next = (error: Error | undefined): void => {
      const piece = pieces.shift();
      if (error || !piece) done(error);
      else this.write(file, freeSpace(file.letter, ...piece), piece[0], next);
    };
    next(undefined);
  }

  /** Overwrites the remains of a record that could not be written. */
  private clean(file: JournalFile, done: Done): void {
    if (file.dirtyTo <= file.size) {
      done(undefined);
      return;
    }
    this.fill(file, file.size, Math.min(file.dirtyTo, file.reserved), (error) => {
      if (!error) file.dirtyTo = 0;
      done(error);
    });
  }

  /** Lets the active file grow where it holds less free space than it should and the other one cannot take over yet. */
  private keepReserve(file: JournalFile, done: () => void): void {
    const wanted = file.size + this.sizes.reserve;
    if (wanted <= file.reserved || this.mayLeave) {
      this.shortage = undefined;
      done();
      return;
    }
    this.grow(file, wanted, done);
  }

  /** Takes more space from the disk. */
  private grow(file: JournalFile, to: number, done: Done): void {
    const from = file.reserved;
    // Whole reserves, so that it does not grow with every record.
    const end = from + Math.ceil((to - from) / this.sizes.reserve) * this.sizes.reserve;
    this.fill(file, from, end, (error) => {
      this.shortage = error;
      if (!error) {
        file.reserved = end;
        done(undefined);
      } else this.disk.ftruncate(file.descriptor, from, () => done(error));
    });
  }
}

const PIECE_BYTES = 64 * 1024;

/** How many of the bytes are more than free space, roughly: writing less of it makes a start cheaper. */
const usedBytes = (bytes: Buffer, letter: string): number => {
  let used = bytes.length;
  while (used > 0) {
    const start = Math.max(0, used - PIECE_BYTES);
    if (!freeSpace(letter, start, used).equals(bytes.subarray(start, used))) break;
    used = start;
  }
  return used;
};

const noRoom = (): DataRefused => new DataRefused({ code: "journal-without-room" });
