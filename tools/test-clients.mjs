// @ts-check
import { build } from "./build.mjs";
import { install } from "./install.mjs";
import { Failure, runTool } from "./lib/failure.mjs";
import { packageProgram, runCommand } from "./lib/run-command.mjs";

await runTool(async () => {
  await install();
  await build(["server"]);
  const args = [packageProgram("vitest/vitest.mjs"), "run", "--project", "clients", ...process.argv.slice(2)];
  const { status } = await runCommand(process.execPath, args, { isShown: true });
  if (status !== 0) throw new Failure("Some agents do not work through the gateway; see above.");
});
