// @ts-check
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure } from "./failure.mjs";
import { runCommand } from "./run-command.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const PLACES = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];
const HINT =
  "install it (on Debian or Ubuntu: apt-get install chromium fonts-noto-cjk) or name one with CHROMIUM_PATH";

/** @param {string} path */
const isRunnable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const find = () => {
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter).filter(Boolean),
    "/usr/bin",
    "/usr/local/bin",
  ];
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES].find(
    isRunnable,
  );
};

const install = async () => {
  if (process.getuid?.() !== 0) return false;
  console.log("Installing Chromium …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await runCommand("apt-get", ["update"], { env });
  const packages = ["chromium", "fonts-noto-cjk"];
  const result = await runCommand("apt-get", ["install", "-y", "--no-install-recommends", ...packages], {
    env,
  });
  return result.status === 0;
};

/**
 * The Chromium that the browser tests drive: the one CHROMIUM_PATH names, else one on the path, else (as root on
 * Debian) one installed now.
 * @returns {Promise<string>}
 * @throws {Failure} with one sentence that says how to get one.
 */
export const findChromium = async () => {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isRunnable(named)) return named;
    throw new Failure(`CHROMIUM_PATH names ${named}, which cannot be run.`);
  }
  const found = find() ?? ((await install()) ? find() : undefined);
  if (found === undefined) throw new Failure(`The browser tests need Chromium: ${HINT}.`);
  return found;
};
