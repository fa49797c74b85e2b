import { existsSync } from "node:fs";
import { join } from "node:path";
import { listChannels } from "@tollgate/contract/api/channels";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { readConfig } from "@tollgate/server/config";
import { formatDataFault } from "@tollgate/server/locales/format-data-fault";
import type { Examination } from "@tollgate/storage/doctor/examine-data";
import { countFaults } from "@tollgate/storage/doctor/found-faults";
import type { CommandContext, DefineCommand, ExitCode } from "../command";
import { checkClock } from "../doctor/check-clock";
import { checkDisk, readDiskSpace } from "../doctor/check-disk";
import { checkFolder } from "../doctor/check-folder";
import { checkPrices } from "../doctor/check-prices";
import type { Remark } from "../doctor/remark";

const examineUpstreams = async (environment: NodeJS.ProcessEnv) => {
  const { withOperator } = await import("../operator/with-operator");
  const { readPages } = await import("../operator/read-pages");
  const { checkUpstreams } = await import("../doctor/check-upstreams");
  const channels = await withOperator(environment, (api) => readPages(api, listChannels));
  return checkUpstreams(channels);
};

/** @param writer says which process writes the lines that wait. */
const printCounts = (
  output: CommandContext["output"],
  examined: string,
  { isExamined, users, tokens, lines, waiting, journalled }: Examination,
  writer: string,
): void => {
  // Data of another version, or damaged data, was not counted: a zero would read as data that is lost.
  output.print(
    isExamined
      ? `Examined ${examined}: ${users} users, ${tokens} keys, ${lines} log lines.`
      : `Could not examine ${examined}.`,
  );
  if (waiting > 0) output.print(`${waiting} charged requests wait for their log lines; ${writer} them.`);
  if (journalled > 0)
    output.print(
      `${journalled} charges are in the journal alone; the next start takes them from the balances.`,
    );
};

/** Examines the database (DATABASE_URL), or without one the data folder (DATA_DIR), and returns the result. */
const examineAll = async (
  { environment, output }: CommandContext,
  { upstreams }: { upstreams?: boolean },
): Promise<ExitCode> => {
  const { dataDir, database } = readConfig(environment);
  // Imported when needed: it loads SQLite, or the driver of a database, into the process.
  const examination = database
    ? await (await import("@tollgate/storage/doctor/examine-database")).examineDatabase(database.address)
    : await (await import("@tollgate/storage/doctor/examine")).examine(join(dataDir, "tollgate.db"));
  const { users, tokens, lines, waiting, journalled, faults } = examination;
  const examined = database ? "the database" : dataDir;
  printCounts(output, examined, examination, database ? "any node writes" : "the next start writes");
  const remarks: Remark[] = checkClock(examination, toUnixSeconds(Date.now()));
  if (!database && existsSync(dataDir))
    remarks.push(...checkDisk(dataDir, await readDiskSpace(dataDir)), ...checkFolder(dataDir));
  // A note: it has no part in whether the books are in order.
  if (faults.length === 0) remarks.push(...(await checkPrices(examination, Date.now())));
  if (upstreams === true && faults.length === 0) {
    const { asked, remarks: found } = await examineUpstreams(environment);
    output.print(`Connected to the addresses of ${asked} upstreams.`);
    remarks.push(...found);
  }
  const wrong = remarks.filter(({ isFault }) => isFault).map(({ text }) => text);
  const sentences = [...faults.map(formatDataFault), ...wrong];
  const count = countFaults(faults) + wrong.length;
  const notes = [
    ...examination.notes.map(formatDataFault),
    ...remarks.filter(({ isFault }) => !isFault).map(({ text }) => text),
  ];
  for (const note of notes) output.print(`Note: ${note}`);
  for (const sentence of sentences) output.print(`FAULT ${sentence}`);
  if (faults.length === 0)
    output.print(
      "Every balance is what was granted less what was settled, the log accounts for all of it, and orders, refunds, plans, commissions and codes are what the ledger says.",
    );
  if (count > 0) output.print(count === 1 ? "1 fault." : `${count} faults.`);
  output.result({ examined, users, tokens, lines, waiting, journalled, faults: sentences, notes });
  return sentences.length === 0 ? 0 : 1;
};

/** Says whether the books are in order, and the machine as well. */
export const defineDoctor: DefineCommand = (program, { run }) => {
  program
    .command("doctor")
    .description(
      "examine the data, the clock, the disk and who may read it, also while the gateway runs; ends with 0 when nothing is wrong",
    )
    .option("--upstreams", "connect to the upstreams of all enabled channels as well")
    .action((options: { upstreams?: boolean }) => run((context) => examineAll(context, options)));
};
