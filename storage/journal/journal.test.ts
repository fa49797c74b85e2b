import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ChargeJournal } from "./charge-journal";
import { JournalFiles, journalPaths, readJournal } from "./journal-files";
import { decodeRecords, encodeRecord, type JournalBatch, type JournalRecord } from "./journal-record";
import { takeOverJournal } from "./take-over-journal";

let folder: string;
let main: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-journal-"));
  main = join(folder, "tollgate.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

const batchOf = (id: number, entries = `["r-${id}","模型倍率"]\n\n`): JournalBatch => ({
  id,
  changes: '{"users":[]}',
  entries,
});

describe("a record", () => {
  const bytes = Buffer.concat([encodeRecord(batchOf(1)), encodeRecord(batchOf(2)), encodeRecord(batchOf(3))]);

  it("is read as it was written", () => {
    expect(decodeRecords(bytes)).toEqual([batchOf(1), batchOf(2), batchOf(3)]);
  });

  it("counts only when it is whole, wherever the writing ended", () => {
    const ends = [1, 2, 3].map((count) =>
      [1, 2, 3].slice(0, count).reduce((sum, id) => sum + encodeRecord(batchOf(id)).length, 0),
    );
    for (let length = 0; length <= bytes.length; length += 1) {
      const whole = ends.filter((end) => end <= length).length;
      expect(decodeRecords(bytes.subarray(0, length)).length, `${length} bytes`).toBe(whole);
    }
  });

  it("is not taken when any byte of it is another one, nor is what follows it", () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0x11;
      const read = decodeRecords(damaged);
      expect(read.length, `byte ${at}`).toBeLessThan(3);
      for (const [index, batch] of read.entries()) expect(batch).toEqual(batchOf(index + 1));
    }
  });
});

const append = (files: JournalFiles, batch: JournalBatch): Promise<Error | undefined> =>
  new Promise((resolve) => files.append({ id: batch.id, bytes: encodeRecord(batch) }, resolve));

