import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgresIn } from "@tollgate/demo/postgres-server";
import { familyTicks } from "../load/cpu-ticks";
import { hasProgram, pinRunning } from "../load/pin";

/** A server's counters since its start. */
export interface DatabaseCounters {
  /** Transactions that were committed, also those that only read. */
  commits: number;
  walBytes: number;
  /** Clients that are connected now. */
  connections: number;
}

const PSQL = "psql";
const COUNTERS = `SELECT pg_stat_clear_snapshot(),
  (SELECT sum(xact_commit) FROM pg_stat_database), pg_current_wal_lsn() - '0/0'::pg_lsn,
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid())`;
/** Maximum delay after which backends publish their counters. */
export const COUNTED_MS = 1500;

/** A PostgreSQL server behind the measured target, as in production: commits are on the disk. */
export interface BenchDatabase {
  /** Environment variables for the nodes of one site. */
  env: Record<string, string>;
  /** CPU time of all its processes, in clock ticks. */
  ticks(): number;
  /** Its counters; undefined without psql. */
  counters(): DatabaseCounters | undefined;
  stop(): Promise<void>;
}

/**
 * Starts an empty one with the server's own settings.
 * @param core to pin it to; undefined for any.
 * @throws Error that names the missing program.
 */
export const startDatabase = async (core: number | undefined): Promise<BenchDatabase> => {
  const data = mkdtempSync(join(tmpdir(), "tollgate-bench-pg-data-"));
  process.on("exit", () => rmSync(data, { recursive: true, force: true }));
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-pg-"));
  const server = await startPostgresIn({ data, folder, settings: {} });
  if (core !== undefined) pinRunning(server.pid(), core);
  return {
    env: { DATABASE_URL: server.address(), MASTER_KEY: randomBytes(32).toString("base64") },
    ticks: () => familyTicks(server.pid()),
    counters() {
      if (!hasProgram(PSQL)) return undefined;
      const text = execFileSync(PSQL, [server.address(), "-AtF", " ", "-c", COUNTERS], { encoding: "utf8" });
      const [commits = 0, walBytes = 0, connections = 0] = text.trim().split(" ").map(Number);
      return { commits, walBytes, connections };
    },
    stop: () => server.stop(),
  };
};
