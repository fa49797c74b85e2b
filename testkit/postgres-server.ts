import { execFile, execFileSync } from "node:child_process";
import { accessSync, chownSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { spawnServer } from "./spawn-server";

/** A PostgreSQL server for tests: what it holds ends with it, and nothing is written through to the disk. */
export interface PostgresServer {
  /** The address of a database, by default of the one that is always there, for a user who needs no password. */
  address(database?: string): string;
  /** Cuts all that is under way, removes the data folder. */
  stop(): Promise<void>;
}

const USER = "tollgate";
/** Who asks for it is asked for a password. */
const ACCESS = `local all protected password
local all all trust
`;

const isRunnable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Where Debian puts the programs of each version, which are not on the path; the newest first. */
const versionFolders = (): string[] => {
  try {
    return readdirSync("/usr/lib/postgresql")
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join("/usr/lib/postgresql", version, "bin"));
  } catch {
    return [];
  }
};

/** @throws Error that says how to name one. */
const findPrograms = (): string => {
  const named = process.env.POSTGRES_BIN;
  if (named) return named;
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...versionFolders()];
  const found = folders.find((folder) =>
    ["initdb", "postgres"].every((program) => isRunnable(join(folder, program))),
  );
  if (found === undefined) {
    throw new Error(
      "No PostgreSQL server found: install one (on Debian or Ubuntu: apt-get install postgresql), or name the folder of its programs with POSTGRES_BIN",
    );
  }
  return found;
};

const idOf = (kind: "-u" | "-g", user: string): number =>
  Number(execFileSync("id", [kind, user], { stdio: ["ignore", "pipe", "ignore"] }));

/** PostgreSQL refuses to run as root: then somebody else does it. */
const findOwner = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  for (const user of ["postgres", "nobody"]) {
    try {
      return { uid: idOf("-u", user), gid: idOf("-g", user) };
    } catch {
      // There is no such user: the next one.
    }
  }
  throw new Error("PostgreSQL does not run as root, and this machine has no user postgres or nobody");
};

const SETTINGS = {
  listen_addresses: "",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  shared_buffers: "16MB",
  max_connections: "100",
  autovacuum: "off",
  checkpoint_timeout: "1h",
};

/**
 * Starts a server of this machine's PostgreSQL, with an empty data folder and a socket that nobody else reaches. It takes a
 * second.
 * @throws Error that says what is missing.
 */
export const startPostgres = async (): Promise<PostgresServer> => {
  const programs = findPrograms();
  const owner = findOwner();
  const folder = mkdtempSync(join(tmpdir(), "tollgate-pg-"));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const how = { ...owner, cwd: folder, env: { ...process.env, FOLDER: folder, LC_ALL: "C" } };
  const data = join(folder, "data");
  try {
    await promisify(execFile)(
      join(programs, "initdb"),
      ["-D", data, "-U", USER, "-E", "UTF8", "--locale=C", "--auth=trust", "--no-sync"],
      how,
    );
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL's data folder could not be made: ${(error as Error).message}`);
  }
  writeFileSync(join(data, "pg_hba.conf"), ACCESS);
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: folder });
  const command = [join(programs, "postgres"), "-D", data];
  for (const [name, value] of settings) command.push("-c", `${name}=${value}`);
  const stop = await spawnServer({
    name: "PostgreSQL",
    command,
    folder,
    says: "stderr",
    ready: /ready to accept connections/,
    owner,
  });
  return {
    address: (database = "postgres") =>
      `postgres://${USER}@localhost/${database}?host=${encodeURIComponent(folder)}`,
    stop,
  };
};
