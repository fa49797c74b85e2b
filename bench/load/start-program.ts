import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { pin } from "./pin";

/** The folder of the built bench programs. */
export const PROGRAMS_FOLDER = dirname(fileURLToPath(import.meta.url));

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** A child process that is killed when this one exits for any reason. */
export const killAtExit = <Child extends ChildProcess>(child: Child): Child => {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
};

/** Kills a child and waits until it is gone. */
export const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
};

export interface Program {
  child: ChildProcess;
  pid: number;
  input: Writable;
  /** The next line that it prints. @throws Error when it ends instead. */
  nextLine(): Promise<string>;
}

/**
 * Starts a Node program; its standard input and output are pipes.
 * @param parameters Node's options, the program's file and its arguments
 * @param core the CPU that it is pinned to; undefined for any
 */
export const startNode = (
  parameters: readonly string[],
  core: number | undefined,
  env: Record<string, string> = {},
): Program => {
  const [command = process.execPath, ...rest] = [...pin(core), process.execPath, ...parameters];
  const child = killAtExit(
    spawn(command, rest, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "inherit"] }),
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    pid: child.pid ?? 0,
    input: child.stdin,
    async nextLine() {
      const line = await lines.next();
      if (line.done) throw new Error(`${child.spawnargs.join(" ")} ended`);
      return line.value;
    },
  };
};

/** Starts one of the equipment's servers and reads the port that it prints. */
export const startServerProgram = async (
  name: string,
  core: number | undefined,
  env: Record<string, string> = {},
): Promise<Program & { port: number }> => {
  const program = startNode([join(PROGRAMS_FOLDER, `${name}.js`)], core, env);
  return { ...program, port: Number(await program.nextLine()) };
};
