import { readConfig } from "@tollgate/server/config";
import type { DefineCommand } from "../command";

/** How many secrets are between two lines of progress. */
const SAY_EVERY = 10_000;

/** Seals everything that is stored under the master key again, under another one. */
export const defineRotateMasterKey: DefineCommand = (program, { run }) => {
  program
    .command("rotate-master-key")
    .description(
      "seal everything stored anew under another master key, with the gateway (all nodes) stopped; run again where it was cut off",
    )
    .addHelpText(
      "after",
      "\nA key in the data folder is replaced there. Where MASTER_KEY is set, set NEW_MASTER_KEY beside it to the key that is to replace it.",
    )
    .action(() =>
      run(async ({ environment, output }) => {
        const { dataDir, database, masterKey } = readConfig(environment);
        const { rotateMasterKey } = await import("@tollgate/server/rotate-master-key");
        let said = 0;
        const { resealed, isInFolder } = await rotateMasterKey({
          dataDir,
          configured: masterKey,
          configuredNew: environment.NEW_MASTER_KEY || undefined,
          async rotate(tools) {
            if (!database)
              return (await import("@tollgate/storage/rotate/rotate-folder")).rotateFolder(dataDir, tools);
            const { rotateDatabase } = await import("@tollgate/storage/rotate/rotate-database");
            return rotateDatabase(database.address, tools);
          },
          onStep(sealed) {
            if (sealed - said < SAY_EVERY) return;
            said = sealed;
            output.print(`${sealed} secrets are sealed under the new key.`);
          },
        });
        const { sealed = 0, broken = 0 } = resealed ?? {};
        output.print(
          resealed
            ? `Everything is sealed under the new key (${sealed} secrets).`
            : "Everything was sealed under the new key before.",
        );
        if (broken > 0)
          output.print(
            `${broken} secrets could be opened by neither key, as before: they are as they were, and of no use.`,
          );
        output.print(
          isInFolder
            ? `The new key is in ${dataDir}/master.key. Backups that were made before need the old key, which they hold unless it was left out.`
            : "Set MASTER_KEY to the new key, for every node, before the start. Backups that were made before need the old key.",
        );
        output.result({ sealed, broken, wasDoneBefore: resealed === undefined });
        return 0;
      }),
    );
};
