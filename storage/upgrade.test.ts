import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bodyFilePath } from "./bodies/sqlite/body-file";
import { examine } from "./doctor/examine";
import { JournalFiles } from "./journal/journal-files";
import { logFilePath } from "./log/sqlite/log-file";
import { openBodies, openLogWriter, openReader, openWriter } from "./open-sqlite";
import { openConnection } from "./sqlite/connection";
import { openStores } from "./testing/open-stores";
import { MASTER_KEY } from "./testing/sample-records";
import { sqliteSchema } from "./testing/sqlite-schema";

let folder: string;
let path: string;

const execute = (file: string, sql: string): void => {
  const connection = openConnection(file, false);
  connection.exec(sql);
  connection.close();
};

/** A data folder as commit b2580da4 left it: two lines written, one on its way. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-older-"));
  path = join(folder, "tollgate.db");
  for (const [file, name] of [
    [path, "accounts"],
    [logFilePath(path), "log"],
    [bodyFilePath(path), "bodies"],
  ] as const) {
    execute(file, readFileSync(new URL(`fixtures/${name}-b2580da4.sql`, import.meta.url), "utf8"));
  }
  new JournalFiles(path, { initial: 4096, reserve: 1024 }).close(true);
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = async (file: string): Promise<void> => {
  (await openWriter(file, MASTER_KEY)).close();
  (await openLogWriter(file)).close();
  (await openBodies(file, MASTER_KEY)).close();
};

describe("a data folder of commit b2580da4", () => {
  it("opens with all of its data, and its log goes on", async () => {
    const stores = await openStores(path);
    const { log, reader } = stores;
    const bodies = await openBodies(path, MASTER_KEY);
    expect(await reader.repositories.users.find(1)).toMatchObject({
      username: "alice",
      quota: 747,
      usedQuota: 30,
      identities: { github: "1" },
    });
    expect(bodies.repositories.bodies.find("r-1", 1)).toBeDefined();
    log.repositories.log.ingest();
    expect((await reader.repositories.logs.page({}, 0, 9)).map(({ quota }) => quota).sort()).toEqual([
      0, 18, 5, 7,
    ]);
    for (const { close } of [bodies, stores]) close();
    expect(await examine(path)).toMatchObject({ users: 1, tokens: 1, waiting: 0, faults: [] });
  });

  it("has the schema of a new folder after the start", async () => {
    await open(path);
    const made = join(mkdtempSync(join(folder, "new-")), "tollgate.db");
    await open(made);
    for (const fileOf of [(main: string) => main, logFilePath, bodyFilePath])
      expect(sqliteSchema(fileOf(path))).toEqual(sqliteSchema(fileOf(made)));
  });

  it("is upgraded once", async () => {
    await open(path);
    const before = sqliteSchema(path);
    await open(path);
    expect(sqliteSchema(path)).toEqual(before);
    expect((await examine(path)).faults).toEqual([]);
  });
});

describe("a data folder from before commit b2580da4", () => {
  it.each<[string, () => string, string]>([
    ["the main file", () => path, "DELETE FROM kysely_migration WHERE name = '0019-settled-refunds'"],
    [
      "the log file",
      () => logFilePath(path),
      "DELETE FROM kysely_migration WHERE name = '0005-model-health'",
    ],
    [
      "a main file with the former list of migrations",
      () => path,
      "DROP TABLE kysely_migration; CREATE TABLE migrations (name TEXT)",
    ],
  ])("is refused because of %s, which stays as it is", async (_, fileOf, change) => {
    execute(fileOf(), change);
    const before = sqliteSchema(fileOf());
    await expect(open(path)).rejects.toMatchObject({ fault: { code: "schema-too-old" } });
    expect(sqliteSchema(fileOf())).toEqual(before);
    const reader = openReader(path, MASTER_KEY);
    expect(await reader.repositories.users.find(1).catch(() => "unread")).toBeDefined();
    reader.close();
  });
});
