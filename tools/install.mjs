// @ts-check
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure, runTool } from "./lib/failure.mjs";
import { fingerprintContents, readText } from "./lib/fingerprint.mjs";
import { withLock } from "./lib/lock.mjs";
import { ROOT } from "./lib/root.mjs";
import { runCommand } from "./lib/run-command.mjs";

const STAMP = join(ROOT, "node_modules", ".tollgate-install");

/** Says in one sentence when this Node cannot run the project. */
const checkNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Failure(
    `Tollgate needs Node.js 20.19 or newer; this is ${process.version}. Get a newer one from https://nodejs.org.`,
  );
};

/** What an installation depends on: the manifests, the lock, and the platform that native packages were picked for. */
const describeWanted = () => {
  const manifests = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map((entry) => join(entry.name, "package.json"))
    // Folders come and go (dist, data): only those with a manifest matter.
    .filter((file) => existsSync(join(ROOT, file)));
  const files = fingerprintContents(["package.json", "package-lock.json", ...manifests.sort()]);
  return `${files} ${process.platform}-${process.arch} node-${process.versions.modules}`;
};

/** The npm that started this program, else the one on the path. */
export const npmCommand = () => {
  const npm = process.env.npm_execpath;
  return npm?.endsWith("npm-cli.js")
    ? { command: process.execPath, args: [npm] }
    : { command: "npm", args: [] };
};

/**
 * Installs the packages when they are missing or belong to other manifests; otherwise does nothing.
 * `npm install`, not `npm ci`: npm versions disagree on the other platforms' packages that a lock names, and `npm ci`
 * refuses a lock that names fewer than it would.
 * @returns {Promise<boolean>} whether anything was installed.
 */
export const install = async () => {
  checkNode();
  if (readText(STAMP) === describeWanted()) return false;
  return withLock("install", async () => {
    if (readText(STAMP) === describeWanted()) return false;
    console.log("Installing packages …");
    const { command, args } = npmCommand();
    // The build needs the development and the platform packages, whatever this machine's npm leaves out by default.
    const result = await runCommand(command, [
      ...args,
      "install",
      "--no-audit",
      "--no-fund",
      "--include=dev",
      "--include=optional",
    ]);
    if (result.status !== 0)
      throw new Failure(`${result.output}\nnpm install failed (status ${result.status}).`);
    mkdirSync(join(ROOT, "node_modules"), { recursive: true });
    writeFileSync(STAMP, describeWanted());
    return true;
  });
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await runTool(install);
