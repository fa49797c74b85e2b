import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { UNTIL_INPUT_ENDS } from "./until-input-ends";

/** A Redis server for tests: what it holds ends with it. */
export interface RedisServer {
  /** Its socket. */
  address: string;
  stop(): Promise<void>;
}

const START_MS = 10_000;

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

/** Waits until the server takes connections. @throws Error with what it said when it does not. */
const untilReady = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = "";
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new Error(`Redis ${why}: ${said.trim().split("\n").slice(-5).join("\n")}`));
    };
    const timer = setTimeout(() => fail(`did not start within ${START_MS / 1000} s`), START_MS);
    server.stdout?.on("data", (chunk: Buffer) => {
      // Only what it says until then is of any use.
      if (said.length < 10_000) said += chunk.toString();
      if (!/ready to accept connections/i.test(said)) return;
      clearTimeout(timer);
      resolve();
    });
    server.once("error", (error) => fail(`could not be started (${error.message})`));
    server.once("exit", () => fail("ended at once"));
  });

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
  const server = spawn("sh", ["-c", UNTIL_INPUT_ENDS, "sh", ...command], {
    env: { ...process.env, FOLDER: folder, LC_ALL: "C" },
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => {
    server.once("exit", () => resolve());
    server.once("error", () => resolve());
  });
  const stop = async (): Promise<void> => {
    server.stdio[3]?.destroy();
    await ended;
  };
  try {
    await untilReady(server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address, stop };
};
