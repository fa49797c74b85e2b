import { writeFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import type { DefineCommand } from "../command";
import { withOperator } from "../operator/with-operator";
import { resolvePath } from "../resolve-path";

const oneOf =
  <const Word extends string>(...words: Word[]) =>
  (text: string): Word => {
    const word = words.find((each) => each === text);
    if (word === undefined) throw new InvalidArgumentError(`It must be ${words.join(" or ")}.`);
    return word;
  };

/** For its owner alone: the file has sealed secrets, and prices and addresses may be private as well. */
const FILE_MODE = 0o600;

interface ExportOptions {
  out?: string;
  format: "yaml" | "json";
  secrets: "sealed" | "none";
  users?: boolean;
}

/** Writes the gateway's settings to a file, for keeping it in git (docs/guides/configuration-as-a-file.md). */
export const defineExport: DefineCommand = (program, { run }) => {
  program
    .command("export")
    .description("write options, prices, groups, limits and channels as one file, for apply and for git")
    .option("--out <file>", "where to; else to standard output")
    .option("--format <yaml|json>", "of the file", oneOf("yaml", "json"), "yaml")
    .option(
      "--secrets <sealed|none>",
      "sealed: keys are in it, and this installation alone can read them; none: they are left out",
      oneOf("sealed", "none"),
      "sealed",
    )
    .option("--users", "users as well: names, roles, groups and limits; no passwords, keys and balances")
    .action(({ out, format, secrets, users }: ExportOptions) =>
      run(async ({ environment, output }) => {
        // Only who needs them loads the parser and the price lists.
        const { readCurrentSecrets, readCurrentState } = await import("../configuration/read-gateway");
        const { writeConfiguration } = await import("../configuration/write-file");
        const { state, sealed } = await withOperator(environment, async (api) => ({
          state: await readCurrentState(api, users === true),
          sealed: secrets === "none" ? undefined : await readCurrentSecrets(api),
        }));
        const text = writeConfiguration(state, sealed, format);
        if (out === undefined) {
          output.text(text);
          return 0;
        }
        writeFileSync(resolvePath(environment, out), text, { mode: FILE_MODE });
        output.print(`${out} has ${state.channels.length} channels and what was set of the options.`);
        output.result({ file: out, channels: state.channels.length });
        return 0;
      }),
    );
};
