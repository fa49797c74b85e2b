import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ApiAnswer, type ApiCall, callApi, type SignedIn, signIn } from "@tollgate/demo/api-client";
import { startProduct, TRIAL_SETTINGS } from "@tollgate/demo/start-product";
import { type PostgresServer, startPostgres } from "./postgres-server";

export type { SignedIn };

export const ROOT_USERNAME = "root";
export const ROOT_PASSWORD = "123456";

export interface ServerSettings {
  /** A folder to keep; by default a new one that is deleted with the server. */
  dataDir?: string;
  env?: Record<string, string>;
  /** Runs the server under another program, for example ["taskset", "-c", "0"]. */
  prefix?: readonly string[];
  /** The built product's main file, when it is not the one of this checkout. */
  main?: string;
  /** The Node that runs it, when it is not the one of this process. */
  node?: string;
}

/** The built product, running in its own process. */
export interface ServerProcess {
  /** Base address, without a slash at the end. */
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Everything that it printed so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Asks it to end (SIGTERM) and waits. @returns its exit code, or the signal that ended it. */
  stop(): Promise<number | string>;
  /** Kills it immediately (SIGKILL) and waits; the data folder stays until this process ends. */
  kill(): Promise<void>;
  /** Sends SIGTERM without waiting. */
  terminate(): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<number | string>;
  api(method: string, path: string, body?: unknown, caller?: ApiCall): Promise<ApiAnswer>;
  signIn(username?: string, password?: string): Promise<SignedIn>;
}

/**
 * With "postgres" each server has its own database instead of its data folder, so that the same tests run on both
 * engines (vitest.config.ts).
 */
const ENGINE = process.env.TOLLGATE_TEST_ENGINE;

/** The database server of each data folder: a restart on a folder finds the same data. */
const databases = new Map<string, PostgresServer>();

/** The database that replaces a server's data folder; undefined where the folder has the data. */
export const databaseOf = (dataDir: string): string | undefined => databases.get(dataDir)?.address();

const databaseSettings = async (dataDir: string): Promise<Record<string, string>> => {
  if (ENGINE !== "postgres") return {};
  const server = databases.get(dataDir) ?? (await startPostgres());
  databases.set(dataDir, server);
  return { DATABASE_URL: server.address(), MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
};

const PRODUCT = fileURLToPath(new URL("../dist/server/main.js", import.meta.url));

const running = new Set<ChildProcess>();
const folders = new Set<string>();

// Servers that a test did not stop must not outlive the test run.
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder that is deleted when this process ends. */
export const createDataDir = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-data-"));
  folders.add(folder);
  return folder;
};

/**
 * Starts the built product on a free port and waits until it is ready. Rate limits of /api are off, as every test comes
 * from one address; tests of them enable them. Root has the default password, unless `env` sets another.
 * @throws Error with its whole output when it ends or stays silent instead.
 */
export const startServer = async (options: ServerSettings = {}): Promise<ServerProcess> => {
  const dataDir = options.dataDir ?? createDataDir();
  const [command = process.execPath, ...args] = [
    ...(options.prefix ?? []),
    options.node ?? process.execPath,
    options.main ?? PRODUCT,
  ];
  const product = await startProduct(
    [command, ...args],
    {
      ...TRIAL_SETTINGS,
      DATA_DIR: dataDir,
      ...(await databaseSettings(dataDir)),
      ...options.env,
    },
    (child) => {
      running.add(child);
      child.on("exit", () => running.delete(child));
    },
  );
  const { child, url, ended } = product;
  return {
    url,
    dataDir,
    pid: child.pid ?? 0,
    get stdout() {
      return product.stdout;
    },
    get stderr() {
      return product.stderr;
    },
    ended,
    terminate: () => child.kill("SIGTERM"),
    stop: async () => {
      child.kill("SIGTERM");
      return ended;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    api: (method, path, body, caller) => callApi(method, url + path, body, caller),
    signIn: (username = ROOT_USERNAME, password = ROOT_PASSWORD) => signIn(url, username, password),
  };
};
