import { accessSync, constants, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { spawnServer } from "./spawn-server";

/** A Redis server for tests: what it holds ends with it. */
export interface RedisServer {
  /** Its socket. */
  address: string;
  stop(): Promise<void>;
}

const isRunnable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** @throws Error that says how to name one. */
const findProgram = (): string => {
  const named = process.env.REDIS_SERVER_PATH;
  if (named) return named;
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const found = folders
    .flatMap((folder) => [join(folder, "redis-server"), join(folder, "valkey-server")])
    .find(isRunnable);
  if (found === undefined) {
    throw new Error(
      "No Redis server found: install one (on Debian or Ubuntu: apt-get install redis-server), or name its program with REDIS_SERVER_PATH",
    );
  }
  return found;
};

/**
 * Starts this machine's Redis or Valkey, empty, with a socket that nobody else reaches, and without a file of what it holds.
 * @param again the socket of a server that was stopped, to be there in its place.
 * @throws Error that says what is missing.
 */
export const startRedis = async (again?: string): Promise<RedisServer> => {
  const program = findProgram();
  const folder = again === undefined ? mkdtempSync(join(tmpdir(), "tollgate-redis-")) : dirname(again);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const address = join(folder, "socket");
  const settings = {
    port: "0",
    unixsocket: address,
    unixsocketperm: "700",
    save: "",
    appendonly: "no",
    dir: folder,
  };
  const command = [program, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])];
  const stop = await spawnServer({
    name: "Redis",
    command,
    folder,
    says: "stdout",
    ready: /ready to accept connections/i,
  });
  return { address, stop };
};
