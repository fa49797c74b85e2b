import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { killAtExit, PROGRAMS_FOLDER } from "../load/start-program";

export const PORTKEY_VERSION = "1.15.2";
/** Newer versions end every stream in an error on Node 20 ("immutable headers"). */
const HONO_SERVER_VERSION = "1.13.8";

const FOLDER = join(
  PROGRAMS_FOLDER,
  "../../node_modules/.cache/tollgate-bench",
  `portkey-${PORTKEY_VERSION}-hono-${HONO_SERVER_VERSION}`,
);
const MAIN = join(FOLDER, "node_modules/@portkey-ai/gateway/build/start-server.js");
const TIMEOUT_MS = 180_000;

/**
 * Fetches the peer gateway from the package registry, once, into a cache folder: it belongs to no workspace, so that
 * only users of the bench install it.
 * @returns its main file; undefined when the registry cannot be reached.
 */
export const installPortkey = async (): Promise<string | undefined> => {
  if (existsSync(MAIN)) return MAIN;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    join(FOLDER, "package.json"),
    JSON.stringify({
      private: true,
      dependencies: { "@portkey-ai/gateway": PORTKEY_VERSION },
      overrides: { "@hono/node-server": HONO_SERVER_VERSION },
    }),
  );
  const words = ["install", "--prefix", FOLDER, "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  const npm = killAtExit(
    spawn("npm", [...words, "--fetch-retries=1", "--fetch-timeout=30000"], {
      cwd: FOLDER,
      stdio: ["ignore", "ignore", "inherit"],
      timeout: TIMEOUT_MS,
    }),
  );
  const [code] = (await once(npm, "exit")) as [number | null];
  if (code === 0 && existsSync(MAIN)) return MAIN;
  // Half an installation must not pass for a whole one the next time.
  rmSync(FOLDER, { recursive: true, force: true });
  return undefined;
};
