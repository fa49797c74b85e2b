#!/usr/bin/env node
import { runCommandLine } from "./program";

// What it writes is for its owner alone: backups and reports hold what the data folder holds.
process.umask(0o077);
process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
