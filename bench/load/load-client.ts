import { join } from "node:path";
import type { LoadOrder, LoadResult } from "./load-order";
import { kill, PROGRAMS_FOLDER, startNode } from "./start-program";

/** The load generator, in its own process. */
export interface LoadClient {
  pid: number;
  run(order: LoadOrder): Promise<LoadResult>;
  stop(): Promise<void>;
}

/** @param core where it stays; undefined for anywhere */
export const startLoad = (core: number | undefined): LoadClient => {
  const program = startNode([join(PROGRAMS_FOLDER, "load-generator.js")], core);
  return {
    pid: program.pid,
    async run(order) {
      program.input.write(`${JSON.stringify(order)}\n`);
      return JSON.parse(await program.nextLine()) as LoadResult;
    },
    stop: () => kill(program.child),
  };
};
