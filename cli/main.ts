#!/usr/bin/env node
import { refuseOldNode } from "./check-node";

// What it writes is for its owner alone: backups and reports hold what the data folder holds.
process.umask(0o077);

const refusal = refuseOldNode(process.versions.node);
if (refusal === undefined) {
  // Loaded only now: an older Node would end at the first thing that it does not have.
  const { runCommandLine } = await import("./program");
  process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
} else {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 1;
}
