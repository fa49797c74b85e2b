// @ts-check
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readText } from "./fingerprint.mjs";
import { ROOT } from "./root.mjs";

/** @param {number} pid */
const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, yet it lives.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/**
 * Runs `work` while no other process of this checkout runs work under the same name, so that a start and a test in
 * two terminals do not build over each other. A lock whose owner died is taken over.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const withLock = async (name, work) => {
  const path = join(ROOT, "dist", `.${name}.lock`);
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const owner = Number(readText(path));
    if (owner > 0 && !isAlive(owner)) rmSync(path, { force: true });
    else await wait(200);
  }
  const release = () => rmSync(path, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
};
