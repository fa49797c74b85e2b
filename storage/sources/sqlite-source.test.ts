import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openConnection } from "../sqlite/connection";
import { openSqliteSource } from "./sqlite-source";

let folder: string;
let temporary: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-test-"));
  temporary = join(folder, "temporary");
  mkdirSync(temporary);
  vi.stubEnv("TMPDIR", temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it("a file whose last changes lie beside it is read whole, and no copy of its keys can stay behind", async () => {
  const [written, crashed] = [join(folder, "written.db"), join(folder, "crashed.db")];
  const writer = openConnection(written, false);
  writer.exec("PRAGMA journal_mode = WAL");
  writer.exec("PRAGMA wal_autocheckpoint = 0");
  writer.exec("CREATE TABLE channels (id INTEGER PRIMARY KEY, key TEXT)");
  const insert = writer.prepare("INSERT INTO channels (key) VALUES (?)");
  for (let row = 0; row < 250; row += 1) insert.run(`sk-${row}${"x".repeat(5000)}`);
  // As after a crash: some are in the file, most beside it.
  for (const end of ["", "-wal"]) copyFileSync(written + end, crashed + end);
  writer.close();

  const source = openSqliteSource(crashed);
  expect(readdirSync(temporary)).toEqual([]);
  const wish = {
    table: "channels",
    columns: ["id", "key"],
    key: "id",
    isNumber: true,
    rows: 100,
    longest: 10_000,
  };
  let rows = 0;
  for await (const block of source.rows(wish)) rows += block.length;
  expect(rows).toBe(250);
  await source.close();
  expect(readdirSync(folder).filter((name) => name.startsWith("crashed"))).toEqual([
    "crashed.db",
    "crashed.db-wal",
  ]);
});
