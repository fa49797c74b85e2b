import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { formatError } from "@tollgate/server/locales/format-data-fault";
import { Command, CommanderError } from "commander";
import type { CommandTools, DefineCommand } from "./command";
import { defineApply } from "./commands/apply";
import { defineBackup } from "./commands/backup";
import { defineChannel } from "./commands/channel";
import { defineDoctor } from "./commands/doctor";
import { defineExport } from "./commands/export";
import { defineImport } from "./commands/import";
import { defineKey } from "./commands/key";
import { definePrices } from "./commands/prices";
import { definePromote } from "./commands/promote";
import { defineRestore } from "./commands/restore";
import { defineRotateMasterKey } from "./commands/rotate-master-key";
import { defineStart } from "./commands/start";
import { defineUser } from "./commands/user";
import { createOutput } from "./output";

/** In the order in which help lists them. */
const COMMANDS: readonly DefineCommand[] = [
  defineStart,
  defineImport,
  defineDoctor,
  defineBackup,
  defineRestore,
  definePromote,
  defineRotateMasterKey,
  defineUser,
  defineKey,
  defineChannel,
  definePrices,
  defineExport,
  defineApply,
];

/** Exit code for an invalid command line. */
const USAGE_STATUS = 2;

export interface Streams {
  out(text: string): void;
  error(text: string): void;
}

const PROCESS_STREAMS: Streams = {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
};

/**
 * Runs one command of `tollgate`.
 * @param words the arguments after the program's name.
 * @returns the exit code: 0 for success, 1 for a failure, 2 for an invalid command line.
 */
export const runCommandLine = async (
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  streams: Streams = PROCESS_STREAMS,
): Promise<number> => {
  let status = 0;
  const program = new Command("tollgate")
    .description("An LLM API gateway: every token accounted for.")
    .version(PRODUCT_VERSION)
    .option("--json", "say the result as one JSON document")
    .showHelpAfterError("(tollgate help shows what there is)")
    .exitOverride()
    .configureOutput({ writeOut: streams.out, writeErr: streams.error });
  const tools: CommandTools = {
    async run(act) {
      const output = createOutput(program.opts<{ json?: boolean }>().json === true, streams);
      try {
        status = await act({ environment, output });
      } catch (error) {
        const message = formatError(error);
        if (output.isJson) output.result({ error: message });
        streams.error(`${message}\n`);
        status = 1;
      }
    },
  };
  for (const define of COMMANDS) define(program, tools);
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Asked for help or the version, which commander reports as an error, too.
    return error.exitCode === 0 ? 0 : USAGE_STATUS;
  }
  return status;
};
