import {
  appendFileSync,
  copyFileSync,
  ftruncateSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { caseCount, seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DataFault } from "../errors";
import { ChargeJournal } from "./charge-journal";
import { type JournalDisk, JournalFiles, type JournalSizes } from "./journal-files";
import {
  decodeRecord,
  encodeRecord,
  type JournalBatch,
  type JournalRecord,
  readRecord,
} from "./journal-record";
import { type JournalReading, journalFaults, journalPaths, lossesOf, readJournal } from "./read-journal";
import { replayJournal } from "./replay-journal";

let folder: string;
let main: string;
let pathA: string;
let pathB: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-journal-"));
  main = join(folder, "tollgate.db");
  [pathA, pathB] = journalPaths(main);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Small files: a few batches fill one. */
const SMALL: JournalSizes = { initial: 2048, reserve: 512 };

const batchOf = (id: number, entries = `["r-${id}","模型倍率"]\n\n`): JournalBatch => ({
  id,
  changes: '{"users":[]}',
  entries,
});

/** A batch as versions before reserved free space wrote it. */
const encodeOldRecord = ({ id, changes, entries }: JournalBatch): Buffer => {
  const body = Buffer.from(`${changes}\n${entries}`);
  return Buffer.concat([Buffer.from(`${id} ${body.length} ${crc32(body)}\n`), body, Buffer.from("\n")]);
};

const idsOf = ({ batches }: JournalReading): number[] => batches.map(({ id }) => id);

describe.each([
  ["in UTF-8", `["r-3","模型倍率"]\n\n`, "b 3 12"],
  ["in Latin-1", '["r-3","13 × 1 ÷ 2, é"]\n\n', "bl 3 12"],
])("a record %s", (_, entries, beginning) => {
  const bytes = encodeRecord(batchOf(3, entries), { file: "b", offset: 12 });

  it("is read as it was written, and says where it belongs", () => {
    expect(bytes.toString("latin1", 1)).toMatch(new RegExp(`^${beginning} `));
    expect(readRecord(bytes, 0)).toEqual({
      batch: batchOf(3, entries),
      position: { file: "b", offset: 12 },
      end: bytes.length,
    });
  });

  it("is not read when any bit of it is another one, or anything of its end is missing", () => {
    const bodyEnd = bytes.length - 8;
    for (let bit = 0; bit < bodyEnd * 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      const at = bit >> 3;
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (bit & 7));
      expect(readRecord(damaged, 0), `bit ${bit}`).toBeUndefined();
    }
    for (let length = 0; length < bodyEnd; length += 1)
      expect(readRecord(bytes.subarray(0, length), 0), `${length} bytes`).toBeUndefined();
  });
});

describe("a record of any size", () => {
  it.each(["a", "é", "模", "a模", "aé"])("is read as it was written: %s", (unit) => {
    for (const count of [1, 1000, 20_000, 43_690, 43_691, 70_000, 200_000]) {
      const batch = batchOf(1, `${unit.repeat(count)}\n\n`);
      const bytes = encodeRecord(batch);
      expect(readRecord(bytes, 0)?.batch.entries === batch.entries, `${count} times`).toBe(true);
    }
  });
});

const append = (files: JournalFiles, batch: JournalBatch): Promise<Error | undefined> =>
  new Promise((resolve) => files.append(batch, resolve));

/** A disk that is done at once, so that no test has to wait for an event that has no listener. */
const AT_ONCE: JournalDisk = {
  write: (descriptor, bytes, from, length, position, done) =>
    done(null, writeSync(descriptor, bytes, from, length, position)),
  ftruncate(descriptor, length, done) {
    ftruncateSync(descriptor, length);
    done(null);
  },
};

