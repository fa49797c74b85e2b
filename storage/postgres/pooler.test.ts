import { type Pgbouncer, startPgbouncer } from "@tollgate/testkit/pgbouncer-server";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openChangeFeed } from "../accounts/postgres/change-feed";
import { openAccounts } from "../accounts/postgres/open-accounts";
import { createSecrets } from "../secrets";
import { askDatabase, newDatabase } from "../testing/new-database";
import { MASTER_KEY } from "../testing/sample-records";
import { openPool } from "./connection-pool";
import { migrate } from "./migrate";
import { queryBuilder } from "./query-builder";

/* Connections behind PgBouncer, which hands those of PostgreSQL from one transaction to the next. */

let pooler: Pgbouncer;

beforeAll(async () => {
  pooler = await startPgbouncer(inject("postgresAddress"), "transaction", { server_idle_timeout: "1" });
});
afterAll(() => pooler.stop());

/** A new database. @returns its address, and the one behind the pooler. */
const newPooled = async () => {
  const direct = await newDatabase();
  return { direct, pooled: pooler.address(new URL(direct).pathname.slice(1)) };
};

const LIMITS = sql<{ statement: string; idle: string; lock: string }>`
  SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
    current_setting('idle_in_transaction_session_timeout') AS idle`;

describe("behind a pooler of transactions", () => {
  it("each statement and each transaction has the limits of its own pool, whichever client had the connection before", async () => {
    const { pooled } = await newPooled();
    const pools = [openPool(pooled, 2, 7000, 500), openPool(pooled, 2, 9000), openPool(pooled, 2)];
    const expected = [
      { statement: "7s", lock: "500ms", idle: "5s" },
      { statement: "9s", lock: "0", idle: "5s" },
      { statement: "0", lock: "0", idle: "0" },
    ];
    for (let round = 0; round < 20; round += 1) {
      const index = round % pools.length;
      const db = queryBuilder<unknown>(pools[index] as (typeof pools)[number]);
      expect((await LIMITS.execute(db)).rows).toEqual([expected[index]]);
      const inside = await db
        .transaction()
        .setIsolationLevel("repeatable read")
        .execute(async (transaction) => (await LIMITS.execute(transaction)).rows);
      expect(inside).toEqual([expected[index]]);
    }
    for (const pool of pools) await pool.end();
  });

  it("a transaction of a process that stands still is ended, and its locks are free", async () => {
    const { direct, pooled } = await newPooled();
    await askDatabase(direct, "CREATE TABLE things (id int)");
    const pool = openPool(pooled, 1, 60_000);
    const client = await pool.connect();
    await client.query("begin", []);
    await client.query("LOCK TABLE things", []);
    await askDatabase(direct, "SELECT count(*) FROM things");
    await expect(client.query("SELECT 1", [])).rejects.toThrow();
    client.release();
    await pool.end();
  });

  it("several nodes migrate a database, each once, and the lock stays with none of them", async () => {
    const { pooled } = await newPooled();
    let runs = 0;
    const first = {
      up: async () => {
        runs += 1;
      },
    };
    for (let round = 0; round < 3; round += 1)
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          const pool = openPool(pooled, 2);
          await migrate(queryBuilder(pool), pool.destination, `things_${round}`, { "0001": first });
          await pool.end();
        }),
      );
    expect(runs).toBe(3);
  });

  it("a node notices that it hears nothing at once, unless it listens at PostgreSQL itself; and refuses another database", async () => {
    const { direct, pooled } = await newPooled();
    await (await openAccounts(pooled, createSecrets(MASTER_KEY))).close();
    const [deaf, hearing, plain] = [
      await openChangeFeed(pooled),
      await openChangeFeed(pooled, direct),
      await openChangeFeed(direct),
    ];
    expect([deaf, hearing, plain].map(({ hearsAtOnce }) => hearsAtOnce)).toEqual([false, true, true]);
    for (const feed of [deaf, hearing, plain]) await feed.close();
    const other = await newPooled();
    await (await openAccounts(other.direct, createSecrets(MASTER_KEY))).close();
    await expect(openChangeFeed(pooled, other.direct)).rejects.toMatchObject({
      fault: { code: "database-listens-elsewhere" },
    });
  });
});
