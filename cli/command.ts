import type { Command } from "commander";
import type { Output } from "./output";

export interface CommandContext {
  environment: NodeJS.ProcessEnv;
  output: Output;
}

/**
 * Exit code of a command: 0 for success, 1 when it was refused, failed, or found a fault. 2 means an invalid command
 * line.
 */
export type ExitCode = 0 | 1;

/**
 * A command of `tollgate`: adds itself, with its arguments, its help and its action. One file each, below commands/.
 */
export type DefineCommand = (program: Command, tools: CommandTools) => void;

export interface CommandTools {
  /**
   * Runs a command's action: says an error as a sentence and keeps how it ended.
   * @param act throws Error whose message is for the person who called.
   */
  run(act: (context: CommandContext) => Promise<ExitCode>): Promise<void>;
}
