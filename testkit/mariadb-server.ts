import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { spawnServer } from "@tollgate/demo/spawn-server";

/** A MariaDB server on a socket that only this user of the machine can reach; its data ends with it. */
export interface MariadbServer {
  socket: string;
  /** A user with all rights and no password. */
  user: string;
  stop(): Promise<void>;
}

/** Debian's path. */
const USUAL = "/usr/sbin/mariadbd";

/** Reduces memory to the needs of small tables, and does not flush writes to the disk. */
const SETTINGS = {
  innodb_buffer_pool_size: "16M",
  innodb_log_file_size: "8M",
  innodb_flush_log_at_trx_commit: "0",
  max_allowed_packet: "64M",
};

/**
 * Starts this machine's MariaDB, empty: the program in MARIADBD_PATH, else Debian's.
 * @throws Error that names the missing program.
 */
export const startMariadb = async (): Promise<MariadbServer> => {
  const program = process.env.MARIADBD_PATH || USUAL;
  const folder = mkdtempSync(join(tmpdir(), "tollgate-maria-"));
  const data = join(folder, "data");
  const socket = join(folder, "socket");
  const install = join(dirname(program), "../bin/mariadb-install-db");
  const account = process.getuid?.() === 0 ? ["--user=root"] : [];
  await promisify(execFile)(install, [
    "--no-defaults",
    `--datadir=${data}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    ...account,
  ]);
  const settings = { datadir: data, socket, pid_file: join(folder, "pid"), ...SETTINGS };
  const stop = await spawnServer({
    name: "MariaDB",
    command: [
      program,
      "--no-defaults",
      ...account,
      "--skip-networking",
      // Without it SIGINT is not heard.
      "--debug-gdb",
      ...Object.entries(settings).map(([name, value]) => `--${name.replaceAll("_", "-")}=${value}`),
    ],
    folder,
    says: "stderr",
    ready: /ready for connections/,
  });
  return { socket, user: "root", stop: () => stop() };
};
