import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Config, readConfig } from "@tollgate/server/config";
import { loadMasterKey } from "@tollgate/server/master-key";
import type { TableProof } from "@tollgate/storage/promote/copy-tables";
import type { CommandContext, DefineCommand, ExitCode } from "../command";
import type { Output } from "../output";
import { resolvePath } from "../resolve-path";

interface Promotion {
  proofs: readonly TableProof[];
  isMoved: boolean;
}

const formatProof = (
  output: Output,
  { table, read, written, quotaRead, quotaWritten, isEqual }: TableProof,
): void => {
  const quota = quotaRead === 0n && quotaWritten === 0n ? "" : `, quota ${quotaRead} = ${quotaWritten}`;
  const said = isEqual ? "equal" : "DIFFERENT";
  output.print(
    `${table}: ${read} rows read, ${written} written${isEqual ? quota : quota.replace("=", "and")}: ${said}`,
  );
};

const formatPromotion = (output: Output, { proofs, isMoved }: Promotion): void => {
  for (const proof of proofs) formatProof(output, proof);
  if (!isMoved)
    output.print(
      "The two sides differ: nothing was switched, and the data is where it was. Run the command again.",
    );
  output.result({
    isMoved,
    tables: proofs.map(({ table, read, written, isEqual }) => ({ table, read, written, isEqual })),
  });
};

/** The data folder (DATA_DIR) into a database, while the gateway runs. */
const toDatabase = async ({ output }: CommandContext, config: Config, address: string): Promise<ExitCode> => {
  const { dataDir, drainTimeoutMs } = config;
  if (!existsSync(join(dataDir, "tollgate.db")))
    throw new Error(`There is no data in ${dataDir}: name the folder with DATA_DIR.`);
  const { readDestinationOf } = await import("@tollgate/storage/promote/open-sides");
  const { promoteToDatabase } = await import("@tollgate/storage/promote/promote-to-database");
  const { takeFolder } = await import("@tollgate/server/promote/take-folder");
  const masterKey = loadMasterKey(dataDir, config.masterKey);
  const { host, database } = readDestinationOf(address);
  output.print(`Copying ${dataDir} to the database ${database} on ${host}. The gateway goes on meanwhile.`);
  const begun = performance.now();
  let stoodStill = begun;
  const promotion = await promoteToDatabase({
    folder: dataDir,
    address,
    masterKey,
    onCopied: ({ table, written }) => output.print(`${table}: ${written} rows are there.`),
    takeFolder: async () => {
      output.print("Waiting for requests under way; new ones are told to come again.");
      stoodStill = performance.now();
      return takeFolder({ folder: dataDir, address, masterKey, patienceMs: drainTimeoutMs });
    },
  });
  formatPromotion(output, promotion);
  if (!promotion.isMoved) return 1;
  output.print(
    `All of it is in the database; nothing was accepted for ${Math.ceil((performance.now() - stoodStill) / 1000)} s.`,
  );
  output.print("From now on start every node with this DATABASE_URL, and with MASTER_KEY set to");
  output.print(
    `${config.masterKey === undefined ? `what ${dataDir}/master.key holds` : "the same key as now"}. A gateway that ran goes on with it until then.`,
  );
  output.print("A start on the old folder without DATABASE_URL is refused: its balances are old.");
  return 0;
};

/** The database (DATABASE_URL) into a folder, while no node runs. */
const toFolder = async ({ output }: CommandContext, config: Config, folder: string): Promise<ExitCode> => {
  const { database } = config;
  if (!database) throw new Error("Set DATABASE_URL to the database that the data is in.");
  const { promoteToFolder } = await import("@tollgate/storage/promote/promote-to-folder");
  const promotion = await promoteToFolder({
    address: database.address,
    folder,
    masterKey: loadMasterKey(config.dataDir, config.masterKey),
  });
  formatPromotion(output, promotion);
  if (!promotion.isMoved) return 1;
  output.print(
    `All of it is in ${folder}. Start the gateway with DATA_DIR set to it, without DATABASE_URL, and with the same MASTER_KEY.`,
  );
  return 0;
};

/** Brings the data to the other engine. */
export const definePromote: DefineCommand = (program, { run }) => {
  program
    .command("promote")
    .description("bring the data folder to PostgreSQL while the gateway runs, or a database into a folder")
    .requiredOption("--to <target>", "postgres://user:password@host/database, or a folder")
    .action(({ to }: { to: string }) =>
      run((context) => {
        const config = readConfig(context.environment);
        if (to === "") throw new Error("Say where to: the address of a database, or a folder.");
        if (/^postgres(?:ql)?:/.test(to)) return toDatabase(context, config, to);
        const path = to.replace(/^sqlite:(?:\/\/(?=\/))?/, "");
        return toFolder(context, config, resolvePath(context.environment, path));
      }),
    );
};
