// @ts-check
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "./install.mjs";
import { compressFiles } from "./lib/compress-files.mjs";
import { Failure, runTool } from "./lib/failure.mjs";
import { fingerprintFiles, readText } from "./lib/fingerprint.mjs";
import { checkWeights, writePreloads } from "./lib/first-load.mjs";
import { withLock } from "./lib/lock.mjs";
import { seenBy } from "./lib/rooms.mjs";
import { ROOT } from "./lib/root.mjs";
import { packageProgram, runCommand } from "./lib/run-command.mjs";

/**
 * A part of the product that is built by itself into dist/<name>.
 * `folder` holds its vite.config.ts; `sources` is everything whose change makes it stale.
 * @typedef {{name: string, folder: string, sources: string[], afterwards?: (folder: string) => Promise<void>}} Part
 */

const EVERYWHERE = ["package.json", "package-lock.json", "tsconfig.base.json", "tools/build.mjs"];

/**
 * A room and all that it is built on.
 * @param {string} room
 * @returns {string[]}
 */
const sourcesOf = (room) => [...new Set(seenBy(room).flatMap(sourcesOf)), room];

/** @type {Record<"server" | "console" | "demo" | "equipment" | "simulation", Part>} */
const PARTS = {
  server: {
    name: "server",
    folder: "cli",
    sources: [...EVERYWHERE, ...sourcesOf("cli")],
  },
  console: {
    name: "console",
    folder: "console",
    sources: [
      ...EVERYWHERE,
      ...sourcesOf("console"),
      "tools/lib/compress-files.mjs",
      "tools/lib/console-routes.mjs",
      "tools/lib/first-load.mjs",
    ],
    async afterwards(folder) {
      await compressFiles(folder);
      checkWeights(folder);
      writePreloads(folder);
    },
  },
  /** A world to look at; never shipped. */
  demo: {
    name: "demo",
    folder: "demo",
    sources: [...EVERYWHERE, ...sourcesOf("demo")],
  },
  /** What the bench runs: test equipment, never shipped. */
  equipment: {
    name: "equipment",
    folder: "bench",
    sources: [...EVERYWHERE, ...sourcesOf("bench")],
  },
  /** What simulates nodes and their leases; never shipped. */
  simulation: {
    name: "simulation",
    folder: "metering",
    sources: [...EVERYWHERE, ...sourcesOf("testkit"), "metering"],
  },
};

/** @param {string} name */
const stampPath = (name) => join(ROOT, "dist", `.${name}.stamp`);

/** @param {Part} part */
const isStale = ({ name, sources }) =>
  !existsSync(join(ROOT, "dist", name)) || readText(stampPath(name)) !== fingerprintFiles(sources);

/**
 * Builds into a folder beside the old one and swaps at the end: who reads dist/<name> never sees half a build.
 * @param {Part} part
 */
const buildPart = async ({ name, folder, sources, afterwards }) => {
  // Taken before the build, so that an edit during the build makes the result stale again.
  const fingerprint = fingerprintFiles(sources);
  const target = join(ROOT, "dist", name);
  const fresh = join(ROOT, "dist", `.${name}.new`);
  const old = join(ROOT, "dist", `.${name}.old`);
  rmSync(fresh, { recursive: true, force: true });
  const result = await runCommand(
    process.execPath,
    [packageProgram("vite/bin/vite.js"), "build", "--outDir", fresh, "--emptyOutDir", "--logLevel", "warn"],
    { cwd: join(ROOT, folder) },
  );
  if (result.status !== 0) throw new Failure(`${result.output}\nBuilding ${name} failed.`);
  await afterwards?.(fresh);
  rmSync(old, { recursive: true, force: true });
  rmSync(stampPath(name), { force: true });
  if (existsSync(target)) renameSync(target, old);
  renameSync(fresh, target);
  rmSync(old, { recursive: true, force: true });
  writeFileSync(stampPath(name), fingerprint);
  console.log(`Built ${name} in ${(result.ms / 1000).toFixed(1)} s.`);
};

/**
 * Builds whatever is older than its sources; a few milliseconds when nothing is.
 * @param {readonly (keyof typeof PARTS)[]} [names] the product by default
 */
export const build = async (names = ["server", "console"]) => {
  const wanted = names.map((name) => PARTS[name]);
  if (!wanted.some(isStale)) return;
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  await withLock("build", async () => {
    const results = await Promise.allSettled(wanted.filter(isStale).map(buildPart));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  });
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runTool(async () => {
    await install();
    await build();
  });
}
