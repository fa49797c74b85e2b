import { crc32 } from "node:zlib";

/** A batch of charges on its way into the main file. Its texts are those of encodeCharges. */
export interface JournalBatch {
  /** Counts up by one from batch to batch. */
  id: number;
  /** Payers with the quota taken from them. */
  changes: string;
  /** Entries of the log. */
  entries: string;
}

/** A batch as bytes. Batches that wait for the main file are kept like this, outside of the garbage-collected heap. */
export interface JournalRecord {
  id: number;
  bytes: Uint8Array;
}

/** Where a record stands: which of the two files, and at which byte. */
export interface RecordPosition {
  /** "a" or "b". */
  file: string;
  offset: number;
}

/**
 * Begins every record. JSON escapes it, so that the texts of a batch, in which clients have their say, never hold it
 * (https://www.rfc-editor.org/rfc/rfc7464).
 */
export const RECORD_MARK = 0x1e;

const NEWLINE = 10;
/**
 * Newlines behind the texts. Where less than all of them is there, the texts are whole; where none is, more than a byte
 * that happens to be right is missing: so a record that was not written to its end is told from one that was damaged.
 */
const TRAILER_BYTES = 8;
const HEAD = new RegExp(
  `^${String.fromCharCode(RECORD_MARK)}(([ab])(l?) (\\d{1,16}) (\\d{1,16}) (\\d{1,10}) (\\d{1,10})) (\\d{1,10})$`,
);
/** The head of versions before free space was reserved: number, length, checksum of the body. */
const OLD_HEAD = /^(\d{1,16}) (\d{1,10}) (\d{1,10})$/;
/** Longer than any head can be, its newline included. */
export const MAX_HEAD_BYTES = 96;

/** Where texts of usual length are encoded: that tells their length in bytes as well, which would take as long again. */
const scratch = Buffer.allocUnsafeSlow(128 * 1024);
/** A part of a string is at most so many bytes of UTF-8. */
const MAX_BYTES = 3;
/** In a head, behind the file's letter: the texts are in Latin-1. */
const LATIN1_MARK = "l";

/** A text of usual length as bytes of the scratch. Nearly all can be written in Latin-1, which is copied instead of encoded. */
const encodeInScratch = (text: string): { length: number; isLatin1: boolean } => {
  const length = scratch.write(text, "latin1");
  // Of a character that has no place in it, another one has been written.
  if (scratch.toString("latin1", 0, length) === text) return { length, isLatin1: true };
  return { length: scratch.write(text), isLatin1: false };
};

/**
 * A text as bytes, with so many left free in front of it and behind. Not a part of Node's pool, of which a small one would
 * keep all.
 */
const encodeBetween = (before: number, text: string, after: number): { bytes: Buffer; isLatin1: boolean } => {
  if (text.length * MAX_BYTES > scratch.length) {
    const bytes = Buffer.allocUnsafeSlow(before + Buffer.byteLength(text) + after);
    bytes.write(text, before);
    return { bytes, isLatin1: false };
  }
  const { length, isLatin1 } = encodeInScratch(text);
  const bytes = Buffer.allocUnsafeSlow(before + length + after);
  scratch.copy(bytes, before, 0, length);
  return { bytes, isLatin1 };
};

/**
 * Encodes a batch for a journal file: a line with its place and its encoding, its number, its length in bytes, the
 * checksum of its texts and the checksum of the line itself, then its texts. The place reveals a piece of a file that
 * was copied over another one.
 */
export const encodeRecord = (
  { id, changes, entries }: JournalBatch,
  { file, offset }: RecordPosition = { file: "a", offset: 0 },
): Buffer => {
  const body = `${changes}\n${entries}`;
  const { bytes: record, isLatin1 } = encodeBetween(MAX_HEAD_BYTES, body, TRAILER_BYTES);
  const length = record.length - MAX_HEAD_BYTES - TRAILER_BYTES;
  const checksum = crc32(record.subarray(MAX_HEAD_BYTES, MAX_HEAD_BYTES + length));
  record.fill(NEWLINE, MAX_HEAD_BYTES + length);
  const head = `${file}${isLatin1 ? LATIN1_MARK : ""} ${id} ${offset} ${length} ${checksum}`;
  const line = `${String.fromCharCode(RECORD_MARK)}${head} ${crc32(head)}\n`;
  // The head goes right in front of the body, so that nothing is copied twice.
  const start = MAX_HEAD_BYTES - line.length;
  record.write(line, start, "latin1");
  return record.subarray(start);
};

/** The first line of a record. */
export interface RecordHead {
  /** Undefined for records of older versions. */
  position: RecordPosition | undefined;
  id: number;
  bodyStart: number;
  bodyEnd: number;
  /** Behind everything that belongs to the record. */
  end: number;
  checksum: number;
  /** The encoding of its texts. */
  encoding: "latin1" | "utf8";
}

/** The head that begins at `from`, if it is whole and, where it has a checksum, as it was written. */
export const readHead = (bytes: Buffer, from: number): RecordHead | undefined => {
  const headEnd = bytes.subarray(from, from + MAX_HEAD_BYTES).indexOf(NEWLINE);
  if (headEnd === -1) return undefined;
  const text = bytes.toString("latin1", from, from + headEnd);
  const bodyStart = from + headEnd + 1;
  const match = HEAD.exec(text);
  if (match) {
    const [, checked = "", file = "", mark] = match;
    const [id = 0, offset = 0, length = 0, checksum = 0, ownChecksum = 0] = match.slice(4).map(Number);
    if (crc32(checked) !== ownChecksum) return undefined;
    const bodyEnd = bodyStart + length;
    const encoding = mark === LATIN1_MARK ? "latin1" : "utf8";
    return {
      position: { file, offset },
      id,
      bodyStart,
      bodyEnd,
      end: bodyEnd + TRAILER_BYTES,
      checksum,
      encoding,
    };
  }
  const old = OLD_HEAD.exec(text);
  if (!old) return undefined;
  const [id = 0, length = 0, checksum = 0] = old.slice(1).map(Number);
  const bodyEnd = bodyStart + length;
  return { position: undefined, id, bodyStart, bodyEnd, end: bodyEnd + 1, checksum, encoding: "utf8" };
};

export interface ReadRecord {
  batch: JournalBatch;
  position: RecordPosition | undefined;
  end: number;
}

/** The record that begins at `from`; undefined when it is not whole, or not one. */
export const readRecord = (bytes: Buffer, from: number): ReadRecord | undefined => {
  const head = readHead(bytes, from);
  if (!head || head.bodyEnd > bytes.length) return undefined;
  const { id, position, bodyStart, bodyEnd, end, checksum, encoding } = head;
  // Of old records nothing but this tells that they are whole.
  if (!position && bytes[bodyEnd] !== NEWLINE) return undefined;
  const body = bytes.subarray(bodyStart, bodyEnd);
  if (crc32(body) !== checksum) return undefined;
  const cut = body.indexOf(NEWLINE);
  if (cut === -1) return undefined;
  const batch = { id, changes: body.toString(encoding, 0, cut), entries: body.toString(encoding, cut + 1) };
  return { batch, position, end };
};

/** Returns the batch of a record that encodeRecord made. @throws Error for an invalid record. */
export const decodeRecord = ({ id, bytes }: JournalRecord): JournalBatch => {
  const record = readRecord(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), 0);
  if (!record) throw new Error(`batch ${id} of the charge journal cannot be read`);
  return record.batch;
};
