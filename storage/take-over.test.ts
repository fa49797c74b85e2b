import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { initial } from "./accounts/sqlite/migrations/0001-initial";
import { bodyFilePath } from "./bodies/sqlite/body-file";
import { examine } from "./doctor/examine";
import { JournalFiles } from "./journal/journal-files";
import { logFilePath } from "./log/sqlite/log-file";
import { openBodies, openLogWriter, openReader, openWriter } from "./open-sqlite";
import { openConnection } from "./sqlite/connection";
import { migrate } from "./sqlite/migrate";
import { openStores } from "./testing/open-stores";
import { MASTER_KEY } from "./testing/sample-records";

let folder: string;
let path: string;

const execute = (file: string, sql: string): void => {
  const connection = openConnection(file, false);
  connection.exec(sql);
  connection.close();
};

/** A data folder as the last version with a list of migrations of its own left it: one line written, one on its way. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-older-"));
  path = join(folder, "tollgate.db");
  for (const [file, name] of [
    [path, "accounts"],
    [logFilePath(path), "log"],
    [bodyFilePath(path), "bodies"],
  ] as const) {
    execute(file, readFileSync(new URL(`fixtures/${name}-43eec1d.sql`, import.meta.url), "utf8"));
  }
  new JournalFiles(path, { initial: 4096, reserve: 1024 }).close(true);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What tables have, in no order; indexes by what they say. */
const schemaOf = (file: string): unknown => {
  const connection = openConnection(file, true);
  const tables = connection
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'",
    )
    .all() as { name: string }[];
  const columns = tables.flatMap(({ name }) =>
    connection
      .prepare('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)')
      .all(name)
      .map((column) => JSON.stringify([name, column])),
  );
  const indexes = connection
    .prepare("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
    .all() as { sql: string }[];
  connection.close();
  return { columns: columns.sort(), indexes: indexes.map(({ sql }) => sql).sort() };
};

const open = async (file: string): Promise<void> => {
  (await openWriter(file, MASTER_KEY)).close();
  (await openLogWriter(file)).close();
  (await openBodies(file, MASTER_KEY)).close();
};

describe("a data folder of the last version with migrations of its own", () => {
  it("is opened with everything that is in it, and its log goes on", async () => {
    const stores = await openStores(path);
    const { writer, log, reader } = stores;
    const bodies = await openBodies(path, MASTER_KEY);
    expect(await reader.repositories.users.find(1)).toMatchObject({ username: "alice", quota: 964 });
    expect(await reader.repositories.channels.search("sk-upstream", 1)).toMatchObject([{ name: "one" }]);
    expect(bodies.repositories.bodies.find("r-1", 1)?.answer.bytes).toEqual(Buffer.from("ok"));
    expect(writer.repositories.charges.hasReservedJournal()).toBe(true);
    expect(await examine(path)).toMatchObject({ users: 1, tokens: 1, lines: 2, waiting: 1, faults: [] });
    log.repositories.log.ingest();
    expect((await reader.repositories.logs.page({}, 0, 9)).map(({ id, quota }) => [id, quota])).toEqual([
      [3, 18],
      [2, 18],
      [1, 0],
    ]);
    for (const { close } of [bodies, stores]) close();
    expect(await examine(path)).toMatchObject({ lines: 3, waiting: 0, faults: [] });
  });

  it("has the schema of a new one then", async () => {
    await open(path);
    const made = join(mkdtempSync(join(folder, "new-")), "tollgate.db");
    await open(made);
    for (const fileOf of [(main: string) => main, logFilePath, bodyFilePath])
      expect(schemaOf(fileOf(path))).toEqual(schemaOf(fileOf(made)));
  });

  it.each<[string, () => Promise<void>]>([
    ["", async () => {}],
    [
      ", when it was taken over before accounts elsewhere had a table",
      async () => {
        const connection = openConnection(path, false);
        await migrate(connection, { "0001-initial": initial });
        connection.close();
      },
    ],
  ])("keeps the accounts elsewhere by which its users sign in%s", async (_, prepare) => {
    await prepare();
    const insert = "INSERT INTO users (username, password_hash, github_id, wechat_id, created_time) VALUES";
    execute(path, "UPDATE users SET github_id = '583231' WHERE id = 1");
    execute(path, `${insert} ('bob', 'hash', '7', 'wx-7', 1), ('carol', 'hash', '', '583231', 1)`);
    execute(path, `${insert} ('dave', 'hash', '', '', 1)`);
    await open(path);
    const reader = openReader(path, MASTER_KEY);
    const bound = (await reader.repositories.users.after(0, 9)).map(({ user }) => user.identities);
    expect(bound).toEqual([{ github: "583231" }, { github: "7", wechat: "wx-7" }, { wechat: "583231" }, {}]);
    expect(await reader.repositories.users.findByIdentity({ method: "github", subject: "7" })).toMatchObject({
      username: "bob",
    });
    reader.close();
    expect((await examine(path)).faults).toEqual([]);
  });

  it.each<[string, () => string, string]>([
    ["an older main file", () => path, "DELETE FROM migrations WHERE name = '0014-reserved-journal'"],
    ["a log that is not moved", () => path, "CREATE TABLE old_logs (id); INSERT INTO old_logs VALUES (1)"],
    [
      "an older log file",
      () => logFilePath(path),
      "DELETE FROM migrations WHERE name = 'log-file-0002-usage-sums'",
    ],
    ["an older file of bodies", () => bodyFilePath(path), "DELETE FROM migrations"],
  ])("is refused in a sentence with %s, which is left as it is", async (_, fileOf, change) => {
    execute(fileOf(), change);
    const before = schemaOf(fileOf());
    await expect(open(path)).rejects.toMatchObject({ fault: { code: "schema-too-old" } });
    expect(schemaOf(fileOf())).toEqual(before);
  });

  it("whose accounts are older than its log has used what no line says", async () => {
    const useUnlogged = "UPDATE users SET unlogged_quota = 5, used_quota = 41, granted_quota = 1005";
    execute(path, `${useUnlogged}; UPDATE migrations SET applied_time = 1 WHERE name = '0001-initial'`);
    await open(path);
    expect((await examine(path)).faults).toEqual([]);
    execute(path, "DROP TABLE accounts_before_log");
    expect((await examine(path)).faults).toContainEqual(
      expect.objectContaining({ code: "user-use-before-log" }),
    );
  });

  it("may have an empty table where its log was", async () => {
    execute(path, "CREATE TABLE old_logs (id)");
    await open(path);
    expect((await examine(path)).faults).toEqual([]);
  });
});
