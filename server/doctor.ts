import { join } from "node:path";
import { examine } from "@tollgate/storage/doctor/examine";
import { examineDatabase } from "@tollgate/storage/doctor/examine-database";
import { readConfig } from "./config";
import { sayDataFault, sayError } from "./locales/say-data-fault";

/*
 * Examines the database (DATABASE_URL), or without one the data folder (DATA_DIR), and says what it found: `npm run doctor`,
 * also while the product runs. Ends with 0 when nothing is wrong, else 1.
 */

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const run = async (): Promise<boolean> => {
  const { dataDir, database } = readConfig(process.env);
  const { users, tokens, lines, waiting, journalled, faults } = database
    ? await examineDatabase(database.address)
    : await examine(join(dataDir, "tollgate.db"));
  const examined = database ? "the database" : dataDir;
  say(`Examined ${examined}: ${users} users, ${tokens} keys, ${lines} log lines.`);
  const who = database ? "any node writes" : "the next start writes";
  if (waiting > 0) say(`${waiting} charged requests wait for their log lines; ${who} them.`);
  if (journalled > 0)
    say(`${journalled} charges are in the journal alone; the next start takes them from the balances.`);
  for (const fault of faults) say(`FAULT ${sayDataFault(fault)}`);
  say(
    faults.length === 0
      ? "Every balance is what was granted less what was settled, and the log accounts for all of it."
      : `${faults.length} faults.`,
  );
  return faults.length === 0;
};

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${sayError(error)}\n`);
  process.exitCode = 1;
}
