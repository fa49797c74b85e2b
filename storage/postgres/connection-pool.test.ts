import { sql } from "kysely";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { DatabaseRefused } from "../errors";
import { addressWith, askDatabase, newDatabase } from "../testing/new-database";
import { type ConnectionPool, openPool, readDestination } from "./connection-pool";
import { checkServer, migrate, runStatements } from "./migrate";
import { queryBuilder } from "./query-builder";

const opened: ConnectionPool[] = [];

const open = (address: string, most = 1): ConnectionPool => {
  const pool = openPool(address, most);
  opened.push(pool);
  return pool;
};

afterEach(async () => {
  for (const pool of opened.splice(0)) await pool.end();
});

/** What a first question to a database ends with. */
const failureOf = async (ask: () => Promise<unknown>): Promise<DatabaseRefused> => {
  const failure = await ask().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof DatabaseRefused)) throw failure;
  expect(JSON.stringify([failure.message, failure.fault])).not.toContain("very-secret");
  return failure;
};

const asking = (address: string) => async () => sql`SELECT 1`.execute(queryBuilder<unknown>(open(address)));

describe("a database that cannot be worked with", () => {
  it("is told by its address where that is none", async () => {
    const failure = await failureOf(asking("postgres://user:very-secret@host:port/database"));
    expect(failure.fault).toEqual({ code: "database-address-invalid" });
  });

  it("is told by its address where a slash would make the password part of the database's name, which is told", async () => {
    for (const address of ["us/er:very-secret@host/database", "user:12/very-secret@host/database"]) {
      const failure = await failureOf(asking(`postgres://${address}`));
      expect(failure.fault).toEqual({ code: "database-address-invalid" });
    }
    expect(readDestination("postgres://us%2Fer:very%2Fsecret@host/base?sslmode=disable")).toEqual({
      host: "host",
      user: "us/er",
      database: "base",
    });
  });

  it("is unreachable when no server listens", async () => {
    const refused = await failureOf(asking("postgres://user:very-secret@127.0.0.1:1/database"));
    expect(refused.fault).toEqual({
      code: "database-unreachable",
      host: "127.0.0.1",
      reason: "ECONNREFUSED",
    });
    const missing = await failureOf(asking("postgres://user:very-secret@/database?host=/nowhere"));
    expect(missing.fault).toEqual({ code: "database-unreachable", host: "/nowhere", reason: "ENOENT" });
  });

  it("is told to be busy, and not gone, where all connections wait for answers", async () => {
    const pool = openPool(await newDatabase(), 1);
    const used = await pool.connect();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const failure = failureOf(() => pool.connect());
    await vi.advanceTimersByTimeAsync(5000);
    vi.useRealTimers();
    expect((await failure).fault).toMatchObject({ code: "database-busy" });
    used.release();
    await pool.end();
  });

  it("refuses a wrong password, and an unknown user", async () => {
    await askDatabase(inject("postgresAddress"), "CREATE ROLE protected LOGIN PASSWORD 'right'");
    const wrong = await failureOf(asking(addressWith({ username: "protected", password: "very-secret" })));
    expect(wrong.fault).toMatchObject({ code: "database-sign-in-refused", user: "protected" });
    const unknown = await failureOf(asking(addressWith({ username: "nobody" })));
    expect(unknown.fault).toMatchObject({ code: "database-sign-in-refused", user: "nobody" });
  });

  it("does not exist", async () => {
    const failure = await failureOf(asking(addressWith({ pathname: "/nothing" })));
    expect(failure.fault).toMatchObject({ code: "database-missing", database: "nothing" });
  });

  it("does not let its user make tables", async () => {
    const address = new URL(await newDatabase());
    await askDatabase(address.href, "CREATE ROLE reader LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    address.username = "reader";
    const pool = open(address.href, 2);
    const things = {
      up: (db: Parameters<typeof runStatements>[0]) => runStatements(db, "CREATE TABLE t (x int)"),
    };
    const failure = await failureOf(() =>
      migrate(queryBuilder(pool), pool.destination, "things", { "0001": things }),
    );
    expect(failure.fault).toMatchObject({ code: "database-rights-missing", user: "reader" });
  });

  it("is of a version that is too old", async () => {
    const pool = open(inject("postgresAddress"));
    await checkServer(queryBuilder(pool), pool.destination);
    const failure = await failureOf(() => checkServer(queryBuilder(pool), pool.destination, 99));
    expect(failure.fault).toMatchObject({ code: "database-too-old", needed: "99" });
  });

  it("cannot hold every character", async () => {
    const pool = open(await newDatabase("ENCODING 'LATIN1' TEMPLATE template0"));
    const failure = await failureOf(() => checkServer(queryBuilder(pool), pool.destination));
    expect(failure.fault).toMatchObject({ code: "database-not-utf8", found: "LATIN1" });
  });
});

describe("connections", () => {
  it("that were cut are replaced", async () => {
    const db = queryBuilder<unknown>(open(await newDatabase()));
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
    await askDatabase(inject("postgresAddress"), `SELECT pg_terminate_backend(${rows[0]?.pid})`);
    // Whether the cut was noticed already or not: one question may fail, and never the one after.
    await sql`SELECT 1`.execute(db).catch(() => undefined);
    expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it("that were cut within a transaction end it, and nothing else", async () => {
    const db = queryBuilder<unknown>(open(await newDatabase()));
    const cut = db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(transaction);
      await askDatabase(inject("postgresAddress"), `SELECT pg_terminate_backend(${rows[0]?.pid})`);
      // No query uses the connection while it ends.
      await sql`SELECT 1`.execute(queryBuilder(open(inject("postgresAddress"))));
      await sql`SELECT 1`.execute(transaction);
    });
    await expect(cut).rejects.toThrow(/terminat|not queryable/);
    expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it("whose transaction could not begin are not used again", async () => {
    // The server begins the transaction and then refuses a limit.
    const pool = openPool(await newDatabase(), 1, 1000, 1e12);
    opened.push(pool);
    const db = queryBuilder<unknown>(pool);
    const begin = async (): Promise<unknown> => db.transaction().execute(async () => undefined);
    for (const ask of [begin, begin, () => sql`SELECT 1`.execute(db), begin])
      await expect(ask()).rejects.toThrow(/lock_timeout/);
  });

  it("give whole numbers as numbers, and none that is not exact", async () => {
    const db = queryBuilder<unknown>(open(inject("postgresAddress")));
    const read = async (text: string) =>
      (await sql<{ value: unknown }>`SELECT ${sql.raw(text)} AS value`.execute(db)).rows[0]?.value;
    expect(await read("9007199254740991::bigint")).toBe(Number.MAX_SAFE_INTEGER);
    expect(await read("(SELECT sum(x) FROM (VALUES (1::bigint), (2::bigint)) v (x))")).toBe(3);
    expect(await read("0.25::double precision")).toBe(0.25);
    await expect(read("9007199254740992::bigint")).rejects.toThrow(
      "9007199254740992, which is no exact number",
    );
  });
});