describe("the files", () => {
  it("go on in the other one when one is full, and empty the first once the main file has it", async () => {
    const files = new JournalFiles(main);
    const large = (id: number) => batchOf(id, "x".repeat(3 * 1024 * 1024));
    for (const id of [1, 2, 3]) await append(files, large(id));
    expect(readJournal(main).map(({ id }) => id)).toEqual([1, 2, 3]);
    const [first = "", second = ""] = journalPaths(main);
    expect(statSync(second).size).toBeGreaterThan(0);
    files.release(1);
    await append(files, batchOf(4));
    expect(readJournal(main).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    files.release(2);
    await expect.poll(() => statSync(first).size).toBe(0);
    expect(readJournal(main).map(({ id }) => id)).toEqual([3, 4]);
    files.close(false);
    expect(readJournal(main).map(({ id }) => id)).toEqual([3, 4]);
  });

  it("keep nothing of a batch that could not be written", async () => {
    const files = new JournalFiles(main);
    await append(files, batchOf(1));
    files.close(false);
    // Writing to a closed file fails like writing to a full disk.
    expect(await append(files, batchOf(2))).toBeInstanceOf(Error);
    expect(readJournal(main)).toEqual([batchOf(1)]);
  });
});

/** A main file that takes batches when it is told to. */
const createMain = () => {
  const asked: { records: JournalRecord[]; resolve(): void; reject(error: Error): void }[] = [];
  return {
    asked,
    apply: (records: JournalRecord[]) =>
      new Promise<void>((resolve, reject) => {
        asked.push({ records, resolve, reject });
      }),
  };
};

const store = (journal: ChargeJournal, name: string): Promise<Error | undefined> =>
  new Promise((resolve) => journal.append("{}", name, resolve));

const namesOf = (records: readonly JournalRecord[] | undefined) =>
  records?.flatMap(({ bytes }) => decodeRecords(bytes)).map(({ entries }) => entries);

describe("the journal", () => {
  it("is done before the main file is asked, and brings everything there in order when it is wanted", async () => {
    const { asked, apply } = createMain();
    const journal = new ChargeJournal(new JournalFiles(main), apply, () => {}, 7);
    expect(await store(journal, "a")).toBeUndefined();
    expect(await store(journal, "b")).toBeUndefined();
    expect(asked).toEqual([]);
    expect(readJournal(main).map(({ id }) => id)).toEqual([8, 9]);
    let isApplied = false;
    const applied = journal.applied().then(() => {
      isApplied = true;
    });
    expect(namesOf(asked[0]?.records)).toEqual(["a", "b"]);
    await store(journal, "c");
    expect(isApplied).toBe(false);
    asked[0]?.resolve();
    await applied;
    void journal.applied();
    expect(namesOf(asked[1]?.records)).toEqual(["c"]);
    asked[1]?.resolve();
    await journal.close();
    expect(readJournal(main)).toEqual([]);
  });

  it("sends again what the main file could not take, with what was sent after it, and keeps it meanwhile", async () => {
    const { asked, apply } = createMain();
    const errors: string[] = [];
    const journal = new ChargeJournal(
      new JournalFiles(main),
      apply,
      (error) => errors.push(error.message),
      0,
    );
    await store(journal, "a");
    void journal.applied();
    await store(journal, "b");
    const second = journal.applied();
    asked[0]?.reject(new Error("disk full"));
    asked[1]?.reject(new Error("batch 2 does not follow on 0"));
    await second;
    expect(errors).toEqual(["disk full"]);
    const third = journal.applied();
    expect(namesOf(asked[2]?.records)).toEqual(["a", "b"]);
    asked[2]?.reject(new Error("disk full"));
    await third;
    const closing = journal.close();
    asked[3]?.reject(new Error("disk full"));
    await closing;
    expect(readJournal(main).map(({ id }) => id)).toEqual([1, 2]);
  });

  it("tells of a batch that it could not store, and goes on with the next", async () => {
    let isFull = true;
    const files = new JournalFiles(main);
    const failing = {
      append: (record: JournalRecord, done: (error: Error | undefined) => void) =>
        isFull ? done(new Error("disk full")) : files.append(record, done),
      release: () => {},
      close: () => files.close(false),
    };
    const journal = new ChargeJournal(
      failing,
      async () => {},
      () => {},
      0,
    );
    expect((await store(journal, "a"))?.message).toBe("disk full");
    isFull = false;
    expect(await store(journal, "b")).toBeUndefined();
    expect(readJournal(main)).toEqual([{ id: 1, changes: "{}", entries: "b" }]);
    await journal.close();
  });
});

describe("taking over at a start", () => {
  const createTarget = (newest: number) => {
    const taken: number[] = [];
    let last = newest;
    return {
      taken,
      newestBatch: () => last,
      commitJournal(records: readonly JournalRecord[]) {
        for (const { id } of records) taken.push(id);
        last = records.at(-1)?.id ?? last;
      },
      skipTo(batch: number) {
        last = batch;
      },
    };
  };

  it("takes what the main file does not have, once, and no record that is not whole", async () => {
    const [path = ""] = journalPaths(main);
    writeFileSync(path, Buffer.concat([4, 5, 6].map((id) => encodeRecord(batchOf(id)))));
    appendFileSync(path, encodeRecord(batchOf(7)).subarray(0, 20));
    const target = createTarget(4);
    expect(await takeOverJournal(main, target, () => {})).toBe(6);
    expect(target.taken).toEqual([5, 6]);
    expect(readFileSync(path).length).toBeGreaterThan(0);
  });

  it("says what is missing, and takes the rest", async () => {
    const [path = ""] = journalPaths(main);
    writeFileSync(path, Buffer.concat([3, 6].map((id) => encodeRecord(batchOf(id)))));
    const target = createTarget(2);
    const errors: string[] = [];
    expect(await takeOverJournal(main, target, (error) => errors.push(error.message))).toBe(6);
    expect(target.taken).toEqual([3, 6]);
    expect(errors).toEqual(["the charge journal lacks the batches from 4 to 5"]);
  });
});