/** A disk with so many bytes for each file; what is there already can always be written over. */
const createDisk = () => {
  const disk = { room: Number.POSITIVE_INFINITY, isBroken: false, longest: 0 };
  const io: JournalDisk = {
    write(descriptor, bytes, from, length, position, done) {
      const taken = disk.isBroken ? 0 : Math.max(0, Math.min(length, disk.room - position));
      if (taken === 0)
        done(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }), 0);
      else AT_ONCE.write(descriptor, bytes, from, taken, position, done);
    },
    ftruncate: AT_ONCE.ftruncate,
  };
  return { disk, io };
};

describe("the files", () => {
  it("go on in the other one when one is full, and empty the first once the main file has it", async () => {
    const files = new JournalFiles(main, SMALL, AT_ONCE);
    const large = (id: number) => batchOf(id, "x".repeat(1500));
    for (const id of [1, 2, 3]) await append(files, large(id));
    expect(idsOf(readJournal(main, true))).toEqual([1, 2, 3]);
    files.release(1);
    expect(idsOf(readJournal(main, true))).toEqual([2, 3]);
    await append(files, batchOf(4));
    files.release(3);
    await append(files, batchOf(5));
    expect(idsOf(readJournal(main, true))).toEqual([4, 5]);
    files.close(false);
    expect(readJournal(main, true)).toMatchObject({ damages: [], unfinished: [] });
  });

  it("grow while the other one cannot take over, and shrink again", async () => {
    const files = new JournalFiles(main, SMALL);
    for (let id = 1; id <= 20; id += 1) await append(files, batchOf(id, "x".repeat(700)));
    const sizes = [pathA, pathB].map((path) => statSync(path).size);
    expect(Math.max(...sizes)).toBeGreaterThan(8000);
    expect(idsOf(readJournal(main, true))).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(readJournal(main, true).damages).toEqual([]);
    files.close(true);
    const again = new JournalFiles(main, SMALL);
    expect([pathA, pathB].map((path) => statSync(path).size)).toEqual([SMALL.initial, SMALL.initial]);
    expect(readJournal(main, true)).toMatchObject({ batches: [], damages: [], unfinished: [] });
    again.close(true);
  });

  it("keep nothing of a batch that could not be written", async () => {
    const { disk, io } = createDisk();
    const files = new JournalFiles(main, SMALL, io);
    await append(files, batchOf(1));
    disk.room = 200;
    expect(await append(files, batchOf(2, "x".repeat(300)))).toBeInstanceOf(Error);
    expect(files.isShort).toBe(true);
    disk.room = Number.POSITIVE_INFINITY;
    expect(await new Promise((resolve) => files.probe(resolve))).toBeUndefined();
    expect(files.isShort).toBe(false);
    expect(readJournal(main, true)).toEqual({
      batches: [batchOf(1)],
      damages: [],
      contradictions: [],
      unfinished: [],
    });
    expect(await append(files, batchOf(2))).toBeUndefined();
    files.close(false);
    expect(idsOf(readJournal(main, true))).toEqual([1, 2]);
  });

  it("have room for requests under way when the disk is full, and ask before that to stop new ones (M8)", async () => {
    const { disk, io } = createDisk();
    const files = new JournalFiles(main, SMALL, io);
    disk.room = SMALL.initial;
    let id = 0;
    const charge = (): Promise<Error | undefined> => {
      id += 1;
      return append(files, batchOf(id, "x".repeat(100)));
    };
    while (!files.isShort) expect(await charge()).toBeUndefined();
    const begun = id;
    // What is under way: as much as was reserved for it.
    for (let bytes = 0; bytes < SMALL.reserve - 250; bytes += 220) expect(await charge()).toBeUndefined();
    expect(id).toBeGreaterThan(begun);
    expect(readJournal(main, true).batches.at(-1)?.id).toBe(id);
    // The main file has taken something: there is room without the disk.
    files.release(id);
    expect(await new Promise((resolve) => files.probe(resolve))).toBeUndefined();
    expect(files.isShort).toBe(false);
    files.close(false);
  });
});

