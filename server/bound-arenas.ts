import process from "node:process";

/**
 * `process.execve` exists since Node 22.15 (https://nodejs.org/api/process.html#processexecvefile-args-env); it never
 * returns.
 */
interface Replaceable {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  execPath: string;
  execArgv: readonly string[];
  execve?: (file: string, parameters: readonly string[], env: NodeJS.ProcessEnv) => void;
}

/** An operator who sets one of these has chosen deliberately. */
const isSet = ({ MALLOC_ARENA_MAX: most, GLIBC_TUNABLES: tunables }: NodeJS.ProcessEnv): boolean =>
  most !== undefined || (tunables ?? "").includes("arena_max");

/**
 * Restarts the process with one allocator arena for all threads. Otherwise glibc gives each thread its own, whose freed
 * memory no other thread reuses: a tenth of the memory under load. glibc reads the setting before the program runs, so
 * a restart is needed (https://sourceware.org/glibc/manual/latest/html_node/Memory-Allocation-Tunables.html). The
 * process keeps its number, its files and its waiting requests. Does nothing where a restart is impossible.
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
