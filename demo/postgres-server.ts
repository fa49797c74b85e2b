import { execFile, execFileSync } from "node:child_process";
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type StopServer, spawnServer } from "./spawn-server";

/** A PostgreSQL server that only this user of the machine reaches, by a socket. */
export interface PostgresServer {
  /** The address of a database, by default of the one that always exists, for a user without a password. */
  address(database?: string): string;
  /** The process whose children do the work. */
  pid(): number;
  /** Cuts running work; its socket folder is deleted, the data stay. */
  stop: StopServer;
}

/** Location and settings of a server. */
export interface PostgresOptions {
  /** The data folder: created if missing. */
  data: string;
  /** A folder for the socket, which is created now and deleted when the server ends. */
  folder: string;
  /** Differences from the server's own settings. */
  settings: Readonly<Record<string, string>>;
  /** Lines of pg_hba.conf before the one that admits all connections on the socket. */
  access?: string;
}

const USER = "tollgate";

const isRunnable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Debian's folders of each version's programs, which are not on the path; the newest first. */
const versionFolders = (): string[] => {
  try {
    return readdirSync("/usr/lib/postgresql")
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join("/usr/lib/postgresql", version, "bin"));
  } catch {
    return [];
  }
};

/** @throws Error that explains how to name the programs. */
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

/** Returns the user for programs that refuse to run as root; undefined where this process is not root. */
export const findOwner = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  for (const user of ["postgres", "nobody"]) {
    try {
      return { uid: idOf("-u", user), gid: idOf("-g", user) };
    } catch {
      // This user does not exist: tries the next one.
    }
  }
  throw new Error("PostgreSQL does not run as root, and this machine has no user postgres or nobody");
};

/**
 * Starts this machine's PostgreSQL, which ends with this process in any case. A new data folder takes a second.
 * @throws Error that names the missing program, or with the server's output.
 */
export const startPostgresIn = async ({
  data,
  folder,
  settings,
  access = "",
}: PostgresOptions): Promise<PostgresServer> => {
  const programs = findPrograms();
  const owner = findOwner();
  for (const path of [folder, data]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (owner) chownSync(path, owner.uid, owner.gid);
  }
  if (!existsSync(join(data, "PG_VERSION"))) {
    const args = ["-D", data, "-U", USER, "-E", "UTF8", "--locale=C", "--auth=trust"];
    if (settings.fsync === "off") args.push("--no-sync");
    try {
      await promisify(execFile)(join(programs, "initdb"), args, {
        ...owner,
        cwd: folder,
        env: { ...process.env, LC_ALL: "C" },
      });
    } catch (error) {
      throw new Error(`PostgreSQL's data folder could not be made: ${(error as Error).message}`);
    }
    writeFileSync(join(data, "pg_hba.conf"), `${access}local all all trust\n`);
  }
  const command = [join(programs, "postgres"), "-D", data];
  const all = { listen_addresses: "", unix_socket_directories: folder, ...settings };
  for (const [name, value] of Object.entries(all)) command.push("-c", `${name}=${value}`);
  const stop = await spawnServer({
    name: "PostgreSQL",
    command,
    folder,
    says: "stderr",
    ready: /ready to accept (?:read-only )?connections/,
    owner,
  });
  return {
    address: (database = "postgres") =>
      `postgres://${USER}@localhost/${database}?host=${encodeURIComponent(folder)}`,
    pid: () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]),
    stop,
  };
};
