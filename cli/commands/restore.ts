import { readConfig } from "@tollgate/server/config";
import { loadMasterKey } from "@tollgate/server/master-key";
import type { DefineCommand } from "../command";
import { formatFaults } from "../format-faults";
import { resolvePath } from "../resolve-path";

/** Brings a backup to an empty database (DATABASE_URL), or without one into an empty data folder (DATA_DIR). */
export const defineRestore: DefineCommand = (program, { run }) => {
  program
    .command("restore")
    .description("bring a backup to an empty database, or into a data folder that is empty or not there")
    .argument("<file>", "a file that tollgate backup wrote")
    .action((name: string) =>
      run(async ({ environment, output }) => {
        const file = resolvePath(environment, name);
        const { dataDir, database, masterKey } = readConfig(environment);
        const { restoreBackup, restoreDatabase } = await import("@tollgate/server/backup/backup");
        const { manifest, hasKey, faults } = await (database
          ? restoreDatabase(file, database.address, loadMasterKey(dataDir, masterKey))
          : restoreBackup(file, dataDir));
        const time = new Date(manifest.createdTime * 1000).toISOString();
        const restored = database ? "the database" : dataDir;
        output.print(`Restored ${restored} from ${file}, made ${time} by version ${manifest.version}.`);
        if (!database && !hasKey)
          output.print(
            "The master key is not in it: put its master.key into the folder, or set MASTER_KEY, before the start.",
          );
        return formatFaults(output, faults, { restored, time, version: manifest.version, hasKey });
      }),
    );
};
