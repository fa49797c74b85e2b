import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DataFault } from "../errors";
import { endOfFreeSpace, nextFreeSpace } from "./free-space";
import { type JournalBatch, MAX_HEAD_BYTES, RECORD_MARK, readHead, readRecord } from "./journal-record";

/** The two files of the journal, by the letter that their records carry. */
export const JOURNAL_LETTERS = ["a", "b"] as const;

/** The journal beside a main file. */
export const journalPaths = (mainPath: string): [a: string, b: string] => [
  join(dirname(mainPath), "charges-a.journal"),
  join(dirname(mainPath), "charges-b.journal"),
];

/** Bytes of a journal file that differ from the written ones. */
export interface JournalDamage {
  path: string;
  from: number;
  /** Exclusive. Equal to `from` where a file ends too early. */
  to: number;
  /** Whether the newest batches may have stood there: then it cannot be told how many there were. */
  mayHideNewest: boolean;
}

export interface JournalReading {
  /** Every batch that can be read, once, the oldest first. Most of them may be in the main file already. */
  batches: JournalBatch[];
  damages: JournalDamage[];
  /** Numbers of batches that stand there with different texts; the first was taken. */
  contradictions: number[];
  /**
   * A batch whose writing was not finished, because the process or the machine ended: no client was told that it was stored.
   * Undefined numbers are not known.
   */
  unfinished: { path: string; id: number | undefined }[];
}

interface FileReading {
  found: JournalBatch[];
  /** Numbers of the records at the place where they were written; in ascending order. */
  inPlace: number[];
  damages: JournalDamage[];
  unfinished: { path: string; id: number | undefined }[];
}

/** No record is shorter. */
const LEAST_RECORD_BYTES = 16;
const OLD_RECORD_START = /\n\d/g;

/** Returns the next offset from which a record can be read; the file's end without one. */
const nextRecord = (bytes: Buffer, from: number): number => {
  let next = bytes.length;
  for (let at = bytes.indexOf(RECORD_MARK, from); at !== -1; at = bytes.indexOf(RECORD_MARK, at + 1)) {
    if (!readRecord(bytes, at)) continue;
    next = at;
    break;
  }
  const text = bytes.toString("latin1", from, next);
  for (const match of text.matchAll(OLD_RECORD_START)) {
    const at = from + match.index + 1;
    if (readRecord(bytes, at)) return at;
  }
  return next;
};

/** Whether the bytes of a range are the begin of a record whose writing ended with the range. */
const isUnfinished = (bytes: Buffer, from: number, to: number): boolean => {
  const head = readHead(bytes, from);
  // Where its last bytes are there, it was written to its end: see TRAILER_BYTES.
  if (head) return head.position ? head.bodyEnd >= to : head.end > to;
  const text = bytes.toString("latin1", from, to);
  // A head without its end: digits, letters and blanks only.
  const rest = bytes[from] === RECORD_MARK ? text.slice(1) : text;
  return text.length < MAX_HEAD_BYTES && /^[ab]?[\d ]*$/.test(rest);
};

const readFile = (path: string, bytes: Buffer, file: string, hasFreeSpace: boolean): FileReading => {
  const reading: FileReading = { found: [], inPlace: [], damages: [], unfinished: [] };
  let at = 0;
  let hasEnded = false;
  const damage = (from: number, to: number, mayHideNewest: boolean): void => {
    reading.damages.push({ path, from, to, mayHideNewest });
  };
  while (at < bytes.length) {
    const record = readRecord(bytes, at);
    if (record) {
      const { position } = record;
      reading.found.push(record.batch);
      if (position === undefined || (position.offset === at && position.file === file)) {
        reading.inPlace.push(record.batch.id);
        // Records before it have lower numbers.
        for (const one of reading.damages) one.mayHideNewest = false;
      } else damage(at, record.end, !hasEnded);
      at = record.end;
      continue;
    }
    const freeEnd = endOfFreeSpace(bytes, file, at);
    if (freeEnd > at) {
      hasEnded = true;
      at = freeEnd;
      continue;
    }
    const next = Math.min(nextRecord(bytes, at), nextFreeSpace(bytes, file, at));
    const isLast = next === bytes.length ? !hasFreeSpace : endOfFreeSpace(bytes, file, next) > next;
    if (!hasEnded && isLast && isUnfinished(bytes, at, next)) {
      const id = readHead(bytes, at)?.id ?? (reading.inPlace.at(-1) ?? Number.NaN) + 1;
      reading.unfinished.push({ path, id: Number.isNaN(id) ? undefined : id });
    } else damage(at, next, !hasEnded && (next - at >= LEAST_RECORD_BYTES || next === bytes.length));
    at = next;
  }
  if (hasFreeSpace && !hasEnded) damage(bytes.length, bytes.length, true);
  return reading;
};

