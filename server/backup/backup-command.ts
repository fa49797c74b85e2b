import { resolve } from "node:path";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import type { DataFault } from "@tollgate/storage/errors";
import { readConfig } from "../config";
import { sayDataFault, sayError } from "../locales/say-data-fault";
import { makeBackup, restoreBackup } from "./backup";

/*
 * `npm run backup -- <file>` and `npm run restore -- <file>`: the data folder (DATA_DIR) into one file, and back. Ends with
 * 0 when all is well, 1 otherwise.
 */

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const USAGE = "Say which file: npm run backup -- <file> [--without-key], or npm run restore -- <file>.";

const run = async (): Promise<DataFault[]> => {
  const [command, ...words] = process.argv.slice(2);
  const names = words.filter((word) => !word.startsWith("--"));
  const options = words.filter((word) => word.startsWith("--"));
  const [name] = names;
  const isUsable = command === "restore" || command === "backup";
  if (name === undefined || names.length > 1 || !isUsable) throw new Error(USAGE);
  if (options.some((option) => option !== "--without-key" || command !== "backup")) throw new Error(USAGE);
  // npm runs this in its own folder.
  const file = resolve(process.env.INIT_CWD ?? process.cwd(), name);
  const { dataDir } = readConfig(process.env);
  if (command === "restore") {
    const { manifest, hasKey, faults } = await restoreBackup(file, dataDir);
    const time = new Date(manifest.createdTime * 1000).toISOString();
    say(`Restored ${dataDir} from ${file}, made ${time} by version ${manifest.version}.`);
    if (!hasKey)
      say(
        "The master key is not in it: put its master.key into the folder, or set MASTER_KEY, before the start.",
      );
    return faults;
  }
  const { hasKey, faults } = await makeBackup(dataDir, file, options.length === 0, toUnixSeconds(Date.now()));
  say(`Wrote ${file} and read it back: everything in ${dataDir} as of one moment.`);
  say(
    hasKey
      ? "The master key is inside: whoever has this file has every stored secret. Keep it as safe as the folder itself."
      : "The master key is NOT inside: without it this backup cannot be used. Keep MASTER_KEY, or master.key, in another place.",
  );
  return faults;
};

process.umask(0o077);
try {
  const faults = await run();
  for (const fault of faults) say(`FAULT ${sayDataFault(fault)}`);
  if (faults.length > 0) say(`${faults.length} faults, which were there before: run npm run doctor.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${sayError(error)}\n`);
  process.exitCode = 1;
}
