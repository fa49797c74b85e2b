// @ts-check
import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { install } from "./install.mjs";
import { runTool } from "./lib/failure.mjs";
import { ROOT } from "./lib/root.mjs";
import { packageProgram } from "./lib/run-command.mjs";

/** Apart from what `npm start` runs, but as deep, so that paths relative to the built file stay right. */
const OUT = join(ROOT, "dist", "server-dev");
const VITE = packageProgram("vite/bin/vite.js");

/** @type {import("node:child_process").ChildProcess[]} */
const children = [];
let isStopping = false;

const stop = (status = 0) => {
  if (isStopping) return;
  isStopping = true;
  process.exitCode = status;
  for (const child of children) child.kill("SIGTERM");
  // Whatever does not end by itself must not outlive the terminal.
  setTimeout(() => {
    for (const child of children) child.kill("SIGKILL");
  }, 5000).unref();
};

/**
 * Starts a program whose lines appear under its name; when it ends, everything ends.
 * @param {string} label
 * @param {readonly string[]} args of Node
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 */
const run = (label, args, cwd, env = process.env) => {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => console.log(`${label.padEnd(8)}│ ${line}`));
  }
  child.on("exit", (status) => {
    if (!isStopping) console.log(`${label.padEnd(8)}│ ended (status ${status})`);
    stop(status ?? 1);
  });
};

await runTool(async () => {
  await install();
  rmSync(OUT, { recursive: true, force: true });
  process.on("SIGINT", () => stop());
  process.on("SIGTERM", () => stop());
  // Files are overwritten one by one: emptying the folder first would make the running server fail in between.
  run("build", [VITE, "build", "--watch", "--outDir", OUT, "--emptyOutDir", "false"], join(ROOT, "cli"));
  run("console", [VITE, "--port", "5173", "--strictPort"], join(ROOT, "console"));
  while (!isStopping && !existsSync(join(OUT, "main.js"))) await wait(100);
  if (isStopping) return;
  run(
    "server",
    [
      "--inspect=127.0.0.1:9229",
      "--enable-source-maps",
      "--watch",
      "--watch-preserve-output",
      join(OUT, "main.js"),
    ],
    ROOT,
    {
      ...process.env,
      PORT: process.env.PORT ?? "3000",
    },
  );
});
