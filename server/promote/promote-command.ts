import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TableProof } from "@tollgate/storage/promote/copy-tables";
import { readDestinationOf } from "@tollgate/storage/promote/open-sides";
import { type Promotion, promoteToDatabase } from "@tollgate/storage/promote/promote-to-database";
import { promoteToFolder } from "@tollgate/storage/promote/promote-to-folder";
import { type Config, readConfig } from "../config";
import { sayError } from "../locales/say-data-fault";
import { loadMasterKey } from "../master-key";
import { takeFolder } from "./take-folder";

/*
 * `npm run promote -- --to postgres://…`: the data folder (DATA_DIR) into a database, while the gateway runs;
 * `npm run promote -- --to <folder>`: the database (DATABASE_URL) into a folder, while no node runs. Ends with 0 when the other
 * side has the data, else 1.
 */

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const USAGE =
  "Say where to: npm run promote -- --to postgres://user:password@host/database, or --to <folder>.";

/** Where to: the address of a database, or the path of a folder. */
const readTarget = (words: readonly string[]): { address: string } | { folder: string } => {
  const [option, target, ...more] = words;
  if (option !== "--to" || target === undefined || target === "" || more.length > 0) throw new Error(USAGE);
  if (/^postgres(?:ql)?:/.test(target)) return { address: target };
  // npm runs this in its own folder.
  return {
    folder: resolve(process.env.INIT_CWD ?? process.cwd(), target.replace(/^sqlite:(?:\/\/(?=\/))?/, "")),
  };
};

const sayProof = ({ table, read, written, quotaRead, quotaWritten, isEqual }: TableProof): void => {
  const quota = quotaRead === 0n && quotaWritten === 0n ? "" : `, quota ${quotaRead} = ${quotaWritten}`;
  const said = isEqual ? "equal" : "DIFFERENT";
  say(
    `${table}: ${read} rows read, ${written} written${isEqual ? quota : quota.replace("=", "and")}: ${said}`,
  );
};

const sayPromotion = ({ proofs, isMoved }: Promotion): boolean => {
  for (const proof of proofs) sayProof(proof);
  if (!isMoved)
    say("The two sides differ: nothing was switched, and the data is where it was. Run the command again.");
  return isMoved;
};

const toDatabase = async (config: Config, address: string): Promise<boolean> => {
  const { dataDir, drainTimeoutMs } = config;
  if (!existsSync(join(dataDir, "tollgate.db")))
    throw new Error(`There is no data in ${dataDir}: name the folder with DATA_DIR.`);
  const masterKey = loadMasterKey(dataDir, config.masterKey);
  const { host, database } = readDestinationOf(address);
  say(`Copying ${dataDir} to the database ${database} on ${host}. The gateway goes on meanwhile.`);
  const begun = performance.now();
  let stoodStill = begun;
  const promotion = await promoteToDatabase({
    folder: dataDir,
    address,
    masterKey,
    onCopied: ({ table, written }) => say(`${table}: ${written} rows are there.`),
    takeFolder: async () => {
      say("Waiting for requests under way; new ones are told to come again.");
      stoodStill = performance.now();
      return takeFolder({ folder: dataDir, address, masterKey, patienceMs: drainTimeoutMs });
    },
  });
  if (!sayPromotion(promotion)) return false;
  say(
    `All of it is in the database; nothing was accepted for ${Math.ceil((performance.now() - stoodStill) / 1000)} s.`,
  );
  say("From now on start every node with this DATABASE_URL, and with MASTER_KEY set to");
  say(
    `${config.masterKey === undefined ? `what ${dataDir}/master.key holds` : "the same key as now"}. A gateway that ran goes on with it until then.`,
  );
  say("A start on the old folder without DATABASE_URL is refused: its balances are old.");
  return true;
};

const toFolder = async (config: Config, folder: string): Promise<boolean> => {
  const { database } = config;
  if (!database) throw new Error("Set DATABASE_URL to the database that the data is in.");
  const promotion = await promoteToFolder({
    address: database.address,
    folder,
    masterKey: loadMasterKey(config.dataDir, config.masterKey),
  });
  if (!sayPromotion(promotion)) return false;
  say(
    `All of it is in ${folder}. Start the gateway with DATA_DIR set to it, without DATABASE_URL, and with the same MASTER_KEY.`,
  );
  return true;
};

const run = async (): Promise<boolean> => {
  const target = readTarget(process.argv.slice(2));
  const config = readConfig(process.env);
  return "address" in target ? toDatabase(config, target.address) : toFolder(config, target.folder);
};

process.umask(0o077);
try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${sayError(error)}\n`);
  process.exitCode = 1;
}