/** Which of the two files it is: their names say it, unless they were exchanged. */
const letterOf = (bytes: Buffer, named: string): string => {
  const other = named === "a" ? "b" : "a";
  const position = readRecord(bytes, 0)?.position;
  if (position) return position.file;
  return endOfFreeSpace(bytes, other, 0) > 0 ? other : named;
};

/**
 * Reads both files, and continues behind unreadable bytes.
 * @param hasFreeSpace whether the main file knows that free space was reserved in both: without it they are not whole.
 */
export const readJournal = (mainPath: string, hasFreeSpace: boolean): JournalReading => {
  const paths = journalPaths(mainPath);
  const contents = paths.map((path) => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0)));
  const named = contents.map((bytes, index) => letterOf(bytes, JOURNAL_LETTERS[index] ?? "a"));
  // Exchanged files hold everything; two of one letter do not.
  const letters = named[0] === named[1] ? JOURNAL_LETTERS : named;
  const files = contents.map((bytes, index) =>
    readFile(paths[index] ?? "", bytes, letters[index] ?? "", hasFreeSpace || hasReservedSpace(bytes)),
  );
  const byId = new Map<number, JournalBatch>();
  const contradictions = new Set<number>();
  for (const batch of files.flatMap(({ found }) => found)) {
    const known = byId.get(batch.id);
    if (!known) byId.set(batch.id, batch);
    else if (known.changes !== batch.changes || known.entries !== batch.entries) contradictions.add(batch.id);
  }
  const batches = [...byId.values()].sort((one, other) => one.id - other.id);
  const damages = files.flatMap(({ damages: found, inPlace }, index) => {
    // Where the other file goes on, everything that this one ever held lies before it.
    const last = inPlace.at(-1);
    const lastOfOther = files[1 - index]?.inPlace.at(-1) ?? 0;
    const isOlder = last !== undefined && last < lastOfOther;
    return found.map((one) => ({ ...one, mayHideNewest: one.mayHideNewest && !isOlder }));
  });
  return {
    batches,
    damages,
    contradictions: [...contradictions].sort((one, other) => one - other),
    unfinished: files.flatMap(({ unfinished }) => unfinished),
  };
};

/** Records of this version, or free space: older versions wrote neither. */
const hasReservedSpace = (bytes: Buffer): boolean =>
  bytes.includes(RECORD_MARK) || JOURNAL_LETTERS.some((file) => nextFreeSpace(bytes, file, 0) < bytes.length);

/** Batches of the journal that are missing. */
export interface JournalLosses {
  /** Numbers from … to, both inclusive. */
  missing: [from: number, to: number][];
  /** Batches with higher numbers may be missing, too; undefined when that cannot be. */
  after: number | undefined;
}

/** @param newest the newest batch that the main file has. */
export const lossesOf = ({ batches, damages }: JournalReading, newest: number): JournalLosses => {
  const missing: [number, number][] = [];
  let last = newest;
  for (const { id } of batches) {
    if (id <= last) continue;
    if (id !== last + 1) missing.push([last + 1, id - 1]);
    last = id;
  }
  return { missing, after: damages.some(({ mayHideNewest }) => mayHideNewest) ? last : undefined };
};

const damageFault = ({ path, from, to }: JournalDamage): DataFault => {
  const file = basename(path);
  return from === to
    ? { code: "journal-cut", file, at: from }
    : { code: "journal-damaged", file, from, to: to - 1, bytes: to - from };
};

const missingFault = ([from, to]: [number, number]): DataFault =>
  from === to
    ? { code: "journal-batch-missing", batch: from }
    : { code: "journal-batches-missing", from, to, count: to - from + 1 };

/**
 * Returns the faults of the journal.
 * @param newest the newest batch that the main file has.
 */
export const journalFaults = (reading: JournalReading, newest: number): DataFault[] => {
  const { missing, after } = lossesOf(reading, newest);
  const faults = reading.damages.map(damageFault);
  for (const batch of reading.contradictions)
    if (batch > newest) faults.push({ code: "journal-batch-twice", batch });
  faults.push(...missing.map(missingFault));
  if (after !== undefined) faults.push({ code: "journal-batches-uncertain", after });
  if (faults.length > 0 && missing.length === 0 && after === undefined)
    faults.push({ code: "journal-complete" });
  return faults;
};
