import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import type { Writable } from "node:stream";

/** A busy machine is slow, and three nodes start at the same time. */
const START_MS = 30_000;

/**
 * A script of `sh` that runs a server until its own fourth file (3) ends: to stop it, and also when its parent has died
 * in any way. A line written there before is the signal to use. Then FOLDER is removed.
 */
const UNTIL_INPUT_ENDS = `"$@" </dev/null & server=$!
(read -r signal; kill -"\${signal:-INT}" $server) <&3 2>/dev/null &
wait $server
rm -rf "$FOLDER"`;

/** SIGINT ends a server gracefully; SIGQUIT depends on it (PostgreSQL: immediately, as after a crash). */
export type StopSignal = "INT" | "QUIT" | "KILL";

/** Stops a server, by default with SIGINT, and waits until it has ended. */
export type StopServer = (signal?: StopSignal) => Promise<void>;

/** A server of another product, for tests and the demo. */
export interface ForeignServer {
  /** Its name in errors. */
  name: string;
  command: readonly string[];
  /** Its folder, which is deleted with it. */
  folder: string;
  /** The output on which it reports that it is ready. */
  says: "stdout" | "stderr";
  ready: RegExp;
  /** Its environment variables, in addition to those of this process. */
  env?: Readonly<Record<string, string>>;
  /** The file for its standard error, where that does not report that it is ready. */
  log?: string;
  /** Receives this output, as long as it runs. */
  hear?: (text: string) => void;
  /** The user who runs it, if not the one who runs the tests. */
  owner?: { uid: number; gid: number } | undefined;
}

/** Waits until the server accepts connections. @throws Error with its output otherwise. */
const untilReady = (child: ChildProcess, { name, says, ready, log, hear }: ForeignServer): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = "";
    const fail = (why: string): void => {
      clearTimeout(timer);
      const all = log === undefined ? said : `${said}\n${readFileSync(log, "utf8")}`;
      reject(new Error(`${name} ${why}: ${all.trim().split("\n").slice(-5).join("\n")}`));
    };
    const timer = setTimeout(() => fail(`did not start within ${START_MS / 1000} s`), START_MS);
    child[says]?.on("data", (chunk: Buffer) => {
      hear?.(chunk.toString());
      // Later output is not needed.
      if (said.length < 10_000) said += chunk.toString();
      if (!ready.test(said)) return;
      clearTimeout(timer);
      resolve();
    });
    child.once("error", (error) => fail(`could not be started (${error.message})`));
    child.once("exit", () => fail("ended at once"));
  });

/**
 * Starts a server that ends with this process in any case, and then deletes its folder.
 * @returns stops it.
 * @throws Error with its output when it does not start.
 */
export const spawnServer = async (server: ForeignServer): Promise<StopServer> => {
  const { command, folder, owner, says, log } = server;
  const otherStream = log === undefined ? "ignore" : openSync(log, "a", 0o600);
  const child = spawn("sh", ["-c", UNTIL_INPUT_ENDS, "sh", ...command], {
    ...owner,
    cwd: folder,
    env: { ...process.env, LC_ALL: "C", ...server.env, FOLDER: folder },
    stdio: [
      "ignore",
      says === "stdout" ? "pipe" : "ignore",
      says === "stderr" ? "pipe" : otherStream,
      "pipe",
    ],
    // Ctrl-C in a terminal is for the parent process, which stops its servers in order.
    detached: true,
  });
  if (typeof otherStream === "number") closeSync(otherStream);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const stop: StopServer = async (signal = "INT") => {
    const input = child.stdio[3] as Writable;
    // It may have ended by itself.
    input.on("error", () => undefined);
    input.end(`${signal}\n`);
    await ended;
  };
  try {
    await untilReady(child, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
};
