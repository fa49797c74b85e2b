import { crc32 } from "node:zlib";

/** A batch of charges on its way into the main file. Its texts are those of encodeCharges. */
export interface JournalBatch {
  /** Counts up by one from batch to batch. */
  id: number;
  /** What is taken from whom. */
  changes: string;
  /** What the log will say. */
  entries: string;
}

const NEWLINE = 10;
const HEAD = /^(\d{1,16}) (\d{1,10}) (\d{1,10})$/;
/** Longer than any head can be. */
const MAX_HEAD_BYTES = 48;

/** A batch as bytes: what waits for the main file is kept like this, outside of the heap that is collected. */
export interface JournalRecord {
  id: number;
  bytes: Uint8Array;
}

/** A batch as it stands in a journal file: a line with its number, its length in bytes and its checksum, then its texts. */
export const encodeRecord = ({ id, changes, entries }: JournalBatch): Buffer => {
  const body = `${changes}\n${entries}`;
  // The texts hold more than ASCII, so that their length is not that of the string.
  const length = Buffer.byteLength(body);
  const head = `${id} ${length} `;
  // Not a part of Node's pool, of which a small record would keep all.
  const record = Buffer.allocUnsafeSlow(MAX_HEAD_BYTES + length);
  const bodyStart = MAX_HEAD_BYTES - 1;
  record.write(body, bodyStart);
  const checksum = crc32(record.subarray(bodyStart, bodyStart + length));
  record[bodyStart + length] = NEWLINE;
  const line = `${head}${checksum}\n`;
  // The head goes right in front of the body, so that nothing is copied twice.
  const start = bodyStart - line.length;
  record.write(line, start, "latin1");
  return record.subarray(start, bodyStart + length + 1);
};

/** The record that begins at `from`; undefined when it is not whole, or not one. */
const readRecord = (bytes: Buffer, from: number): { batch: JournalBatch; end: number } | undefined => {
  const headEnd = bytes.indexOf(NEWLINE, from);
  if (headEnd === -1 || headEnd - from > MAX_HEAD_BYTES) return undefined;
  const head = HEAD.exec(bytes.toString("latin1", from, headEnd));
  if (!head) return undefined;
  const [id = 0, length = 0, checksum = 0] = head.slice(1).map(Number);
  const bodyStart = headEnd + 1;
  const bodyEnd = bodyStart + length;
  if (bytes[bodyEnd] !== NEWLINE) return undefined;
  const body = bytes.subarray(bodyStart, bodyEnd);
  if (crc32(body) !== checksum) return undefined;
  const cut = body.indexOf(NEWLINE);
  if (cut === -1) return undefined;
  const batch = { id, changes: body.toString("utf8", 0, cut), entries: body.toString("utf8", cut + 1) };
  return { batch, end: bodyEnd + 1 };
};

/**
 * The batches of a journal file up to the first that is not whole: a process that ended while it wrote may leave one,
 * whose charges nobody was told of.
 */
export const decodeRecords = (encoded: Uint8Array): JournalBatch[] => {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length);
  const batches: JournalBatch[] = [];
  let from = 0;
  while (from < bytes.length) {
    const record = readRecord(bytes, from);
    if (!record) break;
    batches.push(record.batch);
    from = record.end;
  }
  return batches;
};
