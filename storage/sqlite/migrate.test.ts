import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kysely, Migration } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Connection, openConnection } from "./connection";
import { appliedMigrations, migrate, runStatements } from "./migrate";

let folder: string;
let connection: Connection;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-migrate-"));
  connection = openConnection(join(folder, "test.db"), false);
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

const migrationOf = (text: string): Migration => ({
  up: (db: Kysely<unknown>) => runStatements(db, text),
});

describe("migrations", () => {
  it("run once, and leave no half of a failing one", async () => {
    const first = migrationOf("CREATE TABLE a (x);");
    await migrate(connection, { "0001": first });
    const failing = migrationOf("CREATE TABLE b (x);\nCREATE TABLE a (x);");
    await expect(migrate(connection, { "0001": first, "0002": failing })).rejects.toThrow(/already exists/);
    expect(() => connection.prepare("SELECT * FROM b")).toThrow(/no such table/);
    expect(appliedMigrations(connection)).toEqual(["0001"]);
    await migrate(connection, { "0001": first, "0002": migrationOf("CREATE TABLE b (x);") });
    expect(appliedMigrations(connection)).toEqual(["0001", "0002"]);
  });

  it("do not open a file of a newer version", async () => {
    const first = migrationOf("CREATE TABLE a (x);");
    await migrate(connection, { "0001": first, "0002": migrationOf("CREATE TABLE b (x);") });
    await expect(migrate(connection, { "0001": first })).rejects.toMatchObject({
      fault: { code: "schema-newer", migration: "0002" },
    });
  });
});
