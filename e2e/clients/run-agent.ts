import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Command, Task } from "./agent";

export interface Run {
  /** The exit code, or the signal that ended it. */
  status: number | string;
  stdout: string;
  stderr: string;
  ms: number;
}

const TIMEOUT_MS = 90_000;

/**
 * Runs an agent to its end, with nothing of this process's surroundings but the path to programs, and with the
 * gateway's address as the proxy for every other machine.
 */
export const runAgent = async (
  { program, args, env }: Command,
  { url, home, folder }: Task,
): Promise<Run> => {
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    // It may start programs of its own, which end with it.
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: home,
      LANG: "C.UTF-8",
      TERM: "dumb",
      CI: "1",
      NO_COLOR: "1",
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      http_proxy: url,
      https_proxy: url,
      NO_PROXY: "127.0.0.1,localhost",
      no_proxy: "127.0.0.1,localhost",
      ...env,
    },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const endGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // No process of its group is left.
    }
  };
  const timer = setTimeout(endGroup, TIMEOUT_MS);
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  clearTimeout(timer);
  endGroup();
  return { status: code ?? signal ?? 1, stdout, stderr, ms: Math.round(performance.now() - startedAt) };
};
