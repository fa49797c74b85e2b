import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Agent } from "./agent";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/tollgate-clients", import.meta.url));
const TIMEOUT_MS = 300_000;

/**
 * Fetches an agent from the package registry, once, into a cache folder: it belongs to no workspace, so that no developer has
 * to install it who does not test with it. Scripts of its packages are not run.
 * @returns the folder of its packages.
 * @throws Error when the registry does not give them.
 */
export const installAgent = async ({ packages }: Agent): Promise<string> => {
  const manifest = JSON.stringify({ private: true, dependencies: packages });
  const folder = join(CACHE, createHash("sha256").update(manifest).digest("hex").slice(0, 16));
  const mark = join(folder, "installed");
  const installed = join(folder, "node_modules");
  if (existsSync(mark)) return installed;
  // Half an installation must not pass for a whole one.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), manifest);
  const words = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  const npm = spawn("npm", words, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: TIMEOUT_MS,
  });
  const [code] = (await once(npm, "exit")) as [number | null];
  if (code !== 0) throw new Error(`npm did not install ${Object.keys(packages).join(", ")}`);
  writeFileSync(mark, "");
  return installed;
};
