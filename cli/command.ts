import type { Command } from "commander";
import type { Output } from "./output";

/** What a command works with. */
export interface CommandContext {
  environment: NodeJS.ProcessEnv;
  output: Output;
}

/**
 * How a command ended, as the process does: 0 when all is well, 1 when it was refused, failed, or found something wrong. 2 is what
 * a command line that cannot be understood ends with.
 */
export type ExitCode = 0 | 1;

/** A command of `tollgate`: adds itself, with its words, its help and what it does. One file each, below commands/. */
export type DefineCommand = (program: Command, tools: CommandTools) => void;

export interface CommandTools {
  /**
   * Runs a command's action: says an error as a sentence and keeps how it ended.
   * @param act throws Error whose message is for the person who called.
   */
  run(act: (context: CommandContext) => Promise<ExitCode>): Promise<void>;
}
