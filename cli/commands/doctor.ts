import { join } from "node:path";
import { readConfig } from "@tollgate/server/config";
import { sayDataFault } from "@tollgate/server/locales/say-data-fault";
import type { CommandContext, DefineCommand, ExitCode } from "../command";

/** Examines the database (DATABASE_URL), or without one the data folder (DATA_DIR), and says what it found. */
const examineData = async ({ environment, output }: CommandContext): Promise<ExitCode> => {
  const { dataDir, database } = readConfig(environment);
  // Not before it is asked for: it brings SQLite, or the driver of a database, into the process.
  const examination = database
    ? await (await import("@tollgate/storage/doctor/examine-database")).examineDatabase(database.address)
    : await (await import("@tollgate/storage/doctor/examine")).examine(join(dataDir, "tollgate.db"));
  const { users, tokens, lines, waiting, journalled, faults } = examination;
  const examined = database ? "the database" : dataDir;
  output.say(`Examined ${examined}: ${users} users, ${tokens} keys, ${lines} log lines.`);
  const who = database ? "any node writes" : "the next start writes";
  if (waiting > 0) output.say(`${waiting} charged requests wait for their log lines; ${who} them.`);
  if (journalled > 0)
    output.say(
      `${journalled} charges are in the journal alone; the next start takes them from the balances.`,
    );
  const sentences = faults.map(sayDataFault);
  for (const sentence of sentences) output.say(`FAULT ${sentence}`);
  output.say(
    faults.length === 0
      ? "Every balance is what was granted less what was settled, and the log accounts for all of it."
      : `${faults.length} faults.`,
  );
  output.result({ examined, users, tokens, lines, waiting, journalled, faults: sentences });
  return faults.length === 0 ? 0 : 1;
};

/** Says whether the books are in order. */
export const defineDoctor: DefineCommand = (program, { run }) => {
  program
    .command("doctor")
    .description("examine the data, also while the gateway runs; ends with 0 when nothing is wrong")
    .action(() => run(examineData));
};
