import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isRunnable } from "./is-runnable";
import { spawnServer } from "./spawn-server";

/** A Redis server on a socket that only this user of the machine can reach; its data ends with it. */
export interface RedisServer {
  /** Its socket. */
  address: string;
  stop(): Promise<void>;
}

/** @throws Error that explains how to name a program. */
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
 * Starts this machine's Redis or Valkey, empty, with its own socket folder, and without saving its data.
 * @param folder is created if missing, and deleted when the server ends.
 * @throws Error that names the missing program.
 */
export const startRedisIn = async (folder: string): Promise<RedisServer> => {
  const program = findProgram();
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
  return { address, stop: () => stop() };
};
