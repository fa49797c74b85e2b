import process from "node:process";

/**
 * `process.execve` is there from Node 22.15 on
 * (https://nodejs.org/api/process.html#processexecvefile-args-env); it never returns.
 */
interface Replaceable {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  execPath: string;
  execArgv: readonly string[];
  execve?: (file: string, parameters: readonly string[], env: NodeJS.ProcessEnv) => void;
}

/** Who sets one of these has thought of it. */
const isSet = ({ MALLOC_ARENA_MAX: most, GLIBC_TUNABLES: tunables }: NodeJS.ProcessEnv): boolean =>
  most !== undefined || (tunables ?? "").includes("arena_max");

/**
 * Begins the process again with one piece of memory ("arena") for the allocator of all threads. Otherwise glibc gives each
 * thread one of its own, in which what one has freed serves no other: a tenth of the memory under load. It reads the
 * setting before the program runs, so that only a new beginning can make it
 * (https://sourceware.org/glibc/manual/latest/html_node/Memory-Allocation-Tunables.html). The process stays the same: its
 * number, its files and the requests that wait for it. Where this cannot be done nothing happens.
 * @param main the program's file.
 * @param parameters of the program.
 */
export const boundArenas = (
  main: string,
  parameters: readonly string[],
  { platform, env, execPath, execArgv, execve }: Replaceable = process as Replaceable,
): void => {
  if (platform !== "linux" || execve === undefined || isSet(env)) return;
  execve(execPath, [execPath, ...execArgv, main, ...parameters], { ...env, MALLOC_ARENA_MAX: "1" });
};
