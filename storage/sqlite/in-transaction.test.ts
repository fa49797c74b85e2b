import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Connection, openConnection } from "./connection";
import { inTransaction } from "./in-transaction";
import { queryBuilder } from "./query-builder";

let folder: string;
let connection: Connection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-transaction-"));
  connection = openConnection(join(folder, "test.db"), false);
  connection.exec("CREATE TABLE things (name TEXT UNIQUE); INSERT INTO things VALUES ('one')");
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

/** Ends the transaction by itself, as a full disk may. */
const FAILING = "INSERT OR ROLLBACK INTO things VALUES ('one')";

describe("a transaction that SQLite has taken back itself (M13)", () => {
  it("reports the original error when the transaction was begun by hand", () => {
    const step = () => connection.exec(FAILING);
    expect(() => inTransaction(connection, step)).toThrow(/UNIQUE constraint failed/);
    expect(inTransaction(connection, () => 1)).toBe(1);
  });

  it("reports the original error when the query builder began it", async () => {
    const db = queryBuilder(connection);
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
    expect(connection.prepare("SELECT * FROM things").all()).toHaveLength(1);
  });
});
