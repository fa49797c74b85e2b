import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgresIn } from "@tollgate/demo/postgres-server";
import type { StopSignal } from "@tollgate/demo/spawn-server";

export type { PostgresServer };

/** Who asks for it is asked for a password. */
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
 * Starts a server of this machine's PostgreSQL, with an empty data folder and a socket that nobody else reaches. It takes a
 * second; what it holds ends with it.
 * @throws Error that says what is missing.
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

/** The same as a server that can be started again. @throws Error that says what is missing. */
export const startRestartablePostgres = async (): Promise<RestartablePostgres> => {
  const data = mkdtempSync(join(tmpdir(), "tollgate-pg-data-"));
  const place = {
    data,
    folder: mkdtempSync(join(tmpdir(), "tollgate-pg-")),
    // What is committed must be with the system when the server is cut off.
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
