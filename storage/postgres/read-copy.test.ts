import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgresIn } from "@tollgate/demo/postgres-server";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { newDatabase } from "../testing/new-database";
import { type ConnectionPool, openPool } from "./connection-pool";
import { queryBuilder } from "./query-builder";
import { isCopy, snapshotsOfCopy } from "./read-copy";

/** A folder that all users may enter: the server may run as another user. */
const newFolder = (): string => mkdtempSync(join(tmpdir(), "tollgate-copy-"));

/** A server that leads, and one that follows it. */
const folders = { leading: newFolder(), following: newFolder(), next: newFolder(), third: newFolder() };
const running = new Map<keyof typeof folders, PostgresServer>();
let leading: PostgresServer;
let following: PostgresServer | undefined;
const pools: ConnectionPool[] = [];
let errors: Error[] = [];
const reportError = (error: Error): void => void errors.push(error);

const open = (address: string): { db: Kysely<unknown>; pool: ConnectionPool } => {
  const pool = openPool(address, 2);
  pools.push(pool);
  return { db: queryBuilder(pool), pool };
};

const start = async (name: keyof typeof folders): Promise<PostgresServer> => {
  const server = await startPostgresIn({
    data: join(folders[name], "data"),
    folder: newFolder(),
    settings: {
      fsync: "off",
      wal_level: "replica",
      max_wal_senders: "4",
      shared_buffers: "16MB",
      wal_writer_delay: "10ms",
      wal_retrieve_retry_interval: "100ms",
    },
    access: "local replication all trust\n",
  });
  running.set(name, server);
  return server;
};

const stop = async (name: keyof typeof folders): Promise<void> => {
  await running.get(name)?.stop();
  running.delete(name);
};

/** Lets a server follow another one from its next start on. */
const follow = (name: keyof typeof folders, server: PostgresServer): void => {
  const { searchParams } = new URL(server.address());
  writeFileSync(join(folders[name], "data", "standby.signal"), "");
  writeFileSync(
    join(folders[name], "data", "postgresql.auto.conf"),
    `primary_conninfo = 'host=${searchParams.get("host")} user=tollgate'\n`,
  );
};

beforeAll(async () => {
  // The account that the server runs as must be let in.
  for (const folder of Object.values(folders)) chmodSync(folder, 0o755);
  leading = await start("leading");
  await leading.stop();
  for (const name of ["following", "next", "third"] as const)
    execFileSync("cp", ["-a", join(folders.leading, "data"), folders[name]]);
  leading = await start("leading");
  for (const name of ["following", "next", "third"] as const) follow(name, leading);
  following = await start("following");
});
beforeEach(() => {
  errors = [];
});
afterAll(async () => {
  for (const pool of pools) await pool.end();
  for (const name of running.keys()) await stop(name);
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
});

/** Asks where it is answered, and what is known there. */
const ask = (inSnapshot: ReturnType<typeof snapshotsOfCopy>) =>
  inSnapshot((runner) =>
    runner.all<{ things: number; isCopy: boolean }>(
      `SELECT (SELECT count(*) FROM things) AS things, pg_is_in_recovery() AS "isCopy"`,
    ),
  );

describe("a copy of a database", () => {
  it("is one that follows it; the database itself is none, and another one is refused", async () => {
    const own = open(leading.address());
    const copy = open(following?.address() ?? "");
    expect(await isCopy(own.db, copy.db, copy.pool.destination, reportError)).toBe(true);
    expect(await isCopy(own.db, own.db, own.pool.destination, reportError)).toBe(false);
    for (const address of [leading.address("template1"), await newDatabase(), inject("postgresAddress")]) {
      const other = open(address);
      await expect(isCopy(own.db, other.db, other.pool.destination, reportError)).rejects.toMatchObject({
        fault: { code: "database-not-a-copy" },
      });
    }
  });

  it("is asked while it has everything; while it is behind, or gone, the database itself is", async () => {
    const { db } = open(leading.address());
    const copy = open(following?.address() ?? "");
    await sql`CREATE TABLE things (id int)`.execute(db);
    const snapshots = snapshotsOfCopy(db, copy.db, copy.pool.destination, reportError);
    for (let things = 1; things <= 20; things += 1) {
      await sql`INSERT INTO things VALUES (1)`.execute(db);
      expect((await ask(snapshots))[0]?.things).toBe(things);
    }
    await expect
      .poll(() => ask(snapshotsOfCopy(db, copy.db, copy.pool.destination, reportError)))
      .toEqual([{ things: 20, isCopy: true }]);
    await sql`SELECT pg_wal_replay_pause()`.execute(copy.db);
    await sql`INSERT INTO things VALUES (1)`.execute(db);
    expect(await ask(snapshotsOfCopy(db, copy.db, copy.pool.destination, reportError))).toEqual([
      { things: 21, isCopy: false },
    ]);
    await stop("following");
    expect(errors).toEqual([]);
    expect(await ask(snapshotsOfCopy(db, copy.db, copy.pool.destination, reportError))).toEqual([
      { things: 21, isCopy: false },
    ]);
    expect(errors).toMatchObject([{ fault: { code: "database-copy-silent" } }]);
  });

  it("is told of where it is gone at the start, and is asked once it is there", async () => {
    const { db } = open(leading.address());
    const copy = open(following?.address() ?? "");
    expect(await isCopy(db, copy.db, copy.pool.destination, reportError)).toBe(true);
    expect(errors).toMatchObject([{ fault: { code: "database-copy-silent", reason: "ENOENT" } }]);
    const back = await start("following");
    const again = open(back.address());
    const snapshots = () => snapshotsOfCopy(db, again.db, again.pool.destination, reportError);
    await expect.poll(() => ask(snapshots())).toEqual([{ things: 21, isCopy: true }]);
  });

  it("is not asked where it follows a server from before a failover, though it is further on; one that follows the new one is", async () => {
    const [next] = [await start("next"), await start("third")];
    const { db } = open(next.address());
    const count = async () =>
      (await sql<{ n: number }>`SELECT count(*) AS n FROM things`.execute(db)).rows[0]?.n;
    await expect.poll(count).toBe(21);
    const third = open(running.get("third")?.address() ?? "");
    const countThird = async () =>
      (await sql<{ n: number }>`SELECT count(*) AS n FROM things`.execute(third.db)).rows[0]?.n;
    await expect.poll(countThird).toBe(21);
    await stop("next");
    await stop("third");
    // The server that dies has sent this to one copy alone.
    const old = open(running.get("following")?.address() ?? "");
    const { db: leader } = open(leading.address());
    await sql`INSERT INTO things SELECT generate_series(1, 100000)`.execute(leader);
    const countOld = async () =>
      (await sql<{ n: number }>`SELECT count(*) AS n FROM things`.execute(old.db)).rows[0]?.n;
    await expect.poll(countOld).toBe(100_021);
    await stop("leading");

    const promoted = open((await start("next")).address());
    await sql`SELECT pg_promote()`.execute(promoted.db);
    const ofOld = snapshotsOfCopy(promoted.db, old.db, old.pool.destination, reportError);
    expect(await ask(ofOld)).toEqual([{ things: 21, isCopy: false }]);

    follow("third", running.get("next") as PostgresServer);
    const moved = open((await start("third")).address());
    const ofMoved = () => snapshotsOfCopy(promoted.db, moved.db, moved.pool.destination, reportError);
    await expect.poll(() => ask(ofMoved())).toEqual([{ things: 21, isCopy: true }]);
    expect(errors).toEqual([]);
  });
});
