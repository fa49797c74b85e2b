import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgresIn } from "@tollgate/demo/postgres-server";
import type { StopSignal } from "@tollgate/demo/spawn-server";

export type { PostgresServer };

/** The user `protected` needs a password. */
const ACCESS = "local all protected password\n";

/** Nothing is written through to the disk, which a process that dies does not need. */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  shared_buffers: "16MB",
  max_connections: "300",
  autovacuum: "off",
  checkpoint_timeout: "1h",
};

/**
 * Starts this machine's PostgreSQL, with an empty data folder and a private socket. It takes a second; its data ends
 * with it.
 * @throws Error that names the missing program.
 */
export const startPostgres = async (): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-pg-"));
  try {
    return await startPostgresIn({
      data: join(folder, "data"),
      folder,
      settings: { ...SETTINGS, synchronous_commit: "off" },
      access: ACCESS,
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};

/** A server that can go and come back with all that was committed, under the same address. */
export interface RestartablePostgres extends PostgresServer {
  start(): Promise<void>;
}

/** The same with a restartable server. @throws Error that names the missing program. */
export const startRestartablePostgres = async (): Promise<RestartablePostgres> => {
  const data = mkdtempSync(join(tmpdir(), "tollgate-pg-data-"));
  const place = {
    data,
    folder: mkdtempSync(join(tmpdir(), "tollgate-pg-")),
    // Committed data must have reached the system when the server is killed.
    settings: { ...SETTINGS, synchronous_commit: "on" },
  };
  process.on("exit", () => rmSync(data, { recursive: true, force: true }));
  let server = await startPostgresIn(place);
  return {
    address: server.address,
    pid: () => server.pid(),
    stop: (signal?: StopSignal) => server.stop(signal),
    async start() {
      server = await startPostgresIn(place);
    },
  };
};