describe("reading", () => {
  /** Four batches in the first file and one in the second, the newest of them last. */
  const writeTwo = async (): Promise<JournalBatch[]> => {
    const files = new JournalFiles(main, SMALL);
    const batches = [1, 2, 3, 4, 5].map((id) => batchOf(id, `["${"x".repeat(400)}"]\n\n`));
    for (const batch of batches) await append(files, batch);
    files.close(false);
    return batches;
  };

  it("finds nothing wrong wherever the process ended while it wrote, and misses nothing that was told", async () => {
    const batches = await writeTwo();
    const bytes = readFileSync(pathB);
    const start = readRecord(bytes, 0)?.end ?? 0;
    expect(start).toBeGreaterThan(0);
    const record = encodeRecord(batchOf(6), { file: "b", offset: start });
    for (let length = 0; length < record.length; length += 1) {
      const torn = Buffer.from(bytes);
      record.copy(torn, start, 0, length);
      writeFileSync(pathB, torn);
      const reading = readJournal(main, true);
      // All that matters may be there before the last byte is.
      const isWhole = length >= record.length - 8;
      const found = isWhole ? [...batches, batchOf(6)] : batches;
      expect(reading, `${length} bytes`).toMatchObject({ batches: found, damages: [], contradictions: [] });
      const isTorn = length > 0 && !isWhole;
      expect(reading.unfinished, `${length} bytes`).toEqual(isTorn ? [{ path: pathB, id: 6 }] : []);
      expect(journalFaults(reading, 0)).toEqual([]);
    }
  });

  it("goes on behind damaged bytes, and says which batches are missing", async () => {
    const batches = await writeTwo();
    const bytes = readFileSync(pathA);
    const second = readRecord(bytes, 0)?.end ?? 0;
    bytes[second + 200] = (bytes[second + 200] ?? 0) ^ 1;
    writeFileSync(pathA, bytes);
    const reading = readJournal(main, true);
    expect(reading.batches).toEqual(batches.filter(({ id }) => id !== 2));
    expect(lossesOf(reading, 0)).toEqual({ missing: [[2, 2]], after: undefined });
    expect(journalFaults(reading, 0)).toEqual([
      expect.objectContaining({ code: "journal-damaged", file: "charges-a.journal" }),
      { code: "journal-batch-missing", batch: 2 },
    ]);
    expect(journalFaults(reading, 5)).toEqual([
      expect.objectContaining({ code: "journal-damaged" }),
      { code: "journal-complete" },
    ]);
  });

  it("knows the newest batch for missing when its head says another length", async () => {
    await writeTwo();
    const bytes = readFileSync(pathB);
    // "b 5 0 <length> …"
    const length = bytes.indexOf(" 0 ") + 3;
    bytes[length] = (bytes[length] ?? 0) ^ 2;
    writeFileSync(pathB, bytes);
    const reading = readJournal(main, true);
    expect(idsOf(reading)).toEqual([1, 2, 3, 4]);
    expect(lossesOf(reading, 0)).toEqual({ missing: [], after: 4 });
  });

  it("takes exchanged files in their true order, and a copy of one in the place of the other for a loss", async () => {
    const batches = await writeTwo();
    const [a, b] = [readFileSync(pathA), readFileSync(pathB)];
    writeFileSync(pathA, b);
    writeFileSync(pathB, a);
    expect(readJournal(main, true)).toMatchObject({ batches, damages: [] });
    writeFileSync(pathA, a);
    const reading = readJournal(main, true);
    expect(idsOf(reading)).toEqual([1, 2, 3, 4]);
    expect(lossesOf(reading, 0).after).toBe(4);
  });

  it("misses a file that is gone or empty", async () => {
    await writeTwo();
    rmSync(pathB);
    expect(lossesOf(readJournal(main, true), 0).after).toBe(4);
    expect(readJournal(main, false).damages).toEqual([]);
  });

  it("reads files of older versions, whole or not, and goes on behind damage there, too", () => {
    const old = [4, 5, 6, 7].map((id) => encodeOldRecord(batchOf(id)));
    writeFileSync(pathA, Buffer.concat(old));
    expect(readJournal(main, false)).toEqual({
      batches: [4, 5, 6, 7].map((id) => batchOf(id)),
      damages: [],
      contradictions: [],
      unfinished: [],
    });
    truncateSync(pathA, Buffer.concat(old).length - 5);
    expect(readJournal(main, false)).toMatchObject({ damages: [], unfinished: [{ id: 7 }] });
    const damaged = Buffer.concat(old);
    const at = (old[0]?.length ?? 0) + 30;
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(pathA, damaged);
    expect(lossesOf(readJournal(main, false), 3)).toEqual({ missing: [[5, 5]], after: undefined });
  });
});

