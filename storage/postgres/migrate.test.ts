import type { Kysely, Migration } from "kysely";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newDatabase } from "../testing/new-database";
import { type ConnectionPool, openPool } from "./connection-pool";
import { migrate, runStatements } from "./migrate";
import { queryBuilder } from "./query-builder";

let pools: ConnectionPool[];

beforeEach(async () => {
  const address = await newDatabase();
  pools = Array.from({ length: 5 }, () => openPool(address, 2));
});
afterEach(async () => {
  for (const pool of pools) await pool.end();
});

const migrationOf = (text: string): Migration => ({ up: (db: Kysely<unknown>) => runStatements(db, text) });

const bring = (pool: ConnectionPool | undefined, migrations: Record<string, Migration>, store = "things") => {
  if (!pool) throw new Error("there are fewer pools");
  return migrate(queryBuilder(pool), pool.destination, store, migrations);
};

describe("migrations", () => {
  it("run once, whichever of several nodes comes first", async () => {
    let runs = 0;
    const first: Migration = {
      async up(db: Kysely<unknown>) {
        runs += 1;
        await runStatements(db, "CREATE TABLE a (x int); INSERT INTO a VALUES (1)");
      },
    };
    await Promise.all(pools.map((pool) => bring(pool, { "0001": first })));
    expect(runs).toBe(1);
  });

  it("leave no half of a failing one, and have a list for each store", async () => {
    const first = migrationOf("CREATE TABLE a (x int)");
    const [pool] = pools;
    await bring(pool, { "0001": first });
    const failing = migrationOf("CREATE TABLE b (x int); CREATE TABLE a (x int)");
    await expect(bring(pool, { "0001": first, "0002": failing })).rejects.toThrow(/already exists/);
    await bring(pool, { "0001": first, "0002": migrationOf("CREATE TABLE b (x int)") });
    await bring(pool, { "0001": migrationOf("CREATE TABLE c (x int)") }, "others");
    const db = queryBuilder<unknown>(pools[1] as ConnectionPool);
    expect((await sql`SELECT * FROM a, b, c`.execute(db)).rows).toEqual([]);
  });

  it("are done again where a running node's transaction was in the way", async () => {
    const [pool, other] = pools;
    const first = migrationOf("CREATE TABLE a (x int); CREATE TABLE b (x int)");
    await bring(pool, { "0001": first });
    const node = await (other as ConnectionPool).connect();
    // Of two that wait for each other PostgreSQL ends the one that looks first.
    for (const text of ["BEGIN", "SET LOCAL deadlock_timeout = '10s'", "LOCK TABLE a"])
      await node.query(text, []);
    let runs = 0;
    let committed: Promise<unknown> = Promise.resolve();
    const second: Migration = {
      async up(db: Kysely<unknown>) {
        runs += 1;
        await runStatements(db, "SET LOCAL deadlock_timeout = '200ms'; ALTER TABLE b ADD COLUMN y int");
        if (runs === 1) committed = node.query("LOCK TABLE b", []).then(() => node.query("COMMIT", []));
        await runStatements(db, "ALTER TABLE a ADD COLUMN y int");
      },
    };
    await bring(pool, { "0001": first, "0002": second });
    await committed;
    node.release();
    expect(runs).toBe(2);
    const db = queryBuilder<unknown>(other as ConnectionPool);
    expect((await sql`SELECT a.y, b.y FROM a, b`.execute(db)).rows).toEqual([]);
  });

  it("do not open a database of a newer version", async () => {
    const first = migrationOf("CREATE TABLE a (x int)");
    await bring(pools[0], { "0001": first, "0002": migrationOf("CREATE TABLE b (x int)") });
    await expect(bring(pools[1], { "0001": first })).rejects.toMatchObject({
      fault: { code: "database-schema-newer", migration: "0002" },
    });
  });
});
