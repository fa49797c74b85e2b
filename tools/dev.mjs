// @ts-check
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { install } from "./install.mjs";
import { Failure, runTool } from "./lib/failure.mjs";
import { ROOT } from "./lib/root.mjs";
import { packageProgram } from "./lib/run-command.mjs";

/** Apart from what `npm start` runs, but as deep, so that paths relative to the built file stay right. */
const OUT = join(ROOT, "dist", "server-dev");
const VITE = packageProgram("vite/bin/vite.js");

/** Lines of a build that tell nothing about the change. */
const NOISE = /^\s*$|\bkB\b|^(rendering|computing|transforming|.*modules transformed)/;

/** @type {Set<import("node:child_process").ChildProcess>} */
const children = new Set();
let isStopping = false;

const stop = (status = 0) => {
  if (isStopping) return;
  isStopping = true;
  process.exitCode = status;
  for (const child of children) child.kill("SIGTERM");
  // A program that does not end by itself must not outlive the terminal.
  setTimeout(() => {
    for (const child of children) child.kill("SIGKILL");
  }, 5000).unref();
};

/**
 * Starts a program whose lines appear under its name.
 * @param {string} label
 * @param {readonly string[]} args of Node
 * @param {string} cwd
 * @param {{ env?: NodeJS.ProcessEnv, onLine?: (line: string) => void, onEnd?: (status: number) => void }} [options]
 * onEnd replaces the end of everything, which follows otherwise
 */
const run = (label, args, cwd, { env = process.env, onLine, onEnd = stop } = {}) => {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      if (!NOISE.test(line)) console.log(`${label.padEnd(8)}│ ${line}`);
      onLine?.(line);
    });
  }
  child.on("exit", (status) => {
    children.delete(child);
    onEnd(status ?? 1);
  });
  return child;
};

/**
 * Reads the command line. The gateway listens behind the console's port, and its debugger behind that, so that two checkouts
 * with ports ten apart run side by side.
 */
const readOptions = () => {
  try {
    const { values } = parseArgs({ options: { port: { type: "string" }, demo: { type: "boolean" } } });
    const { port, demo: isDemo = false } = values;
    if (port === undefined)
      return { isDemo, consolePort: 5173, gatewayPort: Number(process.env.PORT ?? 3000), debuggerPort: 9229 };
    const first = Number(port);
    if (!Number.isInteger(first) || first < 1 || first > 65_533) throw new Error(`"${port}" is not a port`);
    return { isDemo, consolePort: first, gatewayPort: first + 1, debuggerPort: first + 2 };
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : error}
Usage: npm run dev -- [--port <console's port, 5173>] [--demo]`);
  }
};

/**
 * Names the demo's world and the port of its upstream, which the world's channels keep.
 * @param {number} gatewayPort
 */
const demoWorld = (gatewayPort) => ({
  DATA_DIR: process.env.DATA_DIR ?? join(ROOT, "data", gatewayPort === 3000 ? "demo" : `demo-${gatewayPort}`),
  DEMO_UPSTREAM_PORT: process.env.DEMO_UPSTREAM_PORT ?? `${gatewayPort + 999}`,
});

await runTool(async () => {
  const { isDemo, consolePort, gatewayPort, debuggerPort } = readOptions();
  await install();
  if (isDemo) await build(["server", "demo"]);
  rmSync(OUT, { recursive: true, force: true });
  process.on("SIGINT", () => stop());
  process.on("SIGTERM", () => stop());
  run("console", [VITE, "--port", `${consolePort}`, "--strictPort"], join(ROOT, "console"), {
    env: { ...process.env, TOLLGATE_URL: process.env.TOLLGATE_URL ?? `http://127.0.0.1:${gatewayPort}` },
  });
  const gateway = [`--inspect=127.0.0.1:${debuggerPort}`, "--enable-source-maps", join(OUT, "main.js")];
  const startGateway = () =>
    run("server", isDemo ? [join(ROOT, "dist/demo/run-demo.js"), ...gateway] : gateway, ROOT, {
      env: { ...process.env, PORT: `${gatewayPort}`, ...(isDemo && demoWorld(gatewayPort)) },
      onEnd: (status) => {
        server = undefined;
        if (isStale && !isStopping) restart();
        else if (!isStopping)
          console.log(`server  │ ended (status ${status}); it starts after the next change`);
      },
    });
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let server;
  let isStale = false;
  /** Starts the newest build, once the older one has ended. */
  const restart = () => {
    isStale = server !== undefined;
    if (server) server.kill("SIGTERM");
    else server = startGateway();
  };
  const watching = ["build", "--mode", "development", "--watch", "--logLevel", "info"];
  // Old files stay: emptying the folder first would make the running gateway fail in between.
  run("build", [VITE, ...watching, "--outDir", OUT, "--emptyOutDir", "false"], join(ROOT, "cli"), {
    env: { ...process.env, FORCE_COLOR: "0" },
    onLine: (line) => {
      if (/built in \d/.test(line) && !isStopping) restart();
    },
  });
});
