import { setImmediate as turnOfOthers } from "node:timers/promises";

/** Yields to other waiting work: for long tasks that run beside relayed requests. */
export const yieldToOthers = async (): Promise<void> => {
  await turnOfOthers();
};
