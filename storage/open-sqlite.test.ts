import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openLogWriter, openWriter } from "./open-sqlite";
import { openConnection } from "./sqlite/connection";
import { MASTER_KEY } from "./testing/sample-records";

let folder: string;
let path: string;
let log: string;

/** Where the files were made: a process that ends leaves them as they are copied from there. */
let made: string;

beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), "tollgate-made-"));
  (await openWriter(join(made, "tollgate.db"), MASTER_KEY)).close();
  (await openLogWriter(join(made, "tollgate.db"))).close();
  for (const name of ["tollgate.db", "logs.sqlite"])
    openConnection(join(made, name), false).exec("PRAGMA wal_checkpoint(TRUNCATE)");
});
afterAll(() => rmSync(made, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-folder-"));
  path = join(folder, "tollgate.db");
  log = join(folder, "logs.sqlite");
  for (const file of [path, log]) copyFileSync(join(made, basename(file)), file);
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = async (): Promise<void> => {
  (await openWriter(path, MASTER_KEY)).close();
  (await openLogWriter(path)).close();
};

describe("a data folder", () => {
  it("opens as it was left, and so does an empty one", async () => {
    await open();
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    await open();
  });
});

describe("a data folder that is not as it was left", () => {
  it.each<[string, () => void]>([
    ["is gone", () => rmSync(path)],
    ["is empty", () => truncateSync(path)],
  ])(
    "does not start from scratch when its main file %s: the first caller would become root",
    async (_, change) => {
      change();
      const before = readdirSync(folder);
      await expect(open()).rejects.toMatchObject({ fault: { code: "main-file-missing", path } });
      expect(readdirSync(folder)).toEqual(before);
    },
  );

  it.each<[string, () => string, (file: string) => void]>([
    ["the main file is a folder", () => path, (file) => replace(file, () => mkdirSync(file))],
    ["the main file is no database", () => path, (file) => writeFileSync(file, Buffer.alloc(9000, 7))],
    ["the main file is cut", () => path, (file) => truncateSync(file, 20_000)],
    ["the log is a folder", () => log, (file) => replace(file, () => mkdirSync(file))],
    ["the log is no database", () => log, (file) => writeFileSync(file, Buffer.alloc(9000, 7))],
  ])("says which file cannot be opened, and what to do: %s", async (_, which, change) => {
    change(which());
    await expect(open()).rejects.toMatchObject({
      fault: { code: expect.stringMatching(/^file-un(openable|readable)$/), path: which() },
    });
  });
});

const replace = (file: string, make: () => void): void => {
  rmSync(file);
  make();
};
