import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeCharges } from "./accounts/charges";
import { bodyFilePath } from "./bodies/sqlite/body-file";
import { examine } from "./doctor/examine";
import { folderVersionFault } from "./is-current-folder";
import { JournalFiles } from "./journal/journal-files";
import { journalPaths } from "./journal/read-journal";
import { replayJournal } from "./journal/replay-journal";
import { logFilePath } from "./log/sqlite/log-file";
import { openBodies } from "./open-sqlite";
import { openConnection } from "./sqlite/connection";
import { dumpSqlite, emptyTables } from "./testing/dump-sqlite";
import { openStores } from "./testing/open-stores";
import {
  CURRENT,
  RELEASES,
  readReleaseFile,
  WRITES_DATA,
  WRITES_RECORDS,
  writeReleaseFile,
} from "./testing/release-files";
import {
  fillAccounts,
  fillBodies,
  lateCharge,
  readRecords,
  refundCharge,
  releaseCharges,
} from "./testing/release-records";
import { MASTER_KEY } from "./testing/sample-records";
import { sqliteSchema } from "./testing/sqlite-schema";

/** Files of a data folder that are kept as statements. */
const DATABASES = [
  ["accounts.sql", (path: string) => path],
  ["log.sql", logFilePath],
  ["bodies.sql", bodyFilePath],
] as const;
const JOURNALS = ["charges-a.journal.txt", "charges-b.journal.txt"] as const;

/** Filled only while a command runs, or once eight payers share a key's name. */
const EMPTY = [
  "key_rotation",
  "name_channel_hours",
  "name_detail_hours",
  "name_hours",
  "name_model_hours",
  "shared_names",
];

const SMALL = { initial: 4096, reserve: 1024 };

let root: string;

const newPath = (): string => join(mkdtempSync(join(root, "data-")), "tollgate.db");

/** Makes a data folder with records of every kind: some lines wait in the outbox, a charge in the journal. */
const fillFolder = async (path: string): Promise<void> => {
  const { writer, log, commit, close } = await openStores(path);
  const { repositories } = writer;
  await fillAccounts(repositories);
  commit(...releaseCharges());
  await refundCharge(repositories);
  while (log.repositories.log.closeBucket(2_000_000_000)) {
    // One bucket at a time.
  }
  repositories.charges.commit(...encodeCharges([lateCharge("r-5")]));
  const bodies = await openBodies(path, MASTER_KEY);
  await fillBodies({ add: async (...body) => bodies.repositories.bodies.add(...body) });
  bodies.close();
  const journal = new JournalFiles(path, SMALL);
  repositories.charges.noteReservedJournal();
  const [changes, entries] = encodeCharges([lateCharge("r-6")]);
  await new Promise<void>((resolve, reject) => {
    journal.append({ id: 1, changes, entries }, (error) => (error ? reject(error) : resolve()));
  });
  journal.close(false);
  close();
};

const writeFolder = async (version: string): Promise<void> => {
  const path = newPath();
  await fillFolder(path);
  for (const [name, fileOf] of DATABASES) writeReleaseFile(version, name, dumpSqlite(fileOf(path)));
  for (const [index, journal] of journalPaths(path).entries())
    writeReleaseFile(version, JOURNALS[index] ?? "", readFileSync(journal).toString("base64"));
};

/** Returns the main file of a folder as the release left it. */
const restoreFolder = (version: string): string => {
  const path = newPath();
  for (const [name, fileOf] of DATABASES) {
    const connection = openConnection(fileOf(path), false);
    connection.exec(readReleaseFile(version, name));
    connection.close();
  }
  for (const [index, journal] of journalPaths(path).entries())
    writeFileSync(journal, Buffer.from(readReleaseFile(version, JOURNALS[index] ?? ""), "base64"));
  return path;
};

/** Opens a folder as a start does, and returns what every query answers. */
const start = async (path: string): Promise<Record<string, unknown>> => {
  const { writer, log, reader, close } = await openStores(path);
  const errors: Error[] = [];
  await replayJournal(path, writer.repositories.charges, (error) => errors.push(error));
  expect(errors).toEqual([]);
  log.repositories.log.ingest();
  const bodies = await openBodies(path, MASTER_KEY);
  const records = await readRecords(reader.repositories, {
    find: async (...asked) => bodies.repositories.bodies.find(...asked),
  });
  bodies.close();
  close();
  return records;
};

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "tollgate-releases-"));
  if (WRITES_DATA) await writeFolder(CURRENT);
});
afterAll(() => rmSync(root, { recursive: true }));

describe("the releases of the changelog", () => {
  it("have data folders here, from 1.0.0 on", () => {
    const named = readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8").matchAll(
      /^## \[(\d+[.]\d+[.]\d+)\]/gm,
    );
    expect([...RELEASES].sort()).toEqual([...named].map(([, version]) => version).sort());
    expect(RELEASES).toContain("1.0.0");
  });
});

describe.each(RELEASES)("a data folder of %s", (version) => {
  it("answers every query with the records of then, also those of the journal and the outbox", async () => {
    const records = await start(restoreFolder(version));
    if (WRITES_RECORDS) writeReleaseFile(version, "records.json", `${JSON.stringify(records, null, 1)}\n`);
    expect(records).toMatchObject(JSON.parse(readReleaseFile(version, "records.json")));
    const empty = Object.entries(records).filter(
      ([, answer]) => answer === undefined || (Array.isArray(answer) && answer.length === 0),
    );
    expect(empty).toEqual([]);
  });

  it("has the schema of a new folder after the start, and books in order", async () => {
    const path = restoreFolder(version);
    await start(path);
    expect(await examine(path)).toMatchObject({ users: 2, faults: [] });
    const made = newPath();
    (await openStores(made)).close();
    (await openBodies(made, MASTER_KEY)).close();
    for (const [, fileOf] of DATABASES)
      expect(sqliteSchema(fileOf(path))).toEqual(sqliteSchema(fileOf(made)));
  });

  it("has a row in every table", () => {
    const path = restoreFolder(version);
    const empty = DATABASES.flatMap(([, fileOf]) => emptyTables(fileOf(path)));
    expect(empty.filter((table) => !EMPTY.includes(table))).toEqual([]);
  });
});

describe("the data folder of this version", () => {
  it("has this version's schema: a changed one needs another version, or new data before the release", () => {
    if (RELEASES.includes(CURRENT)) expect(folderVersionFault(restoreFolder(CURRENT))).toBeUndefined();
  });
});
