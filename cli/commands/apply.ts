import { createInterface } from "node:readline/promises";
import type { DefineCommand } from "../command";
import type { PlannedChange } from "../configuration/planned-change";
import { withOperator } from "../operator/with-operator";
import { resolvePath } from "../resolve-path";

const ask = async (question: string): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
};

/** Fields of a change in JSON: never a secret. */
const told = ({ sign, what, name, fields }: PlannedChange) => ({ sign, what, name, fields });

/** Applies a file to the gateway, after showing the difference (docs/guides/configuration-as-a-file.md). */
export const defineApply: DefineCommand = (program, { run }) => {
  program
    .command("apply")
    .description("make the gateway what a file of export says: shows the difference, asks, and does it")
    .argument("<file>", "YAML or JSON")
    .option("--yes", "do it without asking")
    .option("--dry-run", "show the difference alone")
    .option("--prune", "also delete channels and reset options that the file does not name")
    .action((path: string, { yes, dryRun, prune }: { yes?: boolean; dryRun?: boolean; prune?: boolean }) =>
      run(async ({ environment, output }) => {
        // Only who needs them loads the parser and the checks.
        const { readConfigurationFile } = await import("../configuration/read-file");
        const { compareWithGateway } = await import("../configuration/compare-with-gateway");
        const { countChanges, showChanges } = await import("../configuration/show-changes");
        const file = readConfigurationFile(path, resolvePath(environment, path));
        return withOperator(environment, async (api) => {
          const changes = await compareWithGateway(api, file, environment, prune === true);
          const counts = countChanges(changes);
          if (changes.length === 0) {
            output.print("Nothing to do: the gateway is what the file says.");
            output.result({ ...counts, isApplied: false, changes: [] });
            return 0;
          }
          for (const line of showChanges(changes)) output.print(line);
          output.print(`${counts.added} to add, ${counts.changed} to change, ${counts.removed} to remove.`);
          const isWanted =
            dryRun !== true && (yes === true || (process.stdin.isTTY && (await ask("Do it? [y/N] "))));
          if (!isWanted) {
            output.result({ ...counts, isApplied: false, changes: changes.map(told) });
            if (dryRun === true) return 0;
            output.progress("Nothing was done: add --yes to do it.");
            return 1;
          }
          for (const [index, { call, after, what, name }] of changes.entries()) {
            try {
              if (call) await api.call(call);
              await after?.(api);
            } catch (error) {
              const message = error instanceof Error ? error.message : String(error);
              throw new Error(
                `${what} ${name}: ${message} (${index} of ${changes.length} changes were made)`,
              );
            }
          }
          const newcomers = changes.filter(({ sign, what }) => sign === "+" && what === "user").length;
          output.print("Done.");
          if (newcomers > 0)
            output.print(
              `${newcomers} users are new and have a password that nobody knows: tollgate user reset-password.`,
            );
          output.result({ ...counts, isApplied: true, changes: changes.map(told) });
          return 0;
        });
      }),
    );
};
