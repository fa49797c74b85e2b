#!/usr/bin/env node
import { refuseOldNode } from "./check-node";

// Files that it writes are for its owner alone: backups and reports hold the content of the data folder.
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
