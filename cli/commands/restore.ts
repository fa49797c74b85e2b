import { readConfig } from "@tollgate/server/config";
import type { DefineCommand } from "../command";
import { resolvePath } from "../resolve-path";
import { sayFaults } from "../say-faults";

/** Unpacks a backup into an empty data folder. */
export const defineRestore: DefineCommand = (program, { run }) => {
  program
    .command("restore")
    .description("unpack a backup into a data folder that is empty or not there (DATA_DIR)")
    .argument("<file>", "a file that tollgate backup wrote")
    .action((name: string) =>
      run(async ({ environment, output }) => {
        const file = resolvePath(environment, name);
        const { dataDir } = readConfig(environment);
        const { restoreBackup } = await import("@tollgate/server/backup/backup");
        const { manifest, hasKey, faults } = await restoreBackup(file, dataDir);
        const time = new Date(manifest.createdTime * 1000).toISOString();
        output.say(`Restored ${dataDir} from ${file}, made ${time} by version ${manifest.version}.`);
        if (!hasKey)
          output.say(
            "The master key is not in it: put its master.key into the folder, or set MASTER_KEY, before the start.",
          );
        return sayFaults(output, faults, { folder: dataDir, time, version: manifest.version, hasKey });
      }),
    );
};
