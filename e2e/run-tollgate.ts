import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const TOLLGATE = fileURLToPath(new URL("../dist/server/tollgate.js", import.meta.url));

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built command `tollgate`. @param env besides PATH. @param killAfter ends it once it has said that. */
export const runTollgate = (
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  killAfter?: RegExp,
): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [TOLLGATE, ...words], {
      env: { PATH: process.env.PATH, LANG: "C", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
      if (killAfter?.test(stderr)) child.kill("SIGKILL");
    });
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
