// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { build } from "./build.mjs";
import { install } from "./install.mjs";
import { runTool } from "./lib/failure.mjs";
import { withPostgres } from "./lib/postgres.mjs";
import { findRedis } from "./lib/redis.mjs";
import { ROOT } from "./lib/root.mjs";

/*
 * Three nodes with PostgreSQL, Redis and a balancer, as docs/guides/several-nodes.md sets them up, with what this machine has.
 */

await runTool(async () => {
  await install();
  await build(["server", "console", "demo"]);
  const redis = await findRedis();
  await withPostgres(async (programs) => {
    const demo = spawn(process.execPath, [join(ROOT, "dist/demo/run-nodes.js")], {
      env: { ...process.env, POSTGRES_BIN: programs, REDIS_SERVER_PATH: redis },
      stdio: "inherit",
    });
    // A terminal tells both of Ctrl-C; whoever stops this process alone means the demo.
    process.on("SIGINT", () => undefined);
    process.on("SIGTERM", () => demo.kill("SIGTERM"));
    const [code] = await once(demo, "exit");
    process.exitCode = typeof code === "number" ? code : 1;
  });
});
