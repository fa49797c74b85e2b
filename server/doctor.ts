import { join } from "node:path";
import { examine } from "@tollgate/storage/doctor/examine";
import { readConfig } from "./config";
import { sayDataFault } from "./locales/say-data-fault";

/* Examines the data folder (DATA_DIR) and says what it found: `npm run doctor`. Ends with 0 when nothing is wrong, else 1. */

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const { dataDir } = readConfig(process.env);
const { users, tokens, lines, waiting, journalled, faults } = examine(join(dataDir, "tollgate.db"));
say(`Examined ${dataDir}: ${users} users, ${tokens} keys, ${lines} log lines.`);
if (waiting > 0) say(`${waiting} charged requests wait for their log lines; the next start writes them.`);
if (journalled > 0)
  say(`${journalled} charges are in the journal alone; the next start takes them from the balances.`);
for (const fault of faults) say(`FAULT ${sayDataFault(fault)}`);
say(
  faults.length === 0
    ? "Every balance is what was granted less what was settled, and the log accounts for all of it."
    : `${faults.length} faults.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