describe("whatever happens to the files (M9)", () => {
  const generator = (seed: number) => {
    let state = seed;
    return () => {
      state = (state * 1_664_525 + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  };

  type Mutate = (files: [Buffer, Buffer], upTo: (n: number) => number) => [Buffer, Buffer];

  const inOne =
    (change: (bytes: Buffer, upTo: (n: number) => number, other: Buffer) => Buffer): Mutate =>
    ([a, b], upTo) =>
      upTo(1) === 0 ? [change(Buffer.from(a), upTo, b), b] : [a, change(Buffer.from(b), upTo, a)];

  /** Where something is: mostly among the records, which are at the begin. */
  const rangeOf = (bytes: Buffer, upTo: (n: number) => number): [from: number, to: number] => {
    const from = upTo(Math.max(0, bytes.length - 1));
    return [from, Math.min(bytes.length, from + 1 + upTo(upTo(3) === 0 ? 900 : 60))];
  };

  /** A range that begins and ends where records do. */
  const recordRange = (bytes: Buffer, upTo: (n: number) => number): [from: number, to: number] => {
    const ends = [0];
    for (let end = readRecord(bytes, 0)?.end; end !== undefined; end = readRecord(bytes, end)?.end)
      ends.push(end);
    const [one = 0, other = 0] = [ends[upTo(ends.length - 1)], ends[upTo(ends.length - 1)]];
    return [Math.min(one, other), Math.max(one, other)];
  };
  const anyRange = (bytes: Buffer, upTo: (n: number) => number): [from: number, to: number] =>
    upTo(1) === 0 ? rangeOf(bytes, upTo) : recordRange(bytes, upTo);

  const MUTATIONS: Record<string, Mutate> = {
    "a bit": inOne((bytes, upTo) => {
      const at = upTo(bytes.length - 1);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << upTo(7));
      return bytes;
    }),
    "a cut": inOne((bytes, upTo) =>
      bytes.subarray(0, upTo(1) === 0 ? upTo(bytes.length) : recordRange(bytes, upTo)[1]),
    ),
    "a piece taken out": inOne((bytes, upTo) => {
      const [from, to] = anyRange(bytes, upTo);
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    }),
    zeros: inOne((bytes, upTo) => bytes.fill(0, ...anyRange(bytes, upTo))),
    "a piece twice": inOne((bytes, upTo) => {
      const [from, to] = anyRange(bytes, upTo);
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
    }),
    "a piece over another": inOne((bytes, upTo) => {
      const [from, to] = anyRange(bytes, upTo);
      const [target] = anyRange(bytes, upTo);
      bytes.copy(bytes, target, from, to);
      return bytes;
    }),
    "a piece of the other file": inOne((bytes, upTo, other) => {
      const [from, to] = anyRange(other, upTo);
      other.copy(bytes, upTo(1) === 0 ? from : anyRange(bytes, upTo)[0], from, to);
      return bytes;
    }),
    "garbage behind": inOne((bytes, upTo) =>
      Buffer.concat([bytes, Buffer.from(Array.from({ length: 1 + upTo(300) }, () => upTo(255)))]),
    ),
    garbage: inOne((bytes, upTo) => {
      const [from, to] = rangeOf(bytes, upTo);
      for (let at = from; at < to; at += 1) bytes[at] = upTo(255);
      return bytes;
    }),
    "the files exchanged": ([a, b]) => [b, a],
    "one file twice": ([a, b], upTo) => (upTo(1) === 0 ? [a, a] : [b, b]),
    "one file gone": ([a, b], upTo) => (upTo(1) === 0 ? [Buffer.alloc(0), b] : [a, Buffer.alloc(0)]),
  };

  const worldOf = async (seed: number) => {
    const random = generator(seed);
    const upTo = (n: number) => Math.floor(random() * (n + 1));
    const files = new JournalFiles(main, SMALL, AT_ONCE);
    const told = new Map<number, JournalBatch>();
    let applied = 0;
    const count = upTo(14);
    for (let id = 1; id <= count; id += 1) {
      const batch = batchOf(id, `["模型 ${id}","${"x".repeat(upTo(500))}"]\n\n`);
      expect(await append(files, batch)).toBeUndefined();
      told.set(id, batch);
      if (upTo(3) === 0) {
        applied = upTo(id - applied) + applied;
        files.release(applied);
      }
    }
    files.close(false);
    return { told, applied, upTo };
  };

  it("a stored record is there or reported as missing, and none is there twice or invented", async () => {
    const names = Object.keys(MUTATIONS);
    let losses = 0;
    for (const seed of seeds(24)) {
      const { told, applied, upTo } = await worldOf(seed);
      const whole: [Buffer, Buffer] = [readFileSync(pathA), readFileSync(pathB)];
      expect(journalFaults(readJournal(main, true), applied), `seed ${seed}, untouched`).toEqual([]);
      for (let round = 0; round < 36; round += 1) {
        let mutated = whole;
        const done: string[] = [];
        for (let times = 0; times <= (round % 4 === 3 ? 1 : 0); times += 1) {
          const name = names[(round + times * 5) % names.length] ?? "";
          done.push(name);
          mutated = MUTATIONS[name]?.(mutated, upTo) ?? mutated;
        }
        writeFileSync(pathA, mutated[0]);
        writeFileSync(pathB, mutated[1]);
        const where = `seed ${seed}, round ${round}: ${done.join(", ")}`;
        const reading = readJournal(main, true);
        const { missing, after } = lossesOf(reading, applied);
        const ids = idsOf(reading);
        expect(new Set(ids).size, where).toBe(ids.length);
        for (const batch of reading.batches) expect(batch, where).toEqual(told.get(batch.id));
        for (const id of told.keys()) {
          if (id <= applied || ids.includes(id)) continue;
          losses += 1;
          const isSaid =
            missing.some(([from, to]) => from <= id && id <= to) || (after !== undefined && id > after);
          expect(isSaid, `${where}: batch ${id}`).toBe(true);
        }
        for (const [from, to] of missing)
          for (let id = from; id <= to; id += 1) expect(ids, where).not.toContain(id);
        const isChanged = !mutated[0].equals(whole[0]) || !mutated[1].equals(whole[1]);
        if (!isChanged || done.includes("the files exchanged")) continue;
        if (missing.length > 0 || after !== undefined)
          expect(reading.damages.length, where).toBeGreaterThan(0);
      }
    }
    expect(losses).toBeGreaterThan(caseCount(300));
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
  records?.map((record) => decodeRecord(record).entries);

describe("the journal", () => {
  it("is done before the main file is asked, and brings everything there in order when it is wanted", async () => {
    const { asked, apply } = createMain();
    const journal = new ChargeJournal(new JournalFiles(main), apply, () => {}, 7);
    expect(await store(journal, "a")).toBeUndefined();
    expect(await store(journal, "b")).toBeUndefined();
    expect(asked).toEqual([]);
    expect(idsOf(readJournal(main, true))).toEqual([8, 9]);
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
    expect(readJournal(main, true).batches).toEqual([]);
  });

  it("sends again charges that the main file refused, with the later ones, and keeps them meanwhile", async () => {
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
    expect(idsOf(readJournal(main, true))).toEqual([1, 2]);
  });

  it("tells of a batch that it could not store, is failing until the disk takes something, and goes on with the next", async () => {
    const { disk, io } = createDisk();
    const journal = new ChargeJournal(
      new JournalFiles(main, SMALL, io),
      async () => {},
      () => {},
      0,
    );
    disk.isBroken = true;
    expect(journal.isFailing).toBe(false);
    expect((await store(journal, "a"))?.message).toContain("ENOSPC");
    expect(journal.isFailing).toBe(true);
    disk.isBroken = false;
    // Without another charge meanwhile it tries by itself.
    await expect.poll(() => journal.isFailing, { timeout: 5000 }).toBe(false);
    expect(await store(journal, "b")).toBeUndefined();
    expect(readJournal(main, true).batches).toEqual([{ id: 1, changes: "{}", entries: "b" }]);
    await journal.close();
  });
});

describe("taking over at a start", () => {
  const createTarget = (newest: number, isReserved = false) => {
    const taken: number[] = [];
    let last = newest;
    return {
      taken,
      newestBatch: () => last,
      hasReservedJournal: () => isReserved,
      commitJournal(records: readonly JournalRecord[]) {
        for (const { id } of records) taken.push(id);
        last = records.at(-1)?.id ?? last;
      },
      skipTo(batch: number) {
        last = batch;
      },
    };
  };
  const takeOver = async (target: ReturnType<typeof createTarget>) => {
    const said: DataFault[] = [];
    const newest = await replayJournal(main, target, ({ fault }) => said.push(fault));
    return { newest, said };
  };

  it("takes the records that the main file lacks, once, and no incomplete one", async () => {
    writeFileSync(pathA, Buffer.concat([4, 5, 6].map((id) => encodeOldRecord(batchOf(id)))));
    appendFileSync(pathA, encodeOldRecord(batchOf(7)).subarray(0, 20));
    const target = createTarget(4);
    const { newest, said } = await takeOver(target);
    expect(newest).toBe(6);
    expect(target.taken).toEqual([5, 6]);
    expect(said).toEqual([{ code: "journal-batch-unfinished" }]);
  });

  it("reports the missing entries, takes the rest, and keeps the damaged bytes (M9)", async () => {
    const files = new JournalFiles(main, SMALL);
    for (const id of [1, 2, 3, 4]) await append(files, batchOf(id));
    files.close(false);
    const bytes = readFileSync(pathA);
    const second = readRecord(bytes, 0)?.end ?? 0;
    bytes[second + 45] = (bytes[second + 45] ?? 0) ^ 8;
    writeFileSync(pathA, bytes);
    copyFileSync(pathA, join(folder, "evidence"));
    const target = createTarget(0, true);
    const { newest, said } = await takeOver(target);
    expect(newest).toBe(4);
    expect(target.taken).toEqual([1, 3, 4]);
    const aside = `${pathA}.damaged-1`;
    expect(said).toEqual([
      expect.objectContaining({ code: "journal-damaged", file: "charges-a.journal" }),
      { code: "journal-batch-missing", batch: 2 },
      { code: "journal-set-aside", path: aside },
    ]);
    expect(readFileSync(aside)).toEqual(readFileSync(join(folder, "evidence")));
    new JournalFiles(main, SMALL).close(true);
    expect((await takeOver(createTarget(4, true))).said).toEqual([]);
    expect(readdirSync(folder)).toContain("charges-a.journal.damaged-1");
  });

  it("reports missing records when no byte is damaged", async () => {
    writeFileSync(pathA, Buffer.concat([3, 6].map((id) => encodeOldRecord(batchOf(id)))));
    const target = createTarget(2);
    const { newest, said } = await takeOver(target);
    expect(newest).toBe(6);
    expect(target.taken).toEqual([3, 6]);
    expect(said).toEqual([{ code: "journal-batches-missing", from: 4, to: 5, count: 2 }]);
  });
});
