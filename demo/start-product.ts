import { type ChildProcess, spawn } from "node:child_process";

/** The built product, running in its own process. */
export interface Product {
  readonly child: ChildProcess;
  /** Base address, without a slash at the end. */
  readonly url: string;
  /** Everything that it printed so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves when the process has ended: its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** Settings for tests and the demo: a free port on this machine, no rate limits, and root's first password. */
export const TRIAL_SETTINGS = {
  HOST: "127.0.0.1",
  PORT: "0",
  GLOBAL_API_RATE_LIMIT: "0",
  CRITICAL_RATE_LIMIT: "0",
  ALLOW_DEFAULT_PASSWORD: "1",
} as const;

const READY = /ready at (http:\/\/\S+)/;
const START_TIMEOUT_MS = 90_000;

/**
 * Starts the product and waits until it is ready.
 * @param command the program, and its arguments: Node and the product's main file.
 * @param env its whole environment, besides PATH.
 * @param onSpawn receives the process before it is ready.
 * @throws Error with its whole output when it ends or stays silent instead.
 */
export const startProduct = async (
  [program, ...args]: readonly [string, ...string[]],
  env: Record<string, string>,
  onSpawn: (child: ChildProcess) => void = () => {},
): Promise<Product> => {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onSpawn(child);
  let stdout = "";
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<number | string>((resolve) => {
    child.on("error", (error) => {
      stderr += error.message;
      resolve(127);
    });
    child.on("exit", (code, signal) => resolve(code ?? signal ?? 1));
  });
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (what: string) => {
      child.kill("SIGKILL");
      reject(new Error(`The product ${what}.\n${stdout}${stderr}`));
    };
    const timer = setTimeout(() => fail("did not become ready"), START_TIMEOUT_MS);
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      const address = READY.exec(stdout)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
    ended.then((status) => {
      clearTimeout(timer);
      fail(`ended (${status}) before it was ready`);
    });
  });
  return {
    child,
    url,
    ended,
    get stdout() {
      return stdout;
    },
    get stderr() {
      return stderr;
    },
  };
};
