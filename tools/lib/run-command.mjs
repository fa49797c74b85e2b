// @ts-check
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

/**
 * What a command gave back.
 * @typedef {{status: number, output: string, ms: number}} CommandResult
 */

/**
 * Runs a command to its end and keeps what it printed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, isShown?: boolean}} [how] isShown passes the output on as well.
 * @returns {Promise<CommandResult>} status 127 when the command could not be started.
 */
export const runCommand = (command, args, { cwd = ROOT, env = process.env, isShown = false } = {}) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    /** @param {NodeJS.WriteStream} target */
    const keep = (target) => (/** @type {Buffer} */ chunk) => {
      output += chunk.toString();
      if (isShown) target.write(chunk);
    };
    child.stdout.on("data", keep(process.stdout));
    child.stderr.on("data", keep(process.stderr));
    child.on("error", (error) => {
      resolve({ status: 127, output: `${output}${error.message}\n`, ms: performance.now() - startedAt });
    });
    child.on("close", (status) => {
      resolve({ status: status ?? 1, output, ms: performance.now() - startedAt });
    });
  });

/**
 * The file of a program that a package brings, to be run with this same Node.
 * @param {string} path below node_modules
 */
export const packageProgram = (path) => join(ROOT, "node_modules", path);
