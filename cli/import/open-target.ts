import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "@tollgate/server/config";
import { loadMasterKey } from "@tollgate/server/master-key";
import { examineDatabaseTarget, fillDatabase } from "@tollgate/storage/load/database-target";
import { examineFolder, openFolderTarget } from "@tollgate/storage/load/folder-target";
import { type Load, openLoad } from "@tollgate/storage/load/open-load";
import { readDestinationOf } from "@tollgate/storage/promote/open-sides";
import type { ImportTarget } from "./import-wish";

/** Writes all into a folder. Nothing of what fails is closed as if it were complete. */
const fillFolder = async (
  folder: string,
  masterKey: Uint8Array,
  fill: (load: Load) => Promise<void>,
): Promise<void> => {
  const load = await openLoad(folder, masterKey);
  try {
    await fill(load);
  } catch (error) {
    load.abandon();
    throw error;
  }
  load.finish();
};

const folderTarget = (dataDir: string, masterKey: string | undefined): ImportTarget => ({
  name: dataDir,
  examine: () => examineFolder(dataDir),
  async apply(fill) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const target = openFolderTarget(dataDir);
    try {
      const own = await examineFolder(dataDir, true);
      if (own) return own;
      await fillFolder(target.staging, loadMasterKey(dataDir, masterKey), fill);
      target.takeOver();
      return undefined;
    } finally {
      target.close();
    }
  },
});

const databaseTarget = (
  address: string,
  { dataDir, masterKey }: Config,
  onCopied: (table: string, rows: number) => void,
): ImportTarget => {
  const { host, database } = readDestinationOf(address);
  return {
    name: `${host}/${database}`,
    examine: () => examineDatabaseTarget(address),
    async apply(fill) {
      const folder = mkdtempSync(join(tmpdir(), "tollgate-import-"));
      try {
        const key = loadMasterKey(dataDir, masterKey);
        await fillFolder(folder, key, fill);
        return await fillDatabase(folder, address, key, onCopied);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
};

/** Where the environment says that the gateway has its data: a database (DATABASE_URL), or a folder (DATA_DIR). */
export const openTarget = (config: Config, onCopied: (table: string, rows: number) => void): ImportTarget =>
  config.database
    ? databaseTarget(config.database.address, config, onCopied)
    : folderTarget(config.dataDir, config.masterKey);
