import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTransaction } from "./in-transaction";
import { openSqlite, type SqliteDatabase } from "./sqlite";

let folder: string;
let database: SqliteDatabase;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-transaction-"));
  database = openSqlite(join(folder, "test.db"), false);
  database.connection.exec("CREATE TABLE things (name TEXT UNIQUE); INSERT INTO things VALUES ('one')");
});
afterEach(() => {
  database.connection.close();
  rmSync(folder, { recursive: true });
});

/** Ends the transaction by itself, as a full disk may. */
const FAILING = "INSERT OR ROLLBACK INTO things VALUES ('one')";

describe("a transaction that SQLite has taken back itself (M13)", () => {
  it("tells what happened, where it was begun by hand", () => {
    const step = () => database.connection.exec(FAILING);
    expect(() => inTransaction(database.connection, step)).toThrow(/UNIQUE constraint failed/);
    expect(inTransaction(database.connection, () => 1)).toBe(1);
  });

  it("tells what happened, where the query builder began it", async () => {
    const { db } = database;
    const failing = db.transaction().execute(async (transaction) => {
      await sql.raw(FAILING).execute(transaction);
    });
    await expect(failing).rejects.toThrow(/UNIQUE constraint failed/);
    const wanted = new Error("not wanted");
    const refused = db.transaction().execute(async (transaction) => {
      await sql.raw("INSERT INTO things VALUES ('two')").execute(transaction);
      throw wanted;
    });
    await expect(refused).rejects.toBe(wanted);
    expect(database.connection.prepare("SELECT * FROM things").all()).toHaveLength(1);
  });
});
