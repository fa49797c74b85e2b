import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgresIn } from "@tollgate/demo/postgres-server";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { newDatabase } from "../testing/new-database";
import { type ConnectionPool, openPool } from "./connection-pool";
import { queryBuilder } from "./query-builder";
import { isCopy, snapshotsOfCopy } from "./read-copy";

/** A folder that nobody is in the way of: the server may run as somebody else. */
const newFolder = (): string => mkdtempSync(join(tmpdir(), "tollgate-copy-"));

/** A server that leads, and one that follows it. */
const folders = { leading: newFolder(), following: newFolder() };
let leading: PostgresServer;
let following: PostgresServer | undefined;
const pools: ConnectionPool[] = [];

const open = (address: string): { db: Kysely<unknown>; pool: ConnectionPool } => {
  const pool = openPool(address, 2);
  pools.push(pool);
  return { db: queryBuilder(pool), pool };
};

const start = (name: keyof typeof folders) =>
  startPostgresIn({
    data: join(folders[name], "data"),
    folder: newFolder(),
    settings: {
      fsync: "off",
      wal_level: "replica",
      max_wal_senders: "2",
      shared_buffers: "16MB",
      wal_writer_delay: "10ms",
    },
    access: "local replication all trust\n",
  });

beforeAll(async () => {
  // Whoever the server runs as has to come through.
  for (const folder of Object.values(folders)) chmodSync(folder, 0o755);
  leading = await start("leading");
  await leading.stop();
  execFileSync("cp", ["-a", join(folders.leading, "data"), folders.following]);
  leading = await start("leading");
  const { searchParams } = new URL(leading.address());
  writeFileSync(join(folders.following, "data", "standby.signal"), "");
  writeFileSync(
    join(folders.following, "data", "postgresql.auto.conf"),
    `primary_conninfo = 'host=${searchParams.get("host")} user=tollgate'\n`,
  );
  following = await start("following");
});
afterAll(async () => {
  for (const pool of pools) await pool.end();
  await following?.stop();
  await leading.stop();
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
});

describe("a copy of a database", () => {
  it("is one that follows it; the database itself is none, and another one is refused", async () => {
    const own = open(leading.address());
    const copy = open(following?.address() ?? "");
    expect(await isCopy(own.db, copy.db, copy.pool.destination)).toBe(true);
    expect(await isCopy(own.db, own.db, own.pool.destination)).toBe(false);
    for (const address of [leading.address("template1"), await newDatabase(), inject("postgresAddress")]) {
      const other = open(address);
      await expect(isCopy(own.db, other.db, other.pool.destination)).rejects.toMatchObject({
        fault: { code: "database-not-a-copy" },
      });
    }
  });

  it("is asked while it has everything; while it is behind, or gone, the database itself is", async () => {
    const { db } = open(leading.address());
    const copy = open(following?.address() ?? "");
    await sql`CREATE TABLE things (id int)`.execute(db);
    const ask = (inSnapshot: ReturnType<typeof snapshotsOfCopy>) =>
      inSnapshot((runner) =>
        runner.all<{ things: number; isCopy: boolean }>(
          `SELECT (SELECT count(*) FROM things) AS things, pg_is_in_recovery() AS "isCopy"`,
        ),
      );
    const snapshots = snapshotsOfCopy(db, copy.db);
    for (let things = 1; things <= 20; things += 1) {
      await sql`INSERT INTO things VALUES (1)`.execute(db);
      expect((await ask(snapshots))[0]?.things).toBe(things);
    }
    await expect.poll(() => ask(snapshotsOfCopy(db, copy.db))).toEqual([{ things: 20, isCopy: true }]);
    await sql`SELECT pg_wal_replay_pause()`.execute(copy.db);
    await sql`INSERT INTO things VALUES (1)`.execute(db);
    expect(await ask(snapshotsOfCopy(db, copy.db))).toEqual([{ things: 21, isCopy: false }]);
    await following?.stop();
    following = undefined;
    expect(await ask(snapshotsOfCopy(db, copy.db))).toEqual([{ things: 21, isCopy: false }]);
  });
});
