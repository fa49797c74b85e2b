import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { pin } from "./pin";

/** The folder of the built equipment. */
export const EQUIPMENT = dirname(fileURLToPath(import.meta.url));

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** A child process that goes with this one, whatever ends it. */
export const keep = <Child extends ChildProcess>(child: Child): Child => {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
};

/** Ends a child at once and waits until it is gone. */
export const end = async (child: ChildProcess): Promise<void> => {
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
 * Starts a Node program with its standard input and output in our hands.
 * @param parameters options of Node, the file, and its own words
 * @param core where it stays; undefined for anywhere
 */
export const startNode = (
  parameters: readonly string[],
  core: number | undefined,
  env: Record<string, string> = {},
): Program => {
  const [command = process.execPath, ...rest] = [...pin(core), process.execPath, ...parameters];
  const child = keep(
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
  const program = startNode([join(EQUIPMENT, `${name}.js`)], core, env);
  return { ...program, port: Number(await program.nextLine()) };
};
