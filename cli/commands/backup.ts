import { reportBackup } from "@tollgate/contract/api/notices";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { readConfig } from "@tollgate/server/config";
import { formatDataFault, formatError } from "@tollgate/server/locales/format-data-fault";
import { loadMasterKey } from "@tollgate/server/master-key";
import type { DefineCommand } from "../command";
import { formatFaults } from "../format-faults";
import { callEndpoint } from "../operator/operator-api";
import { withRunningGateway } from "../operator/with-operator";
import { resolvePath } from "../resolve-path";

/** Writes the database (DATABASE_URL), or without one the data folder (DATA_DIR), into one file, also while the gateway runs, and reads it back. */
export const defineBackup: DefineCommand = (program, { run }) => {
  program
    .command("backup")
    .description("write the data into one file as of one moment, also while the gateway runs, and verify it")
    .argument("<file>", "the file to write; it must not exist")
    .option("--without-key", "leave the master key out, so that the file alone opens no secret")
    .option("--untold", "tell nobody of a failure: for whoever runs the command and tells people")
    .action((name: string, { withoutKey, untold }: { withoutKey?: boolean; untold?: boolean }) =>
      run(async ({ environment, output }) => {
        const file = resolvePath(environment, name);
        const { dataDir, database, masterKey } = readConfig(environment);
        const { makeBackup, makeDatabaseBackup } = await import("@tollgate/server/backup/backup");
        const now = toUnixSeconds(Date.now());
        // A key that the environment keeps is not inside, whatever file of before lies in the folder.
        const withKey = withoutKey !== true && masterKey === undefined;
        /**
         * Notifies root that backups fail, or work again, where a gateway can be reached; a failed notice does not fail
         * the backup.
         */
        const report = async (reason: string | undefined): Promise<void> => {
          if (untold === true) return;
          await withRunningGateway(environment, (api) =>
            callEndpoint(api, reportBackup, { body: { place: file, reason } }),
          ).catch(() => undefined);
        };
        const { hasKey, faults } = await (database
          ? makeDatabaseBackup(
              { address: database.address, masterKey: loadMasterKey(dataDir, masterKey) },
              file,
              withKey,
              now,
            )
          : makeBackup(dataDir, file, withKey, now)
        ).catch(async (error: unknown) => {
          await report(formatError(error));
          throw error;
        });
        await report(faults[0] && formatDataFault(faults[0]));
        const whole = database ? "the database" : dataDir;
        output.print(`Wrote ${file} and read it back: everything in ${whole} as of one moment.`);
        output.print(
          hasKey
            ? "The master key is inside: whoever has this file has every stored secret. Keep it as safe as the folder itself."
            : "The master key is NOT inside: without it this backup cannot be used. Keep MASTER_KEY, or master.key, in another place.",
        );
        return formatFaults(output, faults, { file, hasKey });
      }),
    );
};
