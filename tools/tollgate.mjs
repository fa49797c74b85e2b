// @ts-check

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { install } from "./install.mjs";
import { runTool } from "./lib/failure.mjs";
import { ROOT } from "./lib/root.mjs";

await runTool(async () => {
  await install();
  await build(process.argv[2] === "start" ? undefined : ["server"]);
  await import(pathToFileURL(join(ROOT, "dist/server/tollgate.js")).href);
});
