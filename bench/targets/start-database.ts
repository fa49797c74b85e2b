import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgresIn } from "@tollgate/demo/postgres-server";
import { familyTicks } from "../load/cpu-ticks";
import { pinRunning } from "../load/pin";

/** A PostgreSQL server behind what is measured, as sites have it: what is committed is on the disk. */
export interface BenchDatabase {
  /** What nodes of one site are told. */
  env: Record<string, string>;
  /** CPU time of all its processes, in clock ticks. */
  ticks(): number;
  stop(): Promise<void>;
}

/**
 * Starts an empty one with the server's own settings.
 * @param core where it stays; undefined for anywhere.
 * @throws Error that says what is missing.
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
    stop: () => server.stop(),
  };
};
